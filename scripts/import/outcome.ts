import type { ImportedMember } from './import-member.ts'
import type { Told } from './run-context.ts'

/** The outcome of all members together: each file once, and a shot that moved only as a move. */
export type Outcome = {
  readonly add: (member: ImportedMember) => void
  readonly told: () => Told
  /** Paths below the content folder, without those that moved away. */
  readonly written: () => readonly string[]
  /** How many members were changed. */
  readonly changed: () => number
}

export const createOutcome = (contentName: string): Outcome => {
  const written = new Set<string>()
  let told: Told[number][] = []
  let changed = 0
  return {
    add: (member) => {
      let news = member.told
      for (const { from, to } of member.moves) {
        written.delete(from)
        // the member that lost it came first, before its new place was known
        const isVanished = isTold('shot-vanished', `${contentName}/${from}`)
        if (!told.some(isVanished)) continue
        const isReturned = isTold('shot-returned', `${contentName}/${to}`)
        told = told.filter((one) => !isVanished(one))
        news = news.filter((one) => !isReturned(one))
      }
      for (const one of news) told.push(one)
      for (const path of member.written) written.add(path)
      if (member.written.length > 0) changed++
    },
    told: () => told,
    written: () => [...written],
    changed: () => changed,
  }
}

const isTold =
  (code: string, file: string) =>
  (one: Told[number]): boolean =>
    one.code === code && one.file === file
