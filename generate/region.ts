/**
 * Marks of what is made inside a file that people write: comments of Markdown and of
 * TypeScript.
 */
const start =
  /^(?:<!--|\/\/) made from the fields of the API by npm run bless: (\w+)(?: -->)?\n/gm
const end = /^(?:<!--|\/\/) end of what is made(?: -->)?$/m

/**
 * Puts each part in the place that its mark names. A mark without a part is a mistake, and so
 * is the opposite.
 */
export const fillRegions = (
  text: string,
  parts: Readonly<Record<string, string>>,
): string => {
  const left = new Set(Object.keys(parts))
  let [filled, at] = ['', 0]
  for (const mark of text.matchAll(start)) {
    const name = mark[1]!
    const from = mark.index + mark[0].length
    const length = text.slice(from).search(end)
    if (!left.delete(name) || length === -1)
      throw new Error(`there is no part "${name}", or no end of it`)
    filled += `${text.slice(at, from)}${parts[name]}`
    at = from + length
  }
  if (left.size > 0) throw new Error(`there is no place for ${[...left].join(', ')}`)
  return filled + text.slice(at)
}
