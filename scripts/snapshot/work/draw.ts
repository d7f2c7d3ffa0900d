import { compileProfile, compileShots, type ProfilePart } from '../member/compile.ts'
import type { MemberWorker } from './member-worker.ts'
import { control, type Task } from './task.ts'
import type { Answer, Slice } from './threads.ts'

/** Every thread, the main one too, draws work from a shared counter until none is left. */
export const drawMembers = (
  worker: MemberWorker,
  task: Task,
  onBatch?: (done: number) => void,
): Promise<void> => drawAll(task, task.members.length, { batch: 16, take: worker.process, onBatch })

/** The same for slices of large members. */
export const drawSlices = async (
  { tools }: MemberWorker,
  task: Task,
  slices: readonly Slice[],
): Promise<Answer['slices']> => {
  const profiles = new Map<string, ProfilePart>()
  const done: { number: number; part: Answer['slices'][number]['part'] }[] = []
  await drawAll(task, slices.length, {
    batch: 1,
    take: (number) => {
      const { scan, from, to } = slices[number]!
      const profile = profiles.get(scan.username) ?? compileProfile(scan, tools)
      profiles.set(scan.username, profile)
      done.push({ number, part: compileShots(scan, { from, to }, profile, tools) })
    },
  })
  return done
}

type Drawing = {
  readonly batch: number
  readonly take: (number: number) => void
  readonly onBatch?: ((done: number) => void) | undefined
}

const drawAll = async (
  { control: counters }: Task,
  count: number,
  { batch, take, onBatch }: Drawing,
): Promise<void> => {
  let turned = performance.now()
  for (;;) {
    const from = Atomics.add(counters, control.next, batch)
    if (from >= count) return
    const to = Math.min(from + batch, count)
    for (let number = from; number < to; number++) take(number)
    onBatch?.(Atomics.add(counters, control.done, to - from) + to - from)
    if (performance.now() - turned < longestTurn) continue
    // a signal, or another thread's failure, is heard now
    await new Promise((resolve) => setImmediate(resolve))
    turned = performance.now()
  }
}

/** Milliseconds. */
const longestTurn = 100

/** Leaves nothing to draw for any thread. */
export const stopDrawing = ({ control: counters }: Task): void => {
  Atomics.store(counters, control.next, 2 ** 30)
}
