import type { ImportedMember } from './import-member.ts'
import type { Told } from './run-context.ts'

/** The outcome of all members together: each file once, and a shot that moved only as a move. */
export type Outcome = {
  readonly add: (member: ImportedMember) => void
  /** Adds a second import of a member, which had to wait for tokens in the first. */
  readonly addAgain: (first: ImportedMember, second: ImportedMember) => void
  readonly addWritten: (paths: readonly string[]) => void
  readonly told: () => Told
  /** Paths below the content folder, without those that moved away. */
  readonly written: () => readonly string[]
  /** How many members were changed. */
  readonly changed: () => number
}

export const createOutcome = (contentName: string): Outcome => {
  const written = new Set<string>()
  let told: Told[number][] = []
  const addWritten = (paths: readonly string[]): void => {
    for (const path of paths) written.add(path)
  }
  const add = (member: ImportedMember): void => {
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
    addWritten(member.written)
  }
  return {
    add,
    addAgain: (first, second) => {
      const settled = new Set(first.waiting.map((token) => token.told))
      told = told.filter((one) => !settled.has(one))
      add({ ...second, told: second.told.filter((one) => !told.some((other) => isSame(one, other))) })
    },
    addWritten,
    told: () => told,
    written: () => [...written],
    changed: () => new Set(Array.from(written, memberOf)).size - (written.has('site.yaml') ? 1 : 0),
  }
}

/** The folder of the member that a path belongs to; `undefined` for site.yaml. */
export const memberOf = (path: string): string | undefined => path.split('/')[1]

const isTold =
  (code: string, file: string) =>
  (one: Told[number]): boolean =>
    one.code === code && one.file === file

const isSame = (a: Told[number], b: Told[number]): boolean =>
  a.code === b.code && a.file === b.file && a.message === b.message
