import { requestPath, routes, type Variant } from '../api/routes.ts'
import { parse } from '../content/parse/parse.ts'
import { locate } from '../content/rules.ts'
import { isUsername } from '../content/username.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import { fileStart, type Place } from '../problems/diagnostic.ts'
import { type Base, basePath, readBase } from './base.ts'
import {
  type Fields,
  type ReadBody,
  type Remote,
  type RemoteShots,
  readShots,
  readUser,
  textOf,
} from './body.ts'
import { type ContentSite, type Mine, readMine, type SiteIndex } from './content.ts'
import { digestIn, type Fetched, neverAsked } from './fetch.ts'
import type { MergeInput, Side } from './merge-fields.ts'
import { mergeMember } from './merge-member.ts'
import { newToken } from './merge-shots.ts'
import { type About, type Finding, type Notes, type Told, tell } from './messages.ts'
import { type AskedName, placeOfName } from './names.ts'
import { type AskPicture, findHeld, takePictures, withAddresses } from './pictures.ts'
import type { Store } from './store.ts'
import { type Applied, applyPlan, writeMember } from './write.ts'

/** What every member of a run is imported, or proved, with. */
export type Run = {
  readonly addresses: Addresses
  readonly store: Store
  readonly found: ContentSite
  readonly index: SiteIndex
  readonly notes: Notes
  readonly httpsOnly: boolean
  readonly prove: boolean
  /** Fetches pictures; absent if they stay where they are. */
  readonly ask: AskPicture | undefined
  readonly side: Side
  readonly allowRemoval: boolean
}

/** A member to import: the name under which the remote has it, and what it says. */
export type Subject = { readonly asked: AskedName; readonly name: string; readonly got: Fetched }

export type Imported = {
  readonly told: readonly Told[]
  /** Paths that were written, below the content folder. */
  readonly written: readonly string[]
  /** Whether `import.json` names the bodies now. */
  readonly isMerged?: boolean
}

/** The address of a member's profile or shots. */
export const addressOf = (
  name: string,
  part: 'user' | 'shots',
  { addresses, scheme = 'https' }: { readonly addresses: Addresses; readonly scheme?: Variant },
): string => {
  const route = routes.find((route) => route.name === part)!
  return urlOf(addresses, scheme, addresses[scheme].path + requestPath(route, name))
}

/** The folder of the member that the remote knows by a name: the member has that name, or has it as an alias. */
export const folderOf = (name: string, { found, index }: Pick<Run, 'found' | 'index'>): string | undefined =>
  found.members.has(name) ? name : index.memberWithAlias(name)

export type ReadRemote = {
  readonly remote?: Remote
  /** What is known of http. */
  readonly http: Partial<Remote>
  /** Why there is nothing to compare over http, in words. */
  readonly unseen?: string | undefined
  readonly told: readonly Told[]
}

/** Reads what the remote says of a member, or tells why it can't be used. */
export const readRemote = ({ asked, name, got }: Subject, run: Run): ReadRemote => {
  const { notes, addresses, found } = run
  if (!isUsername(name)) {
    return { http: {}, told: [tell('bad-name', placeOfName(asked, urlOf(addresses, 'https')), { name })] }
  }
  const url = addressOf(name, 'user', run)
  if (got['https user']?.isAbsent) {
    const owner = folderOf(name, run)
    const known = owner !== undefined && readBase(found.content.path, owner).text !== undefined
    const place = known ? `${found.content.name}/${basePath(owner)}` : url
    return { http: {}, told: [tell('not-there', place, { name, owner: known ? owner : undefined })] }
  }
  const https = readScheme('https', { name, got, run })
  if (https.problem !== undefined) return { http: {}, told: https.told }
  const { user, shots, others, strays } = https.said as Remote
  const said = textOf(user, 'username')
  if (said !== name) {
    return { http: {}, told: [tell('other-username', url, { asked: name, said: said ?? 'missing' })] }
  }
  notes.fields('profile', [user], url)
  notes.fields('shot', shots, addressOf(name, 'shots', run))
  notes.others(others, addressOf(name, 'shots', run))
  const remote = { user, shots, others, strays }
  if (run.httpsOnly) return { remote, http: {}, unseen: 'only https was asked (--https-only)', told: [] }
  const http = readScheme('http', { name, got, run })
  if (http.problem !== undefined)
    notes.httpUnseen(http.problem, addressOf(name, 'user', { addresses, scheme: 'http' }))
  return { remote, http: http.said, unseen: http.problem, told: [] }
}

type Reading = { readonly name: string; readonly got: Fetched; readonly run: Run }

const readScheme = (scheme: Variant, { name, got, run }: Reading) => {
  const said: { user?: Fields } & { -readonly [K in keyof RemoteShots]?: RemoteShots[K] } = {}
  const told: Told[] = []
  let problem: string | undefined
  for (const { name: part } of routes) {
    const url = addressOf(name, part, { addresses: run.addresses, scheme })
    const one = got[`${scheme} ${part}`] ?? { problem: neverAsked }
    const isUserThere = got[`${scheme} user`]?.body !== undefined
    const fail = (code: 'no-answer' | 'bad-body', why: string): void => {
      problem ??= why
      told.push(tell(code, url, { problem: why }))
    }
    if (one.body === undefined) {
      if (part === 'shots' && one.isAbsent && isUserThere) {
        Object.assign(said, { shots: [], others: new Map(), strays: [] })
        run.notes.tolerated(['no-shots-404'], url)
      } else fail('no-answer', one.problem!)
      continue
    }
    const read: ReadBody<Fields | RemoteShots> =
      part === 'user' ? readUser(one.body.bytes) : readShots(one.body.bytes)
    run.notes.tolerated(read.value === undefined ? [] : read.tolerated, url)
    if (read.value === undefined) fail('bad-body', read.problem!)
    else Object.assign(said, part === 'user' ? { user: read.value } : read.value)
  }
  return { said: said as Partial<Remote>, problem, told }
}

/** What a merge of one member needs to know. */
export const mergeInput = (
  about: Pick<MergeInput, 'asked' | 'username' | 'base' | 'mine' | 'remote' | 'http' | 'bodies' | 'site'>,
  { found, index, side, allowRemoval }: Run,
): MergeInput => ({
  ...about,
  ...{ side, allowRemoval, contentName: found.content.name },
  shotWithId: index.shotWithId,
  shotWithToken: index.shotWithToken,
  isImported: (username) => isImported(username, found),
})

const isImported = (username: string, { content }: ContentSite): boolean =>
  readBase(content.path, username).text !== undefined

/** Imports one member. */
export const importMember = async (subject: Subject, run: Run): Promise<Imported> => {
  const { remote, http, told } = readRemote(subject, run)
  if (remote === undefined) return { told, written: [] }
  const { found, index } = run
  const { name } = subject
  const stays = (code: Told): Imported => ({ told: [...told, code], written: [] })
  const url = addressOf(name, 'user', run)
  const folder = folderOf(name, run)
  const id = textOf(remote.user, 'id') ?? ''
  const { mine: read, diagnostics } = folder === undefined ? { diagnostics: [] } : readMine(folder, found)
  if (folder !== undefined && read === undefined) return { told: [...told, ...diagnostics], written: [] }
  const owner = read?.profile.id === id ? undefined : index.memberWithId(id)
  if (owner !== undefined && owner !== folder) {
    const args = { id, asked: name, owner, isOwn: !isImported(owner, found) }
    return stays(tell('member-elsewhere', url, args))
  }
  const by = folder === undefined ? index.whyTaken(name) : undefined
  if (by !== undefined) return stays(tell('name-taken', url, { asked: name, by }))
  const username = folder ?? name
  const old = folder === undefined ? { wrong: false } : readBase(found.content.path, username)
  if (old.wrong) return stays(badBase(username, run))
  const base = withDrafting(old.base, read)
  const mine = read && withAddresses(read, base)
  const bodies = digestsIn(subject.got)
  const { held, ask } = await findHeld(remote, { base, site: found.site, ask: run.ask })
  const site = { ...found.site, held }
  const input = mergeInput({ asked: name, username, base, mine, remote, http, bodies, site }, run)
  const merged = mergeMember(input)
  if (merged.plan === undefined) {
    return { told: [...told, ...place(merged.findings, { name, mine, run })], written: [] }
  }
  const taken = ask
    ? await takePictures({ plan: merged.plan, mine, base, found, ask, replaces: run.side === 'theirs' })
    : { plan: merged.plan, pictures: new Map(), findings: [] }
  const { plan } = taken
  const findings = [...merged.findings, ...taken.findings]
  const applied = applyPlan(plan, { username, mine, before: base, site: found, taken: taken.pictures })
  const isWritten = mine !== undefined || applied.changes.some(({ path }) => path.endsWith('/profile.yaml'))
  const written = isWritten
    ? writeMember(applied, {
        username,
        before: base,
        baseText: old.text,
        site: found,
      })
    : []
  if (isWritten) {
    if (!found.members.has(username)) index.addMember(username, id)
    const changed = new Set(applied.changes.map(({ path }) => path))
    for (const shot of plan.shots) {
      const path = applied.shotPaths.get(shot.id)
      const token = path !== undefined && changed.has(path) ? newToken(shot) : undefined
      if (token !== undefined) index.addShot({ id: shot.id, owner: username, path: path! }, token)
    }
  }
  const refused = applied.refused.map(({ path, reason, isNew }) =>
    isNew
      ? tell('file-refused', addressOf(name, 'shots', run), { reason })
      : tell('cannot-edit', `${found.content.name}/${path}`, { reason }),
  )
  return {
    told: [...told, ...place(findings, { name, mine, run, applied }), ...refused],
    written,
    isMerged: isWritten,
  }
}

/** The import may have been killed after it made a draft, and before the base said whose draft it is. */
const withDrafting = (base: Base | undefined, mine: Mine | undefined): Base | undefined => {
  if (base?.drafting === undefined) return base
  const made = base.drafting.filter((id) => mine?.shots.get(id)?.draft)
  return { ...base, drafted: [...new Set([...base.drafted, ...made])], drafting: undefined }
}

const digestsIn = (got: Fetched): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(got).flatMap(([key, one]) => {
      const digest = digestIn(one)
      return digest === undefined ? [] : [[key, digest]]
    }),
  )

export const badBase = (username: string, { found }: Run): Told =>
  tell('bad-base-file', `${found.content.name}/${basePath(username)}`, undefined)

type Surroundings = {
  readonly name: string
  readonly mine: Mine | undefined
  readonly run: Run
  /** What was written since the files were read. */
  readonly applied?: Applied
}

/** Gives findings their places. */
const place = (findings: readonly Finding[], surroundings: Surroundings): readonly Told[] =>
  findings.map(({ about, ...finding }) => ({ ...finding, ...placeIn(about, surroundings) }))

/** Where something is: in the content as it is now, or at the address if there is no file. */
export const placeIn = (about: About, { name, mine, run, applied }: Surroundings): Place => {
  const { part, id = '', key } = about
  const path =
    part === 'shot'
      ? (mine?.files.shots.get(id)?.path ?? applied?.shotPaths.get(id))
      : part === 'profile'
        ? (mine?.files.profile.path ??
          applied?.changes.find(({ path }) => path.endsWith('/profile.yaml'))?.path)
        : undefined
  if (path === undefined) {
    const file = addressOf(name, part === 'profile' || part === 'user' ? 'user' : 'shots', run)
    return { file, ...fileStart }
  }
  const before = part === 'shot' ? mine?.files.shots.get(id) : mine?.files.profile
  const text = applied?.changes.find((change) => change.path === path)?.after ?? before?.text ?? ''
  const source = { file: `${run.found.content.name}/${path}`, text }
  if (key === undefined) return { file: source.file, ...fileStart }
  const { data } = parse(source)
  const has = typeof data === 'object' && Object.hasOwn(data, key)
  return has ? locate(source, [key], 'value') : locate(source, [], 'mapping')
}
