/** How many members are asked everything about; the others of a larger sample are asked for their content. */
export const closeLook = 50

/**
 * Which members to ask about, by place in the sorted list: the odd ones first (the longest name, one with a dot,
 * one without shots, the first, the last), then as many as are wanted, evenly spread. Sorted; the same input gives
 * the same members.
 */
export const sample = (
  usernames: readonly string[],
  { size, withoutShots }: { readonly size: number; readonly withoutShots: string | undefined },
): readonly string[] => {
  if (size >= usernames.length) return usernames
  const chosen = new Set(extremes(usernames, withoutShots))
  for (const index of spread(usernames.length, size)) {
    if (chosen.size >= size) break
    chosen.add(usernames[index]!)
  }
  return usernames.filter((username) => chosen.has(username))
}

const extremes = (usernames: readonly string[], withoutShots: string | undefined): readonly string[] =>
  [
    usernames[0],
    usernames.at(-1),
    usernames.reduce((longest, username) => (username.length > longest.length ? username : longest), ''),
    usernames.find((username) => username.includes('.')),
    withoutShots,
  ].filter((username) => username !== undefined)

const spread = (length: number, size: number): readonly number[] =>
  Array.from({ length: size }, (_, i) => Math.floor(((i + 0.5) * length) / size))
