import { parentPort, workerData } from 'node:worker_threads'
import { galleryOf } from '../gallery/product.ts'
import { drawMembers, type Task } from '../snapshot/members.ts'
import { snapshotOf } from '../snapshot/product.ts'

const makers = { snapshot: snapshotOf, gallery: galleryOf }
const task: Task = workerData
const { product, site } = task
void drawMembers(task, {
  product: product && site && makers[product.name](site, product.about as never),
  // as text, in which short words that repeat are one
  onFound: (found) => parentPort?.postMessage(JSON.stringify(found)),
})
