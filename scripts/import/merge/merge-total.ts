import type { Side } from './merge-fields.ts'

/** `totalShots` or `Projects`: content counts them, and only a higher figure can be written. */
export type Total = {
  /** What the profile says; `undefined` if it leaves the key out. */
  readonly mine: string | undefined
  /** What the API said last, whatever it was; `undefined` if there is no base. */
  readonly base: string | undefined
  /** Whether the last import left the key out. */
  readonly wasCounted: boolean
  /** What the API says; `undefined` if that is no count. */
  readonly theirs: string | undefined
  /** What content held before this import, and what it will hold. */
  readonly before: number
  readonly after: number
  /** How many more it would hold if nobody had hidden or removed what was imported. */
  readonly hidden: number
}

export type MergedTotal = {
  /** What the profile is to say; `undefined` leaves the key out. */
  readonly total: string | undefined
  /** Whether it is left out because of this import, and not by somebody here. */
  readonly counted: boolean
  /** Whether what the API says is below what content holds. */
  readonly below: boolean
  readonly conflict: boolean
}

export const mergeTotal = (total: Total, side: Side): MergedTotal => {
  const { mine, base, wasCounted, theirs, before, after, hidden } = total
  const below = theirs !== undefined && isLess(theirs, String(after))
  const wanted = below || theirs === String(after) ? undefined : theirs
  const follow = { total: wanted, counted: wanted === undefined, below, conflict: false }
  const keep = { total: mine, counted: wasCounted, below, conflict: false }
  const isTooLow = mine !== undefined && isLess(mine, String(after))
  if (base === undefined) {
    const agrees =
      mine === undefined ? wanted === undefined : theirs === undefined || mine === theirs || below
    if (agrees) return isTooLow ? follow : { ...keep, counted: mine === undefined }
  } else if (mine === undefined ? wasCounted : mine === base) {
    const isCounted = before === after && !isLess(String(after + hidden), theirs ?? '0')
    const settled = theirs === base && (mine === undefined ? isCounted : !below)
    return settled ? keep : follow
  } else if (!isTooLow && (theirs === undefined || theirs === base || (mine ?? String(before)) === theirs)) {
    return keep
  }
  if (side === undefined) return { ...keep, conflict: true }
  return side === 'theirs' ? follow : keep
}

/** Compares canonical numbers of any length. */
const isLess = (a: string, b: string): boolean => a.length < b.length || (a.length === b.length && a < b)
