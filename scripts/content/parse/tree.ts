import type { Data } from './data.ts'

/** A value together with where it stands. Offsets in UTF-16 units, the end exclusive. */
export type Tree = {
  readonly data: Data
  readonly from: number
  readonly to: number
  /** Values and UTF-16 units of text below and in this one, aliases written out. */
  readonly nodes: number
  readonly units: number
  readonly entries?: ReadonlyMap<string, Entry>
  readonly items?: readonly Tree[]
}

export type Entry = { readonly key: Stretch; readonly value: Tree }

export type Stretch = { readonly from: number; readonly to: number }

/** Where the value at a path stands, or its key; when the path leads nowhere, the last value on the way. */
export const stretchAt = (root: Tree, path: readonly (string | number)[], of: 'key' | 'value'): Stretch => {
  let value = root
  let key: Stretch | undefined
  for (const step of path) {
    const entry = value.entries?.get(String(step))
    const next = entry?.value ?? value.items?.[Number(step)]
    if (next === undefined) return value
    value = next
    key = entry?.key
  }
  return of === 'key' ? (key ?? value) : value
}
