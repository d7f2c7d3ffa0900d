import { isNumber, type Json } from './parse-json.ts'

/** What a body says of one field: a text, as it stands or sent as a number; or something that is none. */
export type Said =
  | { readonly kind: 'text' | 'number'; readonly text: string }
  | { readonly kind: 'null' | 'missing'; readonly text?: never }
  /** `json` is its beginning, as a message shows it. */
  | { readonly kind: 'other'; readonly json: string; readonly text?: never }

/** The fields of a user or a shot as a body has them, by name. */
export type Fields = ReadonlyMap<string, Said>

export const saidOf = (fields: Fields, key: string): Said => fields.get(key) ?? { kind: 'missing' }

/** The text of a field as the base keeps it: `null` where none was said. */
export const textOf = (fields: Fields, key: string): string | null => saidOf(fields, key).text ?? null

/** The same of several fields, by name. */
export const textsOf = (
  fields: Fields,
  keys: readonly { readonly key: string }[],
): Readonly<Record<string, string | null>> => {
  const texts: Record<string, string | null> = {}
  for (const { key } of keys) texts[key] = textOf(fields, key)
  return texts
}

export const toFields = (object: ReadonlyMap<string, Json>): Fields => {
  const fields = new Map<string, Said>()
  for (const [key, value] of object) fields.set(key, toSaid(value))
  return fields
}

export const toSaid = (value: Json): Said => {
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (value === null) return { kind: 'null' }
  if (isNumber(value)) return { kind: 'number', text: value.number }
  return { kind: 'other', json: toJson(value).slice(0, 60) }
}

const toJson = (value: Json): string => {
  if (value instanceof Map)
    return `{${Array.from(value, ([key, one]) => `${JSON.stringify(key)}:${toJson(one)}`).join()}}`
  if (Array.isArray(value)) return `[${value.map(toJson).join()}]`
  return typeof value === 'object' && value !== null && isNumber(value) ? value.number : JSON.stringify(value)
}
