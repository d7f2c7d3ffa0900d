/** Compares texts by their UTF-16 units, for `sort`: the same in every locale. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The same of entries, by their keys. */
export const byKey = (
  [a]: readonly [string, unknown],
  [b]: readonly [string, unknown],
): number => compareText(a, b)
