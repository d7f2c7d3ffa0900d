import { type Data, isMapping } from '../content/parse/data.ts'
import type { Subschema } from '../content/schema.ts'
import { quote } from '../text/printable.ts'
import { compare } from './kept.ts'
import { isAddress } from './spot.ts'

// The texts that data holds, and what becomes of them where another value is written in its place.

/** Whether each key is a language: `{ en: Tea, de: Tee }`. */
export const isTranslated = (data: Data) =>
  isMapping(data) && Object.keys(data).every((key) => /^[a-z]{2}$/.test(key))

/** Whether the keys of a mapping say something themselves, as in `{ EUR: 20, USD: 25 }`. */
export const hasOwnNames = (data: Data): boolean =>
  isMapping(data)
    ? !isTranslated(data) &&
      Object.entries(data).some(([key, value]) => value !== '' && !ofParts.test(key))
    : Array.isArray(data) && data.some(hasOwnNames)

const partNames = [
  'main|sub_?title|title|name|label|text|value|amount|price|currency|unit',
  'first|middle|last|first_?name|last_?name|given|family',
  'city|country|region|state|address|place|zip|street',
  'src|url|href|alt|path|file|id|nodes|data|tag|skill|word',
]
const ofParts = new RegExp(`^(?:${partNames.join('|')})$`, 'i')

/**
 * The texts of a list or mapping; those of a mapping as they were typed, or without names of
 * keys such as `src`.
 */
export const textsOf = (
  data: Data,
  { withKeys } = { withKeys: false },
): readonly string[] => {
  if (typeof data === 'string') return data === '' ? [] : [data]
  if (!isMapping(data)) return data.flatMap((item: Data) => textsOf(item, { withKeys }))
  return Object.entries(data).flatMap(([key, item]) => {
    const inner = textsOf(item, { withKeys })
    const isName = !withKeys && /^[a-z_]+$/i.test(key) && inner.length > 0
    if (isName) return inner
    return typeof item === 'string' && item !== '' ? `${key}: ${item}` : [key, ...inner]
  })
}

/** What becomes of data where one of some values is written in its place. */
const compareWith = (data: Data, values: readonly Data[], schema: Subschema) => {
  const { items, properties, 'x-code': code = 'text' } = schema
  const own = items === undefined ? code : (items['x-code'] ?? 'entries')
  const isOwn = own === 'entries' || (!isAddress(schema) && hasOwnNames(data))
  const withKeys = properties !== undefined || isOwn
  const textOf = (one: Data) =>
    textsOf(one, { withKeys: typeof one !== 'string' && withKeys }).join('\n')
  return compare(textOf(data), values.map(textOf), own)
}

/** Whether a value says more than was typed, or holds a part of a word. */
export const invents = (data: Data, value: Data, schema: Subschema) =>
  compareWith(data, [value], schema).invented.length > 0

/** What to say of the words that better values lack: whoever writes one is to know. */
export const besides = (data: Data, values: readonly Data[], schema: Subschema) => {
  const { lost } = compareWith(data, values, schema)
  return lost.length === 0 ? '' : `; that leaves out ${quote(lost.join(' '))}`
}
