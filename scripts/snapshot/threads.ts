import os from 'node:os'
import { Worker } from 'node:worker_threads'
import { UserError } from '../problems/user-error.ts'
import { drawMembers, type Part, stopDrawing, type Task } from './members.ts'
import { copy } from './state.ts'

/**
 * Processes every member, in this thread, and in others too once enough is left to do. `onProgress` gets how many are
 * done.
 */
export const compileMembers = async (
  task: Task,
  onProgress: (done: number) => void,
): Promise<readonly Part[]> => {
  let others: Threads | undefined
  try {
    const own = await drawMembers(task, (done, effort) => {
      onProgress(done)
      const left = (effort / done) * (task.members.length - done)
      if (others === undefined && left >= worthAThread && mostThreads() > 1)
        others = startThreads(mostThreads() - 1, task)
    })
    return [own, ...((await others?.parts) ?? [])]
  } finally {
    stopDrawing(task)
    await others?.end()
  }
}

/**
 * Members to compile. A second thread starts anew and has V8 optimize the same code again: at 1,000 × 20 that adds a
 * quarter to the processor time of a cold build, for a tenth less time on two processors that share a core.
 */
export const worthAThread = 1000

/** More than four wait for the disk rather than work. */
const mostThreads = (): number => Math.min(os.availableParallelism(), 4)

/** Threads besides the one that starts them. */
type Threads = {
  /** What they did of the task. */
  readonly parts: Promise<readonly Part[]>
  readonly end: () => Promise<void>
}

/** Has threads process what is left of a task. If one of them fails, no thread draws more. */
export const startThreads = (count: number, task: Task): Threads => {
  const threads = Array.from({ length: count }, () => startThread(task))
  const parts = Promise.all(threads.map(({ part }) => part)).then((list) =>
    list.filter((part) => part !== undefined),
  )
  parts.catch(() => stopDrawing(task)) // whoever awaits it gets the error; if nobody does, nothing is lost
  return {
    parts,
    end: async () => {
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}

/** What is made for a member is garbage after it: with more room, a build would take 25 MB more, and not be faster. */
const maxYoungGenerationSizeMb = 12

const startThread = (task: Task) => {
  const worker = new Worker(copy?.worker ?? new URL('./start-worker.cjs', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb },
  })
  worker.postMessage(task)
  const part = new Promise<Part | undefined>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', (error: NodeJS.ErrnoException) => {
      // the system had no room for it: the other threads do its work
      if (noRoom.includes(error.code ?? '')) resolve(undefined)
      else reject(asThrown(error))
    })
    worker.once('exit', (code) => reject(new Error(`a thread ended with ${code} before it had answered`)))
  })
  return { part, end: () => worker.terminate() }
}

/** Error codes of a thread that could not begin. */
const noRoom = ['ERR_WORKER_INIT_FAILED', 'EAGAIN']

/** An error keeps all but its class on the way from a thread. */
const asThrown = (error: Error & { readonly hint?: string }): Error => {
  const { name, message, hint, cause } = error
  return name === 'UserError' ? new UserError(message, { ...(hint !== undefined && { hint }), cause }) : error
}
