import type { Variant } from '../../api/routes.ts'
import { otherScheme, type Question } from '../ask/member-probes.ts'
import type { Cause } from '../tell/causes.ts'
import { differ, type Finding } from '../tell/finding.ts'
import type { Sighting } from './sightings.ts'

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
    ...found(
      'openapi-missing',
      absent.filter(({ subject }) => subject.kind === 'openapi'),
    ),
    ...found(
      'route-missing',
      missing.filter((sighting) => !kinds.has(kind(sighting))),
    ),
    ...found(namesCause(single.map(name), present.map(name)), single),
  ]
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
  const right = sightings.some(({ seen }) => seen === 'right')
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
