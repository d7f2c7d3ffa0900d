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
  const said: Record<string, Data> = {}
  let text = schemas === undefined ? '' : `${modeline(name, schemas)}\n`
  for (const key in schema.properties) {
    const value = data[key]
    if (value === undefined) continue
    said[key] = value
    text += `${writeEntry(key, value, { schema })}\n`
  }
  return prove('', text, said)
}

/** The comment that tells a YAML editor which schema a file has; the path leads from the file to the schema. */
const modeline = (name: SchemaName, schemas: string): string =>
  `# yaml-language-server: $schema=${up[name]}${schemas}/${name}.schema.json`

const up = { site: '../', profile: '../../../', shot: '../../../../' } as const satisfies Record<
  SchemaName,
  string
>
