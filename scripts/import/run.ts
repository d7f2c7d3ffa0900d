import { requestPath, shotsRoute, userRoute, type Variant } from '../api/routes.ts'
import { once } from '../content/once.ts'
import type { Data } from '../content/parse/data.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import type { Sender } from '../http/exchange.ts'
import { type AskPicture, createAskPicture, type OpenSender } from './ask-picture.ts'
import type { Base, readBase } from './base.ts'
import type { Remote } from './body.ts'
import { type ContentSite, indexSite, type Mine } from './content.ts'
import { type Clock, createPace, type Fetched, openStore } from './fetch.ts'
import type { ImportSite, Texts } from './fields.ts'
import { createNotes, type Find, type Finding } from './messages.ts'

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
  const { addresses, content, state, rate, clock, offline, pictures, prove, openSender } = options
  const pace = createPace(rate, clock)
  const asking = createAskPicture(addresses, openSender, pace)
  const remote = `${urlOf(addresses, 'https')} ${urlOf(addresses, 'http')}`
  return {
    ...options,
    found,
    pace,
    // a site without http says nothing there that could be proved
    httpsOnly: options.httpsOnly || !found.site.schemes.includes('http'),
    store: openStore(state, { content, remote }),
    /** It is made when it is first asked, as most imports never ask. */
    index: once(() => indexSite(found)),
    notes: createNotes(),
    /** Fetches pictures; absent if they stay where they are. */
    ask: (pictures || prove) && !offline ? asking.ask : undefined,
    close: asking.close,
  }
}

export type Run = ReturnType<typeof openRun>

/** A member to import: the name under which the remote has it, its folder if it has one, and what was said of it. */
export type Subject = ReturnType<typeof readBase> & {
  readonly name: string
  readonly folder: string | undefined
  readonly got: Fetched
}

/** What is said of one member: by the remote now, by the remote last time, and by the content; and what to do about it. */
export type Sides = Subject &
  Readonly<{
    run: Run
    site: ImportSite
    /** The name of the member's folder, also of one to be made. */
    username: string
    remote: Remote
    /** The same over http; `problem` says in words why a body says nothing. */
    http: Partial<Remote> & { readonly problem?: string | undefined }
    mine?: Mine
    plan: Plan
    /** Addresses in `mine` that stand for pictures which the site publishes there, by the names of their keys. */
    published?: ReadonlyMap<string, string>
    ask: AskPicture | undefined
    find: Find
    findings: Finding[]
  }>

/** Keys to set in a file, or to take out where the value is `undefined`. */
export type Changes = Record<string, Data | undefined>

/** What to do with a member's files, as the merge finds out. */
export type Plan = {
  /** What to change in the profile, and what the next import knows of it once that is done. */
  readonly profile: Changes
  readonly stated: {
    readonly profile: Record<string, string | null>
    readonly counted: string[]
    readonly projects: Record<string, string | null>
  }
  /** The same of shots, by id. */
  readonly shots: Map<string, { readonly changes: Changes; readonly settled: Texts }>
  /** What the next import starts from, whatever becomes of the files. */
  readonly base: Base
  /** Where new files are, once they are written, by the shot's id; the profile has none. */
  readonly made: Map<string | undefined, string>
}

/** Where the remote has one of a member's two bodies. */
export const addressOf = (
  name: string,
  part: 'user' | 'shots',
  {
    addresses,
    scheme = 'https',
  }: { readonly addresses: Addresses; readonly scheme?: Variant | undefined },
): string => {
  const path = requestPath(part === 'user' ? userRoute : shotsRoute, name)
  return urlOf(addresses, scheme, addresses[scheme].path + path)
}
