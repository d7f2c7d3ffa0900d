import { hash } from 'node:crypto'
import { printable } from '../text/printable.ts'
import { suggest, suggestOnly } from '../text/suggest.ts'
import {
  exampleLine,
  flow,
  isText,
  keyIn,
  leaveOut,
  longest,
  meantData,
  meantText,
  mostWords,
  schemaAt,
  written,
} from './hint.ts'
import { type Data, isMapping, type Mapping, valueAt } from './parse/data.ts'
import type { Parsed } from './parse/parse.ts'
import type { Path, Violation } from './rules.ts'
import type { Breach, Judge, Subschema } from './schema.ts'
import { meantKey, saysPublished } from './synonyms.ts'
import type { HostName } from './values/formats.ts'
import { isOneNumber, isWord, meantWords, saysNothing } from './values/meant.ts'
import { clearDate, timestampsIn } from './values/timestamp.ts'

/** A file that is held against its schema. */
export type Judged = Judge & {
  readonly schema: Subschema
  readonly parsed: Parsed
  readonly lines: readonly string[]
  /** What was parsed, without the keys that have no value. */
  readonly data: Data
}

/** Says in the words of the diagnostics how data breaks a schema. */
export const explain = ({ path, keyword, key }: Breach, file: Judged): Violation => {
  const schema = schemaAt(file.schema, path)
  if (key !== undefined && keyword === 'required') {
    const isId = key === 'id' && path.length === 0
    const line = isId ? freeId(file) : example(key, schema.properties![key]!)
    return { code: 'missing-key', args: { key, example: line }, path, of: 'mapping' }
  }
  if (key !== undefined) return wrongKey(key, path, file)
  const value = valueAt(file.data, path)!
  const { 'x-code': code = 'wrong-type', format = '' } = schema
  if (keyword === 'type' || code === 'wrong-type' || typeof value !== 'string')
    return { code: 'wrong-type', ...wrongType(value, path, file), path, of: 'value' }
  if (code === 'unknown-host') return { code, args: hostArgs(value, file.hostNames), path, of: 'value' }
  const problem = file.formats[format]?.(value) ?? 'it has another form'
  const { advice, fix } = answerFor(value, path, file)
  return { code, args: { key: keyIn(path), value, problem, advice }, path, of: 'value', fix } as Violation
}

const wrongKey = (key: string, path: Path, file: Judged): Violation => {
  const mapping = valueAt(file.data, path) as Mapping
  const { properties = {} } = schemaAt(file.schema, path)
  const known = Object.keys(properties)
  const fitting = known.filter((one) => takes(properties[one]!, mapping[key]!))
  const isGiven = (one: string): boolean => Object.hasOwn(mapping, one)
  const { bare, suggestion } = meantKey(key, { known, fitting, isGiven })
  const given = suggestion !== undefined && isGiven(suggestion) ? suggestion : undefined
  const line = lineInstead(key, bare, { mapping, properties })
  const whole = suggestion === undefined ? textAround(key, mapping) : undefined
  // a stranger's file may have any number
  const others = Object.keys(mapping)
    .slice(0, 100)
    .filter((other) => other !== key && !known.includes(other))
  const isOnly =
    suggestOnly(bare, fitting) === suggestion && !others.some((other) => suggest(other, known) === suggestion)
  // `price (EUR)` says more than `price_item`
  const isWhole = !/[:()[\]{}<>]/.test(key)
  return {
    code: 'unknown-key',
    args: { key, suggestion, given, known: known.join(', '), whole, line },
    path: [...path, key],
    of: 'key',
    fix: given === undefined && line === undefined && isOnly && isWhole ? suggestion : undefined,
  }
}

/** What to do with a key that has its place elsewhere, or is none. */
const lineInstead = (
  key: string,
  bare: string,
  { mapping, properties }: { mapping: Mapping; properties: Readonly<Record<string, Subschema>> },
): string | undefined => {
  const value = mapping[key]!
  const isShort = typeof value === 'string' && value.length <= longest
  const draft = isShort && properties.draft && saysPublished(bare, value)
  if (draft) return `write ${exampleLine('draft', draft)}`
  if (key.startsWith('//')) return 'put # in place of //: a comment begins with "#"'
  if (key === 'username' && properties.aliases) return "remove it: the folder's name is the username"
  const outer = Object.keys(properties).find((name) => properties[name]!.properties?.[key])
  if (outer === undefined) return undefined
  return isShort && !Object.hasOwn(mapping, outer)
    ? `write ${exampleLine(outer, { [key]: value })}`
    : `move it below "${outer}:", indented by two spaces`
}

/** Whether a key can take a value of that type. */
const takes = ({ type = [] }: Subschema, value: Data): boolean =>
  type.includes(typeof value === 'string' ? 'string' : Array.isArray(value) ? 'array' : 'object')

/** The text above, with a line that looks like a key because of its colon. */
const textAround = (key: string, mapping: Mapping): string | undefined => {
  const keys = Object.keys(mapping).slice(0, 100)
  const above = keys[keys.indexOf(key) - 1] ?? ''
  const [text, rest] = [mapping[above], mapping[key]]
  if (!/^(?:description|bio)$/.test(above) || typeof text !== 'string' || typeof rest !== 'string')
    return undefined
  if (text.length + rest.length > 300) return undefined
  return `${above}: ${JSON.stringify(`${text.trimEnd()}\n${key}: ${rest}`)}`
}

/** An id that nobody has, as nearly as the file's name alone can make one. */
const freeId = ({ parsed }: Judged): string => {
  const { file } = parsed.place([], 'value')
  return `id: ${10_000_000 + (Number.parseInt(hash('sha256', file).slice(0, 8), 16) % 90_000_000)}`
}

type Answer = { readonly advice: string; readonly fix?: string | undefined }

/** What to write instead: the value that was meant if one is likely and right, else the form that the schema asks for. */
const answerFor = (value: string, path: Path, file: Judged): Answer => {
  const schema = schemaAt(file.schema, path)
  const { 'x-code': code = '', patternErrorMessage: asked = '' } = schema
  const form = asked.slice(0, 1).toLowerCase() + asked.slice(1)
  const key = path.at(-1)!
  const isOptional =
    typeof key === 'string' && !schemaAt(file.schema, path.slice(0, -1)).required?.includes(key)
  if (value.length > longest) return { advice: form }
  if (code === 'blank') return { advice: `write some text, such as: ${example(keyIn(path), schema)}` }
  if (code === 'bad-word') return { advice: wordAdvice(value, path, file) ?? form }
  const better = meantText(value, keyIn(path), { schema, judge: file })
  if (better !== undefined) {
    const fix = code === 'bad-timestamp' ? clearDate(value) : isSafe(code, value, better) ? better : undefined
    return { advice: `write ${written(path, better)}`, fix }
  }
  const isNoAddress = code === 'bad-url' && !/[./@:]/.test(value)
  if (isOptional && (saysNothing(value) || isNoAddress)) return { advice: leaveOut(key) }
  const possible = code === 'bad-timestamp' ? timestampsIn(value) : []
  if (possible.length > 0)
    return { advice: `write ${possible.map((one) => written(path, one)).join(' or ')}` }
  if (path.length === 1 && key === 'id')
    return { advice: `write ${freeId(file)}; any whole number from 1 up that nobody else has will do` }
  return { advice: isOptional ? `${form}; or leave ${key} out` : form }
}

/** Whether a value can be replaced unasked: nothing of it is lost, and the better one is no guess. */
const isSafe = (code: string, value: string, better: string): boolean => {
  if (code === 'bad-gallery' || code === 'bad-username') return false
  if (code === 'bad-id' || code === 'bad-count') return isOneNumber(value)
  if (code !== 'bad-url' && code !== 'bad-asset') return true
  if (code === 'bad-url' && !/^https?:\/\/[^/?#@:]+\.[^/?#@:]+(?:[/?#]|$)/i.test(better)) return false
  const [said, kept] = [value, better].map((text) =>
    text.replaceAll('%20', '').replace(/[^\p{L}\p{N}]/gu, ''),
  )
  return (
    kept!.endsWith(said!.replace(/^h*t+ps?/i, '')) && (!better.startsWith('./') || value.startsWith('.\\'))
  )
}

const hostArgs = (value: string, hosts: readonly HostName[]) => {
  const near = suggest(
    value,
    hosts.map(({ name }) => name),
  )
  const { instead } = hosts.find(({ name }) => name === near) ?? {}
  const known = hosts.flatMap((one) => (one.instead === undefined ? one.name : [])).join(', ')
  return { value, near, instead, known, ...(near === value ? { named: near } : { other: near }) }
}

const wordAdvice = (value: string, path: Path, file: Judged): string | undefined => {
  if (value.trim() === '') return 'remove it from the list'
  if (/[,;|]|\s-\s?\S/.test(value)) {
    const words = meantWords(value.replace(/\s-\s?(?=\S)/g, ', '))
    const list = valueAt(file.data, path.slice(0, -1)) as readonly Data[]
    const all = list.toSpliced(path.at(-1) as number, 1, ...words)
    if (words.length > 0 && all.length <= mostWords) return `write ${exampleLine(keyIn(path), all)}`
  }
  const words = value.trim().split(/\s+/).filter(isWord)
  if (words.length < 2) return words[0] && `write ${flow(words[0])}`
  const listed = words.slice(0, mostWords).map(flow).join(', ')
  return `a word holds no space and no comma; join it (${flow(words.join('-'))}) or list ${words.length} words (${listed})`
}

const wrongType = (value: Data, path: Path, file: Judged) => {
  const key = keyIn(path)
  const inList = typeof path.at(-1) === 'number'
  const at = inList ? path.slice(0, -1) : path
  const schema = schemaAt(file.schema, at)
  const better = meantData(valueAt(file.data, at)!, key, { schema, judge: file })
  const advice = (): string => {
    if (key === '') return wholeFile(value, file)
    if (better !== undefined) return `write ${exampleLine(key, better)}`
    if (typeof value === 'string' && saysNothing(value) && schema.items) return leaveOut(key)
    // the key that differs in letter case only, and takes the value: `projects` of `Projects`
    const { properties = {} } = schemaAt(file.schema, path.slice(0, -1))
    const twin = Object.keys(properties).find(
      (name) => name.toLowerCase() === key.toLowerCase() && takes(properties[name]!, value),
    )
    return twin && typeof value === 'object'
      ? `use the key ${twin}, which takes it`
      : `write for example: ${example(key, schema)}`
  }
  const args = { key, wanted: wantedBy(schema, inList), found: nounOf(value), advice: advice() }
  if (inList) args.found = `a list with ${args.found} in it`
  const fix =
    typeof value === 'string' && Array.isArray(better) && keepsWords(value, better) ? flow(better) : undefined
  return { args, fix }
}

/** What a key takes, as a noun. */
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

/** Whether a list says no more and no less than a text; words that spaces keep apart may be one that is to be joined. */
const keepsWords = (text: string, list: readonly Data[]): boolean => {
  // but for what stands between words, each character is in one
  const [said, kept] = [text, flow(list)].map((one) => one.replace(/[\s,;|"'“”„‘’«»#[\]-]/g, ''))
  const isClear = /^[^[\](){}\n]*$/.test(text) && printable(text) === text
  return isClear && said === kept && (/[,;|]/.test(text) || !/\s/.test(text.trim()))
}

/** What to write where a whole file is a text or a list: the keys that can be found in it, as in `title:Tea` or TOML. */
const wholeFile = (value: Data, { schema: { properties = {} } }: Judged): string => {
  const entries =
    typeof value === 'string'
      ? entriesIn(value.slice(0, 10_000), Object.keys(properties).join('|'))
      : Object.entries(Object.assign({}, ...(value as readonly Data[]).filter(isMapping)))
  const lines = entries.slice(0, mostWords).map(([key, one]) => exampleLine(key, one))
  return lines.length === 0
    ? 'write "key: value" on each line'
    : `write, each on a line of its own: ${lines.join('; ')}`
}

const entriesIn = (text: string, known: string): readonly (readonly [string, Data])[] => {
  const key = String.raw`["']?(${known})["']?\s*[:=]\s*`
  const entry = new RegExp(String.raw`(?:^|[\s,;|])${key}(.*?)(?=[\s,;|]+${key}|$)`, 'gs')
  return Array.from(text.matchAll(entry), ([, name, typed]) => {
    const value = typed!.trim().replace(/^["']|["']?[,;|]*$/g, '')
    return [name!, /^\[.*\]$/.test(value) ? meantWords(value) : value]
  })
}

const example = (key: string, { examples = [] }: Subschema): string => exampleLine(key, examples[0])
