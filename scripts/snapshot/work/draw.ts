import type { MemberWorker } from './member-worker.ts'
import { control, type Task } from './task.ts'

/** Every thread, the main one too, draws members from a shared counter until none is left. */
export const drawMembers = async (
  worker: MemberWorker,
  { members, control: counters }: Task,
  onBatch?: (done: number) => void,
): Promise<void> => {
  let turned = performance.now()
  for (;;) {
    const from = Atomics.add(counters, control.next, batch)
    if (from >= members.length) return
    const to = Math.min(from + batch, members.length)
    for (let index = from; index < to; index++) worker.process(index)
    onBatch?.(Atomics.add(counters, control.done, to - from) + to - from)
    if (performance.now() - turned < longestTurn) continue
    // signals and messages of other threads are handled now
    await new Promise((resolve) => setImmediate(resolve))
    turned = performance.now()
  }
}

/** Members that are drawn at a time. */
const batch = 16

/** Milliseconds. */
const longestTurn = 100

/** Leaves nothing to draw for any thread. */
export const stopDrawing = ({ control: counters }: Task): void => {
  Atomics.store(counters, control.next, 2 ** 30)
}
