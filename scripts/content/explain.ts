import { printable } from '../text/printable.ts'
import { suggest, suggestOnly } from '../text/suggest.ts'
import type { Data } from './parse/data.ts'
import type { Path, Violation } from './rules.ts'
import type { Breach, Format, Subschema } from './schema.ts'
import { meant } from './values/formats.ts'
import { clearDate } from './values/timestamp.ts'

/** Says in the words of the diagnostics how data breaks a schema. */
export const explain = (breach: Breach, file: Explained): Violation => {
  const { path, schema } = breach
  if (breach.key !== undefined) return wrongKey(breach, breach.key, file.data)
  const value = valueAt(file.data, path)
  const code = breach.keyword === 'type' ? 'wrong-type' : schema['x-code']
  const key = keyIn(path)
  const at = { path, of: 'value' } as const
  if (code === 'wrong-type' || typeof value !== 'string') {
    return { code: 'wrong-type', ...wrongType(value, path, file), ...at }
  }
  const wrong: Wrong = { value, path, schema, formats: file.formats }
  const problem = (schema.format && file.formats[schema.format]?.(value)) || 'it has another form'
  switch (code) {
    case 'blank':
      return { code, args: { key, example: example(key, schemaAt(file.schema, path)) }, ...at }
    case 'unknown-encoding':
      return { code, args: { value }, ...at }
    case 'bad-boolean':
      return { code, args: { key, value }, ...at, fix: meant['bad-draft']?.(value) }
    case 'bad-username':
      return { code, args: { username: value }, ...at }
    case 'bad-id':
    case 'bad-count':
    case 'bad-word':
    case 'bad-token':
    case 'bad-draft':
    case 'bad-url':
      return { code, args: { value, advice: adviceFor(wrong) }, ...at, fix: betterFor(wrong) }
    case 'bad-asset':
    case 'bad-timestamp':
    case 'bad-base': {
      const fix = code === 'bad-timestamp' ? clearDate(value) : betterFor(wrong)
      return { code, args: { value, problem, advice: adviceFor(wrong) }, ...at, fix }
    }
    case 'bad-gallery': {
      const advice = adviceFor({ value, path, schema, formats: file.formats })
      return { code, args: { key, value, problem, advice }, ...at }
    }
    case 'unknown-host': {
      const known = file.hostNames
      return { code, args: { value, suggestion: suggest(value, known), known }, ...at }
    }
    default:
      throw new Error(`a schema has no x-code for ${breach.keyword} at /${path.join('/')}`)
  }
}

type Explained = {
  readonly data: Data
  readonly schema: Subschema
  readonly formats: Readonly<Record<string, Format>>
  readonly hostNames: readonly string[]
}

const wrongKey = ({ path, keyword, schema }: Breach, key: string, data: Data): Violation => {
  const properties = schema.properties ?? {}
  if (keyword === 'required') {
    return {
      code: 'missing-key',
      args: { key, example: example(key, properties[key] ?? {}) },
      path,
      of: 'mapping',
    }
  }
  const known = Object.keys(properties)
  const mapping = valueAt(data, path) as Readonly<Record<string, Data>>
  // `projects` and `Projects` differ in what they hold
  const isList = Array.isArray(mapping[key])
  const fitting = known.filter((name) => Boolean(properties[name]?.type?.includes('array')) === isList)
  const suggestion = suggest(key, fitting) ?? suggest(key, known)
  const given = suggestion !== undefined && mapping[suggestion] !== undefined
  const args = { key, suggestion, given, known }
  const others = Object.keys(mapping).filter((other) => other !== key && !known.includes(other))
  const isOnly =
    suggestOnly(key, fitting) === suggestion && !others.some((other) => suggest(other, known) === suggestion)
  const fix = !given && isOnly ? suggestion : undefined
  return { code: 'unknown-key', args, path: [...path, key], of: 'key', fix }
}

const wrongType = (value: Data | undefined, path: Path, { schema: root, formats }: Explained) => {
  const inList = typeof path.at(-1) === 'number'
  const schema = schemaAt(root, inList ? path.slice(0, -1) : path)
  const key = keyIn(path)
  const wanted = wantedBy(schema)
  const line = inList ? undefined : otherTypeLine(value, { key, wanted, schema, formats })
  const args = {
    key,
    wanted: inList ? `a list of ${schema.items?.type === 'object' ? 'mappings' : 'words'}` : wanted,
    found: inList ? `a list with ${nounOf(value)} in it` : nounOf(value),
    example:
      key === ''
        ? 'write "key: value" on each line'
        : line === undefined
          ? `write for example: ${example(key, schema)}`
          : `write ${line}`,
  }
  // words that spaces keep apart may be one that is to be joined
  const isClear =
    isWordList(schema) && typeof value === 'string' && /^[^[\]\n]*$/.test(value) && printable(value) === value
  const hasOneAnswer = isClear && (/[,;|]/.test(value) || !/\s/.test(value.trim()))
  return { args, fix: hasOneAnswer ? line?.slice(key.length + 2) : undefined }
}

const wantedBy = ({ type = [], format }: Subschema): string => {
  if (type.includes('array')) return 'a list'
  if (type.includes('object')) return format === undefined ? 'a mapping' : 'text or a mapping'
  return 'text'
}

const nounOf = (value: Data | undefined): string => {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a mapping'
  return value === '' ? 'an empty value' : 'text'
}

/** The key that a message names: the last one of the path. */
const keyIn = (path: Path): string => String(path.findLast((part) => typeof part === 'string') ?? '')

const example = (key: string, { examples = [] }: Subschema): string => exampleLine(key, examples[0])

const schemaAt = (root: Subschema, path: Path): Subschema =>
  path.reduce<Subschema>(
    (schema, part) => (typeof part === 'number' ? schema.items : schema.properties?.[part]) ?? {},
    root,
  )

const valueAt = (data: Data, path: Path): Data | undefined =>
  path.reduce<Data | undefined>((value, part) => (value as Readonly<Record<string, Data>>)?.[part], data)

/** A value that breaks its schema. */
export type Wrong = {
  readonly value: string
  readonly path: Path
  readonly schema: Subschema
  readonly formats: Readonly<Record<string, Format>>
}

/** What to write instead: the value that was meant if one is likely and right, else the form that the schema asks for. */
export const adviceFor = (wrong: Wrong): string => {
  const { value, path, schema } = wrong
  if (value.length > longest) return formOf(schema)
  if (schema['x-code'] === 'bad-word') return wordAdvice(value) ?? formOf(schema)
  const better = betterFor(wrong)
  if (better === undefined) return formOf(schema)
  const key = path.at(-1)
  return `write ${printable(typeof key === 'string' ? exampleLine(key, better) : flow(better))}`
}

/** The value that was most likely meant, if that is right. */
const betterFor = (wrong: Wrong): string | undefined => {
  const { value, schema } = wrong
  const better = value.length > longest ? undefined : meant[schema['x-code'] ?? '']?.(value)
  return better !== undefined && better !== value && isRight(better, wrong) ? better : undefined
}

/** A longer text is no slip in one value, and to look for one would take long. */
const longest = 500

/** A list of words for what was written as one text. */
export const wordsIn = (text: string): readonly string[] => {
  if (text.length > longest) return []
  const bare = text.replace(/^[\s[-]+|[\s\]]+$/g, '')
  const parts = /[,;|\n]/.test(bare) ? bare.split(/[,;|\n]/) : bare.split(/\s+-(?=\S)|\s+/)
  return parts
    .map((part) =>
      part
        .trim()
        .replace(/^[#"']+|["']+$/g, '')
        .replace(/\s+/g, '-'),
    )
    .filter(isWord)
}

/** What the schema asks for: the words that an editor shows, as the end of a message. */
const formOf = ({ patternErrorMessage: form = '' }: Subschema): string =>
  form.slice(0, 1).toLowerCase() + form.slice(1)

const isRight = (text: string, { schema, formats }: Pick<Wrong, 'schema' | 'formats'>): boolean =>
  new RegExp(schema.pattern ?? '', 'u').test(text) &&
  (schema.format === undefined || formats[schema.format]?.(text) === undefined)

const wordAdvice = (value: string): string | undefined => {
  if (value.trim() === '') return 'remove it from the list'
  if (/^\S+(?:\s+-\s+\S+)+$/.test(value)) {
    return `begin each "- " of a list at the same column: ${listed(value.split(/\s+-\s+/))}`
  }
  if (/[,;|]/.test(value)) return `list the words: ${listed(wordsIn(value))}`
  const words = value.trim().split(/\s+/).filter(isWord)
  if (words.length < 2) return words[0] && `write ${printable(flow(words[0]))}`
  return `a word holds no space and no comma; join it (${printable(flow(words.join('-')))}) or list ${words.length} words (${listed(words)})`
}

const listed = (words: readonly string[]): string =>
  printable(words.slice(0, 10).map(flow).join(', ')) + (words.length > 10 ? ', …' : '')

const isWord = (text: string): boolean => /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u.test(text)

const isText = (value: Data): value is string => typeof value === 'string' && value.length <= longest

/** A line that gives a key the list, or the text, that its value was most likely meant to be. */
export const otherTypeLine = (
  value: Data | undefined,
  { key, wanted, ...form }: Wanted,
): string | undefined => {
  if (isWordList(form.schema) && typeof value === 'string') {
    const words = wordsIn(value)
    return words.length === 0 || words.length > 20 ? undefined : printable(exampleLine(key, words))
  }
  if (wanted !== 'text' || !Array.isArray(value) || value.length > 20 || !value.every(isText))
    return undefined
  if (isFreeText(form.schema)) return printable(`${key}: ${JSON.stringify(`[${value.join(', ')}]`)}`)
  const [only = ''] = value
  return value.length === 1 && isRight(only, form) ? printable(exampleLine(key, only)) : undefined
}

/** What a key takes. */
type Wanted = Pick<Wrong, 'schema' | 'formats'> & { readonly key: string; readonly wanted: string }

const isWordList = ({ items }: Subschema): boolean =>
  items?.['x-code'] === 'bad-word' || items?.$ref === '#/definitions/word'

/** Any text will do, so that brackets may have been meant as part of it. */
const isFreeText = ({ 'x-code': code = 'blank' }: Subschema): boolean => code === 'blank'

/** A line of YAML that shows an example of a key: `skills: [typography, branding]`. */
export const exampleLine = (key: string, example: unknown): string => `${key}: ${flow(example)}`

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
