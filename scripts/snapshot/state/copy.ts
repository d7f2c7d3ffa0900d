/** What the compiled copy of the program knows of itself; scripts/start/compile.cjs writes it down. */
export type Copy = {
  /** sha256 of all sources, in hex. */
  readonly program: string
  /** The file that a thread runs. */
  readonly worker: string
}

declare const compiledCopy: Copy | undefined

/** `undefined` if the program runs from its sources. */
export const copy: Copy | undefined = typeof compiledCopy === 'undefined' ? undefined : compiledCopy
