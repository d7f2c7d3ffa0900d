import type { Data, Entries } from '../data.ts'
import { type Cursor, codes } from './cursor.ts'
import { maxKey } from './quick-key.ts'

const { bar, doubleQuote, greater, openingBracket, space } = codes

/**
 * Reads an entry whose key begins its line, if its value has one of the most common forms and the line after it begins
 * with a key too; false, and nothing done, if not. An expression runs at full speed from the second file on, code that
 * looks at every character only after hundreds.
 */
export const readCommon = (cursor: Cursor, entries: Entries): boolean => {
  const { text, at } = cursor
  const colon = text.indexOf(':', at)
  const { entry, read } = formOf(text.charCodeAt(colon + 2))
  entry.lastIndex = at
  if (!entry.test(text)) return false
  const key = text.slice(at, colon)
  if (entries[key] !== undefined) return false
  cursor.at = entry.lastIndex
  entries[key] = read(text.slice(colon + 2, cursor.at - 1))
  return true
}

type Form = {
  /** Key, colon and value, to the end of the value's last line. */
  readonly entry: RegExp
  /** Takes all from the second character after the colon on, without the line's end. */
  readonly read: (raw: string) => Data
}

/** `value` is the expression for all that stands between the colon and the end of the value's last line. */
const form = (value: string, read: Form['read']): Form => ({
  entry: new RegExp(String.raw`\w{1,${maxKey}}:${value}\n(?=[\w\0])`, 'y'),
  read,
})

/** Excludes what no plain scalar begins with, and what few do. */
const first = String.raw`(?![\s,[\]{}&*!|>'"%@${'`'}?:#-])`

/** A plain scalar on one line: no colon before a space, no `#` after one, and no space at the end. */
const plain = String.raw`${first}[^\n:#]*(?:(?::(?![ \n])|(?<! )#)[^\n:#]*)*(?<! )`

/** One in a flow list, without any character that may have a meaning there. */
const word = String.raw`${first}[^\n:#,[\]{}]+(?<! )`

const forms = {
  plain: form(` ${plain}`, (raw) => raw),
  quoted: form(String.raw` "[^"\\\0-\x1f]*(?:\\["\\/bfnrt][^"\\\0-\x1f]*)*"`, (raw) =>
    raw.includes('\\') ? JSON.parse(raw) : raw.slice(1, -1),
  ),
  flowList: form(String.raw` \[${word}(?:, ${word})*\]`, (raw) => raw.slice(1, -1).split(', ')),
  blockList: form(String.raw`(?:\n  - ${plain})+`, (raw) => raw.slice('  - '.length).split('\n  - ')),
  blockScalar: form(String.raw` [|>]-?(?:\n  \S[^\n]*)+`, (raw) => {
    const header = raw.indexOf('\n')
    const lines = raw.slice(header + 3).replaceAll('\n  ', raw.charCodeAt(0) === bar ? '\n' : ' ')
    return header === 1 ? `${lines}\n` : lines
  }),
} as const satisfies Record<string, Form>

const formOf = (code: number): Form => {
  if (code === doubleQuote) return forms.quoted
  if (code === openingBracket) return forms.flowList
  if (code === space) return forms.blockList
  return code === bar || code === greater ? forms.blockScalar : forms.plain
}
