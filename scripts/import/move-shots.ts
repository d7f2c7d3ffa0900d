import path from 'node:path'
import { names } from '../content/layout.ts'
import { findEntry, makeFolder } from '../files/folder.ts'
import { moveFile } from '../files/move.ts'
import { replaceFile } from '../files/write.ts'
import { fileStart } from '../problems/diagnostic.ts'
import { type Base, renderBase } from './merge/base.ts'
import { isImportable } from './merge/merge-member.ts'
import { readShots } from './read/read-body.ts'
import { textOf } from './read/said.ts'
import type { ApiMember } from './read-api-member.ts'
import type { Run, Told } from './run-context.ts'
import { diagnose } from './tell/messages.ts'
import { basePath, readBase } from './write/base-file.ts'
import { type MemberFiles, readMember } from './write/read-member.ts'

export type Mover = {
  readonly username: string
  readonly api: ApiMember
  readonly files: MemberFiles | undefined
  readonly base: Base | undefined
}

export type Moved = {
  readonly base: Base | undefined
  readonly written: readonly string[]
  readonly moves: readonly FileMove[]
  readonly told: Told
}

/** Paths below the content folder. */
export type FileMove = { readonly from: string; readonly to: string }

/** Takes over the files of shots that the API gives to another member now. Both bases follow. */
export const moveShots = ({ username, api, files, base }: Mover, run: Run): Moved => {
  let result: Moved = { base, written: [], moves: [], told: [] }
  // a new member gets its folder first
  if (files === undefined || !isImportable(api.theirs, run.found.site)) return result
  for (const fields of api.theirs.shots) {
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

/** While the file moves, the shot is in both bases, so that a kill loses nothing; see {@link withoutMoved}. */
const move = ({ id, from, owner, username }: Move, before: Moved, run: Run): Moved => {
  const { content } = run.found
  const folder = `${names.members}/${username}/${names.shots}`
  makeFolder(content.path, folder)
  const name = path.posix.basename(from.path)
  const isTaken = findEntry(content.path, `${folder}/${name}`) !== undefined
  const to = `${folder}/${isTaken ? name.replace(/\.ya?ml$/, `-${id.slice(0, 100)}.yaml`) : name}`
  const old = before.base ?? newBase(username)
  const drafted = old.drafted.filter((one) => one !== id)
  const base: Base = {
    ...old,
    shots: { ...old.shots, [id]: from.base.shots[id]! },
    drafted: from.base.drafted.includes(id) ? [...drafted, id] : drafted,
  }
  replaceFile(content.path, basePath(username), renderBase(base))
  moveFile({ root: content.path, below: from.path }, { root: content.path, below: to })
  replaceFile(content.path, basePath(owner), renderBase(without(from.base, id)))
  run.index.addShot(username, { id, token: base.shots[id]!.token_id ?? run.tokenOf(id) })
  return {
    base,
    written: [...before.written, to, basePath(username), basePath(owner)],
    moves: [...before.moves, { from: from.path, to }],
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

/** A base without the shots whose move to another member was cut short: their files are there already. */
export const withoutMoved = (
  base: Base | undefined,
  { username, files }: Pick<Mover, 'username' | 'files'>,
  { index, found }: Run,
): Base | undefined => {
  if (base === undefined || files === undefined) return base
  const moved = Object.keys(base.shots).filter((id) => {
    const owner = files.mine.shots.has(id) ? undefined : index.ownerOf(id)
    if (owner === undefined || owner === username) return false
    return Object.hasOwn(readBase(found.content.path, owner).base?.shots ?? {}, id)
  })
  return moved.reduce(without, base)
}

const without = (base: Base, id: string): Base => {
  const { [id]: _, ...shots } = base.shots
  return { ...base, shots, drafted: base.drafted.filter((one) => one !== id) }
}

const newBase = (username: string): Base => ({
  username,
  profile: {},
  counted: [],
  projects: {},
  shots: {},
  drafted: [],
  window: [],
  span: [],
  bodies: {},
})
