import { readSchema, type SchemaName, type Subschema } from '../scripts/content/schema.ts'
import { writeEntry } from '../scripts/edit/yaml/write.ts'

/**
 * VS Code's snippets for new content files: the keys that each needs, with an example to type
 * over.
 */
export const snippets = (): string => {
  const all = {
    Member: snippet('profile', 'member'),
    Shot: snippet('shot', 'shot'),
  }
  return `${JSON.stringify(all, null, 2)}\n`
}

const snippet = (name: Exclude<SchemaName, 'site'>, prefix: string) => {
  const schema = readSchema(name)
  const lines = (schema.required ?? []).map((key, index) => {
    const value = exampleOf(key, schema.properties![key]!)
    return `${key}: \${${index + 1}:${value}}`
  })
  return { scope: 'yaml', prefix, description: schema.description, body: [...lines, '$0'] }
}

/**
 * An example as it stands in YAML, with nothing that means something in a snippet; for a
 * date, today.
 */
const exampleOf = (key: string, schema: Subschema): string =>
  schema.format === 'timestamp'
    ? '$CURRENT_YEAR-$CURRENT_MONTH-$CURRENT_DATE'
    : writeEntry(key, String(schema.examples![0]), {
        schema: { properties: { [key]: schema } },
      })
        .slice(`${key}: `.length)
        .replace(/[\\$}]/g, '\\$&')
