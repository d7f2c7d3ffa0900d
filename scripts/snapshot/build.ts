import fs from 'node:fs'
import path from 'node:path'
import type { Site } from '../content/site.ts'
import type { Source } from '../content/source.ts'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { UserError } from '../diagnostics/user-error.ts'
import { fingerprintOutput, hashFile } from './audit.ts'
import { commit, discardStage, recover } from './commit.ts'
import { type Folders, refuseOverlap, refuseStrangers, resolveFolders, sumsFile } from './folders.ts'
import {
  type FrameFile,
  findBlocked,
  findStrangers,
  fingerprintFrame,
  frameFiles,
  isInPlace,
} from './frame.ts'
import { type Inspection, inspect, type Summary, type Survey, summarize, survey } from './inspect.ts'
import { lock } from './lock.ts'
import { makeFolder } from './make-folder.ts'
import type { Records } from './records.ts'
import { createStage } from './stage.ts'
import { frameTime, nextStamp } from './stamp.ts'
import { readState, type State, writeState } from './state.ts'
import { writeSums } from './sums.ts'
import type { Changes, Output } from './task.ts'

export type BuildOptions = {
  /** As on the command line. */
  readonly content: string
  readonly out: string
  readonly hostNames: readonly string[]
  /** What the site's hosts read from the snapshot. */
  readonly hostFiles: (site: Site, usernames: readonly string[]) => readonly FrameFile[]
  /** Only members that may have changed, if that is known: the others are not looked at. */
  readonly touched?: ReadonlySet<string> | undefined
  readonly onProgress: (done: number, total: number) => void
  /** Another build has the snapshot, and this one waits for it. */
  readonly onWait: () => void
}

export type BuildResult = Summary & {
  /** Sorted by place. With an error among them, the snapshot is as it was. */
  readonly diagnostics: readonly Diagnostic[]
  readonly site: Site | undefined
  /** site.yaml, if it can be read. */
  readonly source: Source | undefined
  /** Members that were compiled; the others were taken from the state. */
  readonly compiled: number
  /** Files of the snapshot. */
  readonly written: number
  readonly unchanged: number
  readonly removed: number
}

/** Checks the content and makes the snapshot match it. */
export const build = async (options: BuildOptions): Promise<BuildResult> => {
  const folders = resolveFolders(options)
  refuseOverlap(folders)
  const unlock = await lock(folders.out, options)
  try {
    recover(folders)
    return await buildLocked(folders, options)
  } finally {
    unlock()
  }
}

const buildLocked = async (folders: Folders, options: BuildOptions): Promise<BuildResult> => {
  const found = survey(folders.content, options)
  try {
    return await buildSurveyed(found, folders, options)
  } finally {
    await found.threads.end()
    discardStage(folders)
  }
}

const buildSurveyed = async (
  found: Survey,
  folders: Folders,
  options: BuildOptions,
): Promise<BuildResult> => {
  const { site } = found.tools
  const state = readState(folders.state)
  const frame = site === undefined ? [] : frameFiles(options.hostFiles(site, found.members))
  const output = hasErrors(found.diagnostics) ? undefined : prepareOutput(folders, frame)
  const inspection = await inspect(found, { ...options, state, output })
  const { diagnostics } = inspection
  const facts = {
    ...summarize(inspection),
    diagnostics,
    site,
    source: found.source,
    compiled: inspection.compiled,
  }
  if (output === undefined || hasErrors(inspection.diagnostics))
    return { ...facts, written: 0, unchanged: 0, removed: 0 }
  const { changes, files, sums } = completeStage({
    ...{ folders, frame, output, inspection, state },
    members: found.members,
  })
  const changed = output.empty || Object.values(changes).some((list) => list.length > 0)
  if (changed) commit(folders, changes, output)
  if (
    changed ||
    inspection.renewed ||
    state.epoch !== found.epoch ||
    state.frame !== fingerprintFrame(folders.out, frame)
  ) {
    saveState(folders, { epoch: found.epoch, frame, sums, records: inspection.records })
  }
  return { ...facts, ...files }
}

/** Makes room for staged files. */
const prepareOutput = ({ out, stage }: Folders, frame: readonly FrameFile[]): Output => {
  const empty = !fs.existsSync(out) || fs.readdirSync(out).length === 0
  if (!empty)
    refuseStrangers(
      out,
      frame.map((file) => file.path),
    )
  const last = fs.lstatSync(path.join(out, sumsFile), { throwIfNoEntry: false })?.mtimeMs ?? 0
  makeOwnFolder(stage)
  return {
    folder: out,
    empty,
    blocked: findBlocked(out),
    stage,
    stamp: nextStamp(Date.now() / 1000, last / 1000),
  }
}

/** The first folder that a build makes: if it can't, the snapshot can't be there either. */
const makeOwnFolder = (folder: string): void => {
  try {
    makeFolder(folder)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new UserError('no folder can be made where --out is', {
      hint: 'give --out a folder on a disk, such as dist',
      cause,
    })
  }
}

type Staged = {
  readonly folders: Folders
  readonly frame: readonly FrameFile[]
  readonly output: Output
  readonly members: readonly string[]
  readonly inspection: Inspection
  readonly state: State
}

/** Stages what is no member's, and lists every change to the snapshot, SHA256SUMS last. */
const completeStage = (
  staged: Staged,
): { changes: Changes; files: Pick<BuildResult, 'written' | 'unchanged' | 'removed'>; sums: string } => {
  const { folders, frame, output, members, inspection } = staged
  const { out, stage } = folders
  const strangers = output.empty ? { clear: [], remove: [] } : findStrangers(out, { frame, members })
  const missing = frame.filter((file) => output.empty || !isInPlace(out, file))
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
  const gone = [...strangers.clear, ...strangers.remove].reduce(
    (sum, name) => sum + countFiles(path.join(out, name)),
    0,
  )
  return {
    changes,
    files: {
      written: written + frameWritten,
      unchanged: unchanged + frame.length + 1 - frameWritten,
      removed: removed + gone,
    },
    sums: sums.digest,
  }
}

/** Stages SHA256SUMS if it is to change; says what its sha256 is, in hex. */
const stageSums = (
  { folders, frame, output, members, inspection, state }: Staged,
  changes: Changes,
): { readonly staged: boolean; readonly digest: string } => {
  const { out, stage } = folders
  const untouched = Object.values(changes).every((list) => list.length === 0)
  const sameRecords = inspection.compiled === 0 && state.offsets.size === members.length
  if (!output.empty && untouched && sameRecords && sumsAre(state, out, frame)) {
    return { staged: false, digest: state.sums }
  }
  const digest = writeSums(path.join(stage, sumsFile), {
    frame,
    records: inspection.records,
    seconds: frameTime(output.stamp),
  })
  return { staged: output.empty || digestOf(path.join(out, sumsFile)) !== digest, digest }
}

/** Whether SHA256SUMS is what the last build wrote: by its stat or else by its bytes. */
const sumsAre = ({ frame: stats, sums }: State, out: string, frame: readonly FrameFile[]): boolean =>
  (stats !== '' && stats === fingerprintFrame(out, frame)) ||
  (sums !== '' && sums === digestOf(path.join(out, sumsFile)))

/** sha256 of a file in hex; empty if there is no plain file. */
const digestOf = (file: string): string =>
  fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()
    ? Buffer.from(hashFile(file, Buffer.alloc(1 << 16)).digest).toString('hex')
    : ''

/** Leaves the records for the next build, with the stats that the files have now. */
const saveState = (
  { out, own, state }: Folders,
  {
    epoch,
    frame,
    sums,
    records,
  }: { epoch: string; frame: readonly FrameFile[]; sums: string; records: Records },
): void => {
  const upToDate = {
    *[Symbol.iterator]() {
      for (const record of records) {
        record.outputStat ??= fingerprintOutput(out, record.username, record.digests)
        yield record.bytes
      }
    },
  }
  makeFolder(own)
  writeState(state, { epoch, frame: fingerprintFrame(out, frame), sums, records: upToDate })
}

/** Files at or below a path. */
const countFiles = (file: string): number =>
  fs.lstatSync(file).isDirectory()
    ? fs.readdirSync(file, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
        .length
    : 1
