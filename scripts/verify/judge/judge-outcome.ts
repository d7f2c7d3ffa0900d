import { type Answer, failed, header, type Outcome } from '../../http/exchange.ts'
import { type Difference, differ } from '../tell/finding.ts'

/**
 * What is judged before everything else: no answer, too many requests, a host that fails. Only an answer that
 * passes is judged further.
 */
export const judgeFailure = (
  outcome: Outcome,
  judge: (answer: Answer) => readonly Difference[],
): readonly Difference[] => {
  if (failed(outcome)) return [differ('no-answer', 'an answer', outcome.detail)]
  if (outcome.status === 429) return [differ('rate-limited', 'an answer', statusOf(outcome))]
  if (outcome.status >= 500 && outcome.status !== 501)
    return [differ('server-error', 'an answer', statusOf(outcome))]
  return judge(outcome)
}

/** The status of an answer, and where it points to. */
export const statusOf = (answer: Answer): string => {
  const location = header(answer, 'Location')
  return location === undefined ? `${answer.status}` : `${answer.status} to ${location}`
}

/** What is wrong with an answer that must have no body. */
export const judgeSurplus = (answer: Answer): readonly Difference[] =>
  answer.surplus ? [differ('unwanted-body', 'nothing after the headers', 'more bytes')] : []

/** The beginning of a body on one line; not printable yet. */
export const excerpt = (text: string): string => text.slice(0, 200).trim().replace(/\s+/g, ' ').slice(0, 60)
