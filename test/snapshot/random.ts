/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export const createRandom = (seed: number): Random => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return { below, pick: (list) => list[below(list.length)]! }
}

export type Random = {
  readonly below: (count: number) => number
  readonly pick: <T>(list: readonly T[]) => T
}
