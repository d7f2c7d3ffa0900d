import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import { openFile } from '../../../files/open.ts'
import { statSize } from '../../state/entry.ts'
import { fingerprintStats } from '../../state/fingerprint.ts'
import { slotPath, slots } from '../../state/slots.ts'
import { listFolder } from './list-folder.ts'

/** What stands in the snapshot where a member's files belong, under one of its names. */
export type Audit = {
  /** sha256 of each file that is there, by slot number. */
  readonly digests: readonly (Buffer | undefined)[]
  /** Paths below the root of what is no file of a member: strangers, links, folders in the wrong place. */
  readonly strangers: readonly string[]
  /** As {@link fingerprintOutput} gives it for this name, from before they were read. */
  readonly stat: Uint8Array | undefined
}

/**
 * Reads all of a member's files in the snapshot and lists what else is there. Below `blocked` nothing is looked at:
 * a link there may lead out of the snapshot.
 */
export const auditMember = (
  root: string,
  username: string,
  { blocked, scratch }: { readonly blocked: readonly string[]; readonly scratch: Buffer },
): Audit => {
  const digests: (Buffer | undefined)[] = slots.map(() => undefined)
  const strangers: string[] = []
  const folderStats: fs.Stats[] = []
  const fileStats: fs.Stats[] = []
  const folders = outputFolders(username)
  const paths = slots.map((slot) => slotPath(slot, username))
  const visit = (folder: string): void => {
    const stat = fs.lstatSync(`${root}/${folder}`, { throwIfNoEntry: false })
    if (stat === undefined) return
    if (!stat.isDirectory()) {
      strangers.push(folder)
      return
    }
    folderStats[folders.indexOf(folder)] = stat
    for (const entry of listFolder(`${root}/${folder}`)) {
      const path = `${folder}/${entry.name}`
      const slot = paths.indexOf(path)
      if (slot !== -1 && entry.isFile()) {
        const file = hashFile(`${root}/${folder}`, entry.name, scratch)
        digests[slot] = file?.digest
        if (file !== undefined) fileStats[slot] = file.stat
      } else if (folders.includes(path)) visit(path)
      else strangers.push(path)
    }
  }
  for (const folder of folders) {
    if (folders.some((outer) => folder.startsWith(`${outer}/`))) continue // visited from there
    if (!blocked.some((path) => folder.startsWith(`${path}/`))) visit(folder)
  }
  // a folder that is missing leaves a hole
  const complete = Object.keys(folderStats).length === folders.length
  const stats = [...folderStats, ...fileStats.filter((stat) => stat !== undefined)]
  return { digests, strangers, stat: complete ? fingerprintStats([], stats) : undefined }
}

/**
 * Fingerprint of a member's files and folders in the snapshot, under each of its names; `undefined` if one is missing
 * or no plain file.
 */
export const fingerprintOutput = (
  root: string,
  names: readonly string[],
  digests: readonly (Buffer | undefined)[],
): Uint8Array | undefined => {
  const parts: (Uint8Array | undefined)[] = []
  for (const name of names) parts.push(fingerprintName(root, name, digests))
  return joinFingerprints(parts)
}

/** One fingerprint of several; `undefined` if one of them is. */
export const joinFingerprints = (parts: readonly (Uint8Array | undefined)[]): Uint8Array | undefined => {
  if (parts.length === 1) return parts[0]
  return parts.some((part) => part === undefined)
    ? undefined
    : hash('sha1', Buffer.concat(parts as Uint8Array[]), 'buffer').subarray(0, statSize)
}

const fingerprintName = (
  root: string,
  name: string,
  digests: readonly (Buffer | undefined)[],
): Uint8Array | undefined => {
  const stats: fs.Stats[] = []
  for (const slot of plainSlots) {
    const stat = fs.lstatSync(`${root}/${folderOf(slotPath(slot, name))}`, { throwIfNoEntry: false })
    if (!stat?.isDirectory()) return undefined
    stats.push(stat)
  }
  for (let slot = 0; slot < digests.length; slot++) {
    if (digests[slot] === undefined) continue
    const stat = fs.lstatSync(`${root}/${slotPath(slots[slot]!, name)}`, { throwIfNoEntry: false })
    if (!stat?.isFile()) return undefined
    stats.push(stat)
  }
  return fingerprintStats([], stats)
}

/** The folders that hold a member's files: of each variant the user's, then the shots'. */
const outputFolders = (username: string): readonly string[] =>
  plainSlots.map((slot) => folderOf(slotPath(slot, username)))

const plainSlots = slots.filter(({ encoding }) => encoding === undefined)

/** sha256 of a plain file's bytes, and its stat from before they were read; `undefined` if it is no plain file. */
export const hashFile = (
  folder: string,
  name: string,
  scratch: Buffer,
): { readonly digest: Buffer; readonly stat: fs.Stats } | undefined => {
  const file = openFile(folder, name)
  if (file === undefined) return undefined
  try {
    const stat = fs.fstatSync(file)
    const first = fs.readSync(file, scratch, 0, scratch.length, null)
    // one read is enough to fill the buffer from a plain file
    if (first < scratch.length) return { digest: hash('sha256', scratch.subarray(0, first), 'buffer'), stat }
    const sum = createHash('sha256')
    let size = 0
    for (let count = first; count > 0; count = fs.readSync(file, scratch, 0, scratch.length, null)) {
      sum.update(scratch.subarray(0, count))
      size += count
      if (size > largestFile) break // the file is not ours: any digest but the right one will do
    }
    return { digest: sum.digest(), stat }
  } finally {
    fs.closeSync(file)
  }
}

/** Bytes. Fifteen shots of 1 MiB of content each make less. */
const largestFile = 1 << 28

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
