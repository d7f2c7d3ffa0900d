import { ownPath } from '../content/values/unlikely.ts'
import { asciiDigits } from './dates.ts'
import {
  decoded,
  digits,
  joining,
  ownDisk,
  type Repair,
  repaired,
  unescaped,
  unit,
  withEscapes,
} from './meant.ts'

// Holds an answer against what was typed: of its letters and digits none may be invented, and
// none may go in silence.

/** The words of a text that an answer lacks, as they were typed, and those that it has besides. */
type Balance = { readonly lost: readonly string[]; readonly invented: readonly string[] }

/**
 * Says what becomes of a text where one of some answers is written in its place. Letter case,
 * accents and marks count nothing, nor do zeros around a number; words may be joined or
 * moved. What else may change is listed below. A date, a token and a word for true or false
 * are read as a whole.
 */
export const compare = (typed: string, answers: readonly string[], code: string): Balance => {
  // most answers have the same letters, which is quick to see
  const isSame = (one: string) => lettersOf(one) === lettersOf(typed)
  if (/draft|boolean|token/.test(code) || answers.some(isSame))
    return { lost: [], invented: [] }
  const isDate = code === 'bad-timestamp'
  const held = isDate ? (behindDate.exec(typed)?.[0] ?? '') : typed
  const is = answers.map((one) => wordsOf(one, code))
  // most texts read alike in each way
  const all = [...new Set(readings.map((read) => read(held)))].map((text): Balance => {
    const was = wordsOf(text, code)
    if (is.some((one) => isJoined(one, was))) return { lost: [], invented: [] }
    const invented = isDate ? [] : is.flatMap((one) => without(one, was))
    return { lost: without(was, is.flat()), invented }
  })
  const isWhole = ({ lost, invented }: Balance) => lost.length + invented.length === 0
  return all.find(isWhole) ?? all.find(({ invented }) => invented.length === 0) ?? all[0]!
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]+/gu, '')

/**
 * As it was typed; with the escapes that double quotes have read; without those that nothing
 * has read; without tags of HTML; or with the escapes of an address read.
 */
const readings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => withEscapes(text),
  (text) => withEscapes(text, true),
  (text) => text.replace(/\\[nrt]/g, ' '),
  (text) => text.replace(/<\/?\w+ *\/?>/g, ''),
  unescaped,
]

/** What stands in brackets behind a date, and is no zone of time. */
const noZone = String.raw`(?<!^|(?:GMT|UTC|Z|[+-]\d\d:?\d\d) ?)`
const behindDate = new RegExp(String.raw`${noZone}(?:[([]|\/\/|<!)[^()[\]]*[)\]]?$`)

/** Words with none that another list has: a label may repeat what its address says. */
const without = (words: readonly string[], others: readonly string[]): readonly string[] => {
  const known = new Set(others.map(folded))
  return words.filter((word) => !known.has(folded(word)))
}

/** Whether words are others, of which some were joined. */
const isJoined = (words: readonly string[], others: readonly string[]) =>
  words.length <= others.length && folded(words.join('')) === folded(others.join(''))

/** A word as letters and digits alone tell it from others. */
const folded = (word: string) =>
  asciiDigits(word).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const wordsOf = (text: string, code: string): readonly string[] => {
  const isNumber = /^bad-(?:id|count)$/.test(code)
  const plain = repaired(text, [...decoded, ...(mayChange[code] ?? notation)])
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
  if (!isNumber) return plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const words = plain.match(/\d(?:[,. '’_]?\d)*(?!\p{L})|[\p{L}\p{N}]+/gu) ?? []
  return words.flatMap((word) => word.replace(/[,. '’_]/g, '').replace(/^0+|0+$/g, '') || [])
}

const htmlTags: Repair = [/<\/?\w+(?: *\/?>| href=)/g, ' ']

/** Letters as digits, a thousand or a million, and what is counted. */
const number: readonly Repair[] = [
  ...digits,
  [/(?<=\d ?)[km]\b/gi, ' '],
  [new RegExp(String.raw`(?<!\p{L})(?:${unit}|n[or]?|id|number)(?!\p{L})`, 'giu'), ' '],
]

const marks = `h*t+p+s?|www|img|src|href|alt|url|require|import|git|ssh|id|created|${joining}|true`

/**
 * What an address or a list may have less or more in silence, as it belongs to a notation,
 * and not to the value.
 */
const notation: readonly Repair[] = [
  // folders of the author's own disk
  [new RegExp(String.raw`^(?:${ownDisk})(?:\S*[\\/])?`, 'i'), ' '],
  [/%2[03]/g, ' '],
  // a name alone may be one at Twitter; of pages that show a picture, its own address is
  // told; the API adds its path
  [/\btwitter\.com\//gi, ' '],
  [/\braw\.githubusercontent\b|\bgithub(?=\.com.*\/blob\/)/gi, ' '],
  [/\/blob\/|[?&](?:dl|raw)=[01]/gi, ' '],
  [ownPath, ''],
  // `#c24` and `#cc2244`
  [/^#?([\da-f])([\da-f])([\da-f])$/i, '$1$1$2$2$3$3'],
  [new RegExp(String.raw`(?<!\p{L})(?:${marks})(?!\p{L})`, 'giu'), ' '],
]

/** A day, or a year. */
const days = /\b(?:\d{1,4}([-./])\d{1,2}\1\d{1,4}|(?:19|20)\d\d)\b/g

const mayChange: Readonly<Record<string, readonly Repair[]>> = {
  text: [htmlTags],
  blank: [htmlTags],
  'bad-id': number,
  'bad-count': number,
  entries: [[days, ' '], [/\b(?:date|title|name)\b/g, ' '], ...notation],
}
