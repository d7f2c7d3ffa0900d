import { type Cursor, codes, finishLine, fold, isEnd, lineEnd, skipSpaces } from './cursor.ts'

const { dash, greater, lineFeed, plus } = codes

/** A literal or folded scalar without an indentation indicator, in a mapping whose keys stand at `column`. */
export const blockScalar = (cursor: Cursor, column: number): string | undefined => {
  const { text } = cursor
  const folded = text.charCodeAt(cursor.at) === greater
  const chomping = text.charCodeAt(++cursor.at)
  if (chomping === dash || chomping === plus) cursor.at++
  if (!finishLine(cursor)) return undefined

  let value = ''
  let indent = -1
  let blanks = 0
  let widestBlank = 0
  let wasMore = false
  for (;;) {
    const start = cursor.at
    const i = skipSpaces(text, start)
    const width = i - start
    const code = text.charCodeAt(i)
    if (code === lineFeed) {
      if (indent !== -1 && width > indent) return undefined
      widestBlank = Math.max(widestBlank, width)
      blanks++
      cursor.at = i + 1
      continue
    }
    if (isEnd(code) && width > 0) return undefined
    if (isEnd(code) || (indent !== -1 && width < indent)) break
    const isMore = indent !== -1 && width > indent
    if (indent === -1) {
      if (width <= column || widestBlank > width) return undefined
      indent = width
      value = '\n'.repeat(blanks)
    } else {
      value += folded && !isMore && !wasMore ? fold(blanks + 1) : '\n'.repeat(blanks + 1)
    }
    const end = lineEnd(text, i)
    value += text.slice(start + indent, end)
    cursor.at = end + 1
    blanks = 0
    wasMore = isMore
  }
  if (indent === -1) return undefined
  if (chomping === dash) return value
  return value + '\n'.repeat(chomping === plus ? blanks + 1 : 1)
}
