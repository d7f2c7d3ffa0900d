import { once } from '../content/once.ts'
import { isUsername } from '../content/username.ts'
import { hostNames } from '../hosts/hosts.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import type { Sender } from '../http/send.ts'
import { UserError } from '../problems/user-error.ts'
import { type AskPicture, createAskPicture, type OpenSender } from './ask-picture.ts'
import { readBase } from './base.ts'
import { textOf } from './body.ts'
import { type ContentSite, indexSite, openContent, type SiteIndex } from './content.ts'
import { type Clock, concurrency, createFetch, createPace, openStore, type Store } from './fetch.ts'
import type { Side } from './fields.ts'
import { addressOf, readSides, type Sides, type Subject, tellFindings } from './member.ts'
import { mergeMember } from './merge.ts'
import { createNotes, type Notes } from './messages.ts'
import { type AskedName, namesToAsk } from './names.ts'
import { takePictures } from './pictures.ts'
import { createTally, proveMember, type Tally } from './prove.ts'
import { applyPlan, clearUp, writeMember } from './write.ts'

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
  const http = httpsOnly ? 'never' : prove ? 'always' : 'changed'
  const pace = createPace(options.rate, options.clock)
  const fetch = createFetch({ ...options, store, http, pace, count: names.length })
  const asking = createAskPicture(addresses, options.openSender, pace)
  const ask = (options.pictures || prove) && !offline ? asking.ask : undefined
  const index = once(() => indexSite(found))
  const run: Run = { ...options, httpsOnly, ...{ store, found, index, notes, tally, ask } }
  const fetchMember = async (asked: AskedName): Promise<Subject> => {
    const { name } = asked
    if (!isUsername(name)) return { asked, name, got: {} }
    const folder = found.members.has(name) ? name : index().memberWithAlias(name)
    const base = folder === undefined ? undefined : readBase(found.content.path, folder).base
    return { asked, name, got: await fetch(name, base) }
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
      const written = sides && !prove ? await importMember(sides, subject) : []
      if (sides && prove) await proveMember(sides)
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
const importMember = async (sides: Sides, { got }: Subject): Promise<readonly string[]> => {
  const { run, name, username, remote, mine, ask } = sides
  const { found, index, notes, store, offline } = run
  const [url, id] = [addressOf(name, 'user', run), textOf(remote.user, 'id') ?? '']
  const owner = mine?.profile.said.id === id ? undefined : index().memberWithId(id)
  const isElsewhere = owner !== undefined && (mine === undefined || owner !== username)
  const by = mine === undefined && !isElsewhere ? index().whyTaken(name) : undefined
  if (isElsewhere) notes.tell('member-elsewhere', url, { id, asked: name, owner })
  if (by !== undefined) notes.tell('name-taken', url, { asked: name, by })
  if (isElsewhere || by !== undefined) return []
  const plan = mergeMember(sides)
  const pictures = plan && ask && (await takePictures(plan, { ...sides, ask }))
  const applied = plan && applyPlan(plan, sides, pictures)
  const isWritten = applied !== undefined && (mine !== undefined || applied.paths.has(undefined))
  const written = isWritten ? writeMember(applied, sides) : []
  tellFindings(sides, applied)
  if (!isWritten) return []
  if (!found.members.has(username)) index().addMember(username, id)
  const changed = new Set(applied.changes.map(({ path }) => path))
  for (const { id, token } of plan!.files) {
    const path = applied.paths.get(id)
    if (id !== undefined && token !== undefined && path !== undefined && changed.has(path))
      index().addShot({ id, token, owner: username, path })
  }
  // import.json names the bodies now
  if (!offline) store.keep(name, got)
  return written
}
