import { parentPort } from 'node:worker_threads'
import { galleryOf } from '../gallery/product.ts'
import { drawMembers, type Task } from '../snapshot/members.ts'
import { snapshotOf } from '../snapshot/product.ts'

const makers = { snapshot: snapshotOf, gallery: galleryOf }

parentPort?.on('message', async (task: Task) => {
  const { product, site } = task
  const made = product && site && makers[product.name](site, product.about as never)
  parentPort?.postMessage(await drawMembers(task, made))
})
