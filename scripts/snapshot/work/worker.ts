import { parentPort } from 'node:worker_threads'
import { UserError } from '../../problems/user-error.ts'
import { drawMembers } from './draw.ts'
import { createMemberWorker } from './member-worker.ts'
import type { Task } from './task.ts'
import { toRefusal } from './threads.ts'

parentPort!.on('message', async (task: Task) => {
  try {
    const worker = createMemberWorker(task)
    await drawMembers(worker, task)
    const part = worker.part()
    // entries change hands without being copied
    parentPort!.postMessage(
      part,
      part.made.blocks.map(({ buffer }) => buffer),
    )
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    parentPort!.postMessage(toRefusal(error))
  }
})
