import { once } from '../content/once.ts'
import { type Data, mappingOf } from '../content/parse/data.ts'
import { readTree } from '../content/parse/reader.ts'
import { createJudgeData, readSchema, type Subschema } from '../content/schema.ts'
import { createJudge } from '../content/values/formats.ts'
import { curlyQuoted } from '../content/values/unlikely.ts'
import { printable } from '../text/printable.ts'
import { suggestOnly } from '../text/suggest.ts'
import { between, choicesFor, meantData } from './choices.ts'
import { instead } from './hint.ts'
import { otherComment } from './meant.ts'
import { formOf, isFreeText, isMeant, isProse, type Spot } from './spot.ts'

// A line that is no YAML, as it was most likely meant.

const schemas = once(() => [readSchema('profile'), readSchema('shot'), readSchema('site')])

/** The schema of each key, in whatever file it belongs. */
export const known = once((): Readonly<Record<string, Subschema>> => {
  const all = schemas().map(({ properties = {} }) => properties)
  return Object.assign({}, ...all.map(({ projects }) => projects?.items?.properties), ...all)
})

/** Whether a name is a key of some file. */
export const isKey = (name: string) => Object.hasOwn(known(), name)

const judgeData = createJudgeData(createJudge([], { portsAllowed: true, latest: '9999' }))

const marks = String.raw`["'“”*_\x60]*`
const sign = String.raw`(?:[=-]*>+|<+[=-]*|[:：;=,|–→]+|-(?!\d))`
/** Perhaps a dash; a word, with any marks around it; a colon, another sign or none; and a value. */
const entry = new RegExp(
  String.raw`^\s*([-*+•] +)?(${marks})([A-Za-z]\w*)${marks}(\s*${sign}(?:\2)?[\s\u200b]*|\s+|$)(.*)$`,
)

const belowList = /(?:^|\n)[ \t]*(?:- .*|\w+:)\s*\n$/

/**
 * Lines that are another one, whatever their keys: comments and items of lists; and what
 * stands above them.
 */
const lines: readonly (readonly [form: RegExp, above: RegExp, advice: string])[] = [
  [otherComment, /^/, 'write # $1'],
  [/^\s*- \[[ x]\] (.*)$/i, belowList, 'write - $1'],
  [/^\s*-([^\s-].*)$/, belowList, 'write - $1'],
  [/^\s*([\p{L}\p{N}][^:]*)$/u, /(?:^|\n)[ \t]*- [^:\n]*\n$/, 'write - $1'],
]

/**
 * An entry of YAML in place of an element of XML, a box, or a line of code; with its key
 * once, and its brackets turned round.
 */
const plainEntry = (line: string) =>
  line
    .replace(/^\s*<(\w+)>([^<]*)<\/\w+>\s*$/, '$1: $2')
    .replace(
      /^\s*(?:[-*+] )?\[([ x])\] (draft)\s*$/i,
      (_, box, key) => `${key}: ${box !== ' '}`,
    )
    .replace(/^\s*(?:export )?(?:const|let|var) (?=\w+ =)/, '')
    .replace(/^(\s*(?:- +)?(\w+: +))\2/, '$1')
    .replace(/: *\](.*)\[\s*$/, ': [$1]')

/** Advice to write a line, with what goes on below it, as it was most likely meant. */
export const meantHere = (line: string, above: string, onwards: string) => {
  const simple = lines.find(([form, where]) => form.test(line) && where.test(above))
  if (simple !== undefined) return line.replace(simple[0], simple[2])
  const [, dash = '', opened = '', name = '', sign = '', rest = ''] =
    entry.exec(plainEntry(line)) ?? []
  const key = keyOf(name, sign)
  // a comma as in JSON
  const typed = rest.replace(/^((["']).*\2)[,;]\s*$/, '$1')
  const isOther =
    /[=：→>:]/.test(sign) && opened === '' && typed !== '' && !typed.startsWith('//')
  if (!isKey(key) && !isOther) return undefined
  // marks that close behind the key are not around the line
  const mark = line.includes(`${name}${opened}`) ? '' : opened
  const value = mark === '' ? typed : typed.replace(/["'*`]+$/, '')
  const advice = valueLine(key, value, onwards)
  if (advice === `write ${line.replace(/^ +(?:- +)?| +$/g, '')}`) return undefined
  const isInJson = opened !== mark && above.lastIndexOf('{') > above.lastIndexOf('}')
  if (isInJson && /,\s*$/.test(rest)) return advice && `${advice},`
  return dash !== '' && belowList.test(above) ? advice?.replace('write ', '$&- ') : advice
}

/**
 * The key that a name stands for; one that is a letter away is meant where a sign stands for
 * the colon.
 */
const keyOf = (name: string, sign: string) => {
  if (isKey(name)) return name
  const near = /[=：→>]/.test(sign) ? suggestOnly(name, Object.keys(known())) : undefined
  return near ?? name.toLowerCase()
}

/** Advice for a line with a key and a value, or the beginning of one. */
const valueLine = (key: string, value: string, onwards: string) => {
  // a switch that is only named is meant to be on
  const whole = value === '' && known()[key]?.examples?.[0] === true ? 'true' : value
  return whole === '' ? `write ${key}:` : meantLine(key, wholeValue(key, whole, onwards))
}

/** The marks of a text in lines: `bio:|`, `bio: >|`. */
export const markAlone = /^(\w+): *([|>]+)([-+]?)\s*$/

/** Advice for a line that holds nothing but a key and the marks of a text in lines. */
export const blockLine = (line: string) => {
  const [, key = '', block = '', end = ''] = markAlone.exec(line) ?? []
  if (!isProse(key)) return undefined
  return block.length === 1
    ? `write ${key}: ${block}${end}`
    : `write ${key}: | or ${key}: >; "|" keeps the lines, ">" joins them`
}

/**
 * A value with the lines below that go on with it, without `|` or `>` in front; what may be a
 * part of it stays, as in `|20 EUR|`.
 */
const wholeValue = (key: string, value: string, onwards: string) => {
  const isList = known()[key]?.items !== undefined
  const below = onwards.split('\n').slice(1)
  const end = below.findIndex(
    (one) => !/^\s+\S/.test(one) || isKey(/^\s*"?(\w+)"?:/.exec(one)?.[1] ?? ''),
  )
  const first = value.replace(/^(?!> +\d)[|>][-+]?(?=\s|\p{L}[^|<]*$)/u, '').trim()
  const parts = below.slice(0, end === -1 ? undefined : end).map((one) => one.trim())
  const sign = isKey(key) ? between[key] : undefined
  if (sign !== undefined && parts.length > 0 && parts.every((one) => /^\w+: \S/.test(one)))
    return [first, ...parts.map((one) => one.replace(/^\w+: /, ''))].join(sign)
  const inLines = isList || (isProse(key) && parts.some((one) => /^\p{L}[^:]*: /u.test(one)))
  return [isList ? first : first.replace(/^- +(?!\d|.* -$)/, ''), ...parts]
    .join(inLines ? '\n' : ' ')
    .trim()
}

/**
 * Advice to write a key with the value that some text was meant to be; `undefined` where
 * nobody can tell.
 */
const meantLine = (key: string, raw: string) => {
  const schema = (isKey(key) && known()[key]) || {}
  const mayGo = !schemas().some(({ required = [] }) => required.includes(key))
  const spot = { judgeData, key, schema, isItem: false, mayGo, isAsked: true }
  if (raw.length > 200) return undefined
  if (!mayGo && /^[\p{P}\s]*$/u.test(raw)) return formOf(schema)
  const line = `${key}: ${raw}`
  if (isRight(line, spot)) return `write ${line}`
  const isOther = isKey(key) && !schema.properties ? schema.items && /^\{.*:/ : /^[[{]/
  if (isOther?.test(raw)) return undefined
  const isFree = isFreeText(schema)
  const typed = isFree || schema.items ? raw : raw.replace(/\s# .*$/, '')
  // as in JavaScript: 'Lea\'s'
  const text = schema.items ? raw : withoutQuotes(typed.replace(/\\'(?=\p{L})/gu, "'"))
  const advice =
    instead(typed, spot, isFree ? textsFor(text, spot) : choicesFor(text, spot)) ??
    formOf(schema)
  return advice === '' ? undefined : printable(advice)
}

/** Whether a line gives its key what belongs there, with all of the text that was typed. */
const isRight = (line: string, spot: Spot) => {
  const read = readTree(line)
  const value = mappingOf(read?.tree.data)[spot.key]
  return value && !read?.mayBeCut && isMeant(value, spot) && printable(line) === line
}

/**
 * What a text was meant to be, with and without marks that may belong to it; marks of
 * Markdown are left out.
 */
const textsFor = (text: string, spot: Spot): readonly Data[] => {
  const [, code] = /^`([^`]+)`$/.exec(text) ?? []
  if (code !== undefined) return [code, text]
  // a mark that begins a text in lines, or says "more than"
  const [, amount] = /^> +(\d.*)$/.exec(text) ?? []
  if (amount !== undefined) return [text, amount]
  return withAndWithoutQuotes(text).map((one) =>
    isMeant(one, spot) ? one : (meantData(one, spot) ?? one),
  )
}

/**
 * A text with quotes around its beginning: they may belong to it, as they hardly do around a
 * number.
 */
const withAndWithoutQuotes = (text: string): readonly string[] => {
  const [, inside] = curlyQuoted.exec(text) ?? []
  if (inside !== undefined) return [inside, text]
  const [, , part = '', rest = ''] = /^(["'])([^"']+)\1( [^"']+|:)$/.exec(text) ?? []
  if (part === '') return [text]
  return /\p{L}/u.test(part) ? [text, part + rest] : [part + rest, text]
}

/** A text without the quotes around all of it, be they the same or not. */
const withoutQuotes = (raw: string) => {
  // as in CSV
  if (/^"(?!")[^"]*(?:""[^"]+)+"+$/.test(raw)) return raw.slice(1, -1).replaceAll('""', '"')
  if (/^(""|'')[^"']+\1$/.test(raw)) return raw.slice(2, -2)
  const [, first = '', text = ''] =
    /^("""|'''|["'])(.*?)(?:"""|'''|["'’”])?$/s.exec(raw) ?? []
  // an apostrophe belongs to the text: '90s
  if (first === '' || /^'(?:\d\ds|round|til|tis|twas)\b(?!.*')/i.test(raw)) return raw
  const second = raw.indexOf(first, first.length)
  // the second quote begins a quote within the text, or is an apostrophe
  const isOdd = raw.split(first).length % 2 === 0
  const isWithin = /^(?:\s|\w.\w)/s.test(raw.slice(second - 1, second + 2))
  const isInside = raw.endsWith(first)
    ? isOdd || isWithin
    : isOdd && /\s/.test(raw.charAt(second - 1))
  return second === -1 || second === raw.length - first.length || isInside ? text : raw
}
