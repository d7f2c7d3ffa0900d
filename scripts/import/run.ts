import { isUtf8 } from 'node:buffer'
import fs from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { once } from '../content/once.ts'
import { isUsername } from '../content/username.ts'
import { hostNames } from '../hosts/hosts.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import type { Sender } from '../http/exchange.ts'
import { fileStart, type Place, UserError } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import { textOf } from './body.ts'
import { type ContentSite, indexSite, openContent, readBase, type SiteIndex } from './content.ts'
import { type Clock, concurrency, createFetch, createPace, openStore, type Store } from './fetch.ts'
import type { Side } from './fields.ts'
import { addressOf, readSides, type Sides, type Subject, tellFindings } from './member.ts'
import { mergeMember } from './merge.ts'
import { createNotes, type Notes } from './messages.ts'
import { type AskPicture, createAskPicture, type OpenSender } from './pictures.ts'
import { createTally, proveMember, type Tally } from './prove.ts'
import { clearUp, writeMember } from './write.ts'

export type ImportOptions = {
  readonly addresses: Addresses
  readonly content: string
  /** Default: `.shotpress/import` beside the content. */
  readonly state: string | undefined
  readonly names: readonly string[]
  /** A file with one name a line; `-` is stdin. */
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
  /** Whether pictures are taken along. */
  readonly pictures: boolean
  /** Opens a client for the host of a picture. */
  readonly openSender: OpenSender
  readonly onProgress: (done: number, total: number, what: string) => void
  /** Called with the files that were written for a member, below the content folder. */
  readonly onWritten: (paths: readonly string[]) => void
}

/** What every member of a run is imported, or proved, with. */
export type Run = ImportOptions & {
  readonly store: Store
  readonly found: ContentSite
  /** It is made when it is first asked, as most imports never ask. */
  readonly index: () => SiteIndex
  readonly notes: Notes
  readonly tally: Tally
  /** Fetches pictures; absent if they stay where they are. */
  readonly ask: AskPicture | undefined
}

/**
 * fetch → read → merge → write, or → prove, member by member: some are fetched ahead, and each is done before the next,
 * so that a run that is killed has done all of some members and nothing of the others. `changed` and `files` count what was
 * written; `stopped` says why the run ended before its last member.
 */
export const importSite = async (options: ImportOptions) => {
  const { addresses, content, prove, offline, onProgress } = options
  const [notes, tally] = [createNotes(), createTally()]
  const result = { members: 0, changed: 0, files: 0, tally, stopped: undefined as UserError | undefined }
  const baseUrl = urlOf(addresses, 'https')
  const found = openContent(content, { baseUrl, hostNames })
  if ('diagnostics' in found) return { ...result, told: found.diagnostics }
  if (prove && found.newSite !== undefined) {
    throw new UserError(`there is no content in "${content}" to prove`, { hint: 'import it first' })
  }
  const names = await namesToAsk(options, found)
  result.members = names.length
  const store = openStore(options.state, { content, remote: `${baseUrl} ${urlOf(addresses, 'http')}` })
  // a site without http says nothing there that could be proved
  const httpsOnly = options.httpsOnly || !found.site.schemes.includes('http')
  const pace = createPace(options.rate, options.clock)
  const asking = createAskPicture(addresses, options.openSender, pace)
  const ask = (options.pictures || prove) && !offline ? asking.ask : undefined
  const index = once(() => indexSite(found))
  const run: Run = { ...options, httpsOnly, store, found, index, notes, tally, ask }
  const fetch = createFetch(run, { pace, count: names.length })
  const fetchMember = async (asked: AskedName): Promise<Subject> => {
    const { name } = asked
    if (!isUsername(name)) return { ...asked, folder: undefined, got: {} }
    // the member has that name, or has it as an alias
    const folder = found.members.has(name) ? name : index().aliases.get(name)
    const base = folder === undefined ? undefined : readBase(found.content.path, folder).base
    return { ...asked, folder, got: await fetch(name, base) }
  }
  if (!prove) clearUp(found)
  const under: Promise<Subject>[] = []
  try {
    for (let done = 0; done < names.length; ) {
      while (under.length < concurrency && done + under.length < names.length) {
        const subject = fetchMember(names[done + under.length]!)
        // a failure is told when its turn comes
        subject.catch(() => {})
        under.push(subject)
      }
      const subject = await under.shift()!
      const sides = await readSides(subject, run)
      if (sides && prove) await proveMember(sides)
      const written = (sides && !prove ? await importMember(sides) : undefined) ?? []
      if (written.some((path) => path !== 'site.yaml')) result.changed++
      result.files += written.length
      if (written.length > 0) options.onWritten(written)
      onProgress(++done, names.length, prove ? 'members compared' : 'members imported')
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    result.stopped = error
  } finally {
    asking.close()
  }
  return { ...result, told: notes.told() }
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
  tellFindings(sides)
  // import.json names the bodies now
  if (written && !run.offline) run.store.keep(name, got)
  return written
}

/** A name to ask for, and the line of `--users` that gives it. */
export type AskedName = { readonly name: string; readonly place?: Place }

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
  if (given.length === 0 && users !== undefined) {
    throw new UserError(`${quote(users)} holds no username`, { hint: 'write one a line' })
  }
  const imported = (member: string): readonly AskedName[] => {
    const { base, baseText } = readBase(content.path, member)
    return baseText === undefined ? [] : [{ name: base?.username ?? member }]
  }
  const asked = given.length > 0 ? given : [...members].flatMap(imported)
  if (asked.length === 0) {
    throw new UserError('which members?', {
      hint: 'no member was imported yet: give usernames, or a file of them with --users FILE',
    })
  }
  const byName = new Map(asked.toReversed().map((one) => [one.name, one]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** One name a line; blank lines and comments count nothing. */
const readUsers = async (users: string): Promise<readonly AskedName[]> => {
  let bytes: Buffer
  try {
    bytes = users === '-' ? await buffer(process.stdin) : fs.readFileSync(users)
  } catch (cause) {
    throw new UserError(`can't read the usernames from ${quote(users)}`, { cause })
  }
  if (!isUtf8(bytes)) {
    throw new UserError(`${quote(users)} is not a text file in UTF-8`, { hint: 'write one username a line' })
  }
  const file = users === '-' ? 'stdin' : users
  return bytes
    .toString('utf8')
    .split(/\r\n?|\n/)
    .map((line, index) => ({
      // a byte order mark is white space
      name: line.replace(/(?:^|\s)#.*$/, '').trim(),
      place: { file, ...fileStart, line: index + 1, endLine: index + 1 },
    }))
    .filter(({ name }) => name !== '')
}
