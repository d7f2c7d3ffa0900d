import { commonHeaders, contentType, type ErrorAnswer, okHeaders } from '../../api/routes.ts'
import { type Answer, elements, header, values } from '../../http/exchange.ts'
import type { Cause } from '../tell/causes.ts'
import { type Difference, differ } from '../tell/finding.ts'

/** The headers of a 200, besides its ETag. */
export const judgeOkHeaders = (answer: Answer): readonly Difference[] => [
  ...single(answer, 'Content-Type', contentType, 'content-type'),
  ...single(answer, 'Access-Control-Allow-Origin', commonHeaders['Access-Control-Allow-Origin'], 'cors'),
  ...single(answer, 'X-Content-Type-Options', commonHeaders['X-Content-Type-Options'], 'nosniff'),
  ...list(answer, 'Access-Control-Expose-Headers', 'expose-headers', (found) =>
    elements(commonHeaders['Access-Control-Expose-Headers']).every((name) => found.includes(name)),
  ),
  ...list(answer, 'Cache-Control', 'cache-control', (found) =>
    sameElements(found, elements(okHeaders['Cache-Control'])),
  ),
  ...judgeHsts(answer),
]

/** The headers of an error, besides those that it alone has. */
export const judgeErrorHeaders = (answer: Answer): readonly Difference[] => [
  ...single(answer, 'Content-Type', contentType, 'error-type'),
  ...judgeCorsElsewhere(answer),
  ...single(answer, 'X-Content-Type-Options', commonHeaders['X-Content-Type-Options'], 'nosniff-elsewhere'),
  ...judgeHsts(answer),
]

export const judgeCorsElsewhere = (answer: Answer): readonly Difference[] =>
  single(
    answer,
    'Access-Control-Allow-Origin',
    commonHeaders['Access-Control-Allow-Origin'],
    'cors-elsewhere',
  )

/** How long an error may be kept: `public` may be left out, anything else may not differ. */
export const judgeErrorCaching = (
  answer: Answer,
  error: ErrorAnswer,
  cause: Cause,
): readonly Difference[] => {
  const wanted = elements(error.headers['Cache-Control'])
  const needed = wanted.filter((directive) => directive !== 'public')
  const harmless = needed.includes('no-store') ? [...wanted, ...uncached] : wanted
  const found = elements(header(answer, 'Cache-Control'))
  return needed.every((directive) => found.includes(directive)) &&
    found.every((directive) => harmless.includes(directive))
    ? []
    : [differ(cause, `Cache-Control: ${error.headers['Cache-Control']}`, shown(answer, 'Cache-Control'))]
}

export const judgeHsts = (answer: Answer): readonly Difference[] =>
  header(answer, 'Strict-Transport-Security') === undefined
    ? []
    : [differ('hsts', 'no Strict-Transport-Security', shown(answer, 'Strict-Transport-Security'))]

/** What an answer says in a header, as a line to show. */
export const shown = (answer: Answer, name: string): string => {
  const value = header(answer, name)
  return value === undefined ? `no ${name}` : `${name}: ${value}`
}

export const sameElements = (a: readonly string[], b: readonly string[]): boolean =>
  a.every((element) => b.includes(element)) && b.every((element) => a.includes(element))

/** Directives that say no more than `no-store` does. */
const uncached = ['no-cache', 'must-revalidate', 'private', 'max-age=0']

const single = (answer: Answer, name: string, wanted: string, cause: Cause): readonly Difference[] => {
  const found = values(answer, name)
  if (found.length > 1) return [differ('header-twice', `${name}: ${wanted}, once`, shown(answer, name))]
  return found[0] === wanted ? [] : [differ(cause, `${name}: ${wanted}`, shown(answer, name))]
}

const list = (
  answer: Answer,
  name: keyof typeof commonHeaders | keyof typeof okHeaders,
  cause: Cause,
  isRight: (found: readonly string[]) => boolean,
): readonly Difference[] =>
  isRight(elements(header(answer, name)))
    ? []
    : [differ(cause, `${name}: ${{ ...commonHeaders, ...okHeaders }[name]}`, shown(answer, name))]
