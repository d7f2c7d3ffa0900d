import { type Field, formats, shotFields, userFields } from '../fields.ts'
import { shotsLimit } from '../records.ts'
import { errors, prefix, routes } from '../routes.ts'
import { exampleShot, exampleUser } from './example.ts'

/** A JSON Schema, draft 2020-12. */
export type Schema = { readonly [keyword: string]: unknown }

/** Schemas of the bodies, by the names that they have in the OpenAPI document. */
export const bodySchemas = () =>
  ({
    User: {
      title: 'User',
      description: `The answer of ${prefix}<username>: the profile of one member. Every value is a string, and every field is always there.`,
      ...record(userFields, exampleUser()),
    },
    Shot: {
      title: 'Shot',
      description:
        'One published work of a member. Every value is a string, and every field is always there.',
      ...record(shotFields, exampleShot()),
    },
    Shots: {
      title: 'Shots',
      description: `The answer of ${prefix}<username>${routes[1]!.suffix}: the newest ${shotsLimit} shots of one member, newest first; equal dates by id, highest first.`,
      type: 'object',
      required: ['Shots'],
      additionalProperties: false,
      properties: {
        Shots: {
          description: 'Newest first; empty for a member without published shots.',
          type: 'array',
          maxItems: shotsLimit,
          items: { $ref: '#/components/schemas/Shot' },
        },
      },
    },
    NotFound: error('What is asked for is not there.', errors.notFound.body),
  }) satisfies Record<string, Schema>

export type BodyName = keyof ReturnType<typeof bodySchemas>

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

const record = (fields: Readonly<Record<string, Field>>, example: Readonly<Record<string, string>>) => ({
  type: 'object',
  required: Object.keys(fields),
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, property(field, example[name]!)]),
  ),
})

const property = ({ format, holds, from }: Field, example: string): Schema => {
  const { pattern, words } = formats[format]
  return {
    description: `${sentence(holds)} ${sentence(words)} ${sentence(`from ${from}`)}`.replaceAll('`', ''),
    type: 'string',
    ...(pattern !== undefined && { pattern }),
    examples: [example],
  }
}

const error = (description: string, body: string) => ({
  title: 'Error',
  description,
  type: 'object',
  required: Object.keys(JSON.parse(body)),
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(JSON.parse(body)).map(([name, value]) => [name, { type: 'string', const: value }]),
  ),
})

const sentence = (phrase: string): string => `${phrase[0]!.toUpperCase()}${phrase.slice(1)}.`
