import { setImmediate } from 'node:timers/promises'
import {
  createIndex,
  type Index,
  type MemberData,
  type Summary,
  summarize,
} from '../gallery/data.ts'
import type { Touched } from './watch.ts'

/** What shared pages need of all members, looked at a few at a time. `look` says what is on the disk of one. */
export const createSummaries = (look: (username: string) => MemberData | undefined) => {
  let members: ReadonlySet<string> = new Set()
  /** Of the members that were looked at since they changed. */
  const summaries = new Map<string, Summary>()
  /** The ids that members had before they changed. */
  const ids = new Map<string, string>()
  let sorted: Index | undefined

  const add = (member: MemberData): void => {
    if (summaries.has(member.username)) return
    summaries.set(member.username, summarize(member))
    sorted = undefined
  }

  const lookAtAll = async (): Promise<void> => {
    let count = 0
    for (const username of members) {
      if (summaries.has(username)) continue
      const member = look(username)
      // another build may have come since the last pause
      if (member) add(member)
      if (++count % mostAtOnce === 0) await setImmediate()
    }
  }

  /** The index of all members, once all were looked at. */
  const index = async (): Promise<Index> => {
    await lookAtAll()
    sorted ??= createIndex([...summaries.values()])
    return sorted
  }

  return {
    add,
    index,
    /** Looks again at the members that may have changed; at others no more. */
    update: (usernames: ReadonlySet<string>, touched: Touched): void => {
      members = usernames
      for (const [username, { id }] of summaries) {
        if (touched?.has(username) === false && members.has(username)) continue
        if (id !== '') ids.set(username, id)
        summaries.delete(username)
      }
      sorted = undefined
      // pages that people wait for are made first; what fails here fails there, and is told
      setTimeout(() => void lookAtAll().catch(() => {}), startDelayMs).unref()
    },
    /** How many members were not looked at yet. */
    unread: () => members.size - summaries.size,
    /** The name that a member has now, who was removed or renamed while the preview ran, or is asked for by an alias. */
    movedTo: async (username: string): Promise<string | undefined> => {
      const { aliases, members } = await index()
      return aliases.get(username) ?? members.find(({ id }) => id === ids.get(username))?.username
    },
  }
}

/** Members that are looked at between two pauses, in which pages are answered, and how long after a build that begins. */
const mostAtOnce = 20
const startDelayMs = 1000
