import { type Data, isMapping, type Mapping } from './parse/data.ts'
import type { Path } from './rules.ts'
import { createFit, type Judge, type Subschema } from './schema.ts'
import { candidates, meantWords } from './values/meant.ts'
import { timestampsIn } from './values/timestamp.ts'

/** Whether data is right for a key, be it what people mean or not. */
export const fits = (data: Data, schema: Subschema, judge: Judge): boolean =>
  createFit(schema, { ...judge, unlikely: () => undefined })(data)

/**
 * What data was most likely meant to be, of what is right for its key: every way to read it is tried, and the first that
 * the schema takes is it. `undefined` where none is right.
 */
export const meantData = (data: Data, key: string, { schema, judge }: Held): Data | undefined => {
  if (schema.items?.type === 'object') {
    const entries = isMapping(data) ? [[data], datedIds(data, schema.items)] : []
    return entries.find((one) => one.length > 0 && fits(one, schema, judge))
  }
  if (schema.items !== undefined) {
    const { enum: known } = schema.items
    const words = meantWords(data).filter((word) => known === undefined || known.includes(word))
    return words.length === 0 || words.length > mostWords ? undefined : words
  }
  if (typeof data === 'string') return meantText(data, key, { schema, judge })
  return isText(schema) ? meantByTexts(data, key, { schema, judge }) : undefined
}

/** What a key takes, and by whose word. */
type Held = { readonly schema: Subschema; readonly judge: Judge }

/** The same of a text where its key takes one: the most repaired of the likely ones. */
export const meantText = (text: string, key: string, { schema, judge }: Held): string | undefined => {
  const tried = text.length > longest ? [] : candidates(text, key, schema)
  const right = [...tried.toReversed(), text].filter((one) => one !== '' && fits(one, schema, judge))
  return right.find(createFit(schema, judge)) ?? right[0]
}

/** A longer text is no slip in one value, and to look for one would take long. */
export const longest = 500

/** More than these are not written out. */
export const mostWords = 20

/** A text of a list or of keys with values: all of it where any text will do; else one of it that is right. */
const meantByTexts = (data: Exclude<Data, string>, key: string, held: Held): string | undefined => {
  if (isFreeText(held.schema)) {
    const isSentence = key === 'description' || key === 'bio'
    const lines = textsOf(isSentence || !isMapping(data) ? data : Object.values(data)).filter(Boolean)
    const isLong = lines.length > mostWords || lines.join('').length > longest
    return lines.length === 0 || isLong ? undefined : lines.join(isSentence ? '\n' : ', ')
  }
  const texts = Object.entries(data).filter((one): one is [string, string] => typeof one[1] === 'string')
  const address = texts.find(([name]) => /^(?:src|url|href|file|path|image|value)$/i.test(name))
  const parts = texts.map(([, one]) => one)
  return [
    ...(parts.length === 1 ? parts : []),
    ...(address ? [address[1]] : []),
    ...(held.schema.format === 'timestamp' ? timestampsIn(parts.join('-').slice(0, longest)) : []),
  ].find((one) => one !== '' && fits(one, held.schema, held.judge))
}

/** Projects as `7: 2014-03-01`. */
const datedIds = (data: Mapping, { properties = {} }: Subschema): readonly Data[] => {
  const [id, created] = Object.keys(properties)
  const entries = Object.entries(data).slice(0, mostWords)
  return entries.map(([key, text]) => ({ [id!]: key, [created!]: text }))
}

/** The texts of a list, and the entries of a mapping as they were typed. */
const textsOf = (data: Data): readonly string[] => {
  if (typeof data === 'string') return [data]
  if (!isMapping(data)) return data.flatMap((item: Data) => textsOf(item))
  return Object.entries(data).flatMap(([key, item]) =>
    typeof item === 'string' ? [item === '' ? key : `${key}: ${item}`] : [key, ...textsOf(item)],
  )
}

/** Any text will do. */
export const isFreeText = ({ 'x-code': code = 'blank', items, properties }: Subschema): boolean =>
  code === 'blank' && items === undefined && properties === undefined

/** Whether nothing but text belongs there. */
export const isText = ({ type = [] }: Subschema): boolean =>
  !type.includes('array') && !type.includes('object')

/** The subschema of a value; an empty one for what the schema doesn't know. */
export const schemaAt = (root: Subschema, path: Path): Subschema =>
  path.reduce<Subschema>(
    (schema, part) => (typeof part === 'number' ? schema.items : schema.properties?.[part]) ?? {},
    root,
  )

/** The key that holds a value: the last one of the path. */
export const keyIn = (path: Path): string => String(path.findLast((part) => typeof part === 'string') ?? '')

/** What to write for a value: `skills: [typography, branding]`, or an item of a list: `lettering`. */
export const written = (path: Path, value: unknown): string => {
  const key = path.at(-1)
  return typeof key === 'string' ? exampleLine(key, value) : flow(value)
}

/** A line of YAML that gives a key a value: `skills: [typography, branding]`. */
export const exampleLine = (key: string, value: unknown): string => `${key}: ${flow(value)}`

/** A value as it can stand inside brackets. */
export const flow = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => exampleLine(key, item))
    return `{ ${entries.join(', ')} }`
  }
  return typeof value === 'string' && !plain.test(value) ? JSON.stringify(value) : String(value)
}

/** Text that needs no quotes, also inside brackets. */
const plain = /^(?![-?:,[\]{}#&*!|>'"%@`\s])(?!.*(?:: |:$| #|[,[\]{}]|\s$)).+$/

export const leaveOut = (key: string): string => `leave ${key} out, as there is nothing to say`
