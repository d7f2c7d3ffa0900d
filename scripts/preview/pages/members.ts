import { setImmediate } from 'node:timers/promises'
import type { UserRecord } from '../../api/records.ts'
import { isUsername } from '../../content/username.ts'
import type { Row } from '../../explorer/data/data.ts'
import { type Entry, entryOf, search } from '../../explorer/data/search.ts'
import type { Touched } from '../watch.ts'
import { readRoute } from './read-served.ts'

/** All members of the site: listed at once, and searched as soon as all of them were looked at. */
export type Members = {
  /** Sorted. */
  readonly usernames: () => readonly string[]
  readonly search: (query: string) => Promise<readonly string[]>
  /** Takes the members that a build found, and looks again at those whom it may have changed. */
  readonly renew: (found: readonly string[], touched: Touched) => void
}

export const createMembers = (out: string): Members => {
  let usernames: readonly string[] = []
  const entries = new Map<string, Entry>()
  const waiting = new Set<string>()
  let looking: Promise<void> | undefined

  const look = async (): Promise<void> => {
    let count = 0
    for (const username of waiting) {
      waiting.delete(username)
      entries.set(username, entryOf(readRow(out, username)))
      if (++count % breath === 0) await setImmediate()
    }
  }

  const lookAtAll = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  return {
    usernames: () => usernames,
    search: async (query) => {
      await lookAtAll()
      return search(
        usernames.flatMap((username) => entries.get(username) ?? []),
        query,
      )
    },
    renew: (found, touched) => {
      usernames = found.filter(isUsername).sort()
      for (const username of usernames) {
        if (touched === 'all' || touched.has(username) || !entries.has(username)) waiting.add(username)
      }
      // a search that comes sooner does not wait for that; what fails here fails there, and is told
      setTimeout(() => lookAtAll().catch(() => {}), rest).unref()
    },
  }
}

/** Milliseconds in which the pages that people wait for are made first. */
const rest = 1000

/** Members that are looked at without a pause. */
const breath = 50

export type ReadRow = Omit<Row, 'errors' | 'warnings'> & {
  /** The username in the answer: another one where the address is an alias. */
  readonly servedAs: string | undefined
}

/** A member as the snapshot has it. */
export const readRow = (out: string, username: string): ReadRow => {
  const user = readRoute(out, username, { name: 'user' })
  const [https, http] = [user?.https, user?.http].map(
    (body): UserRecord | undefined => body && JSON.parse(body),
  )
  return {
    username,
    servedAs: https?.username,
    name: https?.name ?? '',
    location: https?.location ?? '',
    works: https?.totalShots ?? '',
    avatar: { https: https?.avatar ?? '', http: http?.avatar ?? '' },
  }
}
