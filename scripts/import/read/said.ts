import { isNumber, type Json } from './parse-json.ts'

/** What a body says of one field: a text, as it stands or sent as a number; or something that is none. */
export type Said =
  | { readonly kind: 'text' | 'number'; readonly text: string }
  | { readonly kind: 'null' | 'missing' | 'other'; readonly text?: never }

/** The fields of a user or a shot as a body has them, by name. */
export type Fields = ReadonlyMap<string, Said>

export const saidOf = (fields: Fields, key: string): Said => fields.get(key) ?? { kind: 'missing' }

/** The text of a field as the base keeps it: `null` where none was said. */
export const textOf = (fields: Fields, key: string): string | null => saidOf(fields, key).text ?? null

export const toFields = (object: ReadonlyMap<string, Json>): Fields =>
  new Map(Array.from(object, ([key, value]) => [key, toSaid(value)]))

const toSaid = (value: Json): Said => {
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (value === null) return { kind: 'null' }
  return isNumber(value) ? { kind: 'number', text: value.number } : { kind: 'other' }
}
