import type { Variant } from '../../api/routes.ts'
import { failed, type Outcome, type Request } from '../../http/exchange.ts'
import type { Sender } from '../../http/send.ts'
import { UserError } from '../../problems/user-error.ts'
import type { Clock, Pace } from './pace.ts'
import { askedPause, firstPause, isPassing, isTimeout, longestPause, longPauses, triesOf } from './retry.ts'
import type { Semaphore } from './semaphore.ts'

export type Asker = (request: Request) => Promise<Outcome>

type AskerOptions = {
  readonly sender: Sender
  readonly semaphore: Semaphore
  readonly pace: Pace
  readonly clock: Clock
}

/** After so many requests in a row without an answer in time, more than are under way at once, the server hangs. */
const hangs = 9

/**
 * Sends a request at the given pace, and again where that may help. A server that says 429 again and again ends it all,
 * and so does one that hangs over https; where plain http hangs, no more is sent there.
 */
export const createAsker = ({ sender, semaphore, pace, clock }: AskerOptions): Asker => {
  const unanswered: Record<Variant, number> = { https: 0, http: 0 }
  return async (request) => {
    const { scheme } = request
    const isHanging = (): boolean => unanswered[scheme] >= hangs
    let long = 0
    for (let count = 1; ; count++) {
      const outcome = await semaphore.use(async () => {
        if (isHanging()) return notSent
        await pace.turn()
        const outcome = await sender.send(request)
        unanswered[scheme] = isTimeout(outcome) ? unanswered[scheme] + 1 : 0
        return outcome
      })
      if (isHanging() && scheme === 'https') throw noAnswer()
      if (isHanging() || !isPassing(outcome)) return outcome
      const asked = askedPause(outcome, clock.now())
      if (asked !== undefined && asked > longestPause) long++
      if (count >= triesOf(outcome) || long > longPauses) {
        if (!failed(outcome) && outcome.status === 429) throw tooMany(asked)
        return outcome
      }
      const pause = asked === undefined ? firstPause * 2 ** (count - 1) : Math.min(asked, longestPause)
      if (failed(outcome)) await clock.wait(pause)
      else pace.pause(pause)
    }
  }
}

const notSent: Outcome = {
  failure: 'timeout',
  detail: `it was not asked, as ${hangs} requests in a row got no answer in time`,
}

const goesOn = 'an import goes on where it was'

const noAnswer = (): UserError =>
  new UserError(`the server can't be asked: ${hangs} requests in a row got no answer in time`, {
    hint: `look at the server, then run the same command: ${goesOn}`,
  })

const tooMany = (asked: number | undefined): UserError =>
  new UserError(
    `the server says "too many requests" (429) again and again${
      asked === undefined ? '' : `, and asks to wait ${Math.ceil(asked / 1000)} s`
    }`,
    { hint: `run the same command later, perhaps with a lower --rate: ${goesOn}` },
  )
