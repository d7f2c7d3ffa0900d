import { type Answer, failed, type Request } from '../../http/exchange.ts'
import type { Question, Subject } from '../ask/member-probes.ts'
import { judgeBody, variantsDiffer } from './judge-body.ts'
import type { View } from './view.ts'

/** One answer that tells whether the file is there and of which variant; judged over all files together. */
export type Sighting = {
  readonly subject: Pick<Subject, 'username' | 'kind'>
  readonly question: Question
  readonly request: Request
  readonly seen: 'right' | 'other-variant' | 'present' | 'missing'
}

/** What the answers about one file over one scheme tell. */
export const sightingsOf = (view: View): readonly Sighting[] =>
  view.exchanges.flatMap(({ question, request, outcome }) => {
    if (failed(outcome)) return []
    const { username, kind } = view.subject
    return sight(view, question, outcome).map((seen) => ({
      subject: { username, kind },
      question,
      request,
      seen,
    }))
  })

/** Questions whose answers are the file, whatever else they ask. */
const contentQuestions: readonly Question[] = ['shared', 'plain', 'again', 'slash', 'query', 'encoded']

const sight = (view: View, question: Question, answer: Answer): readonly Sighting['seen'][] => {
  if (question === 'plain' && answer.status === 404) return ['missing']
  if (!contentQuestions.includes(question) || answer.status !== 200) return []
  const body = judgeBody(answer, view.subject, view.scheme)
  return [
    ...(question === 'plain' ? (['present'] as const) : []),
    ...((body === 'right' || body === 'other-variant') && variantsDiffer(view.subject) ? [body] : []),
  ]
}
