/** The words of a line as people type it: with a space between them, but in `'…'`. */
export const wordsOf = (line: string) =>
  (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''))
