import {
  type Cursor,
  codes,
  finishLine,
  fold,
  isBreak,
  isEnd,
  lineEnd,
  skipBreaks,
  skipSpaces,
} from './cursor.ts'

const { backslash, colon, dash, doubleQuote, hash, lineFeed, questionMark, singleQuote, space } = codes

/** A plain or quoted scalar and the rest of its line. Further lines belong to it when indented by `indent` or more. */
export const flowScalar = (cursor: Cursor, indent: number): string | undefined => {
  const code = cursor.text.charCodeAt(cursor.at)
  if (code !== doubleQuote && code !== singleQuote) return plain(cursor, indent)
  const value = quoted(cursor, indent)
  return finishLine(cursor) ? value : undefined
}

/** A quoted scalar up to its closing quote. Further lines belong to it when indented by `indent` or more. */
export const quoted = (cursor: Cursor, indent: number): string | undefined => {
  const { text } = cursor
  const quote = text.charCodeAt(cursor.at)
  let value = ''
  let from = cursor.at + 1
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) {
      value += text.slice(from, i)
      cursor.at = i + 1
      if (quote === doubleQuote || text.charCodeAt(i + 1) !== quote) return value
      from = ++i
    } else if (code === backslash && quote === doubleQuote) {
      value += text.slice(from, i)
      cursor.at = i + 1
      const unescaped = escaped(cursor, indent)
      if (unescaped === undefined) return undefined
      value += unescaped
      from = cursor.at
      i = from - 1
    } else if (code === lineFeed) {
      let end = i
      while (end > from && text.charCodeAt(end - 1) === space) end--
      cursor.at = i
      const breaks = skipBreaks(cursor)
      value += text.slice(from, end) + fold(breaks)
      from = skipSpaces(text, cursor.at)
      if (from - cursor.at < indent) return undefined
      i = from - 1
    }
  }
  return undefined
}

const plain = (cursor: Cursor, indent: number): string | undefined => {
  const { text } = cursor
  if (!startsPlain(text, cursor.at)) return undefined
  let value = ''
  let from = cursor.at
  for (;;) {
    let end = from
    let code: number
    let i = from
    for (; ; i++) {
      code = text.charCodeAt(i)
      if (code === space) continue
      if (code === lineFeed || isEnd(code)) break
      if (code === hash && text.charCodeAt(i - 1) === space) break
      if (code === colon && isBreak(text.charCodeAt(i + 1))) return undefined
      end = i + 1
    }
    value += text.slice(from, end)
    if (code === hash) {
      // was it meant as a comment, or as a part of the value?
      if (!isBreak(text.charCodeAt(i + 1))) return undefined
      cursor.at = lineEnd(text, i) + 1
      return value
    }
    cursor.at = i
    const breaks = skipBreaks(cursor)
    from = skipSpaces(text, cursor.at)
    const next = text.charCodeAt(from)
    if (isEnd(next) || next === hash || from - cursor.at < indent) return value
    value += fold(breaks)
  }
}

/** Whether a plain scalar can begin here: not with an indicator, and not with one of `-?:` alone. */
export const startsPlain = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  if (isBreak(code) || indicators.includes(text[at]!)) return false
  return (code !== dash && code !== colon && code !== questionMark) || !isBreak(text.charCodeAt(at + 1))
}

const indicators = ',[]{}#&*!|>\'"%@`'

/** What the escape whose letter is at the cursor stands for; an escaped line end stands for nothing. */
const escaped = (cursor: Cursor, indent: number): string | undefined => {
  const { text, at } = cursor
  const letter = text[at]!
  if (letter === '\n') {
    cursor.at = skipSpaces(text, at + 1)
    return cursor.at - at - 1 < indent && text[cursor.at] !== '\n' ? undefined : ''
  }
  cursor.at = at + 1
  if (letter !== 'x' && letter !== 'u') return escapes.get(letter)
  const digits = text.slice(at + 1, at + (letter === 'x' ? 3 : 5))
  cursor.at += digits.length
  const code = hex.test(digits) ? Number.parseInt(digits, 16) : 0
  return digits.length < (letter === 'x' ? 2 : 4) || code === 0 || (code >= 0xd800 && code <= 0xdfff)
    ? undefined
    : String.fromCharCode(code)
}

const hex = /^[0-9A-Fa-f]+$/

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  [' ', ' '],
  ['a', '\u0007'],
  ['b', '\b'],
  ['e', '\u001b'],
  ['f', '\f'],
  ['v', '\v'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
])
