import type { Shot } from '../content/member.ts'

/** The most shots that a body holds. */
export const shotsLimit = 15

/** Newest first; equal dates by id, highest first. */
export const byNewest = (a: Pick<Shot, 'date' | 'id'>, b: Pick<Shot, 'date' | 'id'>): number =>
  a.date === b.date ? compareIds(b.id, a.id) : a.date < b.date ? 1 : -1

/** Adds a shot to a list that holds the newest ones in order, if it belongs there. */
export const keepLatest = <S extends Shot>(latest: S[], shot: S): void => {
  if (latest.length === shotsLimit && byNewest(shot, latest[shotsLimit - 1]!) >= 0) return
  let at = latest.length
  while (at > 0 && byNewest(shot, latest[at - 1]!) < 0) at--
  latest.splice(at, 0, shot)
  if (latest.length > shotsLimit) latest.pop()
}

/** Compares canonical integers of any length as numbers. */
export const compareIds = (a: string, b: string): number =>
  a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length
