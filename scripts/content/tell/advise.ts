import { printable } from '../../text/printable.ts'
import type { Data } from '../parse/data.ts'
import type { Path } from '../rules/violation.ts'
import type { Format, Subschema } from '../schema.ts'
import { meant } from '../values/meant.ts'
import { exampleLine, flow } from './example.ts'

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
  const code = schema['x-code']
  if (code === 'bad-word') return wordAdvice(value) ?? formOf(schema)
  const better = code && meant[code]?.(value)
  if (better === undefined || better === value || !isRight(better, wrong)) return formOf(schema)
  const key = path.at(-1)
  return `write ${printable(typeof key === 'string' ? exampleLine(key, better) : flow(better))}`
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

const isWordList = ({ items }: Subschema): boolean => items?.['x-code'] === 'bad-word'

/** Any text will do, so that brackets may have been meant as part of it. */
const isFreeText = ({ 'x-code': code = 'blank' }: Subschema): boolean => code === 'blank'
