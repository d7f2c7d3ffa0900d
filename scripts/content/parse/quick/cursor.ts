/**
 * The position of the quick reader in its text. Its functions move `at` past what they have read and return the value;
 * `undefined` means that the quick reader passes; after that the cursor is of no use. The text ends with
 * {@link endMark}.
 */
export type Cursor = { readonly text: string; at: number }

/**
 * Two characters that no content may hold. With them no look ahead leaves the text: V8 throws away its optimized code
 * when one does, and then compiles slower code.
 */
export const endMark = '\0\0'

/** Whether a character code is that of the end of the text. */
export const isEnd = (code: number): boolean => !(code > 0)

/** Codes of characters. Modules destructure them once, because an imported name is looked up at each use. */
export const codes = {
  lineFeed: 10,
  space: 32,
  doubleQuote: 34,
  hash: 35,
  singleQuote: 39,
  plus: 43,
  comma: 44,
  dash: 45,
  colon: 58,
  greater: 62,
  questionMark: 63,
  openingBracket: 91,
  backslash: 92,
  closingBracket: 93,
  openingBrace: 123,
  bar: 124,
  closingBrace: 125,
} as const

const { hash, lineFeed, space } = codes

/** Whether a character code separates words: a space, a line feed or the end of the text. */
export const isBreak = (code: number): boolean => code === space || code === lineFeed || isEnd(code)

/** Offset of the first character from `at` on that is no space. */
export const skipSpaces = (text: string, at: number): number => {
  let i = at
  while (text.charCodeAt(i) === space) i++
  return i
}

/** Offset of the line feed that ends the line of `at`, or of the end of the text. */
export const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length - endMark.length : end
}

/** Moves to the next line, over spaces and perhaps a comment; false when something else is there. */
export const finishLine = (cursor: Cursor): boolean => {
  const { text, at } = cursor
  const i = skipSpaces(text, at)
  const code = text.charCodeAt(i)
  if (code === lineFeed || isEnd(code)) cursor.at = i + 1
  else if (code === hash && i > at) cursor.at = lineEnd(text, i) + 1
  else return false
  return true
}

/** Moves to the start of the next line that is neither blank nor a comment; returns its indentation, -1 at the end. */
export const nextLine = (cursor: Cursor): number => {
  const { text } = cursor
  for (;;) {
    const i = skipSpaces(text, cursor.at)
    const code = text.charCodeAt(i)
    if (code === lineFeed) cursor.at = i + 1
    else if (code === hash) cursor.at = lineEnd(text, i) + 1
    else return isEnd(code) ? -1 : i - cursor.at
  }
}

/** From a line end, moves to the start of the next line that isn't blank; returns how many lines ended. */
export const skipBreaks = (cursor: Cursor): number => {
  const { text } = cursor
  let breaks = 0
  for (let i = cursor.at; text.charCodeAt(i) === lineFeed; i = skipSpaces(text, i + 1)) {
    breaks++
    cursor.at = i + 1
  }
  return breaks
}

/** What folding makes of line ends in a row. */
export const fold = (breaks: number): string => (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1))
