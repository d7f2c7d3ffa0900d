import fs from 'node:fs'
import path from 'node:path'
import { memberFileAt } from '../../api/member-file.ts'
import { errors, sumsFile } from '../../api/routes.ts'
import { findEntry, makeFolder } from '../../files/folder.ts'
import { openFile, readInto } from '../../files/open.ts'
import { UserError } from '../../problems/user-error.ts'
import { makeOwnFolder, type SnapshotFolders } from '../state/folders.ts'
import type { State } from '../state/state.ts'
import type { Target } from './changes.ts'
import { stageFolder } from './commit.ts'
import { nextBaseTime } from './file-times.ts'
import { type FrameFile, findBlocked, findStrangers, isInPlace } from './look/frame.ts'

/** What a snapshot will hold. */
export type Plan = {
  readonly frame: readonly FrameFile[]
  readonly members: readonly string[]
  readonly state: State
}

/** Looks at the snapshot's folder, refuses one that is none, and makes room for staged files. */
export const prepareTarget = (folders: SnapshotFolders, plan: Plan): Target => {
  const { out } = folders
  const empty = !fs.existsSync(out) || fs.readdirSync(out).length === 0
  if (!empty) refuseStrangers(out, plan)
  const last = findEntry(out, sumsFile)?.mtimeMs ?? 0
  const folder = makeOwnFolder(folders)
  return {
    folder: out,
    empty,
    blocked: findBlocked(out),
    own: folder,
    stage: makeFolder(folder, stageFolder),
    baseTime: nextBaseTime(Date.now() / 1000, last / 1000),
  }
}

/** A build removes what doesn't belong: so it must know the folder for a snapshot, or find nothing strange in it. */
const refuseStrangers = (out: string, { frame, members, state }: Plan): void => {
  if (fs.existsSync(path.join(out, '.git'))) {
    throw new UserError(`"${out}" holds a git repository`, {
      hint: 'give --out a folder of its own, such as dist',
    })
  }
  if (isSnapshot(out)) return
  const { clear, remove } = findStrangers(out, { frame, names: members })
  const gone = remove.filter((folder) => !state.offsets.has(path.basename(folder)))
  const [stranger] = [...clear, ...gone]
  if (stranger !== undefined) {
    throw new UserError(`"${out}" is not empty and holds no snapshot ("${stranger}" is there)`, {
      hint: 'give --out a folder of its own, or empty this one: a build removes the rest',
    })
  }
}

/** Whether a body for what is not there is in its place, or was: SHA256SUMS begins with it, or with a member of a shard. */
const isSnapshot = (out: string): boolean => {
  if (Object.values(errors).some(({ file, body }) => isInPlace(out, { path: file, text: body }))) return true
  const [, first = ''] = firstLine(out, sumsFile).split('  ')
  return first === errors.notFound.file || memberFileAt(first) !== undefined
}

/** Empty if there is no plain file. */
const firstLine = (out: string, name: string): string => {
  const file = openFile(out, name)
  if (file === undefined) return ''
  try {
    const bytes = Buffer.alloc(256)
    return bytes.toString('utf8', 0, readInto(file, bytes)).split('\n')[0]!
  } finally {
    fs.closeSync(file)
  }
}
