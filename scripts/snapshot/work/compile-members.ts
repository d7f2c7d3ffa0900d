import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Changes, FileCounts } from '../dist/changes.ts'
import type { MadeEntries } from '../state/entries.ts'
import { drawMembers, stopDrawing } from './draw.ts'
import { createMemberWorker } from './member-worker.ts'
import type { Part, Task } from './task.ts'
import type { Threads } from './threads.ts'

/** The results of all threads. */
export type Outcome = {
  /** New or renewed entries, by thread. */
  readonly made: readonly MadeEntries[]
  readonly diagnostics: readonly Diagnostic[]
  /** How many members were read and checked. */
  readonly compiled: number
  readonly changes: Changes
  readonly counts: FileCounts
}

/** Processes every member, in this thread and others. `onProgress` gets how many are done. */
export const compileMembers = async (
  task: Task,
  threads: Threads,
  onProgress: (done: number) => void,
): Promise<Outcome> => {
  const asked = threads.ask(task)
  const draw = async (): Promise<Part> => {
    const worker = createMemberWorker(task)
    await drawMembers(worker, task, onProgress)
    return worker.part()
  }
  const [own, others] = await together(task, draw(), asked)
  return gather([own, ...others])
}

/** What this thread drew and what the others did; or the first failure of them, and then nothing more is drawn. */
const together = async (
  task: Task,
  mine: Promise<Part>,
  others: Promise<readonly Part[]>,
): Promise<[Part, readonly Part[]]> => {
  try {
    return await Promise.all([mine, others])
  } catch (error) {
    stopDrawing(task)
    await mine.catch(() => {}) // it still writes into the stage
    throw error
  }
}

const gather = (parts: readonly Part[]): Outcome => {
  const list = (kind: keyof Changes): string[] => parts.flatMap(({ changes }) => changes[kind])
  const sum = (kind: keyof FileCounts): number => parts.reduce((total, { counts }) => total + counts[kind], 0)
  return {
    made: parts.map(({ made }) => made),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
    changes: { write: list('write'), remove: list('remove'), clear: list('clear') },
    compiled: parts.reduce((total, { compiled }) => total + compiled, 0),
    counts: { written: sum('written'), unchanged: sum('unchanged'), removed: sum('removed') },
  }
}
