import { hash } from 'node:crypto'
import { printable } from '../text/printable.ts'
import { suggest, suggestOnly } from '../text/suggest.ts'
import type { Data, Mapping } from './parse/data.ts'
import type { Path, Violation } from './rules.ts'
import type { Breach, Format, Subschema } from './schema.ts'
import { type HostName, isWord, meant, meantWords, saysNothing } from './values/formats.ts'
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
  const key = keyIn(path)
  const at = { path, of: 'value' } as const
  if (code === 'wrong-type' || typeof value !== 'string') {
    return { code: 'wrong-type', ...wrongType(value, path, about), ...at }
  }
  const { advice, fix } = answerFor(value, path, about)
  const problem = (schema.format && about.formats[schema.format]?.(value)) || 'it has another form'
  switch (code) {
    case 'blank':
      return { code, args: { key, example: example(key, schemaAt(about.schema, path)) }, ...at }
    case 'unknown-encoding':
    case 'unknown-scheme':
      return { code, args: { value }, ...at }
    case 'bad-username':
      return { code, args: { username: value }, ...at }
    case 'bad-id':
    case 'bad-count':
    case 'bad-word':
    case 'bad-token':
    case 'bad-draft':
    case 'bad-url':
      return { code, args: { value, advice }, ...at, fix }
    case 'bad-boolean':
      return { code, args: { key, value, advice }, ...at, fix }
    case 'bad-asset':
    case 'bad-base':
      return { code, args: { value, problem, advice }, ...at, fix }
    case 'bad-timestamp':
      return { code, args: { value, problem, advice }, ...at, fix: clearDate(value) }
    case 'bad-gallery':
      return { code, args: { key, value, problem, advice }, ...at }
    case 'unknown-host': {
      const meant =
        suggest(
          value,
          about.hostNames.map(({ name }) => name),
        ) ?? value
      const { instead } = about.hostNames.find(({ name }) => name === meant) ?? {}
      const known = about.hostNames.flatMap((one) => (one.instead === undefined ? one.name : []))
      return { code, args: { value, meant, instead, known }, ...at }
    }
    default:
      throw new Error(`a schema has no x-code for ${breach.keyword} at /${path.join('/')}`)
  }
}

const wrongKey = ({ path, keyword, schema }: Breach, key: string, about: Explained): Violation => {
  const properties = schema.properties ?? {}
  if (keyword === 'required') {
    const line = isOwnId(key, path)
      ? freeId(about.file)
      : example(key, schemaAt(about.schema, [...path, key]))
    return { code: 'missing-key', args: { key, example: line }, path, of: 'mapping' }
  }
  const mapping = valueAt(about.data, path) as Mapping
  const fitting = Object.keys(properties).filter((one) =>
    takes(schemaAt(about.schema, [...path, one]), mapping[key]!),
  )
  const bare = key.replace(/^["'“”„‘’«»*\s-]+|["'“”„‘’«»*\s]+$/g, '')
  const known = Object.keys(properties)
  const synonym = synonyms.find(
    ([others, name]) => known.includes(name) && others.split(' ').includes(bare.toLowerCase()),
  )
  const suggestion = suggest(bare, fitting) ?? synonym?.[1] ?? suggest(bare, known)
  const given = suggestion !== undefined && Object.hasOwn(mapping, suggestion)
  const whole = suggestion === undefined ? textAround(key, mapping) : undefined
  const args = { key, suggestion, given, known, whole }
  // a stranger's file may have any number
  const others = Object.keys(mapping)
    .slice(0, 100)
    .filter((other) => other !== key && !known.includes(other))
  const isOnly =
    suggestOnly(bare, fitting) === suggestion && !others.some((other) => suggest(other, known) === suggestion)
  const fix = !given && isOnly ? suggestion : undefined
  return { code: 'unknown-key', args, path: [...path, key], of: 'key', fix }
}

/** Other words for keys, which people use instead. */
const synonyms: readonly (readonly [others: string, key: string])[] = [
  ['is_draft wip unpublished', 'draft'],
  ['date', 'created'],
  ['day datum created created_at published fecha', 'date'],
  ['heading headline caption name titre titulo', 'title'],
  ['img picture pic photo file src bild', 'image'],
  ['big_image full_image image_url', 'large_image'],
  ['keywords labels categories', 'tags'],
  ['url link site homepage web', 'website'],
  ['url link shop buy', 'url_purchased'],
  ['text body about summary', 'description'],
  ['description text about biography', 'bio'],
  ['city town place country', 'location'],
  ['username title full_name', 'name'],
  ['abilities tools tags', 'skills'],
]

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

type Answer = { readonly advice: string; readonly fix?: string }

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
  if (code === 'bad-word') return { advice: wordAdvice(value) ?? form }
  const better = meant[code]?.(value, keyIn(path))
  if (better !== undefined && isRight(better)) return { advice: `write ${line(better)}`, fix: better }
  if (isOptional && saysNothing(value)) return { advice: `leave ${key} out, as there is nothing to say` }
  const possible = code === 'bad-timestamp' ? possibleTimestamps(value).filter(isRight) : []
  if (possible.length > 0) return { advice: `write ${possible.map(line).join(' or ')}` }
  if (isOwnId(String(key), path.slice(0, -1))) {
    return { advice: `write ${freeId(about.file)}; any whole number from 1 up that nobody else has will do` }
  }
  return { advice: isOptional ? `${form}; or leave ${key} out` : form }
}

/** A longer text is no slip in one value, and to look for one would take long. */
const longest = 500

/** What the schema asks for: the words that an editor shows, as the end of a message. */
const formOf = ({ patternErrorMessage: form = '' }: Subschema): string =>
  form.slice(0, 1).toLowerCase() + form.slice(1)

/** Whether a text is right for a key. */
export const fits = (text: string, schema: Subschema, { formats }: Pick<Explained, 'formats'>): boolean =>
  new RegExp(schema.pattern ?? '', 'u').test(text) &&
  (schema.format === undefined || formats[schema.format]?.(text) === undefined)

const wordAdvice = (value: string): string | undefined => {
  if (value.trim() === '') return 'remove it from the list'
  if (/^\S+(?:\s+-\s+\S+)+$/.test(value)) {
    return `begin each "- " of a list at the same column: ${listed(value.split(/\s+-\s+/))}`
  }
  if (/[,;|]/.test(value)) return `list the words: ${listed(meantWords(value))}`
  const words = value.trim().split(/\s+/).filter(isWord)
  if (words.length < 2) return words[0] && `write ${printable(flow(words[0]))}`
  return `a word holds no space and no comma; join it (${printable(flow(words.join('-')))}) or list ${words.length} words (${listed(words)})`
}

const listed = (words: readonly string[]): string =>
  printable(words.slice(0, 10).map(flow).join(', ')) + (words.length > 10 ? ', …' : '')

const wrongType = (value: Data | undefined, path: Path, about: Explained) => {
  const inList = typeof path.at(-1) === 'number'
  const schema = schemaAt(about.schema, inList ? path.slice(0, -1) : path)
  const key = keyIn(path)
  const wanted = wantedBy(schema)
  const whole = inList ? valueAt(about.data, path.slice(0, -1)) : value
  const line = whole === undefined ? undefined : otherTypeLine(whole, key, { schema, about })
  const args = {
    key,
    wanted: inList ? `a list of ${schema.items?.type === 'object' ? 'entries with keys' : 'words'}` : wanted,
    found: inList ? `a list with ${nounOf(value)} in it` : nounOf(value),
    example:
      key === ''
        ? Array.isArray(value)
          ? 'remove the "-", and begin each key at the start of its line'
          : oneLine(value)
        : line === undefined
          ? `write for example: ${example(key, schema)}`
          : `write ${printable(line)}`,
  }
  // words that spaces keep apart may be one that is to be joined
  const isClear =
    schema.items !== undefined &&
    schema.items.type !== 'object' &&
    typeof value === 'string' &&
    /^[^[\](){}\n]*$/.test(value) &&
    printable(value) === value
  const hasOneAnswer = isClear && (/[,;|]/.test(value) || !/\s/.test(value.trim()))
  return { args, fix: hasOneAnswer ? line?.slice(key.length + 2) : undefined }
}

/** What to write instead of a text that is the whole file: `title:Tea`. */
const oneLine = (value: Data | undefined): string => {
  const [, key, text] = typeof value === 'string' ? (/^(\w+)[:;=](\S.{0,200})$/.exec(value) ?? []) : []
  return key === undefined ? 'write "key: value" on each line' : `write ${printable(exampleLine(key, text))}`
}

/** A line that gives a key the list, or the text, that its value was most likely meant to be. */
const otherTypeLine = (
  value: Data,
  key: string,
  { schema, about }: { readonly schema: Subschema; readonly about: Explained },
): string | undefined => {
  const { items } = schema
  if (items?.type === 'object')
    return isMapping(value) && 'id' in value ? exampleLine(key, [value]) : undefined
  if (items !== undefined) {
    const words = meantWords(value)
    return words.length === 0 || words.length > 20 ? undefined : exampleLine(key, words)
  }
  if (typeof value === 'string' || wantedBy(schema) !== 'text') return undefined
  const only = isMapping(value) && Object.keys(value).length === 1 ? Object.values(value)[0]! : value
  const lines = textsIn(isFreeText(schema) || only === '' ? value : only).filter((line) => line !== '')
  if (lines.length === 0 || lines.length > 20 || lines.join('').length > longest) return undefined
  if (isFreeText(schema))
    return exampleLine(key, lines.join(key === 'description' || key === 'bio' ? '\n' : ', '))
  return lines.length === 1 && fits(lines[0]!, schema, about) ? exampleLine(key, lines[0]) : undefined
}

/** The texts of a list, and the entries of a mapping as they were typed. */
const textsIn = (value: Data): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((item: Data) => textsIn(item))
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string' ? [item === '' ? key : `${key}: ${item}`] : [key, ...textsIn(item)],
  )
}

/** Any text will do. */
export const isFreeText = ({ 'x-code': code = 'blank', items, properties }: Subschema): boolean =>
  code === 'blank' && items === undefined && properties === undefined

const isMapping = (value: Data): value is Mapping => typeof value === 'object' && !Array.isArray(value)

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

const valueAt = (data: Data, path: Path): Data | undefined =>
  path.reduce<Data | undefined>((value, part) => (value as Readonly<Record<string, Data>>)?.[part], data)

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
