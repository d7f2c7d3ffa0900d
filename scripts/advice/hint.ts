import { nameForId, proposeId } from '../content/ids.ts'
import type { Finding } from '../content/load.ts'
import { type Data, isMapping, type Path, valueAt } from '../content/parse/data.ts'
import { type Fits, type Subschema, schemaAt } from '../content/schema.ts'
import type { HostName } from '../content/values/formats.ts'
import { saysNothing } from '../content/values/unlikely.ts'
import { isPlain } from '../text/plain.ts'
import { printable } from '../text/printable.ts'
import { suggest } from '../text/suggest.ts'
import { clearDate, timestampsIn } from './dates.ts'
import { betweenWords, candidates, isOneNumber, meantWords, unwrapped } from './meant.ts'

// What to write instead of a value: first what was meant, then the advice that is made of it, then lines of YAML.

export type Judged = Omit<Finding, 'data'> & {
  readonly data: Data
  readonly lines: readonly string[]
}

/** Where a value belongs: the key that holds it, what the schema asks of it, and who judges. */
export type Spot = Fits & {
  readonly key: string
  readonly schema: Subschema
  /** Whether the file is right without it: it is an item of a list, or its key is optional. */
  readonly isItem: boolean
  readonly mayGo: boolean
}

export const spotAt = (path: Path, { isMeant, isRight, schema }: Judged): Spot => {
  const key = String(path.findLast((part) => typeof part === 'string') ?? '')
  const isItem = typeof path.at(-1) === 'number'
  const mayGo = isItem || !schemaAt(schema, path.slice(0, -1)).required?.includes(key)
  return { isMeant, isRight, key, schema: schemaAt(schema, path), isItem, mayGo }
}

/** Whether data is right for a key, be it what people mean or not. */
export const fits = (data: Data, spot: Spot): boolean => spot.isRight(spot.schema, data)

/** What data was most likely meant to be, of what is right for its key; `undefined` where nothing is. */
export const meantData = (data: Data, spot: Spot): Data | undefined => {
  const { schema } = spot
  // each of thousands that are wrong asks for all
  if (Array.isArray(data) && data.length > mostWords) return undefined
  if (schema.items === undefined) {
    if (typeof data === 'string') return meantText(data, spot)
    return takes(schema, '') ? meantByTexts(data, spot) : undefined
  }
  const item = { ...spot, schema: schema.items }
  const all =
    schema.items.type === 'object'
      ? namedEntries(data, spot)
      : wordsIn(data, schema.items).map((word) => meantText(word, item) ?? word)
  return all.length === 0 || all.length > mostWords || !fits(all, spot) ? undefined : all
}

/** Numbers may have commas between thousands. */
const wordsIn = (data: Data, { 'x-code': code }: Subschema): readonly string[] =>
  code === 'bad-id' && typeof data === 'string' && isOneNumber(data) ? [data] : meantWords(data)

/** The same of a text where its key takes one: the most repaired of the likely ones. */
export const meantText = (text: string, spot: Spot): string | undefined => {
  const tried = text.length > longest ? [] : candidates(text, spot.key, spot.schema)
  const right = [...new Set([...tried.toReversed(), text])].filter(
    (one) => one !== '' && fits(one, spot),
  )
  return right.find((one) => spot.isMeant(spot.schema, one)) ?? right[0]
}

/** A longer text is no slip in one value, and to look for one would take long. */
export const longest = 500

/** More than these are not written out. */
const mostWords = 20

/** A text of a list or of keys with values: all of it where any text will do; else the one that is right, of addresses the first. */
const meantByTexts = (data: Data, spot: Spot): string | undefined => {
  const { key, schema } = spot
  const isSentence = key === 'description' || key === 'bio'
  const texts = textsOf(data, { withKeys: isSentence })
  if (texts.length > mostWords || texts.join('').length > longest) return undefined
  if (isFreeText(schema)) {
    const between = key === 'name' ? ' ' : ', '
    return texts.join(isSentence ? '\n' : between) || undefined
  }
  if (Object.values(data).some((one) => typeof one !== 'string')) return undefined
  const right = texts.filter((one) => fits(one, spot))
  if (/address|asset|picture|base/.test(schema.format ?? ''))
    return right.find((one) => /[./]/.test(one))
  return right.length === 1 ? right[0] : meantText(texts.join('-'), spot)
}

/** Projects that numbers and dates alone name: `7: 2014-03-01`, `[7, 8]`, `id:7`. */
const namedEntries = (data: Data, { schema }: Spot, otherwise?: string): readonly Data[] => {
  const [id = '', created = ''] = Object.keys(schema.items?.properties ?? {})
  const text = textsOf(data, { withKeys: true }).join(' ').slice(0, longest)
  if (/\p{L}/u.test(text.replace(/\b(?:id|created|date)\b|(?<=\d)[TZ]/g, ''))) return []
  const found = text.matchAll(/(?<![\d./-])([1-9]\d*)(?![\d./-])(?:\D*?(\d[\d./-]{7,}))?/g)
  return Array.from(found, ([, one = '', date]) => {
    const [moment = '', another] = date === undefined ? [otherwise] : timestampsIn(date)
    return { [id]: one, [created]: another === undefined ? moment : '' }
  })
}

/** The texts of a list or mapping; those of a mapping as they were typed, or without names of keys such as `src`. */
const textsOf = (data: Data, { withKeys }: { withKeys: boolean }): readonly string[] => {
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

const isText = ({ type = [] }: Subschema): boolean =>
  !type.includes('array') && !type.includes('object')

export const takes = ({ type = [] }: Subschema, value: Data): boolean =>
  type.includes(Array.isArray(value) ? 'array' : typeof value)

/** What to write instead: the value that was meant if one is likely and right, else the form that the schema asks for. */
export const answerFor = (value: string, path: Path, file: Judged) => {
  const spot = spotAt(path, file)
  const { key, schema, isItem } = spot
  const { 'x-code': code = '' } = schema
  const mayGo = spot.mayGo && !isItem
  const form = formOf(schema)
  if (value.length > longest) return { advice: form }
  if (code === 'blank') return { advice: `write some text, such as: ${example(spot)}` }
  const better = code === 'bad-word' ? undefined : meantText(value, spot)
  const safe = better !== undefined && isSafe(code, value, better) ? better : undefined
  const fix = code === 'bad-timestamp' && better !== undefined ? clearDate(value) : safe
  const advice = [
    isItem && better === undefined && wordAdvice(value, path, file),
    instead(value, spot, better),
    path.length === 1 && key === 'id' && `write ${freeId(file)}; ${anyId}`,
    mayGo && `${form}; or leave ${key} out`,
  ].find((one) => one !== false && one !== undefined)
  return { advice: advice || form, fix }
}

/** Advice on data that a key can't take: to write what was meant, or to leave the key out. */
export const instead = (data: Data, spot: Spot, better: Data | undefined): string | undefined => {
  const { key, schema } = spot
  if (better !== undefined) return `write ${written(spot, better)}`
  const isNone = typeof data === 'string' && saysNothing(data)
  if (isNone && spot.mayGo && !spot.isItem) return leaveOut(key)
  if (schema.items?.type === 'object') return datedAdvice(data, spot)
  if (typeof data !== 'string') return undefined
  const moments = schema.format === 'timestamp' ? timestampsIn(data) : []
  return moments.length === 0
    ? undefined
    : `write ${moments.map((one) => written(spot, one)).join(' or ')}`
}

/** What a schema asks for, in words. */
export const formOf = ({ patternErrorMessage: asked = '' }: Subschema): string =>
  asked.slice(0, 1).toLowerCase() + asked.slice(1)

const anyId = 'any whole number from 1 up that nobody else has will do'

/** Whether a value can be replaced unasked: nothing of it is lost, and the better one is no guess. */
const isSafe = (code: string, value: string, better: string): boolean => {
  if (code === 'bad-gallery' || code === 'bad-username') return false
  if (code === 'bad-id' || code === 'bad-count') return isOneNumber(value)
  if (!/^bad-(?:url|asset|base)$/.test(code)) return true
  if (code === 'bad-url' && !/^https?:\/\/[^/?#@:]+\.[^/?#@:]+(?:[/?#]|$)/i.test(better))
    return false
  const [said = '', kept = ''] = [value, better].map((text) =>
    text.replaceAll('%20', '').replace(/[^\p{L}\p{N}]/gu, ''),
  )
  return (
    kept.endsWith(said.replace(/^h*t+ps?/i, '')) &&
    (!better.startsWith('./') || value.startsWith('.\\'))
  )
}

/** A line with an id that nobody has, as nearly as the file's name alone can make one. */
export const freeId = ({ parsed }: Judged): string =>
  `id: ${proposeId(nameForId(parsed.place([], 'value').file))}`

/** What to say of a host that the build has no files for. */
export const hostArgs = (value: string, hosts: readonly HostName[]) => {
  const near = suggest(
    value,
    hosts.map(({ name }) => name),
  )
  const { instead } = hosts.find(({ name }) => name === near) ?? {}
  const known = hosts.flatMap((one) => (one.instead === undefined ? one.name : [])).join(', ')
  return { value, near, instead, known }
}

export const wordAdvice = (value: string, path: Path, file: Judged): string | undefined => {
  if (value.trim() === '') return 'remove it from the list'
  const { key, schema } = spotAt(path, file)
  const isParted = betweenWords.test(value) || /\s-\s?\S/.test(value)
  if (schema['x-code'] !== 'bad-word' && !betweenWords.test(value)) return undefined
  const words = meantWords(value)
  if (words.length < 2) return words[0] && `write ${flow(words[0])}`
  const list = valueAt(file.data, path.slice(0, -1)) as readonly Data[]
  // each of hundreds that are wrong asks
  if (isParted && list.length + words.length <= mostWords + 1)
    return `write ${exampleLine(key, list.toSpliced(path.at(-1) as number, 1, ...words))}`
  const listed = words.slice(0, mostWords).map(flow).join(', ')
  return `a word holds no space and no comma; join it (${flow(words.join('-'))}) or list ${words.length} words (${listed})`
}

/** What to say of a value that is no text, or has to be none: what is asked for, what is found, what to write. */
export const wrongType = (value: Data, path: Path, file: Judged) => {
  const inList = typeof path.at(-1) === 'number'
  const at = inList ? path.slice(0, -1) : path
  const spot = spotAt(at, file)
  const { key, schema } = spot
  const typed = key === 'name' ? undefined : insideBrackets(at, file)
  const given = valueAt(file.data, at) ?? ''
  // of addresses and dates, brackets may hold several
  const readings = isFreeText(schema) || schema.items ? [typed, given] : [given, typed]
  const better = readings.map((one) => one && meantData(one, spot)).find(Boolean)
  const lines = `on each line, ${Array.isArray(value) ? 'without "- " or brackets' : 'with a space after the colon'}`
  const { properties = {} } = schemaAt(file.schema, at.slice(0, -1))
  const others = Object.keys(properties).filter(
    (one) => one !== key && takes(properties[one] ?? {}, given),
  )
  const other = typeof given === 'object' && suggest(key, others)
  const advice =
    key === ''
      ? `write "key: value" ${lines}`
      : (instead(given, spot, better) ??
        (other ? `use the key ${other}, which takes it` : `write for example: ${example(spot)}`))
  const found = inList ? `a list with ${nounOf(value)} in it` : nounOf(value)
  const args = { key: key || undefined, wanted: wantedBy(schema, inList), found, advice }
  const isSame = typeof value === 'string' && Array.isArray(better) && keepsWords(value, better)
  return { args, fix: isSame ? flow(better) : undefined }
}

/** Advice on projects that are given by their ids alone. */
const datedAdvice = (data: Data, spot: Spot): string | undefined => {
  const { examples = [] } = spot.schema.items?.properties?.created ?? {}
  const entries = namedEntries(data, spot, String(examples[0]).slice(0, 10))
  return entries.length > 0 && entries.length <= mostWords && fits(entries, spot)
    ? `write ${written(spot, entries)}, with the day on which each began`
    : undefined
}

/** What was typed between brackets that hold nothing but plain text: `1,5 l`, `3d, 2024`. */
const insideBrackets = (path: Path, { parsed, lines }: Judged): string | undefined => {
  const { line, column, endLine, endColumn } = parsed.place(path, 'value')
  const typed = line === endLine ? (lines[line - 1] ?? '').slice(column - 1, endColumn - 1) : ''
  return /^(?:\[([^"'&*!#:{}[\]]+)\]|\{([^"'&*!#:{}[\]]+)\})$/.exec(typed)?.slice(1).find(Boolean)
}

const wantedBy = (schema: Subschema, inList: boolean): string => {
  if (inList) return `a list of ${schema.items?.type === 'object' ? 'entries with keys' : 'words'}`
  if (isText(schema)) return 'text'
  if (schema.items) return 'a list'
  return `${schema.format === undefined ? '' : 'text, or '}keys with values`
}

const nounOf = (value: Data): string => {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'keys with values'
  return value === '' ? 'an empty value' : 'text'
}

const betweenAny = new RegExp(betweenWords, 'g')

/** Whether a list says no more and no less than a text; words that spaces keep apart may be one that is to be joined. */
const keepsWords = (text: string, list: readonly Data[]): boolean => {
  // but for what stands between words, each character is in one
  const said = unwrapped(text)
  const lettersOf = (one: string): string =>
    one.replace(betweenAny, '').replace(/[\s"'“”„‘’«»#[\],-]/g, '')
  const isClear = !/[\p{Ps}\p{Pe}\n&]/u.test(said) && printable(text) === text
  const isParted = betweenWords.test(said) || /^#|^\S*$/.test(said.trim())
  return isClear && isParted && lettersOf(said) === lettersOf(flow(list))
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
  const needsQuotes = typeof value === 'string' && !isPlain(value, { inBrackets: true })
  return needsQuotes ? JSON.stringify(value) : String(value)
}

const leaveOut = (key: string): string => `leave ${key} out, as there is nothing to say`
