import fs from 'node:fs'
import path from 'node:path'
import { sumsFile } from '../../api/routes.ts'
import type { Entries } from '../state/entries.ts'
import type { SnapshotFolders } from '../state/folders.ts'
import type { State } from '../state/state.ts'
import { hashFile } from './audit.ts'
import type { Changes, FileCounts, Target } from './changes.ts'
import { frameTime } from './file-times.ts'
import { type FrameFile, findSignatures, findStrangers, isInPlace } from './frame.ts'
import { createStage } from './stage.ts'
import { writeSums } from './sums.ts'

/** The members' files are staged. */
export type Staged = {
  readonly folders: SnapshotFolders
  readonly frame: readonly FrameFile[]
  readonly target: Target
  /** Every name at which the API answers, aliases too. */
  readonly names: readonly string[]
  /** What the members' files come to. */
  readonly checked: {
    readonly changes: Changes
    readonly counts: FileCounts
    readonly entries: Entries
    readonly compiled: number
  }
  readonly state: State
}

/** All that is new is staged. */
export type Complete = {
  readonly changes: Changes
  readonly counts: FileCounts
  /** sha256 of SHA256SUMS, in hex. */
  readonly sums: string
}

/** Stages what is no member's, and lists every change to the snapshot, SHA256SUMS last. */
export const completeStage = (staged: Staged): Complete => {
  const { folders, frame, target, names, checked } = staged
  const { out } = folders
  const strangers = target.empty ? { clear: [], remove: [] } : findStrangers(out, { frame, names })
  const cleared = ({ path }: FrameFile): boolean =>
    strangers.clear.some((stranger) => path.startsWith(`${stranger}/`))
  const missing = frame.filter((file) => target.empty || cleared(file) || !isInPlace(out, file))
  const write = createStage(target.stage)
  for (const file of missing) write(file.path, Buffer.from(file.text), frameTime(target.baseTime))
  const changes = {
    clear: [...checked.changes.clear, ...strangers.clear],
    write: [...checked.changes.write, ...missing.map((file) => file.path)],
    remove: [...checked.changes.remove, ...strangers.remove],
  }
  const sums = stageSums(staged, changes)
  const stale = sums.staged && !target.empty ? findSignatures(out) : []
  if (sums.staged) changes.write.push(sumsFile)
  // before the new list comes: it is not the one that was signed
  for (const signature of stale) changes.clear.push(signature)
  const { written, unchanged, removed } = checked.counts
  const frameWritten = missing.length + (sums.staged ? 1 : 0)
  const gone = [...stale, ...strangers.clear, ...strangers.remove].map((name) => path.join(out, name))
  return {
    changes,
    counts: {
      written: written + frameWritten,
      unchanged: unchanged + frame.length + 1 - frameWritten,
      removed: removed + gone.reduce((sum, name) => sum + countFiles(name), 0),
    },
    sums: sums.digest,
  }
}

/** Stages SHA256SUMS if it is to change. */
const stageSums = (
  { folders, frame, target, checked, state }: Staged,
  changes: Changes,
): { readonly staged: boolean; readonly digest: string } => {
  const { out } = folders
  const present = target.empty ? '' : digestOf(out, sumsFile)
  const untouched = Object.values(changes).every((list) => list.length === 0)
  const sameEntries = checked.compiled === 0 && state.offsets.size === checked.entries.length
  if (untouched && sameEntries && present !== '' && present === state.sums) {
    return { staged: false, digest: present }
  }
  const digest = writeSums(target.stage, {
    frame,
    entries: checked.entries,
    seconds: frameTime(target.baseTime),
  })
  return { staged: present !== digest, digest }
}

/** sha256 of a file in hex; empty if there is no plain file. */
const digestOf = (folder: string, name: string): string => {
  const file = hashFile(folder, name, Buffer.alloc(1 << 16))
  return file === undefined ? '' : Buffer.from(file.digest).toString('hex')
}

/** Files at or below a path, whatever bytes their names are. */
const countFiles = (file: string | Buffer): number =>
  fs.lstatSync(file).isDirectory()
    ? fs
        .readdirSync(file, { encoding: 'buffer' })
        .map((name) => Buffer.concat([Buffer.from(file), Buffer.from('/'), name]))
        .reduce((sum, inside) => sum + countFiles(inside), 0)
    : 1
