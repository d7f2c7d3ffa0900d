/** A stream of numbers that a seed decides wholly; the same on every machine. Not for secrets. */
export type Random = {
  /** A whole number from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(items: readonly T[]) => T
  /** `count` different items (all, if there are fewer), in random order. */
  readonly some: <T>(items: readonly T[], count: number) => readonly T[]
}

/** Weyl steps through a 32-bit mixing function; `seed` and `stream` are whole numbers. */
export const random = (seed: number, stream: number): Random => {
  let state = mix(seed) ^ mix(stream + 0x9e3779b9)
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    return (mix(state) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    between,
    chance: (probability) => next() < probability,
    pick: (items) => items[between(0, items.length - 1)]!,
    some: (items, count) => {
      const left = [...items]
      return Array.from({ length: Math.min(count, left.length) }, () => {
        return left.splice(between(0, left.length - 1), 1)[0]!
      })
    },
  }
}

const mix = (value: number): number => {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return x ^ (x >>> 15)
}
