import { parentPort } from 'node:worker_threads'
import { mayPass } from '../problems/user-error.ts'
import { drawMembers, type Task } from './members.ts'
import { toRefusal } from './threads.ts'

parentPort!.on('message', async (task: Task) => {
  try {
    parentPort!.postMessage(await drawMembers(task))
  } catch (error) {
    if (!mayPass(error)) throw error
    parentPort!.postMessage(toRefusal(error))
  }
})
