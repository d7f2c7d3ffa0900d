import { suggest } from '../../text/suggest.ts'
import type { Data } from '../parse/data.ts'
import type { Path, Violation } from '../rules/violation.ts'
import type { Breach, Format, Subschema } from '../schema.ts'
import { adviceFor, otherTypeLine } from './advise.ts'
import { exampleLine } from './example.ts'

/** Says in the words of the diagnostics how data breaks a schema. */
export const explain = (breach: Breach, file: Explained): Violation => {
  const { path, schema } = breach
  if (breach.key !== undefined) return wrongKey(breach, breach.key, file.data)
  const value = valueAt(file.data, path)
  const code = breach.keyword === 'type' ? 'wrong-type' : schema['x-code']
  const key = keyIn(path)
  const at = { path, of: 'value' } as const
  if (code === 'wrong-type' || typeof value !== 'string') {
    return { code: 'wrong-type', args: wrongType(value, path, file), ...at }
  }
  const problem = (schema.format && file.formats[schema.format]?.(value)) || 'it has another form'
  switch (code) {
    case 'blank':
      return { code, args: { key, example: example(key, schemaAt(file.schema, path)) }, ...at }
    case 'unknown-encoding':
      return { code, args: { value }, ...at }
    case 'bad-boolean':
      return { code, args: { key, value }, ...at }
    case 'bad-username':
      return { code, args: { username: value }, ...at }
    case 'bad-id':
    case 'bad-count':
    case 'bad-word':
    case 'bad-token':
    case 'bad-draft':
    case 'bad-url':
      return {
        code,
        args: { value, advice: adviceFor({ value, path, schema, formats: file.formats }) },
        ...at,
      }
    case 'bad-asset':
    case 'bad-timestamp':
    case 'bad-base': {
      const advice = adviceFor({ value, path, schema, formats: file.formats })
      return { code, args: { value, problem, advice }, ...at }
    }
    case 'unknown-host': {
      const known = file.hostNames
      return { code, args: { value, suggestion: suggest(value, known), known }, ...at }
    }
    default:
      throw new Error(`a schema has no x-code for ${breach.keyword} at /${path.join('/')}`)
  }
}

type Explained = {
  readonly data: Data
  readonly schema: Subschema
  readonly formats: Readonly<Record<string, Format>>
  readonly hostNames: readonly string[]
}

const wrongKey = ({ path, keyword, schema }: Breach, key: string, data: Data): Violation => {
  const properties = schema.properties ?? {}
  if (keyword === 'required') {
    return {
      code: 'missing-key',
      args: { key, example: example(key, properties[key] ?? {}) },
      path,
      of: 'mapping',
    }
  }
  const known = Object.keys(properties)
  const suggestion = suggest(key, known)
  const given = suggestion !== undefined && valueAt(data, [...path, suggestion]) !== undefined
  const args = { key, suggestion, given, known }
  return { code: 'unknown-key', args, path: [...path, key], of: 'key' }
}

const wrongType = (value: Data | undefined, path: Path, { schema: root, formats }: Explained) => {
  const inList = typeof path.at(-1) === 'number'
  const schema = schemaAt(root, inList ? path.slice(0, -1) : path)
  const key = keyIn(path)
  const wanted = wantedBy(schema)
  const line = inList ? undefined : otherTypeLine(value, { key, wanted, schema, formats })
  return {
    key,
    wanted: inList ? `a list of ${schema.items?.type === 'object' ? 'mappings' : 'words'}` : wanted,
    found: inList ? `a list with ${nounOf(value)} in it` : nounOf(value),
    example:
      key === ''
        ? 'write "key: value" on each line'
        : line === undefined
          ? `write for example: ${example(key, schema)}`
          : `write ${line}`,
  }
}

const wantedBy = ({ type = [], format }: Subschema): string => {
  if (type.includes('array')) return 'a list'
  if (type.includes('object')) return format === undefined ? 'a mapping' : 'text or a mapping'
  return 'text'
}

const nounOf = (value: Data | undefined): string => {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a mapping'
  return value === '' ? 'an empty value' : 'text'
}

/** The key that a message names: the last one of the path. */
const keyIn = (path: Path): string => String(path.findLast((part) => typeof part === 'string') ?? '')

const example = (key: string, { examples = [] }: Subschema): string => exampleLine(key, examples[0])

const schemaAt = (root: Subschema, path: Path): Subschema =>
  path.reduce<Subschema>(
    (schema, part) => (typeof part === 'number' ? schema.items : schema.properties?.[part]) ?? {},
    root,
  )

const valueAt = (data: Data, path: Path): Data | undefined =>
  path.reduce<Data | undefined>((value, part) => (value as Readonly<Record<string, Data>>)?.[part], data)
