/** A path below a folder that is trusted. */
export type Spot = {
  /** On disk. All above it is trusted too. */
  readonly root: string
  /** Names with `/` between them, on every system. */
  readonly below: string
}
