import type { Variant } from '../../api/routes.ts'
import { type Answer, failed } from '../../http/exchange.ts'
import type { Exchange, Subject } from '../ask/member-probes.ts'
import { type Body, judgeBody } from './judge-body.ts'

/** One file over one scheme: what the plain request brought decides what the others are asked to show. */
export type View = {
  readonly subject: Subject
  readonly scheme: Variant
  readonly exchanges: readonly Exchange[]
  readonly plain: Exchange
  /** The plain answer when it is a 200. */
  readonly answer: Answer | undefined
  readonly body: Body | undefined
}

export const viewOf = (subject: Subject, scheme: Variant, all: readonly Exchange[]): View | undefined => {
  const exchanges = all.filter(({ request }) => request.scheme === scheme)
  const plain = exchanges.find(({ question }) => question === 'plain')
  if (plain === undefined) return undefined
  const answer = !failed(plain.outcome) && plain.outcome.status === 200 ? plain.outcome : undefined
  const body = answer && judgeBody(answer, subject, scheme)
  return { subject, scheme, exchanges, plain, answer, body }
}

/** Whether the scheme never got the other variant, whose headers and tags are another matter. */
export const isSteady = (view: View): boolean =>
  view.exchanges
    .filter(({ question }) => ['shared', 'plain', 'again', 'encoded'].includes(question))
    .every(
      ({ outcome }) => failed(outcome) || judgeBody(outcome, view.subject, view.scheme) !== 'other-variant',
    )

/** The file that should have come. */
export const describeFile = ({ subject, scheme }: View): string => `the bytes of ${subject.files[scheme]}`
