import { nameForId, proposeId } from '../content/ids.ts'
import { isPicturePath } from '../content/layout.ts'
import type { Finding } from '../content/load.ts'
import {
  type Data,
  isMapping,
  type Mapping,
  mappingOf,
  type Path,
  valueAt,
} from '../content/parse/data.ts'
import { stretchAt } from '../content/parse/tree.ts'
import { type JudgeData, type Subschema, schemaAt } from '../content/schema.ts'
import { normalBase } from '../content/values/address.ts'
import type { HostName } from '../content/values/formats.ts'
import { saysNothing } from '../content/values/unlikely.ts'
import { isPlain } from '../text/plain.ts'
import { doubleQuoted, printable, quote } from '../text/printable.ts'
import { suggest } from '../text/suggest.ts'
import { clearDate, isElsewhere, lackingIn, otherYears, timestampsIn } from './dates.ts'
import { compare } from './kept.ts'
import {
  bareWord,
  betweenAddresses,
  betweenWords,
  candidates,
  isOneNumber,
  meantWords,
  oddSpace,
  unwrapped,
} from './meant.ts'

// What to write instead of a value: first what was meant, then the advice that is made of it, then lines of YAML.

export type Judged = Omit<Finding, 'data'> & {
  readonly data: Data
  readonly lines: () => readonly string[]
  /** Whether what was meant is looked for: of a file with hundreds of problems, the first ones are enough. */
  readonly isAsked: boolean
}

/** The most problems of one kind in a file for which it is. */
export const mostAsked = 30

/** Where a value belongs: the key that holds it, what the schema asks of it, and who judges. */
export type Spot = {
  readonly judgeData: JudgeData
  readonly key: string
  readonly schema: Subschema
  /** Whether the file is right without it: it is an item of a list, or its key is optional. */
  readonly isItem: boolean
  readonly mayGo: boolean
  readonly isAsked: boolean
}

/** One in a file. */
export type FileSpot = Spot & { readonly path: Path; readonly file: Judged }

export const spotAt = (path: Path, file: Judged): FileSpot => {
  const { judgeData, schema, isAsked } = file
  const key = String(path.findLast((part) => typeof part === 'string') ?? '')
  const isItem = typeof path.at(-1) === 'number'
  const mayGo = !schemaAt(schema, path.slice(0, -1)).required?.includes(key)
  const own = schemaAt(schema, path)
  return { judgeData, key, schema: own, isItem, mayGo, isAsked, path, file }
}

/** Whether data is right for a key, be it what people mean or not. */
export const fits = (data: Data, { judgeData, schema }: Spot): boolean =>
  judgeData(data, schema).fits

/** Whether it is right, and what people mean. */
export const isMeant = (data: Data, { judgeData, schema }: Spot): boolean => {
  const { fits, odd } = judgeData(data, schema)
  return fits && odd.length === 0
}

/** What data was most likely meant to be, of what is right for its key; `undefined` where nothing is. */
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
 * What data was most likely meant to be: one value, or those of which only its author can choose, as where it holds two
 * addresses, or two words that may be one.
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

/** Whether each key is a language: `{ en: Tea, de: Tee }`. */
const isTranslated = (data: Data) =>
  isMapping(data) && Object.keys(data).every((key) => /^[a-z]{2}$/.test(key))

/** Keys that were written as a list (`- status: 1`, `- type_account: 2`), or as text: `status: 1, type_account=2`; addresses too. */
const keysIn = (data: Data): Mapping | undefined => {
  const parts =
    typeof data === 'string' ? data.split(betweenAddresses).filter(Boolean) : [data].flat()
  const entries =
    typeof data === 'string' && !/^https?:\/\//.test(data)
      ? Array.from(data.matchAll(entryInText), ([, key, value]) => ({ [`${key}`]: `${value}` }))
      : parts.map(byScheme)
  return entries.length > 0 && entries.every(isMapping) ? Object.assign({}, ...entries) : undefined
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
    const parts = !saysNothing(text) && /^\w+(?:[/+]\w+)+$/.test(text) ? text.split(/[/+]/) : []
    const words = parts.length > 0 ? parts : meantWords(text)
    const isShort = words.length > 1 && words.length < 4 && /^[\p{L}\p{N}&+'’/ ]+$/u.test(text)
    return isShort ? [words, [bareWord(text)]] : []
  }
  return isAddress(spot.schema) ? addressesIn(text, spot) : []
}

/** The addresses that a text holds several of, or the two places that a path may mean. */
const addressesIn = (text: string, spot: Spot): readonly string[] => {
  // below the assets address, or beside the file; what lies on the author's disk belongs there anyway
  const path = /^\/[^/\s]*$/.test(text) ? meantText(text, spot) : undefined
  if (path !== undefined && !isPicturePath(path)) return [path, `./${path}`]
  const parts = text.split(betweenAddresses)
  // one alone is what `meantData` makes of it
  if (parts.length < 2) return []
  return parts.flatMap((one) => {
    const address = /^(?!\.\w).*[.@]\p{L}/u.test(one) ? (meantText(one, spot) ?? '') : ''
    return isWhole.test(address) ? [address] : []
  })
}

export const isAddress = ({ format = '' }: Subschema): boolean =>
  /address|asset|picture|base/.test(format)

const isNumber = ({ 'x-code': code = '' }: Subschema) => /^bad-(?:id|count)$/.test(code)

/** An address with the name of a host, or of a file. */
const withHost = String.raw`^https?:\/\/[^/?#]*\.\p{L}{2,}(?:[/:?#]|$)`
const isWhole = new RegExp(String.raw`${withHost}|\.\p{L}\w{1,3}$`, 'u')

/** Numbers may have commas between thousands. */
const wordsIn = (data: Data, { 'x-code': code }: Subschema) =>
  code === 'bad-id' && typeof data === 'string' && isOneNumber(data) ? [data] : meantWords(data)

/** The same of a text where its key takes one: the most repaired of the likely ones. */
export const meantText = (text: string, spot: Spot): string | undefined => {
  const tried = text.length > longest ? [] : candidates(text, spot.key, spot.schema)
  const all = [...new Set([...tried.toReversed(), text])]
  const isRight = (one: string) => one !== '' && fits(one, spot) && !invents(text, one, spot.schema)
  return all.find((one) => isMeant(one, spot) && isRight(one)) ?? all.find(isRight)
}

/** A longer text is no slip in one value, and to look for one would take long. */
export const longest = 500

/** Whether data has more parts than are written out: each of thousands that are wrong asks for all. */
const isLong = (data: Data) => typeof data !== 'string' && Object.keys(data).length > mostWords

/** More than these are not written out. */
const mostWords = 20

/** A text of a list or of keys with values: all of it where any text will do; else the one that is right, of addresses the first. */
const meantByTexts = (data: Data, spot: Spot): string | undefined => {
  const { key, schema } = spot
  const withKeys = isFreeText(schema) && hasOwnNames(data)
  const texts = textsOf(data, { withKeys })
  if (texts.join('').length > longest) return undefined
  const sign = withKeys && !isProse(key) ? ', ' : signBetween(texts, key)
  if (isFreeText(schema)) return texts.join(sign) || undefined
  // `[[tea.png]]`, as Obsidian writes it
  const parts = Array.isArray(data) ? data.flat() : Object.values(data)
  if (parts.some((one) => typeof one !== 'string' || one.includes('|'))) return undefined
  const right = texts.filter((one) => fits(one, spot))
  if (isAddress(schema)) return right.find((one) => /[./]/.test(one))
  return right.length === 1 ? right[0] : meantText(texts.join('-'), spot)
}

/** Whether the keys of a mapping say something themselves, as in `{ EUR: 20, USD: 25 }`. */
const hasOwnNames = (data: Data): boolean =>
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

const signBetween = (texts: readonly string[], key: string) => {
  if (isProse(key)) return '\n'
  // of two prices, each has a currency of its own
  return texts.every((one) => /\d/.test(one)) ? ', ' : (between[key] ?? ', ')
}

/** Whether a key takes sentences, in lines. */
export const isProse = (key: string) => key === 'description' || key === 'bio'

/** What stands between the parts of a text that were given one by one. */
export const between: Readonly<Record<string, string>> = { name: ' ', price_item: ' ', title: ': ' }

/**
 * Projects however they were written: one alone, by their ids, key by key or as texts: `7: 2014-03-01`, `[7, 8]`,
 * `7 Posters 2014-03-01`. Each has what it says.
 */
const namedEntries = (data: Data): readonly Mapping[] => {
  if (typeof data === 'string') return entriesInText(data)
  if (!isMapping(data)) return joined(data.flatMap(namedEntries))
  const known = Object.entries(data).flatMap(([key, value]) => {
    const name = entryKeys[key.toLowerCase()]
    return name === undefined ? [] : [[name, value]]
  })
  if (known.length > 0)
    return known.length === Object.keys(data).length ? [Object.fromEntries(known)] : []
  return Object.entries(data).flatMap(([key, value]) => {
    const [own = {}, ...others] = namedEntries(key)
    const [inner = {}, ...more] = value === '' ? [] : namedEntries(value)
    return others.length + more.length > 0 ? [] : [{ ...own, ...inner }]
  })
}

const entryKeys: Readonly<Record<string, string>> = {
  id: 'id',
  created: 'created',
  date: 'created',
  title: 'title',
  name: 'title',
}

/** Entries whose keys were made entries of their own, put together again: `- id: 7`, `- created: 2014-03-01`. */
const joined = (all: readonly Mapping[]): readonly Mapping[] => {
  const whole: Mapping[] = []
  for (const one of all) {
    const last = whole.at(-1)
    const isRest = last && !Object.keys(one).some((key) => key in last)
    if (isRest) whole.splice(-1, 1, { ...last, ...one })
    else whole.push(one)
  }
  return whole
}

const entriesInText = (text: string): readonly Mapping[] => {
  const plain = text.slice(0, longest).replace(/\b(?:id|created|date)\b|(?<=\d)[TZ]/g, ' ')
  const words = plain.replace(/\d[\d./-]*/g, ' ').match(/\p{L}.*\p{L}|\p{L}/u)
  const title = words ? { title: words[0].replace(/\s+/g, ' ') } : {}
  const found = Array.from(plain.matchAll(entry), ([, id, date, alone]) => {
    const [moment, another] = timestampsIn(date ?? alone ?? '')
    const isClear = moment !== undefined && another === undefined
    return { ...(id !== undefined && { id }), ...(isClear && { created: moment }) }
  })
  const [{ id = '' } = {}] = found
  // a year is no id
  if (found.length === 1 && /^(?:19|20)\d\d$/.test(id))
    return [{ created: `${id}-01-01`, ...title }]
  if (words === null) return found
  return found.length > 1 ? [] : [{ ...found[0], ...title }]
}

/** An id, a date or both. */
const day = String.raw`(\d[\d./-]{7,})`
const entry = new RegExp(
  String.raw`(?<![\d./-])(?:([1-9]\d*)(?![\d./-])(?:\D*${day})?|${day})`,
  'g',
)

/** The texts of a list or mapping; those of a mapping as they were typed, or without names of keys such as `src`. */
const textsOf = (data: Data, { withKeys } = { withKeys: false }): readonly string[] => {
  if (typeof data === 'string') return data === '' ? [] : [data]
  if (!isMapping(data)) return data.flatMap((item: Data) => textsOf(item, { withKeys }))
  return Object.entries(data).flatMap(([key, item]) => {
    const inner = textsOf(item, { withKeys })
    const isName = !withKeys && /^[a-z_]+$/i.test(key) && inner.length > 0
    if (isName) return inner
    return typeof item === 'string' && item !== '' ? `${key}: ${item}` : [key, ...inner]
  })
}

export const isFreeText = ({ 'x-code': code = 'blank' }: Subschema): boolean => code === 'blank'

export const takes = ({ type = [] }: Subschema, value: Data): boolean =>
  type.includes(Array.isArray(value) ? 'array' : typeof value)

/** What to write instead: the value that was meant if one is likely and right, else the form that the schema asks for. */
export const answerFor = (value: string, spot: FileSpot) => {
  const { key, schema, isItem, path, file } = spot
  const { 'x-code': code = '' } = schema
  const mayGo = spot.mayGo && !isItem
  const form = formOf(schema)
  if (value.length > longest || !file.isAsked) return { advice: form }
  if (code === 'blank') return { advice: `write some text, such as: ${example(spot)}` }
  const whole = unbroken(spot) ?? value
  const choices = code === 'bad-word' ? [] : choicesFor(whole, spot)
  const advice = [
    isItem && wordAdvice(whole, spot),
    mayGo &&
      isAddress(schema) &&
      mail.test(value) &&
      `leave ${key} out, as this is an e-mail address`,
    swapped(value, { ...spot, choices }),
    instead(whole, spot, choices),
    isSwitch(value, file) && `write ${value}: true in place of it`,
    schema.format === 'shared-base' && /:\d+/.test(value) && baseForEach,
    schema.format === 'shared-base' && belowBase(value, spot),
    path.length === 1 && key === 'id' && `write ${freeId(file)}; ${anyId}`,
    mayGo && `${form}; or leave ${key} out`,
  ].find(Boolean)
  return { advice: advice || form, fix: whole === value ? fixFor(value, spot, choices) : undefined }
}

const mail = /^(?:mailto:)?[^/?#\s@]+@[^/?#\s@]+\.\w+$/i

/** Advice where another key holds what belongs here, and what is here belongs there. */
const swapped = (value: string, spot: FileSpot & { readonly choices: readonly Data[] }) => {
  const { key, schema, file, choices } = spot
  const isSure = (one: Data) =>
    isMeant(one, spot) && (!isAddress(schema) || /\.\p{L}/u.test(String(one)))
  if (choices.some(isSure)) return undefined
  for (const [name, one] of Object.entries(mappingOf(file.data))) {
    const theirs = file.schema.properties?.[name] ?? {}
    const text = typeof one === 'string' ? meantText(one, spot) : undefined
    // a name alone is no address that belongs here
    const isOther = text === one || /\.\w+\//.test(String(one))
    const isTheirs = isFreeText(theirs) && isMeant(value, { ...spot, schema: theirs })
    if (text && isOther && isTheirs && isSure(text))
      return `write ${exampleLine(key, text)} and ${exampleLine(name, value)}, if that is what they are`
  }
  return undefined
}

/** What a value is replaced by unasked: where it has one answer, which is no guess and loses nothing. */
const fixFor = (value: string, { schema }: Spot, [better, another]: readonly Data[]) => {
  const { 'x-code': code = '' } = schema
  if (typeof better !== 'string' || another !== undefined) return undefined
  if (code === 'bad-timestamp') return clearDate(value)
  const isGuess = [
    /^bad-(?:gallery|username)$/.test(code),
    isNumber(schema) && !isOneNumber(value),
    // a space may be where it was broken
    code === 'bad-url' &&
      (!isWhole.test(better) || better.split('%20').length > value.split('%20').length),
    better.startsWith('./') && !value.startsWith('.\\'),
    !isPlain(better, { inBrackets: false }),
    besides(value, [better], schema) !== '',
  ].some(Boolean)
  return isGuess ? undefined : better
}

/** Whether a value is the name of a key that is true or false: `status: draft`. */
const isSwitch = (value: string, { schema }: Judged) =>
  /^bad-(?:draft|boolean)$/.test(schema.properties?.[value]?.['x-code'] ?? '')

const baseForEach = 'give a base for each scheme: assets: { https: "https://…", http: "http://…" }'

/** Advice for the address of assets where it is a path below that of the API: `/assets`. */
const belowBase = (value: string, spot: FileSpot) => {
  const { base_url: base } = mappingOf(spot.file.data)
  const [, path] = /^(?:\.?\/)?([\w-]+(?:\/[\w-]+)*)\/?$/.exec(value) ?? []
  const whole = `${normalBase(String(base))}/${path}`
  return path && fits(whole, spot)
    ? `write ${exampleLine(spot.key, whole)}; left out, it is base_url with /assets`
    : undefined
}

/** A value as it was typed over several lines: an address without what is between them, the words of a list one a line. */
const unbroken = (spot: FileSpot) => {
  const { schema } = spot
  const parts = typedAt(spot).match(/\S(?:[^\n]*\S)?/g) ?? []
  if (parts.length < 2) return undefined
  if (isAddress(schema)) return betweenAddresses.test(parts.join(' ')) ? undefined : parts.join('')
  const isParted = schema.format || betweenWords.test(parts.join(' '))
  return isParted ? undefined : parts.join('\n')
}

/** A value as it was typed, with its quotes and brackets. */
export const typedAt = ({ path, file: { parsed, text } }: FileSpot): string => {
  // of what is judged, something was read
  const { from, to } = stretchAt(parsed.tree()!, path, 'value')
  return text.slice(from, to)
}

/** Advice on data that a key can't take: to write what was meant, or to leave the key out. */
export const instead = (
  data: Data,
  spot: Spot,
  choices: readonly Data[] = choicesFor(data, spot),
): string | undefined => {
  const { key, schema } = spot
  const own = choices.filter((one) => !invents(data, one, schema))
  if (own.length > 0) return writeAny(own, data, spot)
  const isNone = typeof data === 'string' && saysNothing(data)
  if (isNone && spot.mayGo && !spot.isItem) return `leave ${key} out, as there is nothing to say`
  return schema.items?.type === 'object' ? entriesAdvice(data, spot) : undefined
}

/** Advice to write one of some values, and what to know of it. */
const writeAny = (choices: readonly Data[], data: Data, spot: Spot) => {
  const all = choices.map((one) => written(spot, one)).join(' or ')
  const lacking = spot.schema.format === 'timestamp' ? lackingIn(String(data)) : ''
  const local = choices.length > 1 && isElsewhere(String(data))
  if (local)
    return `write ${all}; the first is that moment in UTC, the second as clocks there told it`
  if (lacking !== '') return `add ${lacking}, such as ${all}`
  const isBeside = choices.some((one) => isPicturePath(String(one)))
  const wasBeside = /(?:^|[^.])\.\//.test(textsOf(data).join(' '))
  const note =
    isBeside && !wasBeside
      ? '; "./" names a file beside this one: put it there if it lies elsewhere'
      : ''
  return `write ${all}${besides(data, choices, spot.schema)}${note}`
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
const invents = (data: Data, value: Data, schema: Subschema) =>
  compareWith(data, [value], schema).invented.length > 0

/** What to say of the words that better values lack: whoever writes one is to know. */
const besides = (data: Data, values: readonly Data[], schema: Subschema) => {
  const { lost } = compareWith(data, values, schema)
  return lost.length === 0 ? '' : `; that leaves out ${quote(lost.join(' '))}`
}

/** What a schema asks for, in words. */
export const formOf = ({ patternErrorMessage: asked = '' }: Subschema): string =>
  asked.slice(0, 1).toLowerCase() + asked.slice(1)

const anyId = 'any whole number from 1 up that nobody else has will do'

/** A line with an id that nobody has, as nearly as the file's name alone can make one. */
export const freeId = ({ parsed }: Judged): string =>
  `id: ${proposeId(nameForId(parsed.place([], 'value').file))}`

/** What to say of a host that the build has no files for. */
export const hostArgs = (value: string, hosts: readonly HostName[]) => {
  const near = suggest(
    // `netlify.com`
    value.replace(/\.\w+$/, ''),
    hosts.map(({ name }) => name),
  )
  const { instead } = hosts.find(({ name }) => name === near) ?? {}
  const known = hosts.flatMap((one) => (one.instead === undefined ? one.name : [])).join(', ')
  return { value, near, instead, known }
}

export const wordAdvice = (value: string, spot: FileSpot): string | undefined => {
  if (value.trim() === '') return 'remove it from the list'
  const { key, schema, path, file } = spot
  const isParted = betweenWords.test(value) || /\s-\s?\S/.test(value)
  if (schema['x-code'] !== 'bad-word' && !betweenWords.test(value)) return undefined
  const words = meantWords(value)
  const lost = besides(value, words, schema)
  if (words.length < 2) return words[0] && `write ${flow(words[0])}${lost}`
  const list = valueAt(file.data, path.slice(0, -1)) as readonly Data[]
  // each of hundreds that are wrong asks
  if (isParted && list.length + words.length <= mostWords + 1)
    return `write ${exampleLine(key, list.toSpliced(path.at(-1) as number, 1, ...words))}${lost}`
  const listed = words.slice(0, mostWords).map(flow).join(', ')
  return `a word holds no space and no comma; join it (${flow(words.join('-'))}) or list ${words.length} words (${listed})`
}

/** What makes a text of all keys of a file: marks of a quoted mail, TOML, or spaces that nobody tells from ordinary ones. */
const textOfKeys = (value: string, text: string) => {
  if (/^> .*\n> /.test(text)) return 'remove the ">" in front of each line'
  if (text.startsWith('+++\n'))
    return 'remove both lines of "+++", and write "key: value" for each "key = value"'
  return oddlySpaced.test(value)
    ? 'type the spaces after the colons anew: these are none for YAML'
    : undefined
}
const oddlySpaced = new RegExp(`^\\w+:${oddSpace}`)

/**
 * What to say of a value that is no text, or has to be none: what is asked for, what is found, what to write. `cut` is what a
 * comment takes of it, perhaps.
 */
export const wrongType = (value: Data, { path, file }: FileSpot, cut: string) => {
  const inList = typeof path.at(-1) === 'number'
  const at = inList ? path.slice(0, -1) : path
  const spot = spotAt(at, file)
  const { key, schema } = spot
  const whole = valueAt(file.data, at) ?? ''
  const given = cut === '' ? whole : `${whole}, ${cut.replace(/ +#/g, ', #')}`
  const choices = choicesAt(given, spot)
  const other = useInstead(given, at, file)
  const better = typeof given === 'string' && other ? undefined : instead(given, spot, choices)
  const advice =
    key === '' ? fileAdvice(value, file, schema) : (better ?? other ?? exampleAdvice(spot))
  const found = inList ? `a list with ${nounOf(value)} in it` : nounOf(value)
  const args = { key: key || undefined, wanted: wantedBy(schema, inList), found, advice }
  const [first, another] = choices
  const isSame = typeof given === 'string' && Array.isArray(first) && keepsWords(given, first)
  return { args, fix: isSame && cut === '' && another === undefined ? flow(first) : undefined }
}

/** What to write in a file that is no mapping, such as one that lists several. */
const fileAdvice = (value: Data, { text }: Judged, schema: Subschema) => {
  const isList = Array.isArray(value)
  const separate = isList && value.length > 1 ? unnested(value, schema) : undefined
  const how = isList ? 'without "- " or brackets' : 'with a space after the colon'
  return separate ?? textOfKeys(String(value), text) ?? `write "key: value" on each line, ${how}`
}

/** Advice to use another key like this one, which takes the value: `projects` is a list, `Projects` how many there are. */
const useInstead = (given: Data, path: Path, file: Judged) => {
  const key = String(path.at(-1))
  const { properties = {} } = schemaAt(file.schema, path.slice(0, -1))
  const others = Object.keys(properties).filter(
    (one) => one !== key && takes(properties[one] ?? {}, given),
  )
  const isCount = typeof given === 'string' && /^\d+$/.test(given)
  const isCase = (one: string) => one.toLowerCase() === key.toLowerCase()
  const other = isCount ? others.find(isCase) : typeof given === 'object' && suggest(key, others)
  return other ? `use the key ${other}, which takes it` : undefined
}

/** What data was meant to be that may be a text between brackets. */
const choicesAt = (given: Data, spot: FileSpot) => {
  const source = typedAt(spot)
  const [, inside] = plainInBrackets.exec(source) ?? []
  // but for a comma within a number
  const typed = between[spot.key] === ' ' && !/,\S/.test(inside ?? '') ? undefined : inside
  // of addresses and dates, brackets may hold several
  const isWhole = isFreeText(spot.schema) || spot.schema.items !== undefined
  const lines = typeof given === 'string' && unbroken(spot)
  const readings = isWhole ? [typed, lines, given] : [given, typed]
  const all = readings.map((one) => (one ? choicesFor(one, spot) : []))
  const found = all.find(({ length }) => length > 0) ?? []
  // brackets may belong to a text
  const isText = isFreeText(spot.schema) && /^\[[^"'[\]{}\n]+\]$/.test(source)
  return isText ? [...found.filter((one) => /[\p{L}\p{N}]/u.test(String(one))), source] : found
}

/** Advice to write the list of an entry anew: `- 7: Posters`, or `- id: 7` and `- created: 2014-03-01`; perhaps with a guess. */
export const wholeList = (path: Path, file: Judged, mayGuess: boolean): string | undefined => {
  if (typeof path.at(-1) !== 'number') return undefined
  const at = path.slice(0, -1)
  const list = valueAt(file.data, at) ?? ''
  const spot = spotAt(at, file)
  const choices = choicesFor(list, spot)
  // what is left out may be a whole entry
  if (choices.length > 0 && besides(list, choices, spot.schema) !== '') return undefined
  return choices.length > 0 || mayGuess ? instead(list, spot, choices) : undefined
}

/** Advice on projects that are not whole. */
const entriesAdvice = (data: Data, spot: Spot) => {
  if (isLong(data)) return undefined
  const found = namedEntries(data)
  if (invents(data, found, spot.schema)) return undefined
  const entries = found.map((one, at) => ({
    id: String(at + 1),
    created: '2014-03-02',
    ...one,
  }))
  return entries.length > 0 && entries.length <= mostWords && fits(entries, spot)
    ? `write ${written(spot, entries)}, with the id of each and the day on which it began${besides(data, found, spot.schema)}`
    : undefined
}

/** Of two values, or of people, an example would be a guess. */
export const exampleAdvice = (spot: Spot): string => {
  const { examples: [first = true] = [] } = spot.schema
  return first === true ? formOf(spot.schema) : `write for example: ${example(spot)}`
}

/** What was typed between brackets that hold nothing but plain text on one line: `1,5 l`, `3d, 2024`. */
const plainInBrackets = /^(?:\[(?=.*\]$)|\{(?=.*\}$))([^"'&*!#:{}[\]\n]+).$/

/** What to do where all that belongs into a file, or into several, stands below a key that isn't one: `shot:`, `shots:`. */
export const unnested = (
  value: Data,
  { properties = {} }: Subschema,
  given: Mapping = {},
): string | undefined => {
  const [inner, another] = Array.isArray(value) ? value : [value]
  const keys = Object.keys(mappingOf(inner))
  const isShot = ['id', 'title', 'image'].every((key) => keys.includes(key))
  const known = keys.filter((key) => properties[key] !== undefined && !Object.hasOwn(given, key))
  if (isShot && keys.includes('user_id'))
    return 'this is what the API answers: npx shotpress import URL makes files of it'
  const least = another === undefined && !isShot ? 1 : 2
  if (known.length < least && !isShot) return undefined
  return another === undefined && known.length >= least
    ? 'remove it, and begin each of the keys that belong to it at the start of a line'
    : 'give each of them a file of its own, in which each key begins a line: members/<username>/shots/<any name>.yaml'
}

const wantedBy = (schema: Subschema, inList: boolean) => {
  if (inList) return `a list of ${schema.items?.type === 'object' ? 'entries with keys' : 'words'}`
  if (schema.items) return 'a list'
  if (!schema.properties) return 'text'
  return `${schema.format === undefined ? '' : 'text, or '}keys with values`
}

const nounOf = (value: Data): string => {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'keys with values'
  return value === '' ? 'an empty value' : 'text'
}

/** Whether a list says no more and no less than a text; words that spaces keep apart may be one that is to be joined. */
const keepsWords = (text: string, list: readonly Data[]) => {
  // but for what stands between words, each character is in one
  const said = unwrapped(text)
  const lettersOf = (one: string) =>
    one
      .split(betweenWords)
      .join('')
      .replace(/[\s"'“”„‘’«»#[\],-]/g, '')
  const isClear = !/[\p{Ps}\p{Pe}\n&]/u.test(said) && printable(text) === text
  // marks around all of it, or dots between its letters, may belong to it or not
  const isOdd = /^[^\p{L}\p{N}#].*[^\p{L}\p{N}]$|\S[·・‧]\S/u.test(said)
  const isParted = /^#|^\S*$/.test(said.trim()) || (list.length > 1 && betweenWords.test(said))
  return isClear && !isOdd && isParted && lettersOf(said) === lettersOf(flow(list))
}

export const example = ({ key, schema: { examples = [] } }: Pick<Spot, 'key' | 'schema'>): string =>
  exampleLine(key, examples[0])

/** What to write for a value: `skills: [typography, branding]`, or an item of a list: `lettering`. */
export const written = ({ key, isItem }: Spot, value: unknown): string =>
  isItem ? flow(value) : exampleLine(key, value)

/** A line of YAML that gives a key a value: `skills: [typography, branding]`. */
export const exampleLine = (key: string, value: unknown): string => `${key}: ${flow(value)}`

/** A value as it can stand inside brackets. */
const flow = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => exampleLine(key, item))
    return `{ ${entries.join(', ')} }`
  }
  const text = String(value)
  const isSafe = isPlain(text, { inBrackets: true }) && printable(text) === text
  return isSafe ? text : doubleQuoted(text)
}
