import { parentPort } from 'node:worker_threads'
import { UserError } from '../../diagnostics/user-error.ts'
import { drawMembers, drawSlices } from './draw.ts'
import { createMemberWorker, type MemberWorker } from './member-worker.ts'
import type { Task } from './task.ts'
import { type Answer, type Question, toRefusal } from './threads.ts'

let work: { readonly task: Task; readonly worker: MemberWorker } | undefined

/** Questions come in order: the members of a task, then slices of the large ones among them. */
const answer = async (question: Question): Promise<Answer[Question['kind']]> => {
  switch (question.kind) {
    case 'members':
      work = { task: question.task, worker: createMemberWorker(question.task) }
      await drawMembers(work.worker, work.task)
      return work.worker.part()
    case 'slices':
      return drawSlices(work!.worker, work!.task, question.slices)
    default:
      return question satisfies never
  }
}

parentPort!.on('message', async (question: Question) => {
  try {
    const said = await answer(question)
    // entries change hands without being copied
    const moved = 'made' in said ? said.made.blocks.map(({ buffer }) => buffer) : []
    parentPort!.postMessage(said, moved)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    parentPort!.postMessage(toRefusal(error))
  }
})
