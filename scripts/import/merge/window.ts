import { byId } from './base.ts'

/** What the merge must know of the shots that a body lists. */
export type Window = {
  /** How many shots the body lists, whatever they are. */
  readonly count: number
  /** In the order of the body, each once. */
  readonly ids: readonly string[]
  /** Those that exist, as `YYYY-MM-DD HH:MM:SS`. */
  readonly dates: ReadonlyMap<string, string>
}

/** The most shots that the API lists. */
export const windowSize = 15

export type Gone = {
  /** Shots that the API would still list if they were published. */
  readonly vanished: readonly string[]
  /** Whether so many vanished at once that it looks like a fault. */
  readonly tooMany: boolean
  /** Whether the windows of two imports have nothing in common, so that shots between them may be lost. */
  readonly apart: boolean
}

/** Finds the shots that vanished, apart from those that newer ones pushed out of the window. */
export const findGone = (
  known: { readonly dates: ReadonlyMap<string, string>; readonly window: readonly string[] },
  now: Window,
): Gone => {
  const last = lastOf(now)
  const wouldShow = (id: string): boolean =>
    now.count < windowSize || now.ids.length === 0 || isOlder(last, { id, date: known.dates.get(id) })
  const vanished = [...known.dates.keys()].filter((id) => !now.ids.includes(id) && wouldShow(id))
  return {
    vanished,
    tooMany: vanished.length * 2 > known.window.length,
    apart:
      known.window.length > 0 && now.count >= windowSize && !known.window.some((id) => now.ids.includes(id)),
  }
}

/** The last shot of the list, or the first if the server sends the oldest first. */
const lastOf = ({ ids, dates }: Window): Dated => {
  const [first, last] = [ids.at(0) ?? '', ids.at(-1) ?? ''].map((id) => ({ id, date: dates.get(id) }))
  return isOlder(first!, last!) ? first! : last!
}

type Dated = { readonly id: string; readonly date: string | undefined }

/** Whether a shot comes after another in the API's order: by date, then by id, newest first. */
export const isOlder = (a: Dated, b: Dated): boolean => {
  if (a.date === undefined || b.date === undefined) return false
  return a.date === b.date ? byId(a.id, b.id) < 0 : a.date < b.date
}
