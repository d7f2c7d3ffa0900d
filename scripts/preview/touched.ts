import { setTimeout as sleep } from 'node:timers/promises'
import { names } from '../content/layout.ts'

/**
 * What a change may have touched: some members, or anything. At 10,000 members with 20 shots, a build that looks only at
 * the member that changed takes 0.45 s of processor time; one that looks at all of them takes 3.3 s.
 */
export type Touched = 'all' | ReadonlySet<string>

export const nothing: Touched = new Set()

/** From so many members on it is better to look at all of them, as after `git switch`. */
export const many = 200

/** The member that a path of the content folder belongs to. */
export const touchedBy = (file: string): Touched => {
  const [first, username] = file.split(/[\\/]/)
  return first === names.members && username ? new Set([username]) : 'all'
}

export const merge = (one: Touched, other: Touched): Touched => {
  if (one === 'all' || other === 'all') return 'all'
  const both = new Set([...one, ...other])
  return both.size > many ? 'all' : both
}

/** Gathers what changes, until `next` is called. */
export type Changes = {
  readonly add: (touched: Touched) => void
  /** What has changed since the last time, as soon as something has and editors and git are done with it. */
  readonly next: () => Promise<Touched>
}

export const createChanges = (): Changes => {
  let pending: Touched = nothing
  let count = 0
  let wake = () => {}
  return {
    add: (touched) => {
      pending = merge(pending, touched)
      count++
      wake()
    },
    next: async () => {
      if (pending !== 'all' && pending.size === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      for (let waited = 0; waited < patience; waited += quiet) {
        const before = count
        await sleep(quiet, undefined, { ref: false })
        if (count === before) break
      }
      const touched = pending
      pending = nothing
      return touched
    },
  }
}

/** Milliseconds without an event after which a change is complete, and how long to wait for that. */
const quiet = 60
const patience = 2000
