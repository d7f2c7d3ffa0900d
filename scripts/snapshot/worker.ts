import { parentPort } from 'node:worker_threads'
import { drawMembers, type Task } from './members.ts'

parentPort!.on('message', async (task: Task) => parentPort!.postMessage(await drawMembers(task)))
