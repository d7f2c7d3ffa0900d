import { bodySchemas } from '../scripts/api/document/schemas.ts'

/** A JSON Schema, draft 2020-12. */
type Schema = { readonly [keyword: string]: unknown }

/** The files of schemas/api/, each on its own: by name, with the schema that it holds. */
export const schemaFiles = (): Readonly<Record<string, Schema>> => {
  const { User, Shot, Shots } = bodySchemas()
  const list = { ...Shots.properties.Shots, items: Shot }
  return {
    'user.schema.json': publish('user', User),
    'shots.schema.json': publish('shots', { ...Shots, properties: { Shots: list } }),
  }
}

/** The `$id` of a schema: a permanent name. Nothing has to be served at that address. */
const publish = (name: string, schema: Schema): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `urn:shotpress:api:${name}`,
  ...schema,
})
