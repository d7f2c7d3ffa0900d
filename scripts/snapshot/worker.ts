import { parentPort, workerData } from 'node:worker_threads'
import { drawMembers, drawSlices } from './draw.ts'
import { createMemberWorker } from './member-worker.ts'
import type { Task } from './task.ts'
import type { Question } from './threads.ts'

const task: Task = workerData
const worker = createMemberWorker(task)
parentPort!.on('message', (question: Question) => {
  switch (question.kind) {
    case 'members':
      drawMembers(worker, task)
      return parentPort!.postMessage(worker.part())
    case 'slices':
      return parentPort!.postMessage(drawSlices(worker, task, question.slices))
    default:
      question satisfies never
  }
})
