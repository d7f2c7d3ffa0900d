import { requestPath, routes, type Variant } from '../api/routes.ts'
import { parse } from '../content/parse/parse.ts'
import { locate } from '../content/rules.ts'
import { isUsername } from '../content/username.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import { fileStart, type Place } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import { type Remote, readBody, type Tolerance, textOf } from './body.ts'
import { type Base, basePath, type Mine, readBase, readMine } from './content.ts'
import { type Fetched, neverAsked } from './fetch.ts'
import type { ImportSite } from './fields.ts'
import type { About, Find, Finding } from './messages.ts'
import { type AskPicture, askOnce, findHeld, withAddresses } from './pictures.ts'
import type { AskedName, Run } from './run.ts'

/** A member to import: the name under which the remote has it, its folder if it has one, and what the remote says. */
export type Subject = AskedName & { readonly folder: string | undefined; readonly got: Fetched }

/** What is said of one member: by the remote now, by the remote last time, and by the content. */
export type Sides = Subject & {
  readonly run: Run
  /** Where the member's values will be: addresses whose pictures it holds can be said. */
  readonly site: ImportSite
  /** The name of the member's folder, also of one to be made. */
  readonly username: string
  readonly remote: Remote
  readonly http: SchemeSays
  readonly base?: Base | undefined
  readonly baseText?: string | undefined
  /** Absent for a new member. */
  readonly mine?: Mine
  /** Where the files are, and the new ones once they are written, by the shot's id; the profile has none. */
  readonly paths: Map<string | undefined, string>
  /** Addresses in `mine` that stand for pictures which the site publishes there, by the names of their keys. */
  readonly published?: ReadonlyMap<string, string> | undefined
  /** Fetches pictures, each once; absent if they stay where they are. */
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
  const { name, place, folder, got } = subject
  const { notes, addresses, found } = run
  if (!isUsername(name)) return notes.tell('bad-name', place ?? urlOf(addresses, 'https'), { name })
  const urls = { user: addressOf(name, 'user', run), shots: addressOf(name, 'shots', run) }
  const username = folder ?? name
  const old = folder === undefined ? undefined : readBase(found.content.path, folder)
  const baseFile = `${found.content.name}/${basePath(username)}`
  if (got['https user']?.isAbsent) {
    // only a member that was imported is missed
    const missed = old?.baseText === undefined ? undefined : old
    const args = { name, owner: missed && folder, was: missed?.base?.username }
    return notes.tell('not-there', missed ? baseFile : urls.user, args)
  }
  const https = readScheme('https', subject, run)
  if (https.problem !== undefined) return undefined
  const remote = https as Remote
  const said = textOf(remote.user, 'username')
  if (said !== name) return notes.tell('other-username', urls.user, { asked: name, said: said ?? 'missing' })
  notes.unknown(remote, urls)
  const http = readScheme('http', subject, run)
  const read = folder === undefined ? undefined : readMine(folder, found)
  if (read !== undefined && read.mine === undefined) return notes.add(read.diagnostics)
  if (old?.isWrong) return notes.tell('bad-base-file', baseFile, undefined)
  const base = old?.base
  if (base !== undefined && base.username !== name && base.profile.id !== textOf(remote.user, 'id')) {
    const by = `the member here has another id, and was imported as ${quote(base.username)}`
    return notes.tell('name-taken', urls.user, { asked: name, by })
  }
  const ours = read?.mine && withAddresses(read.mine, { base, remote, run })
  const ask = run.ask && askOnce(run.ask)
  const held = await findHeld(remote, { base, published: ours?.published, ask, run })
  const site = { ...found.site, held }
  const findings: Finding[] = []
  const find: Find = (code, about, args, related) => {
    findings.push({ code, about, args, related })
  }
  const files = [...(ours?.mine.shots ?? []), [undefined, ours?.mine.profile] as const]
  const paths = new Map(files.flatMap(([id, held]) => (held ? [[id, held.path]] : [])))
  return { ...subject, ...old, ...ours, run, site, username, remote, http, paths, ask, find, findings }
}

const noShots = { shots: [], strays: [], others: new Map() }

/** What the bodies of one scheme say, and why one says nothing, in words. */
type SchemeSays = Partial<Remote> & { readonly problem?: string | undefined }

/** Reads the bodies of one scheme; where one says nothing, it is told. */
const readScheme = (
  scheme: Variant,
  { name, got }: Subject,
  { addresses, httpsOnly, notes }: Run,
): SchemeSays => {
  if (scheme === 'http' && httpsOnly) return { problem: 'only https was asked (--https-only)' }
  const said: Partial<Remote> = {}
  let problem: string | undefined
  for (const { name: part } of routes) {
    const url = addressOf(name, part, { addresses, scheme })
    const { body, isAbsent, problem: missing = neverAsked } = got[`${scheme} ${part}`] ?? {}
    const tolerated = new Set<Tolerance>()
    const hasNoShots = part === 'shots' && isAbsent && got[`${scheme} user`]?.body !== undefined
    if (hasNoShots) tolerated.add('no-shots-404')
    const read = body ? readBody(part, body.bytes, tolerated) : hasNoShots ? noShots : missing
    if (typeof read === 'object') {
      for (const name of tolerated)
        notes.once(`tolerated ${name}`, (count) => notes.tell('tolerated', url, { name, count, url }))
      Object.assign(said, read)
    } else {
      problem ??= read
      if (scheme === 'https') notes.tell(body ? 'bad-body' : 'no-answer', url, { problem: read })
    }
  }
  if (scheme === 'http' && problem !== undefined) {
    const url = addressOf(name, 'user', { addresses, scheme })
    notes.once('http-unseen', (count) => notes.tell('http-unseen', url, { problem, count }))
  }
  return { ...said, problem }
}

/** Tells what was found, each at its place: in the content as it is now, or at the address if there is no file. */
export const tellFindings = (sides: Sides): void => {
  for (const { code, about, args, related } of sides.findings)
    sides.run.notes.tell(code, placeIn(about, sides), args as never, { related })
}

export const placeIn = ({ id, key, at }: About, { name, paths, run }: Sides): Place => {
  const path = at === undefined ? paths.get(id) : undefined
  const source = path === undefined ? undefined : run.found.read(path).source
  if (source === undefined) {
    return { file: addressOf(name, at ?? (id === undefined ? 'user' : 'shots'), run), ...fileStart }
  }
  if (key === undefined) return { file: source.file, ...fileStart }
  const { data } = parse(source)
  const has = typeof data === 'object' && Object.hasOwn(data, key)
  return has ? locate(source, [key], 'value') : locate(source, [], 'mapping')
}
