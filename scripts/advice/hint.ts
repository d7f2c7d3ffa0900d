import { nameForId, proposeId } from '../content/ids.ts'
import { isPicturePath } from '../content/layout.ts'
import {
  type Data,
  type Mapping,
  mappingOf,
  type Path,
  valueAt,
} from '../content/parse/data.ts'
import { type Subschema, schemaAt } from '../content/schema.ts'
import { normalBase } from '../content/values/address.ts'
import type { HostName } from '../content/values/formats.ts'
import { saysNothing } from '../content/values/unlikely.ts'
import { isPlain } from '../text/plain.ts'
import { printable } from '../text/printable.ts'
import { suggest } from '../text/suggest.ts'
import { between, choicesFor, isWhole, meantText } from './choices.ts'
import { clearDate, isElsewhere, lackingIn } from './dates.ts'
import {
  betweenAddresses,
  betweenWords,
  isOneNumber,
  meantWords,
  oddSpace,
  unwrapped,
  wordsForDraft,
} from './meant.ts'
import { namedEntries } from './projects.ts'
import {
  type FileSpot,
  fits,
  formOf,
  isAddress,
  isFreeText,
  isLong,
  isMeant,
  isNumber,
  type Judged,
  longest,
  mostWords,
  type Spot,
  spotAt,
  takes,
  typedAt,
} from './spot.ts'
import { besides, invents, textsOf } from './texts.ts'
import { example, exampleLine, flow, written } from './written.ts'

// What to write instead of a value: advice, made of what was most likely meant.

/**
 * What to write instead: the value that was meant if one is likely and right, else the form
 * that the schema asks for.
 */
export const answerFor = (value: string, spot: FileSpot) => {
  const { key, schema, isItem, file } = spot
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
    mayGo && switchFor(value, file),
    schema.format === 'shared-base' && /:\d+/.test(value) && baseForEach,
    schema.format === 'shared-base' && belowBase(value, spot),
    numberAdvice(value, spot),
    mayGo && `${form}; or leave ${key} out`,
  ].find(Boolean)
  return {
    advice: advice || form,
    fix: whole === value ? fixFor(value, spot, choices) : undefined,
  }
}

const mail = /^(?:mailto:)?[^/?#\s@]+@[^/?#\s@]+\.\w+$/i

const numberAdvice = (value: string, { schema, path, file }: FileSpot) => {
  if (!isNumber(schema)) return undefined
  // 1.02E+08
  const isShortened = /^\d+(?:[.,]\d+)?e\+?\d+$/i.test(value)
  if (isShortened) return 'write all of its digits: a spreadsheet cut them'
  return path.join() === 'id' ? `write ${freeId(file)}; ${anyId}` : undefined
}

/** What to do with what a spreadsheet shows in place of a value: `#REF!`. */
export const cellAdvice = ({ key, isItem, mayGo }: Spot): string => {
  const leaving = isItem ? 'remove it from the list' : `leave ${key} out`
  const advice = 'write what the cell was to show'
  return mayGo ? `${advice}, or ${leaving}` : advice
}

/** Advice where another key holds what belongs here, and what is here belongs there. */
const swapped = (value: string, spot: FileSpot & { readonly choices: readonly Data[] }) => {
  const { key, schema, file, choices } = spot
  const isSure = (one: Data) =>
    isMeant(one, spot) && (!isAddress(schema) || /\.\p{L}/u.test(String(one)))
  if (spot.isItem || choices.some(isSure)) return undefined
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

/**
 * What a value is replaced by unasked: where it has one answer, which is no guess and loses
 * nothing.
 */
const fixFor = (value: string, { schema }: Spot, [better, another]: readonly Data[]) => {
  const { 'x-code': code = '' } = schema
  if (typeof better !== 'string' || another !== undefined) return undefined
  if (code === 'bad-timestamp') return clearDate(value)
  const isGuess = [
    /^bad-(?:gallery|username)$/.test(code),
    isNumber(schema) && !isOneNumber(value),
    // a word alone may say that there is none, and a space be where it was broken
    code === 'bad-url' &&
      (/^\w+$/.test(value) ||
        !isWhole.test(better) ||
        better.split('%20').length > value.split('%20').length),
    better.startsWith('./') && !value.startsWith('.\\'),
    !isPlain(better, { inBrackets: false }),
    besides(value, [better], schema) !== '',
  ].some(Boolean)
  return isGuess ? undefined : better
}

/**
 * Where a value is the name of a key that is true or false, or says as much: `status: draft`,
 * `status: private`.
 */
const switchFor = (value: string, { schema }: Judged) => {
  const name = unfinished.test(value) ? 'draft' : value
  const code = schema.properties?.[name]?.['x-code'] ?? ''
  return /^bad-(?:draft|boolean)$/.test(code)
    ? `write ${name}: true in place of it`
    : undefined
}
const otherWords =
  '(?:work )?in progress|private|unlisted|entwurf|brouillon|borrador|bozza|rascunho'
const unfinished = new RegExp(`^(?:${wordsForDraft}|${otherWords})$`, 'i')

const baseForEach =
  'give a base for each scheme: assets: { https: "https://…", http: "http://…" }'

/** Advice for the address of assets where it is a path below that of the API: `/assets`. */
const belowBase = (value: string, spot: FileSpot) => {
  const { base_url: base } = mappingOf(spot.file.data)
  const [, path] = /^(?:\.?\/)?([\w-]+(?:\/[\w-]+)*)\/?$/.exec(value) ?? []
  const whole = `${normalBase(String(base))}/${path}`
  return path && fits(whole, spot)
    ? `write ${exampleLine(spot.key, whole)}; left out, it is base_url with /assets`
    : undefined
}

/**
 * A value as it was typed over several lines: an address without what is between them, the
 * words of a list one a line.
 */
const unbroken = (spot: FileSpot) => {
  const { schema } = spot
  const parts = typedAt(spot).match(/\S(?:[^\n]*\S)?/g) ?? []
  if (parts.length < 2) return undefined
  if (isAddress(schema))
    return betweenAddresses.test(parts.join(' ')) ? undefined : parts.join('')
  const isParted = schema.format || betweenWords.test(parts.join(' '))
  return isParted ? undefined : parts.join('\n')
}

/** Advice on data that a key can't take: to write what was meant, or to leave the key out. */
export const instead = (
  data: Data,
  spot: Spot,
  choices: readonly Data[] = choicesFor(data, spot),
): string | undefined => {
  const { key, schema } = spot
  const own = choices.filter((one) => !invents(data, one, schema))
  const { alt } = mappingOf(data)
  const [only, another] = own
  if (
    key === 'image' &&
    only !== undefined &&
    another === undefined &&
    typeof alt === 'string'
  )
    return `write ${exampleLine(key, only)}, and add a line ${exampleLine('alt', alt)}`
  if (own.length > 0) return writeAny(own, data, spot)
  const isNone = typeof data === 'string' && saysNothing(data)
  if (isNone && spot.mayGo && !spot.isItem)
    return `leave ${key} out, as there is nothing to say`
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

/** What to write instead of an item of a list that is no word. */
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

/**
 * What makes a text of all keys of a file: marks of a quoted mail, TOML, or spaces that
 * nobody tells from ordinary ones.
 */
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
 * What to say of a value that is no text, or has to be none: what is asked for, what is
 * found, what to write. `cut` is what a comment takes of it, perhaps.
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
  const better =
    typeof given === 'string' && other ? undefined : instead(given, spot, choices)
  const advice =
    key === '' ? fileAdvice(value, file, schema) : (better ?? other ?? exampleAdvice(spot))
  const found = inList ? `a list with ${nounOf(value)} in it` : nounOf(value)
  const args = { key: key || undefined, wanted: wantedBy(schema, inList), found, advice }
  const [first, another] = choices
  const isSame = typeof given === 'string' && Array.isArray(first) && keepsWords(given, first)
  return {
    args,
    fix: isSame && cut === '' && another === undefined ? flow(first) : undefined,
  }
}

/** What to write in a file that is no mapping, such as one that lists several. */
const fileAdvice = (value: Data, { text }: Judged, schema: Subschema) => {
  const isList = Array.isArray(value)
  const separate = isList && value.length > 1 ? unnested(value, schema) : undefined
  const how = isList ? 'without "- " or brackets' : 'with a space after the colon'
  return (
    separate ?? textOfKeys(String(value), text) ?? `write "key: value" on each line, ${how}`
  )
}

/**
 * Advice to use another key like this one, which takes the value: `projects` is a list,
 * `Projects` how many there are.
 */
const useInstead = (given: Data, path: Path, file: Judged) => {
  const key = String(path.at(-1))
  const { properties = {} } = schemaAt(file.schema, path.slice(0, -1))
  const others = Object.keys(properties).filter(
    (one) => one !== key && takes(properties[one] ?? {}, given),
  )
  const isCount = typeof given === 'string' && /^\d+$/.test(given)
  const isCase = (one: string) => one.toLowerCase() === key.toLowerCase()
  const other = isCount
    ? others.find(isCase)
    : typeof given === 'object' && suggest(key, others)
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
  return isText
    ? [...found.filter((one) => /[\p{L}\p{N}]/u.test(String(one))), source]
    : found
}

/**
 * Advice to write the list of an entry anew: `- 7: Posters`, or `- id: 7` and `- created:
 * 2014-03-01`; perhaps with a guess.
 */
export const wholeList = (
  path: Path,
  file: Judged,
  mayGuess: boolean,
): string | undefined => {
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

/**
 * What was typed between brackets that hold nothing but plain text on one line: `1,5 l`, `3d,
 * 2024`.
 */
const plainInBrackets = /^(?:\[(?=.*\]$)|\{(?=.*\}$))([^"'&*!#:{}[\]\n]+).$/

/**
 * What to do where all that belongs into a file, or into several, stands below a key that
 * isn't one: `shot:`, `shots:`.
 */
export const unnested = (
  value: Data,
  { properties = {} }: Subschema,
  given: Mapping = {},
): string | undefined => {
  const [inner, another] = Array.isArray(value) ? value : [value]
  const keys = Object.keys(mappingOf(inner))
  const isShot = ['id', 'title', 'image'].every((key) => keys.includes(key))
  const known = keys.filter(
    (key) => properties[key] !== undefined && !Object.hasOwn(given, key),
  )
  if (isShot && keys.includes('user_id'))
    return 'this is what the API answers: npx shotpress import URL makes files of it'
  const least = another === undefined && !isShot ? 1 : 2
  if (known.length < least && !isShot) return undefined
  return another === undefined && known.length >= least
    ? 'remove it, and begin each of the keys that belong to it at the start of a line'
    : 'give each of them a file of its own, in which each key begins a line: members/<username>/shots/<any name>.yaml'
}

const wantedBy = (schema: Subschema, inList: boolean) => {
  if (inList)
    return `a list of ${schema.items?.type === 'object' ? 'entries with keys' : 'words'}`
  if (schema.items) return 'a list'
  if (!schema.properties) return 'text'
  return `${schema.format === undefined ? '' : 'text, or '}keys with values`
}

const nounOf = (value: Data): string => {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'keys with values'
  return value === '' ? 'an empty value' : 'text'
}

/**
 * Whether a list says no more and no less than a text; words that spaces keep apart may be
 * one that is to be joined.
 */
const keepsWords = (text: string, list: readonly Data[]) => {
  // but for what stands between words, each character is in one
  const said = unwrapped(text)
  const lettersOf = (one: string) =>
    one
      .split(betweenWords)
      .join('')
      .replace(/[\s"'“”„‘’«»#[\],-]/g, '')
  const isClear = !/[\p{Ps}\p{Pe}\n&]/u.test(said) && printable(text) === text
  // marks around all of it, dots between its letters and commas in numbers may belong to it or not
  const isOdd = /^[^\p{L}\p{N}#].*[^\p{L}\p{N}]$|\S[·・‧]\S|(?=.*\s).*\d,\d/u.test(said)
  const isParted =
    /^#|^\S*$/.test(said.trim()) || (list.length > 1 && betweenWords.test(said))
  return isClear && !isOdd && isParted && lettersOf(said) === lettersOf(flow(list))
}
