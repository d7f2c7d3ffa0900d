import { hash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder, makeRoot, type Spot } from '../files/folder.ts'
import { isRunning, remove, removeEmpty, writeNew } from '../files/write.ts'
import { mayPass, UserError } from '../problems/user-error.ts'
import { besideOf } from './folders.ts'

export type LockOptions = {
  /** Called once if another process has the lock. */
  readonly onWait: () => void
  /** Where the lock file is if none can be made beside the snapshot. */
  readonly own?: Spot
}

/**
 * Keeps other builds on this machine out of a snapshot's folder, until the returned function is called or the process
 * ends. Processes on other machines and in other containers are not kept out.
 *
 * Each process makes a file that names it, then looks for others. It has the lock if no other file there is of a process
 * that lives. Of two that come at once, the later one finds the file of the first, so they never both have it. A file
 * whose process is dead is removed by whoever finds it: nobody else uses its name.
 */
export const lock = async (out: string, { onWait, own }: LockOptions): Promise<() => void> => {
  const deadline = Date.now() + longestWaitMs
  let isWaiting = false
  for (let vanished = 0; vanished < 20; ) {
    const held = take(besideOf(out)) ?? (own && take(own))
    if (held === undefined) break
    if ('leave' in held) return held.leave
    if (Date.now() > deadline) {
      throw new UserError(`another build has been writing ${out} for ten minutes`, {
        hint: `wait for it or stop it, then run again; if there is none, remove ${held.file}`,
      })
    }
    // a build that ended removed the folder meanwhile: then nobody is waited for
    if (held.file === '') vanished++
    else if (!isWaiting) {
      isWaiting = true
      onWait()
    }
    // two that found each other try again at different times
    await sleep(25 + Math.random() * 50)
  }
  return () => {} // whoever writes next says what is wrong there
}

const longestWaitMs = 600_000

/** The function that gives the lock back, or the file of the process that has it; `undefined`: no file can be made there. */
const take = (spot: Spot): { readonly leave: () => void } | { readonly file: string } | undefined => {
  const name = `lock-${machine()}-${process.pid}-${randomUUID().slice(0, 8)}`
  const file = path.join(spot.root, spot.below, name)
  const leave = (): void => {
    process.off('exit', leave)
    ours.delete(file)
    removeLock(spot, name)
  }
  try {
    makeRoot(spot.root)
    const folder = makeFolder(spot.root, spot.below)
    ours.add(file)
    process.on('exit', leave)
    writeNew(folder, name, () => {})
    const other = fs.readdirSync(folder).find((one) => one !== name && isHeld(folder, one))
    if (other === undefined) return { leave }
    leave()
    return { file: path.join(folder, other) }
  } catch (error) {
    leave()
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { file: '' }
    // a build says so itself
    if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code)) return undefined
    throw error
  }
}

/** Lock files of this process: a file of an earlier process with the same number is not among them. */
const ours = new Set<string>()

/** Whether a name is that of a lock file whose process lives. Removes the file if it doesn't. */
const isHeld = (folder: string, name: string): boolean => {
  const [, host, pid] = /^lock-([0-9a-f]{8})-([0-9]+)-[0-9a-f]{8}$/.exec(name) ?? []
  if (pid === undefined) return false
  const file = path.join(folder, name)
  const lives = host === machine() && (Number(pid) === process.pid ? ours.has(file) : isRunning(Number(pid)))
  if (!lives) remove(folder, name)
  return lives
}

/** So that a lock file that comes with a cache from elsewhere holds up nobody. */
const machine = (): string => hash('sha1', os.hostname()).slice(0, 8)

/** Removes a lock file, and our folders if nothing is in them. What is left keeps nobody waiting. */
const removeLock = ({ root, below }: Spot, name: string): void => {
  try {
    remove(root, `${below}/${name}`)
    removeEmpty(root, below)
  } catch (error) {
    if (!mayPass(error)) throw error
  }
}
