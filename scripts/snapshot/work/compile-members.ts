import { type Scan, scanMember } from '../../content/scan.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Changes, FileCounts } from '../dist/changes.ts'
import { combine, compileProfile, type ShotsPart } from '../member/compile.ts'
import type { MadeEntries } from '../state/entries.ts'
import { drawMembers, drawSlices, stopDrawing } from './draw.ts'
import { createMemberWorker, type MemberWorker } from './member-worker.ts'
import { control, type Part, type Task } from './task.ts'
import type { Slice, Threads } from './threads.ts'

/** What all threads have to say. */
export type Outcome = {
  /** New or renewed entries, by thread. */
  readonly made: readonly MadeEntries[]
  readonly diagnostics: readonly Diagnostic[]
  /** How many members were read and checked. */
  readonly compiled: number
  readonly changes: Changes
  readonly counts: FileCounts
}

/** Has every member taken on, by this thread and others. `onProgress` hears how many are done. */
export const compileMembers = async (
  task: Task,
  threads: Threads,
  onProgress: (done: number) => void,
): Promise<Outcome> => {
  const asked = threads.ask({ kind: 'members', task })
  const draw = async (): Promise<MemberWorker> => {
    const worker = createMemberWorker(task)
    await drawMembers(worker, task, onProgress)
    return worker
  }
  const [worker, others] = await together(task, draw(), asked)
  const large = [worker, ...others].flatMap((part) => part.large)
  await processLarge(large, { task, worker, threads })
  return gather([worker.part(), ...others])
}

type Crew = { readonly task: Task; readonly worker: MemberWorker; readonly threads: Threads }

/** Compiles members with very many shots in slices, so that no thread is left with one while the others idle. */
const processLarge = async (indexes: readonly number[], { task, worker, threads }: Crew): Promise<void> => {
  if (indexes.length === 0) return
  const since = Date.now()
  const scans = indexes.map((index) => scanMember(task.members[index]!, task.content))
  const slices = scans.flatMap((scan) => slicesOf(scan))
  Atomics.store(task.control, control.next, 0)
  const asked = threads.ask({ kind: 'slices', slices })
  const [mine, others] = await together(task, drawSlices(worker, task, slices), asked)
  const done = [mine, ...others].flat()
  const parts: ShotsPart[] = []
  for (const { number, part } of done) parts[number] = part
  scans.forEach((scan, at) => {
    const own = parts.filter((_, number) => slices[number]!.scan.username === scan.username)
    const compiled = combine(scan, compileProfile(scan, worker.tools), own)
    worker.finish(indexes[at]!, compiled, { scan, since })
  })
}

/** What this thread drew and what the others did; or the first failure of them, and then nothing more is drawn. */
const together = async <Mine, Others>(
  task: Task,
  mine: Promise<Mine>,
  others: Promise<Others>,
): Promise<[Mine, Others]> => {
  try {
    return await Promise.all([mine, others])
  } catch (error) {
    stopDrawing(task)
    await mine.catch(() => {}) // it still writes into the stage
    throw error
  }
}

const slicesOf = ({ stats: _, ...scan }: Scan): Slice[] =>
  Array.from({ length: Math.ceil(scan.shots.length / sliceSize) }, (_, part) => ({
    scan,
    from: part * sliceSize,
    to: Math.min((part + 1) * sliceSize, scan.shots.length),
  }))

/** Shots that a thread draws at a time. */
const sliceSize = 250

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
