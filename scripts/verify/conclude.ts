import type { Variant } from '../api/routes.ts'
import { type Answer, failed, type Request } from '../http/exchange.ts'
import type { Cause } from './causes.ts'
import { differ, type Finding, judgeBody, variantsDiffer } from './judge-answer.ts'
import type { View } from './judge-file.ts'
import { otherScheme, type Question, type Subject } from './member-probes.ts'

/** What can be said only when all files are looked at together: members not found, variants mixed up. */
export const conclude = (sightings: readonly Sighting[]): readonly Finding[] => [
  ...concludeMissing(sightings),
  ...concludeVariants(sightings),
]

const concludeMissing = (sightings: readonly Sighting[]): readonly Finding[] => {
  const absent = sightings.filter(({ seen }) => seen === 'missing')
  const missing = absent.filter(({ subject }) => subject.username !== undefined)
  const present = sightings.filter(({ seen }) => seen === 'present')
  const found = (cause: Cause, from: readonly Sighting[]): readonly Finding[] =>
    from.map(({ request }) => ({ ...differ(cause, '200', '404'), request }))
  if (present.length === 0) return found('nothing-found', absent)
  const kinds = new Set(present.map(kind))
  const single = missing.filter((sighting) => kinds.has(kind(sighting)))
  return [
    ...absent.flatMap((sighting) => {
      const cause = siteCauses[sighting.subject.kind]
      // one of many that is not there is older or newer than the snapshot
      return cause === undefined
        ? []
        : found(kinds.has(kind(sighting)) ? 'not-the-snapshot' : cause, [sighting])
    }),
    ...found(
      'route-missing',
      missing.filter((sighting) => !kinds.has(kind(sighting))),
    ),
    ...found(namesCause(single.map(name), present.map(name)), single),
  ]
}

/** What is missing where no file of the kind is found. */
const siteCauses: Readonly<Partial<Record<Sighting['subject']['kind'], Cause>>> = {
  openapi: 'openapi-missing',
  members: 'list-missing',
  all: 'list-missing',
  bins: 'list-missing',
  pictures: 'pictures-missing',
}

const kind = ({ request, subject }: Sighting): string => `${request.scheme} ${subject.kind}`

const name = ({ subject }: Sighting): string => subject.username ?? ''

/** A name shorter than this fits any pattern that somebody would write. */
const ordinaryLength = 20

const namesCause = (missing: readonly string[], present: readonly string[]): Cause => {
  const hasDot = (username: string) => username.includes('.')
  if (missing.every(hasDot) && !present.some(hasDot)) return 'names-with-dots'
  const longest = Math.max(ordinaryLength, ...present.map((username) => username.length))
  return missing.every((username) => username.length > longest) ? 'long-names' : 'not-the-snapshot'
}

/**
 * A host that takes the wrong folder always does; a cache gives what was asked for first, and as the
 * order of the schemes changes from file to file, both schemes get the other's files somewhere.
 */
const concludeVariants = (sightings: readonly Sighting[]): readonly Finding[] => {
  const wrong = sightings.filter(({ seen }) => seen === 'other-variant')
  const kinds = new Set(wrong.map(({ subject }) => subject.kind))
  const right = sightings.some(({ seen, subject }) => seen === 'right' && kinds.has(subject.kind))
  const unencoded = wrong.filter(({ question }) => question !== 'encoded')
  const schemes = new Set(unencoded.map(({ request }) => request.scheme))
  const questions = new Set(unencoded.map(({ question }) => question))
  const onlyShared = questions.has('shared') && questions.size === 1
  const isCache = right && (onlyShared || (schemes.size === 2 && questions.has('shared')))
  const isHost = questions.has('plain') || questions.has('shared')
  return wrong.map(({ question, request }) => ({
    ...differ(
      isCache ? 'schemes-mixed-by-cache' : isHost ? 'wrong-variant' : questionCauses[question],
      `the ${request.scheme} variant`,
      `the ${otherScheme(request.scheme) satisfies Variant} variant`,
    ),
    request,
  }))
}

/** What a wrong variant means when the plain request gets the right one. */
const questionCauses: Readonly<Record<Question, Cause>> = {
  shared: 'schemes-mixed-by-cache',
  plain: 'wrong-variant',
  again: 'wrong-variant',
  slash: 'slash-differs',
  query: 'query-differs',
  head: 'head-differs',
  spoof: 'spoofed-scheme',
  encoded: 'encoded-body',
  'own-tag': 'no-304',
  'encoded-tag': 'no-304',
  'other-tag': 'false-304',
  'variant-tag': 'false-304',
}

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
