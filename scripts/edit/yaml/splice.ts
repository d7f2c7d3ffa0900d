/** A stretch of a text, in UTF-16 units, and its replacement. */
export type Splice = { readonly from: number; readonly to: number; readonly text: string }

/** Makes all replacements at once; they must not overlap. Insertions at one offset keep their order. */
export const applySplices = (text: string, splices: readonly Splice[]): string => {
  let result = ''
  let at = 0
  for (const { from, to, text: inserted } of splices.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from < at) throw new Error('two splices overlap')
    result += text.slice(at, from) + inserted
    at = to
  }
  return result + text.slice(at)
}

/** Offset of the beginning of the line that an offset is in. */
export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

/** Offset right after the line feed of the line that an offset is in; the text's end on its last line. */
export const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}

/** The line end that most lines of a text have. */
export const lineBreakOf = (text: string): '\n' | '\r\n' => {
  const windows = text.split('\r\n').length - 1
  return windows * 2 > text.split('\n').length - 1 ? '\r\n' : '\n'
}
