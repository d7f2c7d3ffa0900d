import { setImmediate } from 'node:timers/promises'
import {
  createIndex,
  type Index,
  type MemberData,
  type Summary,
  summarize,
} from '../gallery/data.ts'
import type { Touched } from './watch.ts'

/**
 * What shared pages need of all members, looked at a few at a time. `look` says what is on
 * the disk of one.
 */
export const createSummaries = (look: (username: string) => MemberData | undefined) => {
  let members: ReadonlySet<string> = new Set()
  /** Of the members that were looked at since they changed. */
  const summaries = new Map<string, Summary>()
  let sorted: Index | undefined

  const lookAtAll = async (): Promise<void> => {
    let count = 0
    for (const username of members) {
      if (summaries.has(username)) continue
      const member = look(username)
      // another build may have come since the last pause
      if (member) summaries.set(username, summarize(member))
      sorted = undefined
      if (++count % mostAtOnce === 0) await setImmediate()
    }
  }

  /** The index of those that were looked at. */
  const known = (): Index => {
    sorted ??= createIndex([...summaries.values()])
    return sorted
  }

  return {
    known,
    /** The index of all members, once all were looked at. */
    index: () => lookAtAll().then(known),
    /** Looks again at the members that may have changed; at others no more. */
    update: (usernames: ReadonlySet<string>, touched: Touched): void => {
      members = usernames
      for (const username of summaries.keys()) {
        if (touched?.has(username) !== false || !members.has(username))
          summaries.delete(username)
      }
      sorted = undefined
      // pages that people wait for are made first; what fails here fails there, and is told
      setTimeout(() => void lookAtAll().catch(() => {}), startDelayMs).unref()
    },
  }
}

/**
 * Members that are looked at between two pauses, in which pages are answered, and how long
 * after a build that begins.
 */
const mostAtOnce = 20
const startDelayMs = 1000
