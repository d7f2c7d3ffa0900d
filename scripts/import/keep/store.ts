import { hash } from 'node:crypto'
import path from 'node:path'
import { UserError } from '../../diagnostics/user-error.ts'
import { createFolderOf, makeFolder, makeRoot } from '../../files/folder.ts'
import { readFile } from '../../files/open.ts'
import { replaceFile, writeNew } from '../../files/write.ts'
import { type Log, openLog } from './log.ts'

/** Raw bodies by their sha256, and how each member's addresses answered last; see docs/import.md. */
export type Store = Log & {
  /** The bytes of a body; `undefined` if they are missing, or have changed. */
  readonly body: (name: string) => Uint8Array | undefined
  readonly hasBody: (name: string) => boolean
  /** Keeps a body, and says its name. */
  readonly putBody: (bytes: Uint8Array) => string
}

/** The most bytes of a body that are read; content takes 1 MiB a file. */
export const bodyLimit = 8 << 20

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

/** Opens the store in a trusted folder. What different servers said is kept apart, but for equal bodies. */
export const openStore = (root: string, server: string): Store => {
  const log = openLog(root, `servers/${hash('sha256', server).slice(0, 16)}.jsonl`)
  const toRead = createFolderOf(root, { make: false })
  const toWrite = createFolderOf(root, { make: true })
  const fileOf = (name: string) => `bodies/${name.slice(0, 2)}/${name}`
  const body = (name: string): Uint8Array | undefined => {
    const folder = isName(name) ? toRead(fileOf(name)) : undefined
    const bytes = folder === undefined ? undefined : readFile(folder, name, { limit: bodyLimit })
    return bytes !== undefined && hash('sha256', bytes) === name ? bytes : undefined
  }
  return {
    ...log,
    body,
    hasBody: (name) => body(name) !== undefined,
    putBody: (bytes) => {
      const name = hash('sha256', bytes)
      putWhole(toWrite(fileOf(name))!, name, bytes)
      return name
    },
  }
}

/** A kill leaves half a body, which no answer names yet and whose hash is not its name: the next run writes it again. */
const putWhole = (folder: string, name: string, bytes: Uint8Array): void => {
  try {
    writeNew(folder, name, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const kept = readFile(folder, name, { limit: bodyLimit })
    if (kept === undefined || !kept.equals(bytes)) replaceFile(folder, name, bytes)
  }
}

const isName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name)
