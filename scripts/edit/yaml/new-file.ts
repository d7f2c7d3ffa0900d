import type { Data } from '../../content/parse/data.ts'
import type { SchemaName, Subschema } from '../../content/schema.ts'
import { type Edited, prove } from './prove.ts'
import { writeEntry } from './value.ts'

export type NewFile = {
  /** What to write; a key that is `undefined` is left out. */
  readonly data: Readonly<Record<string, Data | undefined>>
  readonly name: SchemaName
  readonly schema: Subschema
  /** The path from the content folder's parent to the schemas; without it, no line for editors is written. */
  readonly schemas: string | undefined
}

/**
 * A new file of the content as a person with care would write it: keys in the schema's order, the first line says to
 * editors where the schema is.
 */
export const writeNewFile = ({ data, name, schema, schemas }: NewFile): Edited => {
  const keys = Object.keys(schema.properties ?? {}).filter((key) => data[key] !== undefined)
  const entries = keys.map((key) => `${writeEntry(key, data[key]!, { schema })}\n`).join('')
  const text = schemas === undefined ? entries : `${modeline(name, schemas)}\n${entries}`
  return prove('', text, Object.fromEntries(keys.map((key) => [key, data[key]!])))
}

/** The comment that tells a YAML editor which schema a file has; the path leads from the file to the schema. */
const modeline = (name: SchemaName, schemas: string): string =>
  `# yaml-language-server: $schema=${up[name]}${schemas}/${name}.schema.json`

const up = { site: '../', profile: '../../../', shot: '../../../../' } as const satisfies Record<
  SchemaName,
  string
>
