import path from 'node:path'
import { names } from '../content/layout.ts'
import { fileStart } from '../diagnostics/diagnostic.ts'
import { findEntry } from '../files/entry.ts'
import { makeFolder } from '../files/folder.ts'
import { moveFile } from '../files/move.ts'
import { replaceFile } from '../files/write.ts'
import type { Heard, Run, Told } from './member-run.ts'
import { type Base, renderBase } from './merge/base.ts'
import { readShots } from './read/read-body.ts'
import { textOf } from './read/said.ts'
import { diagnose } from './tell/messages.ts'
import { basePath, readBase } from './write/base-file.ts'
import { type MemberFiles, readMember } from './write/read-member.ts'

export type Mover = {
  readonly username: string
  readonly heard: Heard
  readonly files: MemberFiles | undefined
  readonly base: Base | undefined
}

export type Moved = {
  readonly base: Base | undefined
  readonly written: readonly string[]
  readonly told: Told
}

/** Takes over the files of shots that the API gives to another member now. Both bases follow. */
export const moveShots = ({ username, heard, files, base }: Mover, run: Run): Moved => {
  let result: Moved = { base, written: [], told: [] }
  // a new member gets its folder first
  if (files === undefined) return result
  for (const fields of heard.theirs.shots) {
    const id = textOf(fields, 'id') ?? ''
    if (files.mine.shots.has(id)) continue
    const owner = /^[1-9][0-9]*$/.test(id) ? run.index.ownerOf(id) : undefined
    if (owner === undefined || owner === username) continue
    const from = movable(id, owner, run)
    if (from !== undefined) result = move({ id, from, owner, username }, result, run)
  }
  return result
}

/** The file and base of a shot that came from an import and that its member's window doesn't hold any more. */
const movable = (id: string, owner: string, { found, store }: Run) => {
  const { base } = readBase(found.content.path, owner)
  if (base === undefined || !Object.hasOwn(base.shots, id)) return undefined
  const body = store.answers(base.username).https.shots?.body
  const bytes = body === undefined ? undefined : store.body(body)
  const listed = bytes && readShots(bytes).value?.map((fields) => textOf(fields, 'id'))
  if ((listed ?? base.window).includes(id)) return undefined
  const file = readMember(owner, found).member?.shots.get(id)
  return file === undefined ? undefined : { base, path: file.path }
}

type Move = {
  readonly id: string
  readonly from: NonNullable<ReturnType<typeof movable>>
  readonly owner: string
  readonly username: string
}

const move = ({ id, from, owner, username }: Move, before: Moved, run: Run): Moved => {
  const { content } = run.found
  const folder = `${names.members}/${username}/${names.shots}`
  makeFolder(content.path, folder)
  const name = path.posix.basename(from.path)
  const isTaken = findEntry(content.path, `${folder}/${name}`) !== undefined
  const to = `${folder}/${isTaken ? name.replace(/\.ya?ml$/, `-${id.slice(0, 100)}.yaml`) : name}`
  moveFile({ root: content.path, below: from.path }, { root: content.path, below: to })
  const { [id]: shot, ...shots } = from.base.shots
  const wasDrafted = from.base.drafted.includes(id)
  const drafted = from.base.drafted.filter((one) => one !== id)
  replaceFile(content.path, basePath(owner), renderBase({ ...from.base, shots, drafted }))
  run.index.addShot(username, { id, token: shot!.token_id ?? run.tokenOf(id) })
  const base: Base = before.base ?? {
    username,
    profile: {},
    counted: [],
    projects: {},
    shots: {},
    drafted: [],
    window: [],
    span: [],
  }
  return {
    base: {
      ...base,
      shots: { ...base.shots, [id]: shot! },
      drafted: wasDrafted ? [...base.drafted, id] : base.drafted,
    },
    written: [...before.written, to, basePath(owner)],
    told: [
      ...before.told,
      diagnose(
        'shot-moved',
        { file: `${content.name}/${to}`, ...fileStart },
        { id, from: owner, to: username },
      ),
    ],
  }
}
