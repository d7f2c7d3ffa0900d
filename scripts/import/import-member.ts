import type { Diagnostic } from '../problems/diagnostic.ts'
import { digestsOf } from './keep/answers.ts'
import { type Base, renderBase, saysBase } from './merge/base.ts'
import { compareSchemes } from './merge/compare-schemes.ts'
import type { Finding } from './merge/finding.ts'
import { mergeMember } from './merge/merge-member.ts'
import { newToken, type ShotPlan } from './merge/plan.ts'
import { type FileMove, moveShots, withoutMoved } from './move-shots.ts'
import { placeIn, type Surroundings } from './place-in.ts'
import { textOf } from './read/said.ts'
import { type ApiMember, readApiMember } from './read-api-member.ts'
import { addressOf, atAddress, badBase, folderOf, mergeInput, type Run, type Told } from './run-context.ts'
import { diagnose, type ImportCode } from './tell/messages.ts'
import { type Applied, applyPlan } from './write/apply-plan.ts'
import { basePath, noBase, readBase } from './write/base-file.ts'
import { type MemberFiles, readMember } from './write/read-member.ts'
import { writeChanges, writeMember } from './write/write-changes.ts'

export type ImportedMember = {
  readonly told: Told
  /** Paths that were written, below the content folder. */
  readonly written: readonly string[]
  /** Files that came from other members. */
  readonly moves: readonly FileMove[]
  /** Tokens that other shots have. These may get others later in the run: then the import is worth a second try. */
  readonly waiting: readonly WantedToken[]
  readonly again?: () => ImportedMember
}

export type WantedToken = {
  readonly token: string
  /** What was told of it. */
  readonly told: Told[number]
}

/** Imports one member from what is kept of the API's answers. */
export const importMember = (name: string, run: Run): ImportedMember => {
  const { api, told } = readApiMember(name, run)
  if (api === undefined) return untouched(told)
  const again = () => importSaid(name, api, { run, told })
  return { ...again(), again }
}

/** `told` is what was told already. */
type Telling = { readonly run: Run; readonly told: Told }

const untouched = (told: Told): ImportedMember => ({ told, written: [], moves: [], waiting: [] })

const importSaid = (name: string, api: ApiMember, { run, told }: Telling): ImportedMember => {
  const folder = folderOf(name, run)
  if (folder === undefined) return addMember(name, api, { run, told })
  const { member, diagnostics } = readMember(folder, run.found)
  if (member === undefined) return untouched([...told, ...diagnostics])
  const id = textOf(api.theirs.user, 'id') ?? ''
  const owner = member.mine.profile.id === id ? undefined : run.index.memberWithId(id)
  if (owner !== undefined && owner !== folder) {
    const place = atAddress(addressOf(name, 'user', run))
    return untouched([...told, diagnose('member-elsewhere', place, { id, asked: name, owner })])
  }
  return merge({ name, username: folder, api, files: member }, run, told)
}

const addMember = (name: string, api: ApiMember, { run, told }: Telling): ImportedMember => {
  const id = textOf(api.theirs.user, 'id') ?? ''
  const place = atAddress(addressOf(name, 'user', run))
  const owner = run.index.memberWithId(id)
  if (owner !== undefined) {
    return untouched([...told, diagnose('member-elsewhere', place, { id, asked: name, owner })])
  }
  const by = run.index.whyTaken(name)
  if (by !== undefined) return untouched([...told, diagnose('name-taken', place, { asked: name, by })])
  const added = merge({ name, username: name, api, files: undefined }, run, told)
  const isAdded = folderOf(name, run) !== undefined
  if (!isAdded || !added.told.some(({ code }) => code === 'shot-elsewhere')) return added
  // now that there is a folder, shots of other members may come
  const second = importSaid(name, api, { run, told })
  return { ...second, written: [...added.written, ...second.written] }
}

type Subject = {
  readonly name: string
  readonly username: string
  readonly api: ApiMember
  readonly files: MemberFiles | undefined
}

const merge = (subject: Subject, run: Run, told: Told): ImportedMember => {
  const { name, username, api } = subject
  const { found } = run
  const old = subject.files === undefined ? noBase : readBase(found.content.path, username)
  if (old.wrong) return untouched([...told, badBase(username, run)])
  const known = withoutMoved(withDrafting(old.base, subject), subject, run)
  const moved = moveShots({ username, api, files: subject.files, base: known }, run)
  const oldBase = moved.written.length === 0 ? old.text : readBase(found.content.path, username).text
  const { base } = moved
  const files = moved.written.length === 0 ? subject.files : readMember(username, found).member
  const bodies = digestsOf(api.answers)
  const sides = { asked: name, username, base, mine: files?.mine, theirs: api.theirs, bodies }
  const { plan, findings } = mergeMember(mergeInput(sides, run))
  const schemes = compareSchemes(api.theirs, api.http)
  if (plan === undefined) {
    return {
      told: [...told, ...moved.told, ...tell([...findings, ...schemes], { name, files, run })],
      written: moved.written,
      moves: moved.moves,
      waiting: [],
    }
  }
  const applied = applyPlan(plan, { username, files, before: base, schemas: run.schemas, site: found })
  const isImported = files !== undefined || applied.changes.some(({ path }) => path.endsWith('/profile.yaml'))
  const written = isImported
    ? write(applied, { name, username, api, files, run, oldBase, drafting: plan.base.drafted, before: base })
    : []
  if (isImported) remember(applied, { username, id: textOf(api.theirs.user, 'id')!, shots: plan.shots }, run)
  const refused = applied.refused.map(({ path, reason, isNew }) =>
    diagnose(
      isNew ? 'file-refused' : 'cannot-edit',
      isNew ? atAddress(addressOf(name, 'shots', run)) : atAddress(`${found.content.name}/${path}`),
      { reason },
    ),
  )
  const news = tell([...findings, ...schemes], { name, files, run, applied })
  return {
    told: [...told, ...moved.told, ...news, ...refused],
    written: [...moved.written, ...written],
    moves: moved.moves,
    waiting: findings.flatMap((finding, index) => {
      const token = tokenWanted(finding)
      return token === undefined ? [] : [{ token, told: news[index]! }]
    }),
  }
}

/** The token that a shot can't have because another one has it. */
const tokenWanted = ({ code, about, args }: Finding): string | undefined => {
  const isToken =
    (code === 'not-kept' && 'key' in about && about.key === 'token_id') ||
    (code === 'shot-not-imported' && args.key === 'token_id')
  return isToken && /^[0-9a-f]{40}$/.test(args.value) ? args.value : undefined
}

/** The import may have been killed after it made a draft, and before the base said whose draft it is. */
const withDrafting = (base: Base | undefined, { files }: Subject): Base | undefined => {
  const drafting = (base?.drafting ?? []).filter((id) => files?.mine.shots.get(id)?.draft)
  return base && { ...base, drafted: [...new Set([...base.drafted, ...drafting])], drafting: undefined }
}

type Writing = Subject & {
  readonly run: Run
  readonly oldBase: string | undefined
  readonly drafting: readonly string[]
  readonly before: Base | undefined
}

/** The files first, then the base: whatever a kill leaves undone, the next import finds and does. */
const write = (
  applied: Applied,
  { username, files, run, oldBase, drafting, before }: Writing,
): readonly string[] => {
  const { found } = run
  const path = basePath(username)
  let text = oldBase
  if (before !== undefined && drafting.some((id) => !before.drafted.includes(id))) {
    text = renderBase({ ...before, drafting })
    writeChanges([{ path, before: oldBase, after: text }], found)
  }
  const base = saysBase(text, applied.base) ? [] : [{ path, before: text, after: renderBase(applied.base) }]
  const changes = [...applied.changes, ...base]
  return files === undefined ? writeMember(username, changes, found) : writeChanges(changes, found)
}

/** Adds what was written of this member to the index, for the members that come later. */
const remember = (
  { changes, shotPaths }: Applied,
  {
    username,
    id,
    shots,
  }: { readonly username: string; readonly id: string; readonly shots: readonly ShotPlan[] },
  { index, found, tokenOf }: Run,
): void => {
  const changed = new Set(changes.map(({ path }) => path))
  if (!found.members.has(username)) index.addMember(username, id)
  for (const shot of shots) {
    const token = changed.has(shotPaths.get(shot.id)!) ? newToken(shot, tokenOf) : undefined
    if (token === undefined) continue
    if (shot.isNew) index.addShot(username, { id: shot.id, token })
    else index.changeToken(shot.id, token)
  }
}

/** Gives findings their places. */
const tell = (findings: readonly Finding[], surroundings: Surroundings): readonly Diagnostic<ImportCode>[] =>
  findings.map((finding) =>
    diagnose(finding.code, placeIn(finding.about, surroundings), finding.args as never),
  )
