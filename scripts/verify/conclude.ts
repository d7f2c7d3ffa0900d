import type { Request } from '../http/exchange.ts'
import type { Cause } from './causes.ts'
import { type Body, differ, type Finding } from './judge.ts'
import { otherScheme, type Question, type Subject } from './member-probes.ts'

/** One answer that tells whether a file is there, and of which variant. */
export type Sighting = Pick<Subject, 'username' | 'kind'> & {
  /** Whether the two variants differ at all. */
  readonly differs: boolean
  readonly question: Question
  readonly request: Request
  readonly seen: Body | 'missing'
}

/** What can be said only when all files are looked at together: members not found, variants mixed up. */
export const conclude = (sightings: readonly Sighting[]): readonly Finding[] => [
  ...concludeMissing(sightings.filter(({ question }) => question === 'plain')),
  ...concludeVariants(sightings.filter(({ differs }) => differs)),
]

const concludeMissing = (sightings: readonly Sighting[]): readonly Finding[] => {
  const missing = sightings.filter(({ seen }) => seen === 'missing')
  const present = sightings.filter(({ seen }) => seen !== 'missing')
  const kindOf = ({ request, kind }: Sighting): string => `${request.scheme} ${kind}`
  const kinds = new Set(present.map(kindOf))
  const single = missing.filter((sighting) => kinds.has(kindOf(sighting)))
  const names = namesCause(single.flatMap(nameOf), present.flatMap(nameOf))
  return missing.map((sighting) => {
    const cause =
      present.length === 0
        ? 'nothing-found'
        : !single.includes(sighting)
          ? 'route-missing'
          : // one of many files of the site that is not there is older or newer than the snapshot
            sighting.username === undefined
            ? 'not-the-snapshot'
            : names
    return { ...differ(cause, '200', '404'), request: sighting.request }
  })
}

const nameOf = ({ username }: Sighting): readonly string[] => (username === undefined ? [] : [username])

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
  const wrong = sightings.filter(({ seen }) => seen === 'wrong-variant')
  const kinds = new Set(wrong.map(({ kind }) => kind))
  const right = sightings.some(({ seen, kind }) => seen === 'right' && kinds.has(kind))
  const onlyShared = wrong.every(({ question }) => question === 'shared')
  const isOfBoth = new Set(wrong.map(({ request }) => request.scheme)).size === 2
  const isCache = right && (onlyShared || (isOfBoth && wrong.some(({ question }) => question === 'shared')))
  return wrong.map(({ request }) => ({
    ...differ(
      isCache ? 'schemes-mixed-by-cache' : 'wrong-variant',
      `the ${request.scheme} variant`,
      `the ${otherScheme(request.scheme)} variant`,
    ),
    request,
  }))
}
