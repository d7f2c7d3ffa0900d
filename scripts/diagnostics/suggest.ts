/**
 * The known name that a misspelt one most likely stands for, if any is near: letter case, `-` and `_` count
 * nothing, and at most a third of the letters may be added, dropped, swapped or changed.
 */
export const suggest = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > 64) return undefined
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const distance = editDistance(plain(name), plain(candidate))
    if (distance < least && distance <= Math.max(1, Math.floor(candidate.length / 3))) {
      least = distance
      best = candidate
    }
  }
  return best
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, '')

/** Optimal string alignment distance: insertions, deletions, changes and swaps of neighbours. */
const editDistance = (a: string, b: string): number => {
  let older: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      let distance = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + change)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, older[j - 2]! + 1)
      }
      current.push(distance)
    }
    older = previous
    previous = current
  }
  return previous[b.length]!
}
