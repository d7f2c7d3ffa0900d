import { hash } from 'node:crypto'
import { printable } from '../text/printable.ts'
import { suggest, suggestOnly } from '../text/suggest.ts'
import { type Data, isMapping, type Mapping, valueAt } from './parse/data.ts'
import type { Path, Violation } from './rules.ts'
import type { Breach, Format, Subschema } from './schema.ts'
import { meantKey, saysPublished } from './synonyms.ts'
import { type HostName, isOneNumber, isWord, meant, meantWords, saysNothing } from './values/formats.ts'
import { clearDate, possibleTimestamps } from './values/timestamp.ts'

/** What is explained: a file's data, and what it is held against. */
export type Explained = {
  /** As diagnostics name it. */
  readonly file: string
  readonly data: Data
  readonly schema: Subschema
  readonly formats: Readonly<Record<string, Format>>
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
  const problem = (schema.format && about.formats[schema.format]?.(value)) || 'it has another form'
  if (code === 'unknown-host') return { code, args: hostArgs(value, about.hostNames), ...at }
  const { advice, fix } = answerFor(value, path, about)
  const args = { key: keyIn(path), value, problem, advice }
  return {
    code,
    args,
    ...at,
    fix: code === 'bad-timestamp' && value.length <= longest ? clearDate(value) : fix,
  } as Violation
}

const wrongKey = ({ path, keyword, schema }: Breach, key: string, about: Explained): Violation => {
  if (keyword === 'required') {
    const line = isOwnId(key, path)
      ? freeId(about.file)
      : example(key, schemaAt(about.schema, [...path, key]))
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
  const above = keys[keys.indexOf(key) - 1]
  const [text, rest] = [mapping[above ?? ''], mapping[key]]
  if (above === undefined || typeof text !== 'string' || typeof rest !== 'string') return undefined
  if (!/^(?:description|bio)$/.test(above) || text.length + rest.length > 300) return undefined
  return printable(`${above}: ${JSON.stringify(`${text.trimEnd()}\n${key}: ${rest}`)}`)
}

/** The member's or the shot's own id, which nobody else may have. */
const isOwnId = (key: string, path: Path): boolean => key === 'id' && path.length === 0

/** An id that nobody has, as nearly as the file's name alone can make one. */
const freeId = (file: string): string =>
  `id: ${10_000_000 + (Number.parseInt(hash('sha256', file).slice(0, 8), 16) % 90_000_000)}`

type Answer = { readonly advice: string; readonly fix?: string | undefined }

/** What to write instead: the value that was meant if one is likely and right, else the form that the schema asks for. */
const answerFor = (value: string, path: Path, about: Explained): Answer => {
  const schema = schemaAt(about.schema, path)
  const { 'x-code': code = '' } = schema
  const key = path.at(-1)!
  const parent = schemaAt(about.schema, path.slice(0, -1))
  const isOptional = typeof key === 'string' && !parent.required?.includes(key)
  const isRight = (text: string): boolean => text !== '' && text !== value && fits(text, schema, about)
  const line = (text: string): string =>
    printable(typeof key === 'string' ? exampleLine(key, text) : flow(text))
  const form = formOf(schema)
  if (value.length > longest) return { advice: form }
  if (code === 'blank') return { advice: `write some text, such as: ${example(keyIn(path), schema)}` }
  if (code === 'bad-word') return { advice: wordAdvice(value, path, about) ?? form }
  const better = meant[code]?.(value, keyIn(path))
  if (better !== undefined && isRight(better)) {
    return { advice: `write ${line(better)}`, fix: isSafe(code, value, better) ? better : undefined }
  }
  const isNoAddress = code === 'bad-url' && !/[./@:]/.test(value)
  if (isOptional && (saysNothing(value) || isNoAddress)) return { advice: leaveOut(key) }
  const possible = code === 'bad-timestamp' ? possibleTimestamps(value).filter(isRight) : []
  if (possible.length > 0) return { advice: `write ${possible.map(line).join(' or ')}` }
  if (isOwnId(String(key), path.slice(0, -1))) {
    return { advice: `write ${freeId(about.file)}; any whole number from 1 up that nobody else has will do` }
  }
  return { advice: isOptional ? `${form}; or leave ${key} out` : form }
}

/** Whether a value can be replaced unasked: nothing of it is lost, and the better one is no guess. */
const isSafe = (code: string, value: string, better: string): boolean => {
  if (code === 'bad-gallery' || code === 'bad-username') return false
  if (code === 'bad-id' || code === 'bad-count') return isOneNumber(value)
  if (code !== 'bad-url' && code !== 'bad-asset') return true
  const [said, kept] = [value, better].map((text) =>
    text.replaceAll('%20', '').replace(/[^\p{L}\p{N}]/gu, ''),
  )
  return (
    kept!.endsWith(said!.replace(/^h*t+ps?/i, '')) && (!better.startsWith('./') || value.startsWith('.\\'))
  )
}

const leaveOut = (key: string): string => `leave ${key} out, as there is nothing to say`

/** A longer text is no slip in one value, and to look for one would take long. */
export const longest = 500

/** What the schema asks for: the words that an editor shows, as the end of a message. */
const formOf = ({ patternErrorMessage: form = '' }: Subschema): string =>
  form.slice(0, 1).toLowerCase() + form.slice(1)

/** What a text was meant to be where its key takes words, or more than any text; `undefined` where that is wrong too. */
export const meantValue = (
  text: string,
  key: string,
  { schema, formats }: Pick<Explained, 'schema' | 'formats'>,
): string | readonly string[] | undefined => {
  if (schema.items !== undefined) {
    const words = schema.items.type === 'object' ? [] : meantWords(text)
    return words.length === 0 ? undefined : words
  }
  const better = text.length > longest ? undefined : meant[schema['x-code'] ?? '']?.(text, key)
  return [better, text].find((one) => one && fits(one, schema, { formats }))
}

/** Whether a text is right for a key. */
export const fits = (text: string, schema: Subschema, { formats }: Pick<Explained, 'formats'>): boolean =>
  new RegExp(schema.pattern ?? '', 'u').test(text) &&
  (schema.enum === undefined || schema.enum.includes(text)) &&
  (schema.format === undefined || formats[schema.format]?.(text) === undefined)

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

/** More than these are not written out. */
const mostWords = 20

const wrongType = (value: Data | undefined, path: Path, about: Explained) => {
  const inList = typeof path.at(-1) === 'number'
  const schema = schemaAt(about.schema, inList ? path.slice(0, -1) : path)
  const key = keyIn(path)
  const whole = inList ? valueAt(about.data, path.slice(0, -1)) : value
  const line = whole === undefined ? undefined : otherTypeLine(whole, key, { schema, about })
  const isNothing = typeof value === 'string' && saysNothing(value) && schema.items !== undefined
  const advice = () => {
    if (key === '') return wholeFile(value, about)
    if (line !== undefined) return `write ${printable(line)}`
    if (isNothing) return leaveOut(key)
    const twin =
      typeof value === 'object' ? twinOf(key, value, schemaAt(about.schema, path.slice(0, -1))) : undefined
    return twin ? `use the key ${twin}, which takes it` : `write for example: ${example(key, schema)}`
  }
  const args = {
    key,
    wanted: inList
      ? `a list of ${schema.items?.type === 'object' ? 'entries with keys' : 'words'}`
      : wantedBy(schema),
    found: inList ? `a list with ${nounOf(value)} in it` : nounOf(value),
    advice: advice(),
  }
  // words that spaces keep apart may be one that is to be joined
  const isClear =
    schema.items !== undefined &&
    schema.items.type !== 'object' &&
    typeof value === 'string' &&
    /^[^[\](){}\n]*$/.test(value) &&
    printable(value) === value
  // but for what stands between words, each character is in one
  const signs = (text: string): string => text.replace(/[\s,;|"'“”„‘’«»#[\]-]/g, '')
  const isKept = isClear && line !== undefined && signs(line.slice(key.length + 2)) === signs(value)
  const hasOneAnswer = isKept && (/[,;|]/.test(value) || !/\s/.test(value.trim()))
  return { args, fix: hasOneAnswer ? line?.slice(key.length + 2) : undefined }
}

/** The key that differs in letter case only, and takes the value: `projects` of `Projects`. */
const twinOf = (key: string, value: Data, { properties = {} }: Subschema): string | undefined =>
  Object.keys(properties).find(
    (name) => name !== key && name.toLowerCase() === key.toLowerCase() && takes(properties[name]!, value),
  )

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

/** A line that gives a key the list, or the text, that its value was most likely meant to be. */
const otherTypeLine = (
  value: Data,
  key: string,
  { schema, about }: { readonly schema: Subschema; readonly about: Explained },
): string | undefined => {
  const { items } = schema
  if (items?.type === 'object') {
    const entries = isMapping(value) ? ('id' in value ? [value] : datedIds(value, items, about)) : []
    return entries.length === 0 ? undefined : exampleLine(key, entries)
  }
  if (items !== undefined) {
    const words = meantWords(value).filter((word) => items.enum === undefined || items.enum.includes(word))
    return words.length === 0 || words.length > mostWords ? undefined : exampleLine(key, words)
  }
  if (typeof value === 'string' || wantedBy(schema) !== 'text') return undefined
  if (isFreeText(schema)) {
    const isSentence = key === 'description' || key === 'bio'
    const lines = plainTexts(isSentence || !isMapping(value) ? value : Object.values(value)).filter(
      (line) => line !== '',
    )
    if (lines.length === 0 || lines.length > mostWords || lines.join('').length > longest) return undefined
    return exampleLine(key, lines.join(isSentence ? '\n' : ', '))
  }
  const texts = Object.entries(value).flatMap(([name, one]) =>
    typeof one === 'string' ? [[name, one] as const] : [],
  )
  const address = texts.find(([name]) => /^(?:src|url|href|file|path|image|value)$/i.test(name))
  const all = texts
    .map(([, one]) => one)
    .join('-')
    .slice(0, longest)
  const candidates = [
    ...(texts.length === 1 ? [texts[0]![1]] : []),
    ...(address === undefined ? [] : [address[1]]),
    ...(schema.format === 'timestamp' ? [meant['bad-timestamp']!(all, key)] : []),
  ]
  const right = candidates.find((one) => one !== undefined && one !== '' && fits(one, schema, about))
  return right === undefined ? undefined : exampleLine(key, right)
}

/** Projects as `7: 2014-03-01`. */
const datedIds = (value: Mapping, { properties = {} }: Subschema, about: Explained) => {
  const [id, created] = Object.keys(properties)
  const entries = Object.entries(value).slice(0, mostWords)
  const areRight = entries.every(
    ([key, text]) =>
      typeof text === 'string' &&
      fits(key, properties[id!]!, about) &&
      fits(text, properties[created!]!, about),
  )
  return areRight ? entries.map(([key, text]) => ({ [id!]: key, [created!]: text })) : []
}

/** The texts of a list, and the entries of a mapping as they were typed. */
const plainTexts = (value: Data): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((item: Data) => plainTexts(item))
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string' ? [item === '' ? key : `${key}: ${item}`] : [key, ...plainTexts(item)],
  )
}

/** Any text will do. */
export const isFreeText = ({ 'x-code': code = 'blank', items, properties }: Subschema): boolean =>
  code === 'blank' && items === undefined && properties === undefined

const wantedBy = ({ type = [], format }: Subschema): string => {
  if (type.includes('array')) return 'a list'
  if (type.includes('object')) return format === undefined ? 'keys with values' : 'text, or keys with values'
  return 'text'
}

const nounOf = (value: Data | undefined): string => {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'keys with values'
  return value === '' ? 'an empty value' : 'text'
}

/** The key that a message names: the last one of the path. */
const keyIn = (path: Path): string => String(path.findLast((part) => typeof part === 'string') ?? '')

const example = (key: string, { examples = [] }: Subschema): string => exampleLine(key, examples[0])

/** The subschema of a value; an empty one for what the schema doesn't know. */
export const schemaAt = (root: Subschema, path: Path): Subschema =>
  path.reduce<Subschema>(
    (schema, part) => (typeof part === 'number' ? schema.items : schema.properties?.[part]) ?? {},
    root,
  )

/** A line of YAML that shows an example of a key: `skills: [typography, branding]`. */
export const exampleLine = (key: string, value: unknown): string => `${key}: ${flow(value)}`

/** A value as it can stand inside brackets. */
export const flow = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, item]) => exampleLine(key, item))
      .join(', ')} }`
  }
  return typeof value === 'string' && !plain.test(value) ? JSON.stringify(value) : String(value)
}

/** Text that needs no quotes, also inside brackets. */
const plain = /^(?![-?:,[\]{}#&*!|>'"%@`\s])(?!.*(?:: |:$| #|[,[\]{}]|\s$)).+$/
