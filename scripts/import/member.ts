import { requestPath, routes, type Variant } from '../api/routes.ts'
import { parse } from '../content/parse/parse.ts'
import { locate } from '../content/rules.ts'
import { isUsername } from '../content/username.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import { fileStart, type Place } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import type { AskPicture } from './ask-picture.ts'
import { basePath, isImported, readBase } from './base.ts'
import { type Remote, readShots, readUser, textOf } from './body.ts'
import { type ContentSite, readMine, type SiteIndex } from './content.ts'
import { digestIn, type Fetched, neverAsked } from './fetch.ts'
import type { Side } from './fields.ts'
import type { Tolerance } from './json.ts'
import { mergeMember, type Sides } from './merge.ts'
import { newToken } from './merge-shots.ts'
import { type About, type Finding, type ImportCode, type Notes, type Told, tell } from './messages.ts'
import { type AskedName, placeOfName } from './names.ts'
import { findHeld, takePictures, withAddresses } from './pictures.ts'
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

/** What is known of a member, or what is told because that is not enough. */
export type Known = Sides & {
  readonly baseText: string | undefined
  /** Why there is nothing to compare over http, in words. */
  readonly unseen: string | undefined
  readonly ask: AskPicture | undefined
}

/** Reads what the remote, the content and `import.json` say of a member. */
export const readSides = async (
  { asked, name, got }: Subject,
  run: Run,
): Promise<{ readonly known?: Known; readonly told: readonly Told[] }> => {
  const { notes, addresses, found, index } = run
  const fail = <C extends ImportCode>(...args: Parameters<typeof tell<C>>) => ({ told: [tell(...args)] })
  if (!isUsername(name)) return fail('bad-name', placeOfName(asked, urlOf(addresses, 'https')), { name })
  const [url, shotsUrl] = [addressOf(name, 'user', run), addressOf(name, 'shots', run)]
  // the member has that name, or has it as an alias
  const folder = found.members.has(name) ? name : index.memberWithAlias(name)
  if (got['https user']?.isAbsent) {
    const owner = folder !== undefined && isImported(found.content.path, folder) ? folder : undefined
    const place = owner === undefined ? url : `${found.content.name}/${basePath(owner)}`
    const was = owner && readBase(found.content.path, owner).base?.username
    return fail('not-there', place, { name, owner, was })
  }
  const https = readScheme('https', { name, got, run })
  if (https.problem !== undefined) return { told: https.told }
  const remote = https.said as Remote
  const said = textOf(remote.user, 'username')
  if (said !== name) return fail('other-username', url, { asked: name, said: said ?? 'missing' })
  notes.fields('profile', [remote.user], url)
  notes.fields('shot', remote.shots, shotsUrl)
  notes.others(remote.others, shotsUrl)
  const http = run.httpsOnly
    ? { said: {}, problem: 'only https was asked (--https-only)' }
    : readScheme('http', { name, got, run })
  if (!run.httpsOnly && http.problem !== undefined) {
    notes.httpUnseen(http.problem, addressOf(name, 'user', { addresses, scheme: 'http' }))
  }
  const { mine: read, diagnostics } = folder === undefined ? { diagnostics: [] } : readMine(folder, found)
  if (folder !== undefined && read === undefined) return { told: diagnostics }
  const username = folder ?? name
  const old = folder === undefined ? { wrong: false } : readBase(found.content.path, username)
  if (old.wrong) return fail('bad-base-file', `${found.content.name}/${basePath(username)}`, undefined)
  const { base } = old
  if (base !== undefined && base.username !== name && base.profile.id !== textOf(remote.user, 'id')) {
    const by = `the member here has another id, and was imported as ${quote(base.username)}`
    return fail('name-taken', url, { asked: name, by })
  }
  const { mine, published } = read === undefined ? {} : withAddresses(read, { base, remote, run })
  const { held, ask } = await findHeld(remote, { base, published, run })
  const bodies = Object.entries(got).flatMap(([key, one]) => {
    const digest = digestIn(one)
    return digest === undefined ? [] : [[key, digest]]
  })
  const sides: Sides = {
    ...{ run, site: { ...found.site, held }, name, username, remote, http: http.said },
    ...{ bodies: Object.fromEntries(bodies), base, mine, published },
  }
  return {
    known: { ...sides, baseText: old.text, unseen: http.problem, ask },
    told: [],
  }
}

type Reading = { readonly name: string; readonly got: Fetched; readonly run: Run }

const readScheme = (scheme: Variant, { name, got, run: { addresses, notes } }: Reading) => {
  const said: { -readonly [K in keyof Remote]?: Remote[K] } = {}
  const told: Told[] = []
  let problem: string | undefined
  for (const { name: part } of routes) {
    const url = addressOf(name, part, { addresses, scheme })
    const one = got[`${scheme} ${part}`] ?? { problem: neverAsked }
    const fail = (code: 'no-answer' | 'bad-body', why: string): void => {
      problem ??= why
      told.push(tell(code, url, { problem: why }))
    }
    if (one.body === undefined) {
      if (part === 'shots' && one.isAbsent && got[`${scheme} user`]?.body !== undefined) {
        Object.assign(said, { shots: [], others: new Map(), strays: [] })
        notes.tolerated(['no-shots-404'], url)
      } else fail('no-answer', one.problem!)
      continue
    }
    const tolerated = new Set<Tolerance>()
    const read = part === 'user' ? readUser(one.body.bytes, tolerated) : readShots(one.body.bytes, tolerated)
    if (read.value === undefined) {
      fail('bad-body', read.problem)
      continue
    }
    notes.tolerated(tolerated, url)
    Object.assign(said, part === 'user' ? { user: read.value } : read.value)
  }
  return { said, problem, told }
}

/** Imports one member. */
export const importMember = async (subject: Subject, run: Run): Promise<Imported> => {
  const { known, told } = await readSides(subject, run)
  if (known === undefined) return { told, written: [] }
  const { found, index } = run
  const { name, username, remote, mine, ask } = known
  const isNew = mine === undefined
  const url = addressOf(name, 'user', run)
  const id = textOf(remote.user, 'id') ?? ''
  const owner = mine?.profile.id === id ? undefined : index.memberWithId(id)
  if (owner !== undefined && (isNew || owner !== username)) {
    return { told: [tell('member-elsewhere', url, { id, asked: name, owner })], written: [] }
  }
  const by = isNew ? index.whyTaken(name) : undefined
  if (by !== undefined) return { told: [tell('name-taken', url, { asked: name, by })], written: [] }
  const merged = mergeMember(known)
  if (merged.plan === undefined) return { told: place(merged.findings, known), written: [] }
  const taken = ask && (await takePictures(merged.plan, { ...known, ask }))
  const plan = taken?.plan ?? merged.plan
  const applied = applyPlan(plan, known, taken)
  const isWritten = !isNew || applied.changes.some(({ path }) => path.endsWith('/profile.yaml'))
  const written = isWritten ? writeMember(applied, known) : []
  if (isWritten) {
    if (!found.members.has(username)) index.addMember(username, id)
    const changed = new Set(applied.changes.map(({ path }) => path))
    for (const shot of plan.shots) {
      const path = applied.shotPaths.get(shot.id)
      const token = path !== undefined && changed.has(path) ? newToken(shot) : undefined
      if (token !== undefined) index.addShot({ id: shot.id, token, owner: username, path: path! })
    }
  }
  const refused = applied.refused.map(({ path, reason, isNew }) =>
    isNew
      ? tell('file-refused', addressOf(name, 'shots', run), { reason })
      : tell('cannot-edit', `${found.content.name}/${path}`, { reason }),
  )
  const findings = [...merged.findings, ...(taken?.findings ?? [])]
  return { told: [...place(findings, known, applied), ...refused], written, isMerged: isWritten }
}

/** Gives findings their places. */
const place = (findings: readonly Finding[], sides: Sides, applied?: Applied): readonly Told[] =>
  findings.map(({ about, ...finding }) => ({ ...finding, ...placeIn(about, sides, applied) }))

/** Where something is: in the content as it is now, or at the address if there is no file. */
export const placeIn = (about: About, { name, mine, run }: Sides, applied?: Applied): Place => {
  const { part, id = '', key } = about
  const before =
    part === 'shot' ? mine?.files.shots.get(id) : part === 'profile' ? mine?.files.profile : undefined
  const isProfile = ({ path }: { readonly path: string }): boolean => path.endsWith('/profile.yaml')
  const made = part === 'shot' ? applied?.shotPaths.get(id) : applied?.changes.find(isProfile)?.path
  const path = before?.path ?? (part === 'shot' || part === 'profile' ? made : undefined)
  if (path === undefined) {
    const file = addressOf(name, part === 'profile' || part === 'user' ? 'user' : 'shots', run)
    return { file, ...fileStart }
  }
  const text = applied?.changes.find((change) => change.path === path)?.after ?? before?.text ?? ''
  const source = { file: `${run.found.content.name}/${path}`, text }
  if (key === undefined) return { file: source.file, ...fileStart }
  const { data } = parse(source)
  const has = typeof data === 'object' && Object.hasOwn(data, key)
  return has ? locate(source, [key], 'value') : locate(source, [], 'mapping')
}
