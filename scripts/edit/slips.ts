import type { Data } from '../content/parse/data.ts'
import type { Path } from '../content/rules.ts'
import type { Subschema } from '../content/schema.ts'
import { clearDate } from '../content/values/timestamp.ts'
import { suggestOnly } from '../text/suggest.ts'
import type { Exchange } from './exchange.ts'

/** Misspelt keys and dates in a file's data that can mean one thing only, at any depth. */
export const findSlips = (data: Data, schema: Subschema, path: Path = []): readonly Exchange[] => {
  if (typeof data === 'string') return path.length > 0 ? dateSlip(data, schema, path) : []
  if (Array.isArray(data)) {
    const { items } = schema
    return items === undefined ? [] : data.flatMap((item: Data, at) => findSlips(item, items, [...path, at]))
  }
  const { properties } = schema
  if (properties === undefined) return []
  return [
    ...keySlips(Object.keys(data), Object.keys(properties), path),
    ...Object.entries(data).flatMap(([key, value]) => {
      const inner = Object.hasOwn(properties, key) ? properties[key] : undefined
      return inner === undefined ? [] : findSlips(value, inner, [...path, key])
    }),
  ]
}

/** Two keys that could mean the same one stay as they are. */
const keySlips = (keys: readonly string[], known: readonly string[], path: Path): readonly Exchange[] => {
  const unknown = keys.filter((key) => !known.includes(key))
  const meant = unknown.map((key) => suggestOnly(key, known))
  return unknown.flatMap((key, at): readonly Exchange[] => {
    const after = meant[at]
    if (after === undefined || keys.includes(after)) return []
    if (meant.filter((other) => other === after).length > 1) return []
    return [{ path: [...path, key], of: 'key', before: key, after }]
  })
}

const dateSlip = (text: string, schema: Subschema, path: Path): readonly Exchange[] => {
  const after = schema['x-code'] === 'bad-timestamp' ? clearDate(text) : undefined
  return after === undefined ? [] : [{ path, of: 'value', before: text, after }]
}
