import type { Changes, FileCounts } from '../dist/changes.ts'
import type { MadeEntries } from '../state/entries.ts'
import { drawMembers, stopDrawing } from './draw.ts'
import { createMemberWorker } from './member-worker.ts'
import type { Part, Problems, Task } from './task.ts'
import { startThreads, type Threads, threadCount } from './threads.ts'

/** The results of all threads. */
export type Outcome = {
  /** New or renewed entries, by thread. */
  readonly made: readonly MadeEntries[]
  /** What is wrong with members, in any order. */
  readonly problems: readonly Problems[]
  /** How many members were read and checked. */
  readonly compiled: number
  readonly changes: Changes
  readonly counts: FileCounts
}

/**
 * Processes every member, in this thread, and in others too once enough is left to do. `onProgress` gets how many are
 * done.
 */
export const compileMembers = async (task: Task, onProgress: (done: number) => void): Promise<Outcome> => {
  const worker = createMemberWorker(task)
  let others: Threads | undefined
  try {
    await drawMembers(worker, task, (done) => {
      onProgress(done)
      if (others !== undefined) return
      const count = threadCount({ done, left: task.members.length - done, effort: worker.effort() })
      if (count > 0) others = startThreads(count, task)
    })
    return gather([worker.part(), ...((await others?.parts) ?? [])])
  } finally {
    stopDrawing(task)
    await others?.end()
  }
}

const gather = (parts: readonly Part[]): Outcome => {
  const list = (kind: keyof Changes): string[] => parts.flatMap(({ changes }) => changes[kind])
  const sum = (kind: keyof FileCounts): number => parts.reduce((total, { counts }) => total + counts[kind], 0)
  return {
    made: parts.map(({ made }) => made),
    problems: parts.flatMap(({ problems }) => problems),
    changes: { write: list('write'), remove: list('remove'), clear: list('clear') },
    compiled: parts.reduce((total, { compiled }) => total + compiled, 0),
    counts: { written: sum('written'), unchanged: sum('unchanged'), removed: sum('removed') },
  }
}
