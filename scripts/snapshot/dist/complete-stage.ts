import fs from 'node:fs'
import path from 'node:path'
import { type Folders, sumsFile } from '../state/folders.ts'
import type { Records } from '../state/records.ts'
import type { State } from '../state/state.ts'
import { hashFile } from './audit.ts'
import type { Changes, FileCounts, Output } from './changes.ts'
import { type FrameFile, findStrangers, isInPlace } from './frame.ts'
import { createStage } from './stage.ts'
import { frameTime } from './stamp.ts'
import { writeSums } from './sums.ts'

/** The members' files are staged. */
export type Staged = {
  readonly folders: Folders
  readonly frame: readonly FrameFile[]
  readonly output: Output
  readonly members: readonly string[]
  /** What the members' files come to. */
  readonly inspection: {
    readonly changes: Changes
    readonly counts: FileCounts
    readonly records: Records
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
  const { folders, frame, output, members, inspection } = staged
  const { out, stage } = folders
  const strangers = output.empty ? { clear: [], remove: [] } : findStrangers(out, { frame, members })
  const cleared = ({ path }: FrameFile): boolean =>
    strangers.clear.some((stranger) => path.startsWith(`${stranger}/`))
  const missing = frame.filter((file) => output.empty || cleared(file) || !isInPlace(out, file))
  const write = createStage(stage)
  for (const file of missing) write(file.path, Buffer.from(file.text), frameTime(output.stamp))
  const changes = {
    clear: [...inspection.changes.clear, ...strangers.clear],
    write: [...inspection.changes.write, ...missing.map((file) => file.path)],
    remove: [...inspection.changes.remove, ...strangers.remove],
  }
  const sums = stageSums(staged, changes)
  if (sums.staged) changes.write.push(sumsFile)
  const { written, unchanged, removed } = inspection.counts
  const frameWritten = missing.length + (sums.staged ? 1 : 0)
  const gone = [...strangers.clear, ...strangers.remove].map((name) => path.join(out, name))
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
  { folders, frame, output, members, inspection, state }: Staged,
  changes: Changes,
): { readonly staged: boolean; readonly digest: string } => {
  const { out, stage } = folders
  const present = output.empty ? '' : digestOf(path.join(out, sumsFile))
  const untouched = Object.values(changes).every((list) => list.length === 0)
  const sameRecords = inspection.compiled === 0 && state.offsets.size === members.length
  if (untouched && sameRecords && present !== '' && present === state.sums) {
    return { staged: false, digest: present }
  }
  const digest = writeSums(path.join(stage, sumsFile), {
    frame,
    records: inspection.records,
    seconds: frameTime(output.stamp),
  })
  return { staged: present !== digest, digest }
}

/** sha256 of a file in hex; empty if there is no plain file. */
const digestOf = (file: string): string =>
  fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()
    ? Buffer.from(hashFile(file, Buffer.alloc(1 << 16)).digest).toString('hex')
    : ''

/** Files at or below a path, whatever bytes their names are. */
const countFiles = (file: string | Buffer): number =>
  fs.lstatSync(file).isDirectory()
    ? fs
        .readdirSync(file, { encoding: 'buffer' })
        .map((name) => Buffer.concat([Buffer.from(file), Buffer.from('/'), name]))
        .reduce((sum, inside) => sum + countFiles(inside), 0)
    : 1
