import { requestPath, routes, type Variant } from '../api/routes.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import {
  type Answer,
  type Failure,
  failed,
  header,
  type Outcome,
  type Request,
  requestFor,
} from '../http/exchange.ts'
import type { Sender } from '../http/send.ts'
import { UserError } from '../problems/user-error.ts'
import { quote } from '../text/printable.ts'
import type { Base } from './base.ts'
import { digestOf, type Kept, type Key, type Store, sendable, type Validators } from './store.ts'

/** Members under way at a time, each with one request. */
export const concurrency = 8

/** After so many requests in a row without an answer in time, more than are under way, the server hangs. */
const mostTimeouts = concurrency + 1
/** After so many members in a row without an answer the server is down. */
const mostUnanswered = 10
/** After so many answers over http in a row without a body, no more is asked there. */
const mostUselessHttp = 4
const [tries, triesAfterTimeout] = [5, 2]
const firstPauseMs = 250
/** The longest pause that a server may ask for, and how often one that asks for more gets it. */
const longestPauseMs = 15_000
const mostLongPauses = 2
/** The most bytes of a body; content takes 1 MiB a file. */
const bodyLimit = 8 << 20

/** Time, as an argument. */
export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** What an address says: its body, or in words why there is none. */
export type Got = {
  readonly body?: Kept
  readonly problem?: string
  readonly isAbsent?: boolean
  readonly failure?: Failure['failure']
  /** Whether the body is the one that was kept. */
  readonly isKept?: boolean
}

/** What `import.json` holds of an answer: the sha256 of its body, or that there was none. */
export const digestIn = ({ body, isAbsent }: Got): string | undefined =>
  body ? digestOf(body.bytes) : isAbsent ? 'absent' : undefined

/** What a member's addresses say; of those over http that nobody had to ask there is nothing. */
export type Fetched = { readonly [K in Key]?: Got }

/** When http is asked: where https says something new, always and without conditions, or never. */
export type HttpAsked = 'changed' | 'always' | 'never'

export type FetchOptions = {
  readonly addresses: Addresses
  readonly sender: Sender
  readonly store: Store
  readonly pace: Pace
  readonly clock: Clock
  readonly http: HttpAsked
  readonly offline: boolean
  /** How many members are asked for. */
  readonly count: number
}

export type Pace = ReturnType<typeof createPace>

/** Asks for a member; `base` is what the last import of it says. */
export type Fetch = (name: string, base: Base | undefined) => Promise<Fetched>

export const neverAsked = 'it was not asked'

/** Makes what asks for members one by one, and throws if the server can't be asked any more. */
export const createFetch = (options: FetchOptions): Fetch => {
  const { store, http, offline } = options
  const ask = createAsk(options)
  const judge = createJudge(options)
  let useless = 0
  return async (name, base) => {
    const digests = base?.bodies ?? {}
    const kept = store.read(name, digests)
    const got: { -readonly [K in Key]?: Got } = {}
    const before = (key: Key, problem: string): Got => {
      if (digests[key] === 'absent') return { problem: reasons[404]!, isAbsent: true }
      return kept[key] ? { body: kept[key], isKept: true } : { problem }
    }
    if (offline) {
      for (const key of keys) got[key] = before(key, neverAsked)
      return got
    }
    for (const route of routes) {
      const key: Key = `https ${route.name}`
      got[key] =
        got['https user']?.failure === undefined
          ? await ask({ scheme: 'https', name, route }, http === 'always' ? undefined : kept[key])
          : { problem: 'it was not asked, as the profile got no answer' }
    }
    judge(name, got)
    for (const route of routes) {
      const key: Key = `http ${route.name}`
      const digest = digestIn(got[`https ${route.name}`]!)
      if (http === 'never' || got['https user']!.isAbsent || digest === undefined) continue
      const isLost = digests[key] !== undefined && digests[key] !== 'absent' && kept[key] === undefined
      if (http === 'changed' && digest === digests[`https ${route.name}`] && !isLost) {
        got[key] = before(key, 'it had no body when it was asked last')
      } else if (useless >= mostUselessHttp) {
        got[key] = { problem: 'it was not asked, as it had no body for other members' }
      } else {
        got[key] = await ask({ scheme: 'http', name, route }, http === 'always' ? undefined : kept[key])
        useless = got[key].problem === undefined ? 0 : useless + 1
      }
    }
    return got
  }
}

const keys = ['https user', 'https shots', 'http user', 'http shots'] as const satisfies readonly Key[]

type Question = { readonly scheme: Variant; readonly name: string; readonly route: (typeof routes)[number] }

/** Spreads requests evenly over all connections; `pause` delays all of them. */
export const createPace = (rate: number, clock: Clock) => {
  let nextMs = 0
  return {
    turn: async (): Promise<void> => {
      const now = clock.now()
      const at = Math.max(nextMs, now)
      nextMs = at + 1000 / rate
      // shorter than a timer can tell
      if (at - now >= 1) await clock.wait(at - now)
    },
    pause: (ms: number): void => {
      nextMs = Math.max(nextMs, clock.now() + ms)
    },
  }
}

/** Sends a request at the given pace, and again where that may help. */
const createAsk = ({ addresses, sender, pace, clock }: FetchOptions) => {
  const timeouts: Record<Variant, number> = { https: 0, http: 0 }
  /** What ended it all. */
  let end: UserError | undefined
  const send = async (request: Request): Promise<Outcome> => {
    await pace.turn()
    if (end !== undefined) throw end
    if (timeouts[request.scheme] >= mostTimeouts) return notSent
    const outcome = await sender.send(request)
    timeouts[request.scheme] = isTimeout(outcome) ? timeouts[request.scheme] + 1 : 0
    return outcome
  }
  const sendUntilDone = async (request: Request): Promise<Outcome> => {
    let longPauses = 0
    for (let count = 1; ; count++) {
      const outcome = await send(request)
      const isHanging = timeouts[request.scheme] >= mostTimeouts
      if (isHanging && request.scheme === 'https') throw noAnswer()
      if (isHanging || !mayPass(outcome)) return outcome
      const asked = askedPauseMs(outcome, clock.now())
      if (asked !== undefined && asked > longestPauseMs) longPauses++
      if (count >= (isTimeout(outcome) ? triesAfterTimeout : tries) || longPauses > mostLongPauses) {
        if (!failed(outcome) && outcome.status === 429) throw tooMany(asked)
        return outcome
      }
      const pauseMs = asked === undefined ? firstPauseMs * 2 ** (count - 1) : Math.min(asked, longestPauseMs)
      if (failed(outcome)) await clock.wait(pauseMs)
      else pace.pause(pauseMs)
    }
  }
  return async ({ scheme, name, route }: Question, kept: Kept | undefined): Promise<Got> => {
    const path = addresses[scheme].path + requestPath(route, name)
    const request = requestFor(scheme, path, { limit: bodyLimit, shared: true, headers: headersOf(kept) })
    try {
      return readAnswer(await sendUntilDone(request), kept)
    } catch (error) {
      if (error instanceof UserError) end ??= error
      throw error
    }
  }
}

const isTimeout = (outcome: Outcome): boolean => failed(outcome) && outcome.failure === 'timeout'

const notSent: Outcome = {
  failure: 'timeout',
  detail: `it was not asked, as ${mostTimeouts} requests in a row got no answer in time`,
}

/** Whether another try may go better. */
const mayPass = (outcome: Outcome): boolean =>
  failed(outcome)
    ? ['closed', 'garbled', 'refused', 'timeout'].includes(outcome.failure)
    : [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524].includes(outcome.status)

/** How long an answer asks to wait, as seconds or as a date; `undefined` if it doesn't ask. */
const askedPauseMs = (outcome: Outcome, nowMs: number): number | undefined => {
  if (failed(outcome)) return undefined
  const value = header(outcome, 'Retry-After')?.trim() ?? ''
  if (/^\d{1,15}$/.test(value)) return Number(value) * 1000
  // Date.parse reads a date out of nearly anything, "-1" and "in 3 minutes" included
  const date = /^[a-z]{3,9},? .*\d\d:\d\d:\d\d GMT$/i.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(date)) return undefined
  // compared with the server's own clock, if the answer has its time
  const sent = Date.parse(header(outcome, 'Date') ?? '')
  return Math.max(0, date - (Number.isNaN(sent) ? nowMs : sent))
}

const headersOf = (kept: Validators | undefined): Readonly<Record<string, string>> => ({
  ...{ Accept: 'application/json', 'Accept-Encoding': 'gzip, br', 'User-Agent': 'shotpress-import' },
  ...conditionsOf(kept),
})

/** The headers that ask whether an earlier answer still holds. */
export const conditionsOf = (kept: Validators | undefined): Readonly<Record<string, string>> => ({
  ...(kept?.etag !== undefined && { 'If-None-Match': kept.etag }),
  ...(kept?.modified !== undefined && { 'If-Modified-Since': kept.modified }),
})

/** What an answer gives for such a question. */
export const validatorsOf = (answer: Answer): Validators => ({
  etag: sendable(header(answer, 'ETag')),
  modified: sendable(header(answer, 'Last-Modified')),
})

/** What an answer means: a new body, the one that is kept, or why there is none. */
const readAnswer = (outcome: Outcome, kept: Kept | undefined): Got => {
  if (failed(outcome)) return { problem: outcome.detail, failure: outcome.failure }
  const { status, content } = outcome
  if (status === 304)
    return kept ? { body: kept, isKept: true } : { problem: 'it says 304 to a plain question' }
  const problem = problemOf(outcome)
  if (problem !== undefined) return { problem, isAbsent: status === 404 || status === 410 }
  return { body: { bytes: content!, ...validatorsOf(outcome) } }
}

const problemOf = (answer: Answer): string | undefined => {
  const { status, cut, content } = answer
  if (status >= 300 && status < 400) {
    const target = header(answer, 'Location')
    return `it redirects${target === undefined ? '' : ` to ${quote(target)}`} (${status})`
  }
  if (status !== 200) return reasons[status] ?? `it says ${status}`
  if (cut) return `its body is larger than ${bodyLimit} bytes`
  return content === undefined ? 'its body is compressed in a way that can not be undone' : undefined
}

const reasons: Readonly<Record<number, string>> = {
  401: 'it wants credentials (401)',
  403: 'it refuses (403)',
  404: 'there is nothing (404)',
  410: 'there is nothing any more (410)',
  429: 'it says "too many requests" (429)',
}

/** Throws where the answers of one member after another show that the server can't be asked. */
const createJudge = ({ addresses, count }: FetchOptions) => {
  let [unanswered, broken] = [0, 0]
  return (name: string, got: Fetched): void => {
    const https = Object.values(got)
    unanswered = https.some(({ failure }) => failure !== undefined) ? unanswered + 1 : 0
    broken = https.some(({ problem }) => /^it says 5\d\d$/.test(problem ?? '')) ? broken + 1 : 0
    const found = https.find(({ problem }) => problem !== undefined)
    const isHopeless = https.some(({ failure = '' }) => ['certificate', 'tls', 'name'].includes(failure))
    if (!isHopeless && unanswered < Math.min(mostUnanswered, count) && broken < mostUnanswered) return
    const url = urlOf(addresses, 'https')
    throw new UserError(`${url} can't be asked: ${found?.problem} (at the member ${quote(name)})`, {
      hint:
        found?.failure === 'certificate'
          ? 'accept any certificate with --insecure, if you know whose server it is'
          : 'look at the address and the server, then run the same command',
    })
  }
}

const noAnswer = (): UserError =>
  new UserError(`the server can't be asked: ${mostTimeouts} requests in a row got no answer in time`, {
    hint: 'look at the server, then run the same command: what was imported stays',
  })

const tooMany = (askedMs: number | undefined): UserError =>
  new UserError(
    `the server says "too many requests" (429) again and again${
      askedMs === undefined ? '' : `, and asks to wait ${Math.ceil(askedMs / 1000)} s`
    }`,
    { hint: 'run the same command later, perhaps with a lower --rate: what was imported stays' },
  )
