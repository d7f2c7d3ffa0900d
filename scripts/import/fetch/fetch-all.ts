import { type Addresses, urlOf } from '../../http/addresses.ts'
import type { Sender } from '../../http/send.ts'
import { UserError } from '../../problems/user-error.ts'
import { quote } from '../../text/printable.ts'
import type { Answers, Kept } from '../keep/answers.ts'
import type { Store } from '../keep/store.ts'
import { createAsker } from './asker.ts'
import { fetchMember, type HttpAsked } from './fetch-member.ts'
import { type Clock, createPace } from './pace.ts'
import { createSemaphore } from './semaphore.ts'

export type FetchOptions = {
  readonly names: readonly string[]
  readonly addresses: Addresses
  readonly sender: Sender
  readonly store: Store
  /** Requests a second. */
  readonly rate: number
  readonly http: HttpAsked
  readonly clock: Clock
  readonly onProgress: (done: number, total: number) => void
}

/** Requests under way at a time. */
const concurrency = 8

/** Members under way at a time: more than requests, so that the next one is sent while an answer is kept. */
const membersAtOnce = 2 * concurrency

/** After so many members in a row without an answer the server is taken to be down. */
const patience = 10

/** After so many useless answers over http in a row, nothing more is asked over http. */
const httpPatience = 4

/** Asks for all members and keeps what they answer. */
export const fetchAll = async (options: FetchOptions): Promise<void> => {
  const { names, addresses, sender, store, clock, onProgress } = options
  const ask = createAsker({
    ...{ sender, clock, semaphore: createSemaphore(concurrency) },
    pace: createPace(options.rate, clock),
  })
  let [unanswered, broken, useless, next, done] = [0, 0, 0, 0, 0]
  const isHttpUseless = (): boolean => useless >= httpPatience
  const take = (name: string, answers: Answers, before: Answers): void => {
    const https = Object.values(answers.https)
    unanswered = https.some(({ failure }) => failure !== undefined) ? unanswered + 1 : 0
    broken = https.some(({ status }) => status >= 500) ? broken + 1 : 0
    const isDown = unanswered >= Math.min(patience, names.length) || broken >= patience
    if (isDown || https.some(isHopeless)) throw unreachable(urlOf(addresses, 'https'), https, name)
    // of an address that was not asked, the answer is still the one before
    const old = Object.values(before.http)
    const http = Object.values(answers.http).filter((kept) => !old.includes(kept))
    if (http.some(({ problem }) => problem === undefined)) useless = 0
    else if (http.length > 0) useless++
  }
  const work = async (): Promise<void> => {
    while (next < names.length) {
      const name = names[next++]!
      const before = store.answers(name)
      const answers = await fetchMember(
        { name, before },
        { addresses, store, ask, http: options.http, isHttpUseless },
      )
      store.putAnswers(name, answers)
      take(name, answers, before)
      onProgress(++done, names.length)
    }
  }
  const workers = Array.from({ length: membersAtOnce }, work)
  try {
    await Promise.all(workers)
  } finally {
    // if one fails, the others finish their current member and end
    next = names.length
    await Promise.allSettled(workers)
  }
}

const isHopeless = ({ failure = '' }: Kept): boolean => ['certificate', 'tls', 'name'].includes(failure)

const unreachable = (url: string, kept: readonly Kept[], name: string): UserError => {
  const { problem = '', failure } = kept.find(({ problem }) => problem !== undefined) ?? { status: 0 }
  return new UserError(`${url} can't be asked: ${problem} (at the member ${quote(name)})`, {
    hint:
      failure === 'certificate'
        ? 'accept any certificate with --insecure, if you know whose server it is'
        : 'look at the address and the server, then run the same command: an import goes on where it was',
  })
}
