/**
 * Things by what they have in common, each group and its things in the order in which they
 * come.
 */
export const groupBy = <T, K>(things: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  for (const one of things) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}
