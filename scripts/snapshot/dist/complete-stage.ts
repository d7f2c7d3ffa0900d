import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sumsFile } from '../../api/routes.ts'
import { readFile } from '../../files/open.ts'
import type { Entries } from '../state/entries.ts'
import type { SnapshotFolders } from '../state/folders.ts'
import type { State } from '../state/state.ts'
import type { Changes, Commit, FileCounts, Target } from './changes.ts'
import { frameTime } from './file-times.ts'
import { hashFile } from './look/audit.ts'
import { type FrameFile, findSignatures, findStrangers, isInPlace } from './look/frame.ts'
import { findNewLines, putLines } from './new-lines.ts'
import { createStage } from './stage.ts'
import { writeList, writeSums } from './sums.ts'

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
  readonly changes: Commit
  readonly counts: FileCounts
  /** sha256 of SHA256SUMS, in hex. */
  readonly sums: string
}

/** Stages what is no member's, and lists every change to the snapshot, SHA256SUMS last. */
export const completeStage = (staged: Staged): Complete => {
  const { folders, frame, target, names, checked } = staged
  const { out } = folders
  const strangers = target.empty
    ? { clear: [], remove: [], respell: [] }
    : findStrangers(out, { frame, names })
  const cleared = ({ path }: FrameFile): boolean =>
    strangers.clear.some((stranger) => path.startsWith(`${stranger}/`))
  const missing = frame.filter((file) => target.empty || cleared(file) || !isInPlace(out, file))
  const write = createStage(target.stage)
  for (const file of missing) write(file.path, Buffer.from(file.text), frameTime(target.baseTime))
  const changes = {
    clear: [...checked.changes.clear, ...strangers.clear],
    write: [...checked.changes.write, ...missing.map((file) => file.path)],
    remove: [...checked.changes.remove, ...strangers.remove],
    respell: strangers.respell,
  }
  const ofMembers = missing.length + strangers.clear.length + strangers.remove.length === 0
  const sums = stageSums(staged, { changes, ofMembers })
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

type Renewal = {
  readonly changes: Changes
  /** Whether no other files change than members'. */
  readonly ofMembers: boolean
}

/** Stages SHA256SUMS if it is to change. */
const stageSums = (staged: Staged, { changes, ofMembers }: Renewal): { staged: boolean; digest: string } => {
  const { folders, frame, target, checked, state } = staged
  const { entries } = checked
  const lines = ofMembers && !target.empty ? findNewLines(entries, state) : undefined
  const old = lines && readFile(folders.out, sumsFile, { limit: listLimit })
  const present = target.empty ? '' : old ? hash('sha256', old) : digestOf(folders.out, sumsFile)
  const untouched = Object.values(changes).every((list) => list.length === 0)
  const sameEntries = checked.compiled === 0 && state.offsets.size === entries.length
  const isKnown = present !== '' && present === state.sums
  if (untouched && sameEntries && isKnown) return { staged: false, digest: present }
  const seconds = frameTime(target.baseTime)
  const digest =
    isKnown && old && lines && putLines(old, lines)
      ? writeList(target.stage, { list: old, seconds })
      : writeSums(target.stage, { frame, entries, seconds })
  return { staged: present !== digest, digest }
}

/** Bytes of a list that is changed in memory. */
const listLimit = 1 << 26

/** sha256 of a file in hex; empty if there is no plain file. */
const digestOf = (folder: string, name: string): string => {
  const file = hashFile(folder, name, Buffer.alloc(1 << 16))
  return file === undefined ? '' : file.digest.toString('hex')
}

/** Files at or below a path, whatever bytes their names are. */
const countFiles = (file: string | Buffer): number =>
  fs.lstatSync(file).isDirectory()
    ? fs
        .readdirSync(file, { encoding: 'buffer' })
        .map((name) => Buffer.concat([Buffer.from(file), Buffer.from('/'), name]))
        .reduce((sum, inside) => sum + countFiles(inside), 0)
    : 1
