import { hash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ContentFolder, contentFolder, names } from '../content/layout.ts'
import { once } from '../content/once.ts'
import { withGroups } from '../content/read/open.ts'
import {
  findEntry,
  findFolder,
  lstatOf,
  makeFolder,
  makeRoot,
  realPath,
  type Spot,
  statOf,
} from '../files/folder.ts'
import {
  isRunning,
  remove,
  removeEmpty,
  removeIfEmpty,
  replaceFile,
  writeNew,
} from '../files/write.ts'
import { codeOf, mayPass, UserError } from '../problems/diagnostic.ts'
import { quote, quotePath } from '../text/printable.ts'

/** Where a build works. */
export type Folders = SnapshotFolders & { readonly content: ContentFolder }

export type SnapshotFolders = {
  /** What the command line calls the folder, where that is a link to it; else `''`. */
  readonly link: string
  /** The snapshot; links resolved. Trusted, as the command line names it. */
  readonly out: string
  /**
   * What the build needs for itself: it may be deleted at the cost of time only. The root is
   * trusted; the folder below it may not be there yet, and no link on the way to it is
   * followed.
   */
  readonly own: Spot
}

/** Name of the folder, beside the snapshot, that holds what builds leave for each other. */
const ownFolder = '.shotpress'

/** As on the command line. */
export type FolderNames = {
  readonly content: string
  readonly out: string
  /** Holds a folder for each snapshot's state. Default: `.shotpress` beside the snapshot. */
  readonly state?: string | undefined
}

/** Finds the folders that the command line names, and refuses those that a build must not touch. */
export const resolveFolders = ({ out, state, ...names }: FolderNames): Folders => {
  const folders = findFolders({ out, state, ...names })
  const inside = findRealPath(folders.content.path)
  if (overlap(folders.out, inside)) throw unfit(out, 'it and the content folder overlap')
  if (overlap(inside, placeOf(folders))) throw misplaced(state)
  return folders
}

/** The same for commands that write nothing there. */
export const findFolders = ({ content, ...names }: FolderNames): Folders => ({
  content: resolveContent(content),
  ...resolveSnapshot(names),
})

/** The same of the snapshot's alone. */
export const resolveSnapshot = ({
  out,
  state,
}: Omit<FolderNames, 'content'>): SnapshotFolders => {
  const target = findRealPath(path.resolve(out))
  const name = path.basename(target)
  if (name === ownFolder) throw unfit(out, 'builds keep their own files there')
  const own =
    state === undefined
      ? besideOf(target)
      : { root: findRealPath(path.resolve(state)), below: name }
  if (overlap(target, placeOf({ own }))) throw misplaced(state)
  const isLink = lstatOf(path.resolve(out))?.isSymbolicLink()
  return { out: target, own, link: isLink ? out : '' }
}

/**
 * Refuses a link to a folder that we have not written: a branch can bring the link, and it
 * may lead anywhere. `what` is what the folder would hold.
 */
export const refuseLink = ({ out, link }: SnapshotFolders, what: string): void => {
  if (link === '') return
  throw new UserError(`${quote(link)} is a link to a folder that holds no ${what}`, {
    hint: `remove the link; if you made it yourself, name the folder: --out ${quote(out)}`,
  })
}

/** Where builds keep what they need, if the command line names no other place. */
export const besideOf = (out: string): Spot => ({
  root: path.dirname(out),
  below: `${ownFolder}/${path.basename(out)}`,
})

const placeOf = ({ own: { root, below } }: Pick<SnapshotFolders, 'own'>): string =>
  path.join(root, below)

/** Whether builds keep what they need elsewhere, in a folder that snapshots of one name share. */
export const isElsewhere = ({ out, own }: SnapshotFolders): boolean =>
  placeOf({ own }) !== placeOf({ own: besideOf(out) })

const unfit = (out: string, why: string): UserError =>
  new UserError(`--out can't be "${out}": ${why}`, { hint: 'give it a folder of its own' })

const misplaced = (state = ownFolder): UserError =>
  new UserError(
    `state can't be kept in "${state}": it would overlap the snapshot or the content`,
    {
      hint: 'give --state a folder of its own, such as .shotpress',
    },
  )

/** What the build needs for itself, if it is there. */
export const findOwnFolder = ({
  own: { root, below },
}: SnapshotFolders): string | undefined => findFolder(root, below)

/** Makes a folder of ours below a trusted one, which git ignores from then on. */
export const makeIgnored = (own: Spot): string => {
  makeRoot(own.root)
  const folder = makeFolder(own.root, own.below)
  const ignoring = `${firstOf(own)}/.gitignore`
  // two builds of two snapshots may both make it
  if (findEntry(own.root, ignoring) === undefined) replaceFile(own.root, ignoring, '*\n')
  return folder
}

const firstOf = ({ below }: Spot): string => below.replace(/\/.*/, '')

/**
 * Removes a folder of ours, and those above it, where nothing is in them but what says that
 * git ignores them.
 */
const removeUnused = (own: Spot): void => {
  removeEmpty(own.root, own.below)
  const first = findFolder(own.root, firstOf(own))
  if (first === undefined || fs.readdirSync(first).join() !== '.gitignore') return
  remove(first, '.gitignore')
  removeIfEmpty(own.root, firstOf(own)) // a build that has begun meanwhile keeps what it made there
}

/** The content folder that the command line names. */
export const resolveContent = (name: string, option = '--content'): ContentFolder => {
  const stat = statOf(name)
  const isFolder = stat?.isDirectory() === true
  const isLikely = holdsSite(name) || fs.existsSync(path.join(name, names.members))
  const meant = isFolder && isLikely ? undefined : contentNear(name)
  // what is wrong with a folder that holds nothing of a site is told at its place
  if (isFolder && meant === undefined) return withGroups(contentFolder(name))
  const isOther = isFolder ? 'not the content folder' : 'not a folder'
  throw new UserError(
    stat ? `${quote(name)} is ${isOther}` : `there is no folder ${quote(name)}`,
    {
      hint: meant
        ? `name the one that was meant: ${option} ${quotePath(meant)}`
        : `name the content folder with ${option} DIR`,
    },
  )
}

const holdsSite = (folder: string): boolean =>
  ['yaml', 'yml'].some((ending) =>
    fs.existsSync(path.join(folder, `${names.site}.${ending}`)),
  )

/**
 * The content folder that a path leads into; else the only one in the folder, or beside what
 * is not there.
 */
const contentNear = (name: string): string | undefined => {
  const above = ['..', '../..', '../../..', '../../../..'].map((up) => path.join(name, up))
  const folder = fs.existsSync(name) ? name : path.dirname(name)
  const isFolder = statOf(folder)?.isDirectory()
  const inside = isFolder ? fs.readdirSync(folder).map((one) => path.join(folder, one)) : []
  const [found, other] = inside.filter(holdsSite)
  return above.find(holdsSite) ?? (other === undefined ? found : undefined)
}

/** Whether one of two folders is the other, or holds it. */
export const overlap = (a: string, b: string): boolean => {
  const ways = [path.relative(a, b), path.relative(b, a)]
  return ways.some(
    (way) => way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way),
  )
}

/** The path with the links in it resolved, as far as it exists. */
export const findRealPath = (file: string): string => {
  try {
    return realPath(file)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return path.join(findRealPath(path.dirname(file)), path.basename(file))
  }
}

/**
 * Keeps other builds on this machine out of a snapshot's folder, until the returned function
 * is called or the process ends. Processes on other machines and in other containers are not
 * kept out, nor are any where no lock file can be made beside the snapshot. `onWait` is
 * called once if another process has the lock.
 *
 * Each process makes a file that names it, then looks for others. It has the lock if no other
 * file there is of a process that lives. Of two that come at once, the later one finds the
 * file of the first, so they never both have it. A file whose process is dead is removed by
 * whoever finds it: nobody else uses its name.
 */
export const lock = async (
  out: string,
  { onWait, spot = besideOf(out) }: LockOptions,
): Promise<() => void> => {
  const deadline = Date.now() + longestWaitMs
  const tell = once(onWait)
  for (let vanished = 0; vanished < 20; ) {
    const held = take(spot)
    if (typeof held === 'function') return held
    if (Date.now() > deadline) {
      throw new UserError(`another build has been writing ${out} for ten minutes`, {
        hint: `wait for it or stop it, then run again; if there is none, remove ${held}`,
      })
    }
    // a build that ended removed the folder meanwhile: then nobody is waited for
    if (held === '') vanished++
    else tell()
    // two that found each other try again at different times
    await sleep(25 + Math.random() * 50)
  }
  return noLock
}

type LockOptions = {
  readonly onWait: () => void
  /** Where the lock files are; default: beside the snapshot. */
  readonly spot?: Spot
}

const longestWaitMs = 600_000

/** Does something with the lock, and gives it back, also if that fails. */
export const inLock = async <T>(
  out: string,
  options: LockOptions,
  work: () => T | Promise<T>,
): Promise<T> => {
  const unlock = await lock(out, options)
  try {
    return await work()
  } finally {
    unlock()
  }
}

/** Whoever writes next says what is wrong there. */
const noLock = (): void => {}

/**
 * The function that gives the lock back; or the file of the process that has it, `''` if the
 * folder was removed meanwhile.
 */
const take = (spot: Spot): (() => void) | string => {
  const name = `lock-${machine()}-${process.pid}-${randomUUID().slice(0, 8)}`
  const file = path.join(spot.root, spot.below, name)
  const leave = (): void => {
    process.off('exit', leave)
    ours.delete(file)
    try {
      remove(spot.root, `${spot.below}/${name}`)
      removeUnused(spot)
    } catch (error) {
      // what is left keeps nobody waiting
      if (!mayPass(error)) throw error
    }
  }
  ours.add(file)
  process.on('exit', leave)
  try {
    makeRoot(spot.root)
    const folder = makeFolder(spot.root, spot.below)
    writeNew(folder, name, '')
    const other = fs.readdirSync(folder).find((one) => one !== name && isHeld(folder, one))
    if (other === undefined) return leave
    leave()
    return path.join(folder, other)
  } catch (error) {
    leave()
    const code = codeOf(error)
    // a folder that stood there, or was made, was removed before the next step
    if (code === 'ENOENT' || code === 'EEXIST') return ''
    if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code)) return noLock
    throw error
  }
}

/**
 * Lock files of this process: a file of an earlier process with the same number is not among
 * them.
 */
const ours = new Set<string>()

/** Whether a name is that of a lock file whose process lives. Removes the file if it doesn't. */
const isHeld = (folder: string, name: string): boolean => {
  const [, host, pid] = /^lock-([0-9a-f]{8})-([0-9]+)-[0-9a-f]{8}$/.exec(name) ?? []
  if (pid === undefined) return false
  const isOwn = Number(pid) === process.pid
  const lives = isOwn ? ours.has(path.join(folder, name)) : isRunning(Number(pid))
  if (host === machine() && lives) return true
  remove(folder, name)
  return false
}

/** So that a lock file that comes with a cache from elsewhere holds up nobody. */
const machine = (): string => hash('sha1', os.hostname()).slice(0, 8)
