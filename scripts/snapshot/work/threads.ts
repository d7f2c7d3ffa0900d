import os from 'node:os'
import { Worker } from 'node:worker_threads'
import { UserError } from '../../diagnostics/user-error.ts'
import { copy } from '../state/copy.ts'
import type { Part, Task } from './task.ts'

/** What a thread sends when the system refuses it something; an error would lose its kind on the way. */
export type Refusal = {
  readonly refused: string
  readonly hint: string | undefined
  /** What the system said; see ErrnoException. */
  readonly cause: Pick<NodeJS.ErrnoException, 'code' | 'syscall' | 'path'> | undefined
}

export const toRefusal = ({ message, hint, cause }: UserError): Refusal => {
  const { code, syscall, path } = (cause ?? {}) as NodeJS.ErrnoException
  return {
    refused: message,
    hint,
    cause: code === undefined ? undefined : { code, ...(syscall && { syscall }), ...(path && { path }) },
  }
}

const toUserError = ({ refused, hint, cause }: Refusal): UserError =>
  new UserError(refused, { ...(hint !== undefined && { hint }), cause })

/** The threads besides the one that asks. */
export type Threads = {
  /** What they did of a task. */
  readonly ask: (task: Task) => Promise<readonly Part[]>
  readonly end: () => Promise<void>
}

/**
 * Room for young objects, in MiB. What is made for a member is garbage after it, so more room would be filled with that
 * alone; a build of many members would take 25 MB more, and not be faster.
 */
const maxYoungGenerationSizeMb = 12

/** Starts threads; they live until `end`. */
export const startThreads = (count: number): Threads => {
  const threads = Array.from({ length: count }, startThread)
  return {
    ask: (task) => Promise.all(threads.map((thread) => thread.ask(task))),
    end: async () => {
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}

const startThread = () => {
  const worker = new Worker(copy?.worker ?? new URL('./start-worker.cjs', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb },
  })
  const gone = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a thread ended with ${code} before it had answered`)))
  })
  gone.catch(() => {}) // whoever awaits it gets the error; if nobody does, nothing is lost
  const ask = (task: Task): Promise<Part> => {
    const answered = new Promise<Part>((resolve, reject) => {
      worker.once('message', (answer: Part | Refusal) =>
        'refused' in answer ? reject(toUserError(answer)) : resolve(answer),
      )
      worker.postMessage(task)
    })
    return Promise.race([answered, gone])
  }
  return { ask, end: () => worker.terminate() }
}

/** How many threads besides the asking one are worth their start: none for a small site. */
export const threadCount = (members: number): number =>
  members < worthAThread ? 0 : Math.min(os.availableParallelism(), mostThreads) - 1

/**
 * Members. A second thread starts anew and has V8 optimize the same code again: at 400 × 20 that adds a third to the
 * processor time of a cold build, about what two processors that share a core gain over one.
 */
export const worthAThread = 500

/** More of them wait for the disk rather than work. */
const mostThreads = 4
