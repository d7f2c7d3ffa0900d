/** Compares texts by their UTF-16 units, for `sort`: the same in every locale. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}
