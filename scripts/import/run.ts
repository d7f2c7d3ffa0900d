import fs from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { requestPath, routes, type Variant } from '../api/routes.ts'
import { once } from '../content/once.ts'
import { parse } from '../content/parse/parse.ts'
import { isUsername } from '../content/username.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import type { Sender } from '../http/exchange.ts'
import { fileStart, type Place, UserError } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import { type Remote, readBody, type Tolerance, textOf } from './body.ts'
import type { ContentSite, Mine } from './content.ts'
import { basePath, heldAt, indexSite, openContent, readBase, readMine } from './content.ts'
import type { Clock, Fetched } from './fetch.ts'
import { concurrency, createFetch, createPace, neverAsked, openStore } from './fetch.ts'
import type { ImportSite, Side } from './fields.ts'
import { mergeMember } from './merge.ts'
import { type About, createNotes, type Find, type Finding } from './messages.ts'
import type { AskPicture, OpenSender } from './pictures.ts'
import { askOnce, createAskPicture, findHeld, withAddresses } from './pictures.ts'
import { createTally, proveMember } from './prove.ts'
import { clearUp, writeMember } from './write.ts'

export type ImportOptions = {
  readonly addresses: Addresses
  readonly content: string
  /** Default: `.shotpress/import` beside the content. */
  readonly state: string | undefined
  readonly names: readonly string[]
  readonly users: string | undefined
  readonly sender: Sender
  readonly rate: number
  readonly clock: Clock
  readonly offline: boolean
  readonly httpsOnly: boolean
  readonly prove: boolean
  readonly strict: boolean
  readonly side: Side
  readonly allowRemoval: boolean
  readonly pictures: boolean
  readonly openSender: OpenSender
  readonly onProgress: (done: number, total: number, what: string) => void
  /** Called with the files that were written for a member, below the content folder. */
  readonly onWritten: (paths: readonly string[]) => void
}

/** What every member of a run is imported, or proved, with. */
const openRun = (options: ImportOptions, found: ContentSite) => {
  const { addresses, content, state, rate, clock, offline, pictures, prove, openSender } = options
  const pace = createPace(rate, clock)
  const asking = createAskPicture(addresses, openSender, pace)
  return {
    ...options,
    found,
    pace,
    // a site without http says nothing there that could be proved
    httpsOnly: options.httpsOnly || !found.site.schemes.includes('http'),
    store: openStore(state, {
      content,
      remote: `${urlOf(addresses, 'https')} ${urlOf(addresses, 'http')}`,
    }),
    /** It is made when it is first asked, as most imports never ask. */
    index: once(() => indexSite(found)),
    notes: createNotes(),
    tally: createTally(),
    /** Fetches pictures; absent if they stay where they are. */
    ask: (pictures || prove) && !offline ? asking.ask : undefined,
    close: asking.close,
  }
}

export type Run = ReturnType<typeof openRun>

/** A member to import: the name under which the remote has it, its folder if it has one, and what was said of it. */
type Subject = Partial<ReturnType<typeof readBase>> & {
  readonly name: string
  readonly folder: string | undefined
  readonly got: Fetched
}

/** What is said of one member: by the remote now, by the remote last time, and by the content. */
export type Sides = Subject & {
  readonly run: Run
  /** Where the member's values will be: addresses whose pictures it holds can be said. */
  readonly site: ImportSite
  /** The name of the member's folder, also of one to be made. */
  readonly username: string
  readonly remote: Remote
  readonly http: Partial<Remote>
  readonly mine?: Mine
  /** Where the new files are, once they are written, by the shot's id; the profile has none. */
  readonly made: Map<string | undefined, string>
  /** Addresses in `mine` that stand for pictures which the site publishes there, by the names of their keys. */
  readonly published?: ReadonlyMap<string, string> | undefined
  readonly ask: AskPicture | undefined
  readonly find: Find
  readonly findings: Finding[]
}

/**
 * fetch → read → merge → write, or → prove, member by member: some are fetched ahead, and each is done before the next,
 * so that a run that is killed has done all of some members and nothing of the others. `changed` and `files` count what was
 * written; `stopped` says why the run ended before its last member.
 */
export const importSite = async (options: ImportOptions) => {
  const { addresses, content, prove, onProgress } = options
  const result = { changed: 0, files: 0, stopped: undefined as UserError | undefined }
  const baseUrl = urlOf(addresses, 'https')
  const found = openContent(content, baseUrl)
  if ('diagnostics' in found)
    return { ...result, members: 0, tally: createTally(), told: found.diagnostics }
  if (prove && found.newSite !== undefined)
    throw new UserError(`there is no content in "${content}" to prove`, { hint: 'import it first' })
  const names = await namesToAsk(options, found)
  const run = openRun(options, found)
  const { notes, index, tally } = run
  const fetch = createFetch(run, names.length)
  const fetchMember = async ({ name, place }: AskedName): Promise<Subject | undefined> => {
    if (!isUsername(name)) return notes.tell('bad-name', place ?? baseUrl, { name })
    // the member has that name, or has it as an alias
    const folder = found.members.has(name) ? name : index().aliases.get(name)
    const old = folder === undefined ? undefined : readBase(found.content, folder)
    return { ...old, name, folder, got: await fetch(name, old?.base) }
  }
  if (!prove) clearUp(found)
  const under: Promise<Subject | undefined>[] = []
  try {
    for (let done = 0; done < names.length; ) {
      while (under.length < concurrency && done + under.length < names.length) {
        const subject = fetchMember(names[done + under.length]!)
        // a failure is told when its turn comes
        subject.catch(() => {})
        under.push(subject)
      }
      const subject = await under.shift()!
      const sides = subject && (await readSides(subject, run))
      const written = (sides && (await (prove ? proveMember : importMember)(sides))) ?? []
      for (const { code, about, args, ...more } of sides?.findings ?? [])
        notes.tell(code, placeIn(about, sides!), args as never, more)
      if (written.some((path) => path !== 'site.yaml')) result.changed++
      result.files += written.length
      if (written.length > 0) options.onWritten(written)
      onProgress(++done, names.length, prove ? 'members compared' : 'members imported')
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    result.stopped = error
  } finally {
    run.close()
  }
  return { ...result, members: names.length, tally, told: notes.told() }
}

const addressOf = (
  name: string,
  part: 'user' | 'shots',
  {
    addresses,
    scheme = 'https',
  }: { readonly addresses: Addresses; readonly scheme?: Variant | undefined },
): string => {
  const route = routes.find((route) => route.name === part)!
  return urlOf(addresses, scheme, addresses[scheme].path + requestPath(route, name))
}

/** Reads what the remote, the content and `import.json` say of a member; where that is not enough, it is told. */
const readSides = async (subject: Subject, run: Run): Promise<Sides | undefined> => {
  const { name, folder, got, base, baseText, isWrong } = subject
  const { notes, found } = run
  const urls = { user: addressOf(name, 'user', run), shots: addressOf(name, 'shots', run) }
  const username = folder ?? name
  const baseFile = `${found.content.name}/${basePath(username, found.content)}`
  if (got['https user']?.isAbsent) {
    // only a member that was imported is missed
    const [place, owner] = baseText === undefined ? [urls.user] : [baseFile, folder]
    return notes.tell('not-there', place!, { name, owner, was: base?.username })
  }
  const https = readScheme('https', subject, run)
  if (https.problem !== undefined) return undefined
  const remote = https as Remote
  const said = textOf(remote.user, 'username')
  if (said !== name)
    return notes.tell('other-username', urls.user, { asked: name, said: said ?? 'missing' })
  notes.unknown(remote, urls)
  const http = readScheme('http', subject, run)
  const read = folder === undefined ? undefined : readMine(folder, found)
  if (read !== undefined && read.mine === undefined) return notes.add(read.diagnostics)
  if (isWrong) return notes.tell('bad-base-file', baseFile, undefined)
  if (
    base !== undefined &&
    base.username !== name &&
    base.profile.id !== textOf(remote.user, 'id')
  ) {
    const by = `the member here has another id, and was imported as ${quote(base.username)}`
    return notes.tell('name-taken', urls.user, { asked: name, by })
  }
  const ours = read?.mine && withAddresses(read.mine, { base, remote, run })
  const ask = run.ask && askOnce(run.ask)
  const held = await findHeld(remote, { base, published: ours?.published, ask, run })
  const site = { ...found.site, held }
  const findings: Finding[] = []
  const find: Find = (code, about, args, more) => void findings.push({ code, about, args, ...more })
  return {
    ...subject,
    ...ours,
    run,
    site,
    username,
    remote,
    http,
    made: new Map(),
    ask,
    find,
    findings,
  }
}

/** Reads the bodies of one scheme; where one says nothing, it is told. */
const readScheme = (
  scheme: Variant,
  { name, got }: Subject,
  { addresses, httpsOnly, notes }: Run,
): Partial<Remote> => {
  if (scheme === 'http' && httpsOnly) return { problem: 'only https was asked (--https-only)' }
  const said: Partial<Remote> = {}
  let problem: string | undefined
  for (const { name: part } of routes) {
    const url = addressOf(name, part, { addresses, scheme })
    const { body, isAbsent, problem: missing = neverAsked } = got[`${scheme} ${part}`] ?? {}
    const tolerated = new Set<Tolerance>()
    const hasNoShots = part === 'shots' && isAbsent && got[`${scheme} user`]?.body !== undefined
    if (hasNoShots) tolerated.add('no-shots-404')
    const bytes = hasNoShots ? Buffer.from('{"Shots":[]}') : body?.bytes
    const read = bytes ? readBody(part, bytes, tolerated) : missing
    if (typeof read === 'object') {
      for (const name of tolerated)
        notes.isFirst(name, (count) => notes.tell('tolerated', url, { name, count }))
      Object.assign(said, read)
    } else {
      problem ??= read
      if (scheme === 'https') notes.tell(body ? 'bad-body' : 'no-answer', url, { problem: read })
    }
  }
  if (scheme === 'http' && problem !== undefined) {
    const url = addressOf(name, 'user', { addresses, scheme })
    notes.isFirst('http', (count) => notes.tell('http-unseen', url, { problem, count }))
  }
  return { ...said, problem }
}

/** Imports one member; gives the paths that were written, below the content folder. */
const importMember = async (sides: Sides): Promise<readonly string[] | undefined> => {
  const { run, name, username, got, remote, mine } = sides
  const { index, notes } = run
  const [url, id] = [addressOf(name, 'user', run), textOf(remote.user, 'id') ?? '']
  const owner = mine?.profile.said.id === id ? undefined : index().ids.get(id)
  if (owner !== undefined && owner !== username)
    return notes.tell('member-elsewhere', url, { id, asked: name, owner })
  const by = mine === undefined ? index().whyTaken(name) : undefined
  if (by !== undefined) return notes.tell('name-taken', url, { asked: name, by })
  const plan = mergeMember(sides)
  const written = plan && (await writeMember(plan, sides))
  // import.json names the bodies now
  if (written && !run.offline) run.store.keep(name, got)
  return written
}

/** A place in the content as it is now, or the address if there is no file. */
const placeIn = ({ id, key, at, scheme }: About, { name, mine, made, run }: Sides): Place => {
  const path = at === undefined ? (heldAt(mine, id)?.path ?? made.get(id)) : undefined
  const source = path === undefined ? undefined : run.found.read(path).source
  if (source === undefined) {
    const part = at ?? (id === undefined ? 'user' : 'shots')
    return { file: addressOf(name, part, { ...run, scheme }), ...fileStart }
  }
  if (key === undefined) return { file: source.file, ...fileStart }
  const { data, place } = parse(source)
  const has = typeof data === 'object' && Object.hasOwn(data, key)
  return has ? place([key], 'value') : place([], 'mapping')
}

/** A name to ask for, and the line of `--users` that gives it. */
type AskedName = { readonly name: string; readonly place?: Place }

/**
 * The names to ask for, each once, sorted: those given, else of all members that were imported before the ones that the
 * remote had then.
 */
const namesToAsk = async (
  { names, users }: ImportOptions,
  { content, members }: ContentSite,
): Promise<readonly AskedName[]> => {
  const listed = users === undefined ? [] : await readUsers(users)
  const given: readonly AskedName[] = [...names.map((name) => ({ name })), ...listed]
  const imported = (member: string): readonly AskedName[] => {
    const { base, baseText } = readBase(content, member)
    return baseText === undefined ? [] : [{ name: base?.username ?? member }]
  }
  const asked = given.length > 0 || users !== undefined ? given : [...members].flatMap(imported)
  if (asked.length === 0) {
    const hint =
      'give usernames, or a file with one a line (--users FILE); without any, those imported before are asked for'
    throw new UserError(users ? `there is no username in ${quote(users)}` : 'which members?', {
      hint,
    })
  }
  const byName = new Map(asked.toReversed().map((one) => [one.name, one]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** One name a line; blank lines and comments count nothing. */
const readUsers = async (users: string): Promise<readonly AskedName[]> => {
  let text: string
  try {
    const bytes = users === '-' ? await buffer(process.stdin) : fs.readFileSync(users)
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    const hint = 'it has to be a text file in UTF-8 with one username a line'
    throw new UserError(`can't read the usernames from ${quote(users)}`, { hint, cause })
  }
  const file = users === '-' ? 'stdin' : users
  return text
    .split(/\r\n?|\n/)
    .map((line, index) => ({
      name: line.replace(/(?:^|\s)#.*/s, '').trim(),
      place: { file, ...fileStart, line: index + 1, endLine: index + 1 },
    }))
    .filter(({ name }) => name !== '')
}
