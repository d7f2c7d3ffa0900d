import type { Sum } from '../sums/read.ts'

/** What a deployment that was broken off, or one of a shard, said that it would write. */
export type Touch = Sum & {
  /** Of two deployments, the later one has the higher number. */
  readonly order: number
  /** Whether the deployment ended well. */
  readonly done: boolean
}

/** A path that the snapshot or the remote may hold. */
export type Comparison = {
  readonly path: string
  /** sha256 in the snapshot; `undefined` if it isn't there. */
  readonly wanted: string | undefined
  /** sha256 in the list of what was published last. */
  readonly published: string | undefined
  /** What deployments since then may have done to it. */
  readonly touches: readonly Touch[]
}

export type Lists = {
  readonly wanted: Iterable<Sum>
  readonly published: Iterable<Sum>
  /** A path may come several times. */
  readonly touched: Iterable<Touch>
}

/** Walks the lists side by side; each must be in the order of its paths. */
export function* compare(lists: Lists): Generator<Comparison> {
  const wanted = lists.wanted[Symbol.iterator]()
  const published = lists.published[Symbol.iterator]()
  const touched = lists.touched[Symbol.iterator]()
  try {
    let [a, b, c] = [wanted.next(), published.next(), touched.next()]
    while (!a.done || !b.done || !c.done) {
      let path: string | undefined
      for (const { done, value } of [a, b, c]) {
        if (!done && (path === undefined || value.path < path)) path = value.path
      }
      const touches: Touch[] = []
      const [ours, theirs] = [!a.done && a.value.path === path, !b.done && b.value.path === path]
      const [digest, old] = [ours ? a.value.digest : undefined, theirs ? b.value.digest : undefined]
      if (ours) a = wanted.next()
      if (theirs) b = published.next()
      for (; !c.done && c.value.path === path; c = touched.next()) touches.push(c.value)
      yield { path: path!, wanted: digest, published: old, touches }
    }
  } finally {
    // each closes its file, whoever refused what: Windows removes no folder in which one is open
    for (const list of [wanted, published, touched]) list.return?.()
  }
}

/** Whether the remote holds what is wanted, as far as that can be known. */
export const isPublished = ({ wanted, published, touches }: Comparison): boolean =>
  touches.length === 0 && wanted === published

/** Whether a shard's deployment brought what is wanted, and none after it touched it. */
export const isUploaded = ({ wanted, touches }: Comparison): boolean => {
  const last = touches.reduce((last, { order }) => Math.max(last, order), -1)
  const latest = touches.filter(({ order }) => order === last)
  return latest.length > 0 && latest.every(({ digest, done }) => done && digest === wanted)
}
