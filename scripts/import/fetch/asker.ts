import { UserError } from '../../diagnostics/user-error.ts'
import { failed, type Outcome, type Request } from '../../wire/exchange.ts'
import type { Sender } from '../../wire/send.ts'
import type { Clock, Pace } from './pace.ts'
import { askedPause, firstPause, isPassing, longestPause, longPauses, triesOf } from './retry.ts'
import type { Slots } from './slots.ts'

export type Asker = (request: Request) => Promise<Outcome>

type AskerOptions = {
  readonly sender: Sender
  readonly slots: Slots
  readonly pace: Pace
  readonly clock: Clock
}

/** Sends a request at the given pace, and again where that may help. A server that says 429 again and again ends it all. */
export const createAsker =
  ({ sender, slots, pace, clock }: AskerOptions): Asker =>
  async (request) => {
    let long = 0
    for (let count = 1; ; count++) {
      const outcome = await slots.use(async () => {
        await pace.turn()
        return sender.send(request)
      })
      if (!isPassing(outcome)) return outcome
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

const tooMany = (asked: number | undefined): UserError =>
  new UserError(
    `the server says "too many requests" (429) again and again${
      asked === undefined ? '' : `, and asks to wait ${Math.ceil(asked / 1000)} s`
    }`,
    { hint: 'run the same command later, perhaps with a lower --rate: an import goes on where it was' },
  )
