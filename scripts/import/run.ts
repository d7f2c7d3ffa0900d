import { isUsername } from '../content/username.ts'
import type { HostName } from '../content/values/formats.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import type { Sender } from '../http/send.ts'
import { UserError } from '../problems/user-error.ts'
import { createAskPicture, type PictureOptions } from './ask-picture.ts'
import { readBase } from './base.ts'
import { createIndex, openContent } from './content.ts'
import { type Clock, concurrency, createFetch, createPace, type Fetch } from './fetch.ts'
import type { Side } from './fields.ts'
import { type Imported, importMember, type Run, type Subject } from './member.ts'
import { createNotes, type Told } from './messages.ts'
import { type AskedName, namesToAsk } from './names.ts'
import { createTally, proveMember, type Tally } from './prove.ts'
import { type Bodies, openStore, type Store } from './store.ts'
import { clearUp } from './write.ts'

export type ImportOptions = {
  readonly addresses: Addresses
  readonly content: string
  /** Default: `.shotpress/import` beside the content. */
  readonly state: string | undefined
  readonly hostNames: readonly HostName[]
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
  readonly openSender: PictureOptions['openSender']
  readonly onProgress: (done: number, total: number, what: string) => void
  /** Called with the files that were written for a member, below the content folder. */
  readonly onWritten: (paths: readonly string[]) => void
}

export type ImportResult = {
  readonly told: readonly Told[]
  readonly members: number
  /** Members and files that were written. */
  readonly changed: number
  readonly files: number
  readonly tally: Tally
  /** Why the run ended before its last member. */
  readonly stopped?: UserError | undefined
}

/**
 * fetch → read → merge → write, or → prove, member by member: some are fetched ahead, and each is done before the next,
 * so that a run that is killed has done all of some members and nothing of the others.
 */
export const importSite = async (options: ImportOptions): Promise<ImportResult> => {
  const { addresses, prove, offline, onProgress, onWritten } = options
  const found = openContent(options.content, {
    baseUrl: urlOf(addresses, 'https'),
    hostNames: options.hostNames,
  })
  const tally = createTally()
  if ('diagnostics' in found) return { told: found.diagnostics, members: 0, changed: 0, files: 0, tally }
  if (prove && found.newSite !== undefined) {
    throw new UserError(`there is no content in "${options.content}" to prove`, { hint: 'import it first' })
  }
  const names = await namesToAsk({ ...options, content: found.content.path, members: found.members })
  const store = openStore(options.state, {
    content: options.content,
    remote: `${urlOf(addresses, 'https')} ${urlOf(addresses, 'http')}`,
  })
  // a site without http says nothing there that could be proved
  const httpsOnly = options.httpsOnly || !found.site.schemes.includes('http')
  const http = httpsOnly ? 'never' : prove ? 'always' : 'changed'
  const pace = createPace(options.rate, options.clock)
  const fetch = createFetch({ ...options, store, http, pace, count: names.length })
  const asking = createAskPicture({ addresses, turn: pace.turn, openSender: options.openSender })
  const ask = (options.pictures || prove) && !offline ? asking.ask : undefined
  const run: Run = {
    ...options,
    httpsOnly,
    store,
    found,
    index: createIndex(found),
    notes: createNotes(),
    ask,
  }
  if (!prove) clearUp(found)
  const told: Told[] = []
  let [changed, files] = [0, 0]
  let stopped: UserError | undefined
  try {
    let done = 0
    for await (const subject of ahead(names, (asked) => fetchMember(asked, { fetch, run }))) {
      const member: Imported = prove
        ? { told: await proveMember(subject, run, { strict: options.strict, tally }), written: [] }
        : await importMember(subject, run)
      for (const one of member.told) told.push(one)
      if (member.written.some((path) => path !== 'site.yaml')) changed++
      files += member.written.length
      if (member.written.length > 0) onWritten(member.written)
      if (member.isMerged && !offline) keep(subject, store)
      onProgress(++done, names.length, prove ? 'members compared' : 'members imported')
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    stopped = error
  } finally {
    asking.close()
  }
  return { told: [...told, ...run.notes.told()], members: names.length, changed, files, tally, stopped }
}

/** Does a task for each item in their order, and begins those of the next few meanwhile. */
async function* ahead<T, R>(items: readonly T[], task: (item: T) => Promise<R>): AsyncGenerator<R> {
  const under: Promise<R>[] = []
  for (let next = 0; next < items.length || under.length > 0; ) {
    while (next < items.length && under.length < concurrency) {
      const one = task(items[next++]!)
      // a failure is told when its turn comes
      one.catch(() => {})
      under.push(one)
    }
    yield await under.shift()!
  }
}

type Fetching = { readonly fetch: Fetch; readonly run: Run }

const fetchMember = async (asked: AskedName, { fetch, run }: Fetching): Promise<Subject> => {
  const { name } = asked
  if (!isUsername(name)) return { asked, name, got: {} }
  const { found, index } = run
  const folder = found.members.has(name) ? name : index.memberWithAlias(name)
  const base = folder === undefined ? undefined : readBase(found.content.path, folder).base
  return { asked, name, got: await fetch(name, base) }
}

/** Keeps what was fetched for the next run. */
const keep = ({ name, got }: Subject, store: Store): void => {
  const bodies = Object.entries(got).flatMap(([key, { body }]) => (body ? [[key, body]] : []))
  if (Object.values(got).some(({ body, isKept }) => body && !isKept))
    store.write(name, Object.fromEntries(bodies) as Bodies)
}
