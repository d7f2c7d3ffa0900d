import { requestPath, routes, type Variant } from '../api/routes.ts'
import { parse } from '../content/parse/parse.ts'
import { locate } from '../content/rules.ts'
import { isUsername } from '../content/username.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import { fileStart, type Place } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import type { AskPicture } from './ask-picture.ts'
import { type Base, basePath, readBase } from './base.ts'
import { type Remote, readBody, type Tolerance, textOf } from './body.ts'
import { heldAt, type Mine, readMine } from './content.ts'
import { digestIn, type Fetched, neverAsked } from './fetch.ts'
import type { ImportSite } from './fields.ts'
import { type About, createFindings, type Find, type Finding } from './messages.ts'
import type { AskedName } from './names.ts'
import { findHeld, withAddresses } from './pictures.ts'
import type { Run } from './run.ts'
import type { Applied } from './write.ts'

/** A member to import: the name under which the remote has it, and what it says. */
export type Subject = { readonly asked: AskedName; readonly name: string; readonly got: Fetched }

/** What is said of one member: by the remote now, by the remote last time, and by the content. */
export type Sides = {
  readonly run: Run
  /** Where the member's values will be: addresses whose pictures it holds can be said. */
  readonly site: ImportSite
  /** The name that was asked for, and that of the member's folder. */
  readonly name: string
  readonly username: string
  readonly remote: Remote
  /** What is known of http, and why there is nothing to compare, in words. */
  readonly http: Partial<Remote>
  readonly unseen: string | undefined
  /** The digests of the bodies. */
  readonly bodies: Readonly<Record<string, string>>
  readonly base: Base | undefined
  readonly baseText: string | undefined
  /** Absent for a new member. */
  readonly mine: Mine | undefined
  /** Addresses in `mine` that stand for pictures which the site publishes there, by the names of their keys. */
  readonly published: ReadonlyMap<string, string> | undefined
  /** Fetches pictures; absent if they stay where they are. */
  readonly ask: AskPicture | undefined
  readonly find: Find
  readonly findings: readonly Finding[]
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

/** Reads what the remote, the content and `import.json` say of a member; where that is not enough, it is told. */
export const readSides = async (subject: Subject, run: Run): Promise<Sides | undefined> => {
  const { asked, name, got } = subject
  const { notes, addresses, found, index } = run
  if (!isUsername(name)) return notes.tell('bad-name', asked.place ?? urlOf(addresses, 'https'), { name })
  const urls = { user: addressOf(name, 'user', run), shots: addressOf(name, 'shots', run) }
  // the member has that name, or has it as an alias
  const folder = found.members.has(name) ? name : index().memberWithAlias(name)
  const username = folder ?? name
  const old = folder === undefined ? undefined : readBase(found.content.path, folder)
  const baseFile = `${found.content.name}/${basePath(username)}`
  if (got['https user']?.isAbsent) {
    // only a member that was imported is missed
    const missed = old?.text === undefined ? undefined : old
    const args = { name, owner: missed && folder, was: missed?.base?.username }
    return notes.tell('not-there', missed ? baseFile : urls.user, args)
  }
  const https = readScheme('https', subject, run)
  if (https.problem !== undefined) return undefined
  const remote = https.said as Remote
  const said = textOf(remote.user, 'username')
  if (said !== name) return notes.tell('other-username', urls.user, { asked: name, said: said ?? 'missing' })
  notes.unknown(remote, urls)
  const http = run.httpsOnly
    ? { said: {}, problem: 'only https was asked (--https-only)' }
    : readScheme('http', subject, run)
  if (!run.httpsOnly && http.problem !== undefined) {
    const [problem, at] = [http.problem, addressOf(name, 'user', { addresses, scheme: 'http' })]
    notes.once('http-unseen', (count) => notes.tell('http-unseen', at, { problem, count }))
  }
  const read = folder === undefined ? undefined : readMine(folder, found)
  if (read !== undefined && read.mine === undefined) return notes.add(read.diagnostics)
  if (old?.wrong) return notes.tell('bad-base-file', baseFile, undefined)
  const base = old?.base
  if (base !== undefined && base.username !== name && base.profile.id !== textOf(remote.user, 'id')) {
    const by = `the member here has another id, and was imported as ${quote(base.username)}`
    return notes.tell('name-taken', urls.user, { asked: name, by })
  }
  const { mine, published } = read?.mine ? withAddresses(read.mine, { base, remote, run }) : {}
  const { held, ask } = await findHeld(remote, { base, published, run })
  const bodies = Object.entries(got).flatMap(([key, one]) => {
    const digest = digestIn(one)
    return digest === undefined ? [] : [[key, digest]]
  })
  return {
    ...{ run, site: { ...found.site, held }, name, username, remote, http: http.said, unseen: http.problem },
    ...{ base, baseText: old?.text, bodies: Object.fromEntries(bodies), mine, published, ask },
    ...createFindings(),
  }
}

const noShots = { shots: [], strays: [], others: new Map() }

/** What the bodies of one scheme say, and why there is none, in words; over https that is told. */
const readScheme = (scheme: Variant, { name, got }: Subject, { addresses, notes }: Run) => {
  const said: Partial<Remote> = {}
  let problem: string | undefined
  for (const { name: part } of routes) {
    const url = addressOf(name, part, { addresses, scheme })
    const { body, isAbsent, problem: missing = neverAsked } = got[`${scheme} ${part}`] ?? {}
    const tolerated = new Set<Tolerance>()
    const hasNoShots = part === 'shots' && isAbsent && got[`${scheme} user`]?.body !== undefined
    if (hasNoShots) tolerated.add('no-shots-404')
    const read = body ? readBody(part, body.bytes, tolerated) : hasNoShots ? noShots : undefined
    if (typeof read === 'object') {
      notes.tolerated(tolerated, url)
      Object.assign(said, read)
    } else {
      problem ??= read ?? missing
      const code = body ? 'bad-body' : 'no-answer'
      if (scheme === 'https') notes.tell(code, url, { problem: read ?? missing })
    }
  }
  return { said, problem }
}

/** Tells what was found, each at its place: in the content as it is now, or at the address if there is no file. */
export const tellFindings = (sides: Sides, applied?: Applied): undefined =>
  sides.run.notes.add(
    sides.findings.map(({ about, ...finding }) => ({ ...finding, ...placeIn(about, sides, applied) })),
  )

export const placeIn = ({ id, key, at }: About, { name, mine, run }: Sides, applied?: Applied): Place => {
  const held = heldAt(mine, id)
  const path = at === undefined ? (held?.path ?? applied?.paths.get(id)) : undefined
  if (path === undefined) {
    return { file: addressOf(name, at ?? (id === undefined ? 'user' : 'shots'), run), ...fileStart }
  }
  const text = applied?.changes.find((change) => change.path === path)?.after ?? held?.text ?? ''
  const source = { file: `${run.found.content.name}/${path}`, text }
  if (key === undefined) return { file: source.file, ...fileStart }
  const { data } = parse(source)
  const has = typeof data === 'object' && Object.hasOwn(data, key)
  return has ? locate(source, [key], 'value') : locate(source, [], 'mapping')
}
