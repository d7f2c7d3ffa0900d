import { hasErrors } from '../problems/diagnostic.ts'
import type { Report } from './report.ts'

/** Between the end of a try and the beginning of the next one. */
export const pauseMs = 120_000

export type Patience = {
  /** How long to ask again after the first try has begun. */
  readonly patienceMs: number
  /** Milliseconds; only differences count. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<unknown>
  readonly onWait: () => void
}

/**
 * Asks until nothing is wrong or the patience ends; gives the last report. Caches may keep a body for five minutes after a
 * deployment, so what is wrong then need not stay so.
 */
export const askPatiently = async (
  ask: () => Promise<Report>,
  { patienceMs, now, sleep, onWait }: Patience,
): Promise<Report> => {
  const until = now() + patienceMs
  let report = await ask()
  while (hasErrors(report.problems) && now() + pauseMs <= until) {
    onWait()
    await sleep(pauseMs)
    report = await ask()
  }
  return report
}
