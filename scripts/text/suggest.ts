/**
 * The known name that a misspelt one most likely stands for, if any is near. Letter case,
 * `-`, `_` and the order of words count nothing; a beginning or one word stands for the whole
 * (`cover`, `followers`, `website_url`); else at most a third of the letters may be added,
 * dropped, changed or swapped with a neighbour.
 */
export const suggest = (name: string, known: readonly string[]): string | undefined =>
  nearest(name, known)[0]?.candidate

/** The same, if no other name is as near. */
export const suggestOnly = (name: string, known: readonly string[]): string | undefined => {
  const [first, second] = nearest(name, known)
  return first?.distance === second?.distance ? undefined : first?.candidate
}

type Near = { readonly candidate: string; readonly distance: number }

/** The names that are near, the nearest first. */
const nearest = (name: string, known: readonly string[]): readonly Near[] => {
  if (name.length > 64) return []
  const typed = words(name)
  const near = known
    .map((candidate) => ({ candidate, distance: distance(typed, candidate) }))
    .filter(({ candidate, distance }) => distance <= tolerance(candidate))
  // `projects` and `Projects` may be equally near, but for the letter case
  return near.sort(
    (a, b) =>
      a.distance - b.distance ||
      editDistance(name, a.candidate) - editDistance(name, b.candidate),
  )
}

const tolerance = ({ length }: string) =>
  Math.min(Math.max(1, Math.floor(length / 3)), length - 1)

const distance = (typed: readonly string[], candidate: string) => {
  const meant = words(candidate)
  const a = typed.join('')
  const b = meant.join('')
  if (a !== b && (shortFor(a, meant) || (b === typed[0] && b.length > 2))) return 1
  // no need to be exact about what is too far anyway
  const most = tolerance(candidate)
  if (Math.abs(a.length - b.length) > most || strangers(a, b) > most)
    return Number.POSITIVE_INFINITY
  const inOrder = editDistance(a, b)
  if (typed.length === 1 || meant.length === 1) return inOrder
  return Math.min(inOrder, editDistance(sorted(typed), sorted(meant)))
}

const sorted = (words: readonly string[]) => words.toSorted().join('')

/** How many letters of a text another one doesn't have: each takes a change. */
const strangers = (a: string, b: string) => {
  let count = 0
  for (let at = 0; at < a.length; at++) if (!b.includes(a[at] ?? '')) count++
  return count
}

const shortFor = (typed: string, meant: readonly string[]) =>
  typed.length > 2 && (meant.join('').startsWith(typed) || meant.includes(typed))

/** Whether at most one letter was added, dropped or changed, or two neighbours swapped. */
export const isNear = (a: string, b: string): boolean => editDistance(a, b) <= 1

/** `totalShots`, `total_shots` and `Total-Shots` are the same words. */
export const words = (name: string): string[] =>
  /^[a-z]*$/.test(name)
    ? [name]
    : name
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .split(/[-_ ]+/)

/** Optimal string alignment distance: insertions, deletions, changes and swaps of neighbours. */
const editDistance = (a: string, b: string) => {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY
      row.push(
        Math.min(
          rows[i - 1]![j]! + 1,
          row[j - 1]! + 1,
          rows[i - 1]![j - 1]! + change,
          swapped,
        ),
      )
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
