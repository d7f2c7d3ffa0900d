import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { makeFolder, makeRoot } from '../../files/folder.ts'
import { remove, removeIfEmpty } from '../../files/remove.ts'
import { rename } from '../../files/rename.ts'
import { mayPass } from '../../problems/user-error.ts'
import { ownFolder } from '../state/folders.ts'

/**
 * What came of an attempt to hold a snapshot: the function that ends it; `taken` if another process holds it, or was about
 * to; `unable` if this file system or this user's rights don't allow it.
 */
export type Attempt = (() => void) | 'taken' | 'unable'

/**
 * Tries to hold a snapshot by a socket in a folder of ours, where no other user can make one. The system closes a socket
 * when its process dies, however it dies; what is left is a file at which nobody answers.
 *
 * Each process has a socket with a name that is never used again. It shows it, then knocks at all others, and holds the
 * snapshot if none answers. Of two that do so at once, the one that showed its socket later finds the other, so never do
 * both hold it. A socket at which nobody answers is dead for good, and may be removed by anybody at any time.
 */
export const holdByFolder = async (out: string): Promise<Attempt> => {
  const place = makePlace(out)
  if (typeof place === 'string') return place
  const name = randomBytes(8).toString('hex')
  const leave = (): void => {
    process.off('exit', leave)
    for (const step of [() => place.remove(name), () => place.remove(unseen(name)), place.end]) tolerate(step)
  }
  process.on('exit', leave)
  let server: net.Server | undefined
  try {
    server = await show(place, name)
  } catch (error) {
    const gone = place.isGone()
    leave()
    const { code = '' } = error as NodeJS.ErrnoException
    // the folder was removed meanwhile (which libuv tells as EACCES), or a socket at which nobody answered yet
    if (gone || code === 'ENOENT') return 'taken'
    if (noSockets.includes(code)) return 'unable'
    throw error
  }
  if (server === undefined) {
    leave()
    return 'taken'
  }
  return () => {
    // first, so that nobody answers even if the file can't be removed
    server.close()
    leave()
  }
}

/** Tidies up where that can be done: what is left may not be ours by now, and keeps nobody waiting. */
const tolerate = (step: () => void): void => {
  try {
    step()
  } catch (error) {
    if (!mayPass(error)) throw error
  }
}

/** Shows a socket, unless somebody else's answers. */
const show = async (place: Place, name: string): Promise<net.Server | undefined> => {
  // a process that waits shows nothing, so those who wait don't stop each other
  if (await isHeld(place, name)) return undefined
  const server = await listen(place.at(unseen(name)))
  try {
    rename(place.at(unseen(name)), place.at(name))
    if (!(await isHeld(place, name))) return server
  } catch (error) {
    server.close()
    throw error
  }
  server.close()
  return undefined
}

/** The name of a socket before it is shown. */
const unseen = (name: string): string => name + unseenEnding

const unseenEnding = '.new'

/** Error codes that say that no socket can ever be made there. */
const noSockets = ['EACCES', 'EPERM', 'EROFS', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'ENAMETOOLONG']

type Place = {
  readonly names: () => readonly string[]
  /** A path of a file in it, short enough for a socket. */
  readonly at: (name: string) => string
  readonly remove: (name: string) => void
  /** Whether the folder was removed, by a process that had no more use for it. */
  readonly isGone: () => boolean
  /** Removes the folders that nobody uses any more. */
  readonly end: () => void
}

/** The folder of sockets: beside the snapshot, wherever its state is kept, so that all who write it meet there. */
const makePlace = (out: string): Place | 'taken' | 'unable' => {
  const root = path.dirname(out)
  const below = `${ownFolder}/${path.basename(out)}/lock`
  const missing = missingFolders(root)
  const end = (): void => {
    try {
      for (const folder of [below, path.posix.dirname(below), ownFolder]) removeIfEmpty(root, folder)
      for (const folder of missing) removeIfEmpty(path.dirname(folder), path.basename(folder))
    } catch (error) {
      // of another user: it may stay
      if (!noFolder.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  try {
    makeParent(root)
    const folder = makeFolder(root, below)
    const opened = fs.openSync(folder, 'r')
    const ways = [`/proc/self/fd/${opened}`, path.relative('', folder), folder]
    const base = ways.find((way) => fs.existsSync(way) && Buffer.byteLength(way) <= longestBase)
    if (base === undefined) {
      fs.closeSync(opened)
      end()
      return 'unable'
    }
    return {
      isGone: () => fs.lstatSync(folder, { throwIfNoEntry: false })?.ino !== fs.fstatSync(opened).ino,
      names: () => fs.readdirSync(base),
      at: (name: string) => `${base}/${name}`,
      remove: (name: string) => remove(folder, name),
      end: () => {
        fs.closeSync(opened)
        end()
      },
    }
  } catch (error) {
    end()
    const { code = '' } = error as NodeJS.ErrnoException
    // a process that had no more use for a folder removed it meanwhile
    if (code === 'ENOENT') return 'taken'
    if (noFolder.includes(code)) return 'unable'
    throw error
  }
}

/**
 * Makes the folder that holds the snapshot, again if another process removes it meanwhile. Where none can ever be made,
 * as below /proc, the error is EACCES.
 */
const makeParent = (folder: string): void => {
  for (let tries = 1; ; tries++) {
    try {
      makeRoot(folder)
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT') throw error
      if (tries === 5)
        throw Object.assign(new Error(`no folder can be made at ${folder}`), { code: 'EACCES' })
    }
  }
}

/**
 * Bytes; they leave room for a name. A path beyond the limit of the system, 103 on macOS and 107 on Linux, would be cut
 * off, and the socket made elsewhere.
 */
const longestBase = 80

/** Error codes where a folder can't be made; a build says so itself. */
const noFolder = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']

/** The folders of a path that are not there, the innermost first. */
const missingFolders = (folder: string): readonly string[] =>
  fs.existsSync(folder) ? [] : [folder, ...missingFolders(path.dirname(folder))]

/** Whether a process other than the one of that name holds the place, or is about to. Removes what dead ones left. */
const isHeld = async ({ names, at, remove }: Place, own: string): Promise<boolean> => {
  for (const name of names()) {
    if (name === own) continue
    // a link could lead to a socket of somebody else's
    const isSocket = fs.lstatSync(at(name), { throwIfNoEntry: false })?.isSocket()
    if (isSocket && (await answers(at(name)))) {
      if (!name.endsWith(unseenEnding)) return true
    } else remove(name)
  }
  return false
}

const answers = (file: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(file, () => {
      socket.destroy()
      resolve(true)
    })
    // any other error, such as that of a full queue, comes from one that is alive
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
      resolve(!['ECONNREFUSED', 'ENOENT'].includes(code)),
    )
  })

const listen = (file: string): Promise<net.Server> =>
  new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy())
    server.on('error', reject)
    // whoever sees it may knock: else nobody could tell whether another user's is dead
    server.listen({ path: file, writableAll: true }, () => resolve(server.unref()))
  })
