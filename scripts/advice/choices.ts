import { isPicturePath } from '../content/layout.ts'
import { type Data, isMapping, type Mapping } from '../content/parse/data.ts'
import type { Subschema } from '../content/schema.ts'
import { saysNothing } from '../content/values/unlikely.ts'
import { otherYears, timestampsIn } from './dates.ts'
import { bareWord, betweenAddresses, candidates, isOneNumber, meantWords } from './meant.ts'
import { namedEntries } from './projects.ts'
import {
  fits,
  isAddress,
  isFreeText,
  isLong,
  isMeant,
  isNumber,
  isProse,
  longest,
  mostWords,
  type Spot,
  takes,
} from './spot.ts'
import { hasOwnNames, invents, isTranslated, textsOf } from './texts.ts'

/**
 * What data was most likely meant to be, of what is right for its key; `undefined` where
 * nothing is.
 */
export const meantData = (data: Data, spot: Spot): Data | undefined => {
  const { schema } = spot
  if (schema.items === undefined) {
    if (typeof data === 'string') return meantText(data, spot)
    return takes(schema, '') ? meantByTexts(data, spot) : undefined
  }
  const item = { ...spot, schema: schema.items }
  const all =
    schema.items.type === 'object'
      ? namedEntries(data)
      : wordsIn(data, schema.items).map((word) => meantText(word, item) ?? word)
  return all.length === 0 || all.length > mostWords || !fits(all, spot) ? undefined : all
}

/**
 * What data was most likely meant to be: one value, or those of which only its author can
 * choose, as where it holds two addresses, or two words that may be one.
 */
export const choicesFor = (data: Data, spot: Spot): readonly Data[] => {
  if (!spot.isAsked || isLong(data)) return []
  const whole = spot.schema.properties && keysIn(data)
  if (whole && fits(whole, spot)) return [whole]
  const texts = textsOf(data)
  const read = isAddress(spot.schema) ? [texts.join('\n')] : texts
  // of several words, each is one to list
  const isList = spot.schema.items !== undefined && texts.length > 1
  const readAll = () => (isList ? [] : read.flatMap((text) => readings(text, spot)))
  const isChoice = isTranslated(data) || (isNumber(spot.schema) && isListOfTexts(data))
  const several = isChoice ? texts : readAll()
  const right = new Set(several.filter((one) => fits(one, spot)))
  if (right.size > 1) return [...right].slice(0, mostChoices)
  const better = meantData(data, spot)
  return better === undefined ? [] : [better]
}

const mostChoices = 3

const isListOfTexts = (data: Data) =>
  Array.isArray(data) && data.every((one: Data) => typeof one === 'string')

/**
 * Keys that were written as a list (`- status: 1`, `- type_account: 2`), or as text: `status:
 * 1, type_account=2`; addresses too.
 */
const keysIn = (data: Data): Mapping | undefined => {
  const parts =
    typeof data === 'string' ? data.split(betweenAddresses).filter(Boolean) : [data].flat()
  const entries =
    typeof data === 'string' && !/^https?:\/\//.test(data)
      ? Array.from(data.matchAll(entryInText), ([, key, value]) => ({
          [`${key}`]: `${value}`,
        }))
      : parts.map(byScheme)
  return entries.length > 0 && entries.every(isMapping)
    ? Object.assign({}, ...entries)
    : undefined
}

/** An address below its scheme, as a key that holds it: `http://cdn.example.com:8080`. */
const byScheme = (one: Data): Data => {
  const [, scheme] = (typeof one === 'string' && /^(https?):\/\//.exec(one)) || []
  return scheme === undefined ? one : { [scheme]: one }
}

const entryInText = /(?<=^|[,;]\s*)(\w+)\s*[:=]\s*([^,;]+)/g

/** The values that a text may hold several of, or stand for. */
const readings = (text: string, spot: Spot): readonly Data[] => {
  const { format = '', items } = spot.schema
  if (text.length > longest) return []
  if (format === 'timestamp') {
    const all = timestampsIn(text)
    const meantOf = (some: readonly string[]) => some.filter((one) => isMeant(one, spot))
    return meantOf(all).length > 0 ? all : [...meantOf(all.flatMap(otherYears)), ...all]
  }
  if (/^bad-(?:word|username)$/.test(items?.['x-code'] ?? '')) {
    const parts =
      !saysNothing(text) && /^\w+(?:[/+]\w+)+$/.test(text) ? text.split(/[/+]/) : []
    const words = parts.length > 0 ? parts : meantWords(text)
    const isShort =
      words.length > 1 && words.length < 4 && /^[\p{L}\p{N}&+'’/ ]+$/u.test(text)
    return isShort ? [words, [bareWord(text)]] : []
  }
  return isAddress(spot.schema) ? addressesIn(text, spot) : []
}

/** The addresses that a text holds several of, or the two places that a path may mean. */
const addressesIn = (text: string, spot: Spot): readonly string[] => {
  // below the assets address, or beside the file; what lies on the author's disk belongs
  // there anyway
  const path = /^\/[^/\s]*$/.test(text) ? meantText(text, spot) : undefined
  if (path !== undefined && !isPicturePath(path)) return [`./${path}`, path]
  const parts = text.split(betweenAddresses)
  // one alone is what `meantData` makes of it; of many, to read each would take long
  if (parts.length < 2 || parts.length > mostWords) return []
  return parts.flatMap((one) => {
    const address = /^(?!\.\w).*[.@]\p{L}/u.test(one) ? (meantText(one, spot) ?? '') : ''
    return isWhole.test(address) ? [address] : []
  })
}

const withHost = String.raw`^https?:\/\/[^/?#]*\.\p{L}{2,}(?:[/:?#]|$)`
/** An address with the name of a host, or of a file. */
export const isWhole = new RegExp(String.raw`${withHost}|\.\p{L}\w{1,3}$`, 'u')

/** Numbers may have commas between thousands. */
const wordsIn = (data: Data, { 'x-code': code }: Subschema) =>
  code === 'bad-id' && typeof data === 'string' && isOneNumber(data)
    ? [data]
    : meantWords(data)

/**
 * What a text was most likely meant to be, where its key takes one: the most repaired of the
 * likely texts.
 */
export const meantText = (text: string, spot: Spot): string | undefined => {
  const tried = text.length > longest ? [] : candidates(text, spot.key, spot.schema)
  const all = [...new Set([...tried.toReversed(), text])]
  const isRight = (one: string) =>
    one !== '' && fits(one, spot) && !invents(text, one, spot.schema)
  return all.find((one) => isMeant(one, spot) && isRight(one)) ?? all.find(isRight)
}

/**
 * A text of a list or of keys with values: all of it where any text will do; else the one
 * that is right, of addresses the first.
 */
const meantByTexts = (data: Data, spot: Spot): string | undefined => {
  const { key, schema } = spot
  const withKeys = isFreeText(schema) && hasOwnNames(data)
  const texts = textsOf(data, { withKeys })
  if (texts.join('').length > longest) return undefined
  const sign = withKeys && !isProse(key) ? ', ' : signBetween(texts, key)
  if (isFreeText(schema)) return texts.join(sign) || undefined
  // `[[tea.png]]`, as Obsidian writes it
  const isNested = Array.isArray(data) && data.some(Array.isArray)
  const parts = Array.isArray(data) ? data.flat() : Object.values(data)
  if (parts.some((one) => typeof one !== 'string' || one.includes('|'))) return undefined
  const right = texts.filter((one) => fits(one, spot))
  if (isAddress(schema)) {
    const address = right.find((one) => /[./]/.test(one))
    return address && isNested ? meantText(`[[${address}]]`, spot) : address
  }
  return right.length === 1 ? right[0] : meantText(texts.join('-'), spot)
}

const signBetween = (texts: readonly string[], key: string) => {
  if (isProse(key)) return '\n'
  // of two prices, each has a currency of its own
  return texts.every((one) => /\d/.test(one)) ? ', ' : (between[key] ?? ', ')
}

/** What stands between the parts of a text that were given one by one. */
export const between: Readonly<Record<string, string>> = {
  name: ' ',
  price_item: ' ',
  title: ': ',
}
