import type { Data } from '../../content/parse/data.ts'
import type { Subschema } from '../../content/schema.ts'
import { type Style, writeScalar } from './scalar.ts'

export type ValueOptions = {
  /** What the schema says of the value. */
  readonly schema?: Subschema | undefined
  readonly style?: Style | undefined
  /** Spaces before the key that the value belongs to. */
  readonly column?: number
}

/** What follows a key's colon, with the space or line feed in front; lines end with `\n`, the last with nothing. */
export const writeValue = (data: Data, { schema, style, column = 0 }: ValueOptions = {}): string => {
  if (typeof data === 'string') {
    return ` ${writeScalar(data, { style, types: typesOf(schema), indent: column + 2 })}`
  }
  if (!Array.isArray(data)) {
    const lines = Object.entries(data).map(([key, value]) =>
      writeEntry(key, value, { schema, column: column + 2 }),
    )
    return lines.length === 0 ? ' {}' : `\n${lines.join('\n')}`
  }
  // quotes only make it longer
  const mayBeShort = data.every((item: Data) => typeof item === 'string') && data.join(', ').length <= 78
  const flow = mayBeShort ? writeFlow(data, schema) : undefined
  return flow !== undefined && flow.length <= 80
    ? ` ${flow}`
    : data.map((item: Data) => `\n${writeItem(item, { schema, column: column + 2 })}`).join('')
}

/** An entry of a block mapping: its key, the colon and the value. */
export const writeEntry = (
  key: string,
  data: Data,
  { schema, column = 0 }: Pick<ValueOptions, 'schema' | 'column'>,
): string => `${' '.repeat(column)}${key}:${writeValue(data, { schema: schema?.properties?.[key], column })}`

/** An item of a block list whose dashes stand at `column`; the schema is the list's. */
export const writeItem = (
  item: Data,
  { schema, column }: { readonly schema?: Subschema | undefined; readonly column: number },
): string => {
  const items = schema?.items
  const margin = ' '.repeat(column)
  if (typeof item === 'string' || Array.isArray(item)) return `${margin}- ${writeFlow(item, items)}`
  const lines = Object.entries(item).map(([key, value]) =>
    writeEntry(key, value, { schema: items, column: column + 2 }),
  )
  return `${margin}- ${lines.join('\n').trimStart()}`
}

/** A value as it stands between brackets. */
export const writeFlow = (data: Data, schema: Subschema | undefined): string => {
  if (typeof data === 'string') return writeScalar(data, { flow: true, types: typesOf(schema) })
  if (Array.isArray(data)) return `[${data.map((item: Data) => writeFlow(item, schema?.items)).join(', ')}]`
  const entries = Object.entries(data).map(
    ([key, value]) => `${key}: ${writeFlow(value, schema?.properties?.[key])}`,
  )
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

const typesOf = (schema: Subschema | undefined): readonly string[] =>
  typeof schema?.type === 'string' ? [schema.type] : (schema?.type ?? [])
