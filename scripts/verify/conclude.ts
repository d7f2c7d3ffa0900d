import { variants } from '../api/routes.ts'
import type { Cause } from './causes.ts'
import { type Exchange, type Subject, variantsDiffer } from './file.ts'
import { differ, type Finding, otherScheme } from './judge.ts'

/** One answer that tells whether a file is there, and of which variant. */
export type Sighting = ReturnType<typeof sightings>[number]

/** What the answers about a file tell of it; their bodies are not kept. */
export const sightings = (subject: Subject, exchanges: readonly Exchange[]) => {
  const { username, kind } = subject
  /** Whether the two variants differ at all. */
  const differs = variantsDiffer(subject)
  return variants.flatMap((scheme) =>
    exchanges.flatMap(({ question, request, seen }) => {
      // two questions get the plain answer once more
      const tells = question === 'plain' || (['shared', 'again'].includes(question) && seen !== 'missing')
      if (!tells || seen === 'none' || request.scheme !== scheme) return []
      return [{ username, kind, differs, question, request, seen }]
    }),
  )
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
  const isSingle = (sighting: Sighting): boolean => kinds.has(kindOf(sighting))
  const namesIn = (some: readonly Sighting[]) => some.flatMap(({ username }) => username ?? [])
  const names = namesCause(namesIn(missing.filter(isSingle)), namesIn(present))
  const causeOf = (sighting: Sighting): Cause => {
    if (present.length === 0) return 'nothing-found'
    if (!isSingle(sighting)) return 'route-missing'
    // one of many files of the site that is not there is older or newer than the snapshot
    return sighting.username === undefined ? 'not-the-snapshot' : names
  }
  return missing.map((one) => ({ ...differ(causeOf(one), '200', '404'), request: one.request }))
}

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
  const cause = isCache ? 'schemes-mixed-by-cache' : 'wrong-variant'
  return wrong.map(({ request }) => ({
    ...differ(cause, `the ${request.scheme} variant`, `the ${otherScheme(request.scheme)} variant`),
    request,
  }))
}
