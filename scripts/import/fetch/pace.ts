/** Time, as an argument. */
export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

export type Pace = {
  /** Waits until the next request may be sent. */
  readonly turn: () => Promise<void>
  /** Delays all requests for so many milliseconds, because the server asks for a pause. */
  readonly pause: (ms: number) => void
}

/** Spreads requests evenly: `rate` a second over all connections. */
export const createPace = (rate: number, { now, wait }: Clock): Pace => {
  let next = 0
  return {
    turn: async () => {
      const time = now()
      const at = Math.max(next, time)
      next = at + 1000 / rate
      // shorter than a timer can tell
      if (at - time >= 1) await wait(at - time)
    },
    pause: (ms) => {
      next = Math.max(next, now() + ms)
    },
  }
}
