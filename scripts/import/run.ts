import { once } from '../content/once.ts'
import type { Data } from '../content/parse/data.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import type { Sender } from '../http/exchange.ts'
import { type AskPicture, createAskPicture, type OpenSender } from './ask-picture.ts'
import type { Base, readBase } from './base.ts'
import type { Remote } from './body.ts'
import { type ContentSite, indexSite, type Mine } from './content.ts'
import { type Clock, createPace, type Fetched, openStore } from './fetch.ts'
import type { ImportSite } from './fields.ts'
import { createNotes, type Find } from './messages.ts'

export type ImportOptions = Readonly<{
  addresses: Addresses
  content: string
  /** Default: `.shotpress/import` beside the content. */
  state: string | undefined
  names: readonly string[]
  users: string | undefined
  sender: Sender
  rate: number
  clock: Clock
  offline: boolean
  httpsOnly: boolean
  prove: boolean
  strict: boolean
  /** What settles a conflict. */
  side: 'ours' | 'theirs' | undefined
  allowRemoval: boolean
  pictures: boolean
  openSender: OpenSender
  onProgress: (done: number, total: number) => void
  /** Called with the files that were written for a member, below the content folder. */
  onWritten: (paths: readonly string[]) => void
}>

/** What every member of a run is imported, or proved, with. */
export const openRun = (options: ImportOptions, found: ContentSite) => {
  const { addresses, content, state, offline, pictures, prove } = options
  const pace = createPace(options.rate, options.clock)
  const asking = createAskPicture(addresses, options.openSender, pace)
  const remote = `${urlOf(addresses, 'https')} ${urlOf(addresses, 'http')}`
  return {
    ...options,
    found,
    pace,
    // a site without http says nothing there that could be proved
    httpsOnly: options.httpsOnly || !found.site.schemes.includes('http'),
    store: openStore(state, { content, remote }),
    /** It is made when it is first asked: a run that gets no answer never does. */
    index: once(() => indexSite(found)),
    notes: createNotes(),
    /** Fetches pictures; absent if they stay where they are. */
    ask: (pictures || prove) && !offline ? asking.ask : undefined,
    close: asking.close,
  }
}

export type Run = ReturnType<typeof openRun>

/**
 * A member to import: the name under which the remote has it, its folder if it has one, and
 * what was said of it.
 */
export type Subject = ReturnType<typeof readBase> & {
  readonly name: string
  readonly folder: string | undefined
  readonly got: Fetched
}

/**
 * What is said of one member: by the remote now, by the remote last time, and by the content;
 * and what to do about it.
 */
export type Sides = Subject &
  Readonly<{
    run: Run
    site: ImportSite
    /** The name of the member's folder, also of one to be made. */
    username: string
    remote: Remote
    /** The same over http; `problem` says in words why a body says nothing. */
    http: Partial<Remote> & { readonly problem?: string | undefined }
    mine: Mine
    plan: Plan
    /**
     * Addresses in `mine` that stand for pictures which the site publishes there, by the
     * names of their keys.
     */
    published: ReadonlyMap<string, string>
    ask: AskPicture | undefined
    find: Find
  }>

/** Keys to set in a file, or to take out where the value is `undefined`. */
export type Changes = Record<string, Data | undefined>

/** What becomes of a file. */
type Edit = {
  readonly changes: Changes
  /** Notes what the next import starts from, once the file says it. */
  readonly settle: (base: Base) => void
}

/** What to do with a member's files, as the merge finds out; the profile has no id. */
export type Plan = {
  readonly edits: Map<string | undefined, Edit>
  /** What the next import starts from, whatever becomes of the files. */
  readonly base: Base
}
