import { UserError } from '../problems/user-error.ts'
import { readLines, readSums, type SumsFile } from '../sums/read.ts'
import type { Touch } from './compare.ts'
import { deployFolder } from './store/store.ts'

/** Name of the file at the remote that says that a deployment is under way, or was broken off. */
export const markerFile = '.shotpress-deploy'

const title = '# shotpress deployment '
const shardsLine = `# the deployments of shards are in ${deployFolder}`
const endLine = '# end'

/** Stands for the sha256 of a file that will be removed, or of which nothing is known. */
export const noDigest = '0'.repeat(64)

/** The lines of a marker: the changes between its head and its end, as in SHA256SUMS. */
export const markerHead = (id: string, { shards }: { readonly shards: boolean }): string =>
  `${title}${id}\n${shards ? `${shardsLine}\n` : ''}`
export const markerEnd = `${endLine}\n`

/** What a marker says besides its changes. */
export type Marker = {
  readonly id: string
  /** Whether deployments of shards left markers of their own. */
  readonly shards: boolean
  /** Whether it is known to be whole. If not, anything may have been changed. */
  readonly whole: boolean
}

/** Reads a marker; `undefined` if there is none. One that is none of ours is not whole. */
export const readMarker = (file: SumsFile): Marker | undefined => {
  let [id, shards, last] = ['', false, undefined as string | undefined]
  try {
    for (const line of readLines(file.root, file.below)) {
      if (line.startsWith(title)) id = line.slice(title.length)
      if (line === shardsLine) shards = true
      last = line
    }
    for (const _ of readSums(file));
  } catch (error) {
    if (error instanceof UserError) return { id, shards, whole: false }
    throw error
  }
  return last === undefined ? undefined : { id, shards, whole: id !== '' && last === endLine }
}

/** The changes of a marker. */
export function* readTouches(
  file: SumsFile,
  about: { readonly order: number; readonly done: boolean },
): Generator<Touch> {
  for (const sum of readSums(file)) yield { ...sum, ...about }
}

/** Name of a shard's marker in its folder; a later deployment has the higher order. */
export const shardMarkerName = (order: number, id: string): string => `${order}-${id}`
export const doneSuffix = '.done'

/** The order of a shard's marker, from its name; `undefined` if it is the name of something else. */
export const orderOf = (name: string): number | undefined => {
  const [, order] = /^([1-9][0-9]{0,8})-[0-9a-f-]+$/.exec(name) ?? []
  return order === undefined ? undefined : Number(order)
}
