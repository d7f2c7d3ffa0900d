import { hash } from 'node:crypto'
import path from 'node:path'
import { makeFolder, makeRoot } from '../../files/folder.ts'
import { UserError } from '../../problems/user-error.ts'
import { type Bodies, openBodies } from './bodies.ts'
import { type Log, openLog, type Trusted } from './log.ts'

/** Raw bodies, and how each member's addresses answered last; see docs/import.md. */
export type Store = Log & Bodies

/**
 * Makes the folder of the store, and says where it is. A folder that the command line names is trusted; the one beside
 * the content is not, so a link on the way to it is refused.
 */
export const makeStoreFolder = (named: string | undefined, content: string): string => {
  if (named !== undefined) refuseInside(content, named)
  const root = named === undefined ? path.dirname(path.resolve(content)) : path.resolve(named)
  makeRoot(root)
  return named === undefined ? makeFolder(root, '.shotpress/import') : root
}

/** Bodies that lie in the content would be taken for content. */
const refuseInside = (content: string, named: string): void => {
  const way = path.relative(path.resolve(content), path.resolve(named))
  if (path.isAbsolute(way) || way === '..' || way.startsWith(`..${path.sep}`)) return
  throw new UserError(`state can't be kept in "${named}": that is in the content folder`, {
    hint: 'give --state a folder of its own, such as .shotpress/import',
  })
}

/** Opens the store in a trusted folder. What different servers said is kept apart, but for the bodies. */
export const openStore = (
  root: string,
  { server, trusted }: { readonly server: string; readonly trusted: Trusted },
): Store => {
  const log = openLog(root, `servers/${hash('sha256', server).slice(0, 16)}.jsonl`, trusted)
  const bodies = openBodies(root, 'bodies.bin')
  const close = (): void => {
    log.close()
    bodies.close()
  }
  return { ...log, ...bodies, close }
}
