import { hash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { requestPath, shotsRoute, userRoute, type Variant } from '../api/routes.ts'
import { makeRoot, readFile } from '../files/folder.ts'
import { replaceFile } from '../files/write.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import {
  type Answer,
  failed,
  header,
  type Outcome,
  type Request,
  requestFor,
  type Sender,
} from '../http/exchange.ts'
import { UserError } from '../problems/diagnostic.ts'
import { makeIgnored } from '../snapshot/folders.ts'
import { jsonIn } from '../text/json.ts'
import { quote } from '../text/printable.ts'
import { type Base, readLimit, type Validators } from './base.ts'
import { neverAsked } from './messages.ts'

/** Members under way at a time, each with one request. */
export const concurrency = 8

/** After so many members in a row without an answer, or with errors, the server is down. */
const mostUnanswered = 10
/** After so many answers over http in a row without a body, no more is asked there. */
const mostUselessHttp = 4
const tries = 5
const triesAfterTimeout = 2
const firstPauseMs = 250
/** The longest pause that a server gets, whatever it asks for. */
const longestPauseMs = 15_000
/** The most bytes of a body; content takes 1 MiB a file. */
const bodyLimit = 8 << 20

/** Time, as an argument, in milliseconds since 1970. */
export type Clock = {
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
}

export const systemClock: Clock = { now: Date.now, wait: setTimeout }

const parts = ['user', 'shots'] as const
const keys = ['https user', 'https shots', 'http user', 'http shots'] as const
export type Key = (typeof keys)[number]

type Kept = Validators & { readonly bytes: Uint8Array }

/** What an address says: its body, or in words why there is none. */
type Got = {
  readonly body?: Kept
  readonly problem?: string
  readonly isAbsent?: boolean
  /** The failure, or `busy` for an error of the server. */
  readonly fault?: string | undefined
}

/** What `import.json` holds of an answer: the sha256 of its body, or that there was none. */
export const digestIn = ({ body, isAbsent }: Got): string | undefined => {
  if (body) return hash('sha256', body.bytes)
  return isAbsent ? 'absent' : undefined
}

/** What a member's addresses say; of those over http that nobody had to ask there is nothing. */
export type Fetched = { [K in Key]?: Got }

type Asking = {
  readonly addresses: Addresses
  readonly sender: Sender
  readonly store: Pick<ReturnType<typeof openStore>, 'read'>
  readonly pace: Pace
  readonly offline: boolean
  readonly httpsOnly: boolean
  readonly prove: boolean
}

/** Where the remote has one of a member's bodies. */
export const addressOf = (
  name: string,
  key: Key,
  { addresses }: { readonly addresses: Addresses },
): string => {
  const [scheme, part] = key.split(' ') as [Variant, string]
  const path = requestPath(part === 'user' ? userRoute : shotsRoute, name)
  return urlOf(addresses, scheme, addresses[scheme].path + path)
}

/** A request for what an address names; if an earlier answer is known, for what is new there. */
export const requestTo = (
  { protocol, pathname, search }: URL,
  known: Validators | undefined,
  { limit, headers }: Pick<Request, 'limit' | 'headers'>,
): Request =>
  requestFor(protocol === 'http:' ? 'http' : 'https', pathname + search, {
    limit,
    pooled: true,
    headers: { ...headers, ...headersOf(known) },
  })

/**
 * Makes what asks at the given pace, and again where that may help, until `end`. Of a `known`
 * answer it asks only whether it still holds.
 */
const createAsk =
  ({ addresses, sender, pace }: Asking, end: AbortSignal) =>
  async (name: string, key: Key, known: Kept | undefined): Promise<Got> => {
    const headers = { Accept: 'application/json', 'Accept-Encoding': 'gzip, br' }
    const url = new URL(addressOf(name, key, { addresses }))
    const request = requestTo(url, known, { limit: bodyLimit, headers })
    for (let count = 1; ; count++) {
      await pace.turn()
      end.throwIfAborted()
      const outcome = await sender.send(request)
      const most =
        failed(outcome) && outcome.failure === 'timeout' ? triesAfterTimeout : tries
      if (!mayPass(outcome) || count >= most) return readAnswer(outcome, known)
      pace.pause(
        Math.min(askedPauseMs(outcome) ?? firstPauseMs * 2 ** (count - 1), longestPauseMs),
      )
    }
  }

/**
 * Makes what asks for so many members, one by one, each with what its last import says; it
 * throws if the server can't be asked any more. For a proof both schemes are asked, and
 * without conditions.
 */
export const createFetch = (asking: Asking, members: number) => {
  const { addresses, store, offline, httpsOnly, prove } = asking
  const end = new AbortController()
  const send = createAsk(asking, end.signal)
  let unanswered = 0
  let useless = 0
  /** Stops where one member after another shows that the server can't be asked. */
  const judge = (name: string, https: readonly Got[]) => {
    const { problem, fault } = https.findLast((one) => one.fault) ?? {}
    unanswered = fault ? unanswered + 1 : 0
    if (!fault) return
    const most = fault === 'busy' ? mostUnanswered : Math.min(mostUnanswered, members)
    if (unanswered < most && !['certificate', 'tls', 'name'].includes(fault)) return
    const message = `${urlOf(addresses, 'https')} can't be asked: ${problem} (at the member ${quote(name)})`
    const hint = fault === 'certificate' ? insecure : lookAtServer
    const error = new UserError(message, { hint })
    end.abort(error)
    throw error
  }
  return async (name: string, { bodies: digests }: Base): Promise<Fetched> => {
    const kept = store.read(name, digests)
    const ask = (key: Key) => send(name, key, prove ? undefined : kept[key])
    const last = (key: Key, problem: string): Got => {
      if (digests[key] === 'absent') return { problem: saysStatus(404), isAbsent: true }
      return kept[key] ? { body: kept[key] } : { problem }
    }
    if (offline) return Object.fromEntries(keys.map((key) => [key, last(key, neverAsked)]))
    const user = await ask('https user')
    const isLost = ![undefined, 'busy'].includes(user.fault)
    const shots = isLost
      ? { problem: 'it was not asked, as the profile got no answer' }
      : await ask('https shots')
    const got: Fetched = { 'https user': user, 'https shots': shots }
    judge(name, [user, shots])
    for (const part of httpsOnly || user.isAbsent ? [] : parts) {
      const key = `http ${part}` as const
      const https = `https ${part}` as const
      const digest = digestIn(got[https] ?? {})
      if (digest === undefined) continue
      const wasLost = ![undefined, 'absent'].includes(digests[key]) && !kept[key]
      if (!prove && digest === digests[https] && !wasLost)
        got[key] = last(key, 'it had no body when it was asked last')
      else if (useless >= mostUselessHttp)
        got[key] = { problem: 'it was not asked, as it had no body for other members' }
      else {
        got[key] = await ask(key)
        useless = got[key].body ? 0 : useless + 1
      }
    }
    return got
  }
}

const insecure = 'accept any certificate with --insecure, if you know whose server it is'
const lookAtServer =
  'look at the address and the server, then run the same command, perhaps with a lower --rate: what was imported stays'

export type Pace = ReturnType<typeof createPace>

/** Spreads requests evenly over all connections; `pause` delays all of them. */
export const createPace = (rate: number, clock: Clock) => {
  let nextMs = 0
  return {
    turn: async () => {
      const now = clock.now()
      const at = Math.max(nextMs, now)
      nextMs = at + 1000 / rate
      // shorter than a timer can tell
      if (at - now >= 1) await clock.wait(at - now)
    },
    pause: (ms: number) => {
      nextMs = Math.max(nextMs, clock.now() + ms)
    },
  }
}

const mayPass = (outcome: Outcome) =>
  failed(outcome)
    ? ['closed', 'garbled', 'refused', 'timeout'].includes(outcome.failure)
    : [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524].includes(outcome.status)

/** How long an answer asks to wait, if it says so in seconds and not as a date. */
const askedPauseMs = (outcome: Outcome) => {
  const value = failed(outcome) ? undefined : header(outcome, 'Retry-After')
  return /^\s*\d{1,15}\s*$/.test(value ?? '') ? Number(value) * 1000 : undefined
}

const readAnswer = (outcome: Outcome, kept: Kept | undefined): Got => {
  if (failed(outcome)) return { problem: outcome.detail, fault: outcome.failure }
  const { status, cut, content } = outcome
  if (status === 200) {
    if (cut) return { problem: `its body is larger than ${bodyLimit} bytes` }
    if (!content) return { problem: 'its body is compressed in a way that can not be undone' }
    return { body: { bytes: content, ...validatorsOf(outcome) } }
  }
  if (status === 304 && kept) return { body: kept }
  const target = status >= 300 && status < 400 ? header(outcome, 'Location') : undefined
  return {
    problem:
      target === undefined
        ? saysStatus(status)
        : `it redirects to ${quote(target)} (${status})`,
    isAbsent: status === 404 || status === 410,
    fault: status >= 500 || status === 429 ? 'busy' : undefined,
  }
}

const saysStatus = (status: number) =>
  `it says ${[status, STATUS_CODES[status]].filter(Boolean).join(' ')}`

export const validatorsOf = (answer: Answer): Validators => ({
  etag: sendable(header(answer, 'ETag')),
  modified: sendable(header(answer, 'Last-Modified')),
})

/**
 * Headers that ask whether an earlier answer still holds, if one is known; the file that says
 * so may hold anything.
 */
const headersOf = (known: Validators = {}): Readonly<Record<string, string>> => {
  const etag = sendable(known.etag)
  const modified = sendable(known.modified)
  return {
    'User-Agent': 'shotpress-import',
    ...(etag && { 'If-None-Match': etag }),
    ...(modified && { 'If-Modified-Since': modified }),
  }
}

/** A header of an answer, if it can be sent back in a request. */
const sendable = (value: unknown) =>
  typeof value === 'string' && /^[ -~]{1,999}$/.test(value) ? value : undefined

/**
 * Opens the store: one file a member, which saves requests and decides nothing. A folder that
 * the command line names is trusted; the one beside the content is not, so a link on the way
 * to it is refused. `remote` is what the bodies came from.
 */
export const openStore = (
  named: string | undefined,
  { content, remote }: { readonly content: string; readonly remote: string },
) => {
  const root = path.resolve(named ?? path.join(content, '..'))
  if (named !== undefined) makeRoot(root)
  const folder =
    named === undefined ? makeIgnored({ root, below: '.shotpress/import' }) : root
  return {
    /**
     * The kept bodies whose sha256 is among those that `import.json` names: of others nobody
     * knows who put them there.
     */
    read: (name: string, digests: Base['bodies']): { readonly [K in Key]?: Kept } => {
      const text = readFile(folder, `${name}.json`, { limit: readLimit })?.toString() ?? ''
      // the file may hold anything
      const kept = (jsonIn(text) ?? {}) as Readonly<Record<string, unknown>>
      const bodies: { [K in Key]?: Kept } = {}
      for (const key of kept.remote === remote ? keys : []) {
        const { body, ...validators } = (kept[key] ?? {}) as Validators & {
          readonly body?: unknown
        }
        const bytes = Buffer.from(String(body), 'latin1')
        if (hash('sha256', bytes) === digests[key]) bodies[key] = { bytes, ...validators }
      }
      return bodies
    },
    /** Keeps what was fetched of a member. */
    keep: (name: string, got: Fetched) => {
      const bodies = Object.entries(got).map(([key, { body }]) => {
        const { bytes, ...validators } = body ?? {}
        return [key, bytes && { ...validators, body: Buffer.from(bytes).toString('latin1') }]
      })
      replaceFile(
        folder,
        `${name}.json`,
        JSON.stringify({ remote, ...Object.fromEntries(bodies) }),
      )
    },
  }
}
