import os from 'node:os'
import { Worker } from 'node:worker_threads'
import { UserError } from '../../problems/user-error.ts'
import { copy } from '../state/copy.ts'
import { stopDrawing } from './draw.ts'
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

/**
 * Room for young objects, in MiB. What is made for a member is garbage after it, so more room would be filled with that
 * alone; a build of many members would take 25 MB more, and not be faster.
 */
const maxYoungGenerationSizeMb = 12

/** Threads besides the one that starts them. */
export type Threads = {
  /** What they did of the task. */
  readonly parts: Promise<readonly Part[]>
  readonly end: () => Promise<void>
}

/** Has threads process what is left of a task. If one of them fails, no thread draws more. */
export const startThreads = (count: number, task: Task): Threads => {
  const threads = Array.from({ length: count }, () => startThread(task))
  const parts = Promise.all(threads.map(({ part }) => part))
  parts.catch(() => stopDrawing(task)) // whoever awaits it gets the error; if nobody does, nothing is lost
  return {
    parts,
    end: async () => {
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}

const startThread = (task: Task) => {
  const worker = new Worker(copy?.worker ?? new URL('./start-worker.cjs', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb },
  })
  worker.postMessage(task)
  const part = new Promise<Part>((resolve, reject) => {
    worker.once('message', (answer: Part | Refusal) =>
      'refused' in answer ? reject(toUserError(answer)) : resolve(answer),
    )
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a thread ended with ${code} before it had answered`)))
  })
  return { part, end: () => worker.terminate() }
}

/** What this thread has done so far, and what is left for all of them. */
export type Progress = {
  /** Members. */
  readonly done: number
  readonly left: number
  /** What was done, in the effort that it takes to compile a member. */
  readonly effort: number
}

/** How many threads besides this one are worth their start. */
export const threadCount = ({ done, left, effort }: Progress): number =>
  (effort / done) * left < worthAThread ? 0 : Math.min(os.availableParallelism(), mostThreads) - 1

/**
 * Members to compile. A second thread starts anew and has V8 optimize the same code again: at 1,000 × 20 that adds a
 * quarter to the processor time of a cold build, for a tenth less time on two processors that share a core.
 */
export const worthAThread = 1000

/** More of them wait for the disk rather than work. */
const mostThreads = 4
