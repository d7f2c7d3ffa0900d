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
} from './hint.ts'
import { type Data, isMapping, type Mapping, valueAt } from './parse/data.ts'
import type { Judge } from './quick-fit.ts'
import type { Path, Violation } from './rules.ts'
import type { Breach, Subschema } from './schema.ts'
import { meantKey, saysPublished } from './synonyms.ts'
import type { HostName } from './values/formats.ts'
import { isOneNumber, isWord, meantWords, saysNothing } from './values/meant.ts'
import { clearDate, timestampsIn } from './values/timestamp.ts'

/** What is explained: a file's data, and what it is held against. */
export type Explained = Judge & {
  /** As diagnostics name it. */
  readonly file: string
  readonly data: Data
  readonly schema: Subschema
  readonly hostNames: readonly HostName[]
}

/** Says in the words of the diagnostics how data breaks a schema. */
export const explain = (breach: Breach, about: Explained): Violation => {
  const { path, schema } = breach
  if (breach.key !== undefined) return wrongKey(breach, breach.key, about)
  const value = valueAt(about.data, path)
  const code = breach.keyword === 'type' ? 'wrong-type' : schema['x-code']
  if (code === undefined) {
    throw new Error(`a schema has no x-code for ${breach.keyword} at /${path.join('/')}`)
  }
  const at = { path, of: 'value' } as const
  if (code === 'wrong-type' || typeof value !== 'string') {
    return { code: 'wrong-type', ...wrongType(value, path, about), ...at }
  }
  if (code === 'unknown-host') return { code, args: hostArgs(value, about.hostNames), ...at }
  const problem = (schema.format && about.formats[schema.format]?.(value)) || 'it has another form'
  const { advice, fix } = answerFor(value, path, about)
  return { code, args: { key: keyIn(path), value, problem, advice }, ...at, fix } as Violation
}

const wrongKey = ({ path, keyword, schema }: Breach, key: string, about: Explained): Violation => {
  if (keyword === 'required') {
    const isId = key === 'id' && path.length === 0
    const line = isId ? freeId(about.file) : example(key, schemaAt(about.schema, [...path, key]))
    return { code: 'missing-key', args: { key, example: line }, path, of: 'mapping' }
  }
  const mapping = valueAt(about.data, path) as Mapping
  const value = mapping[key]!
  const known = Object.keys(schema.properties ?? {})
  const fitting = known.filter((one) => takes(schemaAt(about.schema, [...path, one]), value))
  const isGiven = (one: string): boolean => Object.hasOwn(mapping, one)
  const { bare, suggestion } = meantKey(key, { known, fitting, isGiven })
  const given = suggestion !== undefined && isGiven(suggestion)
  const published = known.includes('draft') && typeof value === 'string' && saysPublished(bare, value)
  const line = published ? `write ${exampleLine('draft', published)}` : elsewhere(key, schema, mapping)
  const args = {
    ...{ key, suggestion, given: given ? suggestion : undefined, known: known.join(', ') },
    whole: suggestion === undefined ? textAround(key, mapping) : undefined,
    line,
  }
  // a stranger's file may have any number
  const others = Object.keys(mapping)
    .slice(0, 100)
    .filter((other) => other !== key && !known.includes(other))
  const isOnly =
    suggestOnly(bare, fitting) === suggestion && !others.some((other) => suggest(other, known) === suggestion)
  // `price (EUR)` says more than `price_item`
  const isWhole = !/[:()[\]{}<>]/.test(key)
  const fix = !given && line === undefined && isOnly && isWhole ? suggestion : undefined
  return { code: 'unknown-key', args, path: [...path, key], of: 'key', fix }
}

/** What to do with a key that has its place elsewhere, or is none. */
const elsewhere = (key: string, { properties = {} }: Subschema, mapping: Mapping): string | undefined => {
  if (key.startsWith('//')) return 'put # in place of //: a comment begins with "#"'
  if (key === 'username' && properties.aliases) return "remove it: the folder's name is the username"
  const outer = Object.entries(properties).find(([, inner]) => inner.properties?.[key])?.[0]
  if (outer === undefined) return undefined
  const value = mapping[key]!
  return typeof value !== 'string' || value.length > longest || Object.hasOwn(mapping, outer)
    ? `move it below "${outer}:", indented by two spaces`
    : `write ${printable(exampleLine(outer, { [key]: value }))}`
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
  return printable(`${above}: ${JSON.stringify(`${text.trimEnd()}\n${key}: ${rest}`)}`)
}

/** An id that nobody has, as nearly as the file's name alone can make one. */
const freeId = (file: string): string =>
  `id: ${10_000_000 + (Number.parseInt(hash('sha256', file).slice(0, 8), 16) % 90_000_000)}`

type Answer = { readonly advice: string; readonly fix?: string | undefined }

/** What to write instead: the value that was meant if one is likely and right, else the form that the schema asks for. */
const answerFor = (value: string, path: Path, about: Explained): Answer => {
  const schema = schemaAt(about.schema, path)
  const { 'x-code': code = '', patternErrorMessage: asked = '' } = schema
  const form = asked.slice(0, 1).toLowerCase() + asked.slice(1)
  const key = path.at(-1)!
  const isOptional =
    typeof key === 'string' && !schemaAt(about.schema, path.slice(0, -1)).required?.includes(key)
  const line = (text: string): string =>
    printable(typeof key === 'string' ? exampleLine(key, text) : flow(text))
  if (value.length > longest) return { advice: form }
  if (code === 'blank') return { advice: `write some text, such as: ${example(keyIn(path), schema)}` }
  if (code === 'bad-word') return { advice: wordAdvice(value, path, about) ?? form }
  const better = meantText(value, keyIn(path), { schema, judge: about })
  if (better !== undefined) {
    const fix = code === 'bad-timestamp' ? clearDate(value) : isSafe(code, value, better) ? better : undefined
    return { advice: `write ${line(better)}`, fix }
  }
  const isNoAddress = code === 'bad-url' && !/[./@:]/.test(value)
  if (isOptional && (saysNothing(value) || isNoAddress)) return { advice: leaveOut(key) }
  const possible = code === 'bad-timestamp' ? timestampsIn(value) : []
  if (possible.length > 0) return { advice: `write ${possible.map(line).join(' or ')}` }
  if (path.length === 1 && key === 'id') {
    return { advice: `write ${freeId(about.file)}; any whole number from 1 up that nobody else has will do` }
  }
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
  const names = hosts.map(({ name }) => name)
  const near = suggest(value, names) ?? value
  const { instead } = hosts.find(({ name }) => name === near) ?? {}
  const known = hosts.flatMap((one) => (one.instead === undefined ? one.name : []))
  return { value, meant: near, instead, known }
}

const wordAdvice = (value: string, path: Path, about: Explained): string | undefined => {
  if (value.trim() === '') return 'remove it from the list'
  if (/[,;|]|\s-\s?\S/.test(value)) {
    const words = meantWords(value.replace(/\s-\s?(?=\S)/g, ', '))
    const list = valueAt(about.data, path.slice(0, -1)) as readonly Data[]
    const all = list.flatMap((one, index) => (index === path.at(-1) ? [...words] : [one]))
    if (words.length > 0 && all.length <= mostWords)
      return `write ${printable(exampleLine(keyIn(path), all))}`
  }
  const words = value.trim().split(/\s+/).filter(isWord)
  if (words.length < 2) return words[0] && `write ${printable(flow(words[0]))}`
  const [joined, listed] = [flow(words.join('-')), words.slice(0, mostWords).map(flow).join(', ')]
  return `a word holds no space and no comma; join it (${printable(joined)}) or list ${words.length} words (${printable(listed)})`
}

const wrongType = (value: Data | undefined, path: Path, about: Explained) => {
  const inList = typeof path.at(-1) === 'number'
  const at = inList ? path.slice(0, -1) : path
  const schema = schemaAt(about.schema, at)
  const key = keyIn(path)
  const whole = valueAt(about.data, at)
  const better = whole === undefined ? undefined : meantData(whole, key, { schema, judge: about })
  const advice = (): string => {
    if (key === '') return wholeFile(value, about)
    if (better !== undefined) return `write ${printable(exampleLine(key, better))}`
    if (typeof value === 'string' && saysNothing(value) && schema.items) return leaveOut(key)
    // the key that differs in letter case only, and takes the value: `projects` of `Projects`
    const { properties = {} } = schemaAt(about.schema, path.slice(0, -1))
    const twin = Object.keys(properties).find(
      (name) =>
        name !== key && name.toLowerCase() === key.toLowerCase() && value && takes(properties[name]!, value),
    )
    return twin && typeof value === 'object'
      ? `use the key ${twin}, which takes it`
      : `write for example: ${example(key, schema)}`
  }
  const wanted = isText(schema)
    ? 'text'
    : schema.items
      ? 'a list'
      : `${schema.format === undefined ? '' : 'text, or '}keys with values`
  const args = {
    key,
    wanted: inList ? `a list of ${schema.items?.type === 'object' ? 'entries with keys' : 'words'}` : wanted,
    found: inList ? `a list with ${nounOf(value)} in it` : nounOf(value),
    advice: advice(),
  }
  const fix =
    typeof value === 'string' && Array.isArray(better) && keepsWords(value, better) ? flow(better) : undefined
  return { args, fix }
}

/** Whether a list says no more and no less than a text; words that spaces keep apart may be one that is to be joined. */
const keepsWords = (text: string, list: readonly Data[]): boolean => {
  // but for what stands between words, each character is in one
  const [said, kept] = [text, flow(list)].map((one) => one.replace(/[\s,;|"'“”„‘’«»#[\]-]/g, ''))
  const isClear = /^[^[\](){}\n]*$/.test(text) && printable(text) === text
  return isClear && said === kept && (/[,;|]/.test(text) || !/\s/.test(text.trim()))
}

/** What to write where a whole file is a text or a list: the keys that can be found in it, as in `title:Tea` or TOML. */
const wholeFile = (value: Data | undefined, { schema: { properties = {} } }: Explained): string => {
  const entries =
    typeof value === 'string'
      ? entriesIn(value.slice(0, 10_000), Object.keys(properties).join('|'))
      : Object.entries(Object.assign({}, ...(value as readonly Data[]).filter(isMapping)))
  const lines = entries.slice(0, mostWords).map(([key, one]) => printable(exampleLine(key, one)))
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

const nounOf = (value: Data | undefined): string => {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'keys with values'
  return value === '' ? 'an empty value' : 'text'
}

const example = (key: string, { examples = [] }: Subschema): string => exampleLine(key, examples[0])
