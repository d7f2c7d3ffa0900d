import { setImmediate } from 'node:timers/promises'
import { filePath, routes } from '../../api/routes.ts'
import { type ContentFolder, listMembers } from '../../content/read/scan.ts'
import { isUsername } from '../../content/username.ts'
import type { Row } from '../../explorer/data.ts'
import { type Entry, entryOf, search } from '../../explorer/search.ts'
import { readFile } from '../../files/open.ts'
import type { Touched } from '../touched.ts'

/** All members of the site: listed at once, and searched as soon as all of them were looked at. */
export type Members = {
  /** Sorted. */
  readonly usernames: () => readonly string[]
  readonly search: (query: string) => Promise<readonly string[]>
  /** Looks again at what a build may have changed. */
  readonly renew: (touched: Touched) => void
}

export const createMembers = ({
  content,
  out,
}: {
  readonly content: ContentFolder
  readonly out: string
}): Members => {
  let usernames: readonly string[] = []
  const entries = new Map<string, Entry>()
  let looking: Promise<void> = Promise.resolve()

  const look = async (some: Iterable<string>): Promise<void> => {
    let count = 0
    for (const username of some) {
      entries.set(username, entryOf(readRow(out, username)))
      if (++count % breath === 0) await setImmediate()
    }
  }

  return {
    usernames: () => usernames,
    search: async (query) => {
      await looking
      return search(
        usernames.flatMap((username) => entries.get(username) ?? []),
        query,
      )
    },
    renew: (touched) => {
      usernames = listMembers(content).members.filter(isUsername).sort()
      const some =
        touched === 'all' ? usernames : usernames.filter((one) => touched.has(one) || !entries.has(one))
      looking = looking.then(() => look(some))
    },
  }
}

/** Members that are looked at without a pause. */
const breath = 50

export type ReadRow = Omit<Row, 'errors' | 'warnings'> & {
  /** The username in the answer: another one where the address is an alias. */
  readonly servedAs: string | undefined
}

/** A member as the snapshot has it. */
export const readRow = (out: string, username: string): ReadRow => {
  const [user] = routes
  const [https, http] = (['https', 'http'] as const).map((variant) => {
    const bytes = readFile(out, filePath(user!, variant, username), { limit: 1 << 22 })
    return bytes && JSON.parse(bytes.toString('utf8'))
  })
  return {
    username,
    servedAs: https?.username,
    name: https?.name ?? '',
    location: https?.location ?? '',
    works: https?.totalShots ?? '',
    avatar: { https: https?.avatar ?? '', http: http?.avatar ?? '' },
  }
}
