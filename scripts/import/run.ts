import { requestPath, shotsRoute, userRoute, type Variant } from '../api/routes.ts'
import { once } from '../content/once.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import type { Sender } from '../http/exchange.ts'
import { type AskPicture, createAskPicture, type OpenSender } from './ask-picture.ts'
import type { readBase } from './base.ts'
import type { Remote } from './body.ts'
import { type ContentSite, indexSite, type Mine } from './content.ts'
import { type Clock, createPace, type Fetched, openStore } from './fetch.ts'
import type { ImportSite } from './fields.ts'
import { createNotes, type Find, type Finding } from './messages.ts'

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
  /** What settles a conflict. */
  readonly side: 'ours' | 'theirs' | undefined
  readonly allowRemoval: boolean
  readonly pictures: boolean
  readonly openSender: OpenSender
  readonly onProgress: (done: number, total: number) => void
  /** Called with the files that were written for a member, below the content folder. */
  readonly onWritten: (paths: readonly string[]) => void
}

/** What every member of a run is imported, or proved, with. */
export const openRun = (options: ImportOptions, found: ContentSite) => {
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
  readonly published?: ReadonlyMap<string, string>
  readonly ask: AskPicture | undefined
  readonly find: Find
  readonly findings: Finding[]
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
