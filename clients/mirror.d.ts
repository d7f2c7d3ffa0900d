/** See mirror.js. */
export type MirrorChange = {
  readonly change: 'added' | 'changed' | 'removed'
  readonly username: string
}

export type MirrorOptions = {
  readonly onChange?: (change: MirrorChange) => void
  /** How often a snapshot that changes meanwhile is begun again. Default: 10. */
  readonly tries?: number
  /** Before the second try; later ones wait longer. Default: 1000. */
  readonly pauseMs?: number
  /** The most bytes that all members may have together. Default: 8 GiB. */
  readonly mostBytes?: number
  /** What a request may take, besides a second for each 16 KiB of its answer. Default: 30,000. */
  readonly timeoutMs?: number
  /** A line of ssh, `ssh-ed25519 AAAA…`: published.json of the site has to be signed by it. */
  readonly key?: string | undefined
  /** How long ago the site may have been published. */
  readonly maxAgeMs?: number | undefined
}

export declare class MirrorError extends Error {}

export declare const mirror: (
  url: string,
  to: string,
  options?: MirrorOptions,
) => Promise<{ readonly members: number; readonly fetched: number }>
