import { parentPort } from 'node:worker_threads'
import { mayPass } from '../problems/user-error.ts'
import { createMemberWorker, drawMembers, type Task } from './members.ts'
import { toRefusal } from './threads.ts'

parentPort!.on('message', async (task: Task) => {
  try {
    const worker = createMemberWorker(task)
    await drawMembers(worker, task)
    parentPort!.postMessage(worker.part())
  } catch (error) {
    if (!mayPass(error)) throw error
    parentPort!.postMessage(toRefusal(error))
  }
})
