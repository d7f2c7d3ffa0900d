import type { Data } from '../data.ts'
import { type Cursor, codes } from './cursor.ts'

const { bar, doubleQuote, greater, openingBracket, space } = codes

/**
 * The value of a key that begins its line, from after the colon to the end of its last line, if it has one of the most
 * common forms and the line after it begins with a key too. If it has another one, the cursor stays where it is.
 * An expression runs at full speed from the second file on, code that looks at every character only after hundreds.
 */
export const commonValue = (cursor: Cursor): Data | undefined => {
  const { text, at } = cursor
  const { value, read } = formOf(text.charCodeAt(at + 1))
  value.lastIndex = at
  if (!value.test(text)) return undefined
  cursor.at = value.lastIndex
  return read(text.slice(at + 1, cursor.at - 1))
}

type Form = {
  /** All from the colon to the end of the value's last line. */
  readonly value: RegExp
  /** Takes the same without the first character, a space or the end of the key's line, and without the last. */
  readonly read: (raw: string) => Data
}

const form = (value: string, read: Form['read']): Form => ({
  value: new RegExp(String.raw`${value}\n(?=[\w\0])`, 'y'),
  read,
})

/** What a plain scalar never begins with, and what it seldom does. */
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
