/** Rows under a heading, each column as wide as its widest cell; all but the columns named `left` are set right. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  left: readonly number[],
): string => {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)))
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => (left.includes(i) ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  '),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(3)} s`

export const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`

/** The middle one, or the mean of the middle two. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
