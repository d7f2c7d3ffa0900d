import { errors, methods, preflight } from '../api/routes.ts'
import { type Answer, elements, failed, header, type Outcome } from '../http/exchange.ts'
import { type Cause, type Difference, differ, type Finding } from './causes.ts'
import {
  excerpt,
  judgeCorsElsewhere,
  judgeErrorCaching,
  judgeErrorHeaders,
  judgeFailure,
  judgeHsts,
  judgeSurplus,
  sameElements,
  shown,
  statusOf,
} from './judge-answer.ts'
import { preflightHeaders, type SiteProbe, type SiteQuestion } from './site-probes.ts'

export type SiteExchange = SiteProbe & { readonly outcome: Outcome }

/** Judges what came back to {@link siteProbes} of one scheme. */
export const judgeSite = (exchanges: readonly SiteExchange[]): readonly Finding[] => {
  const unknown = exchanges.find(({ question }) => question === 'unknown')?.outcome
  const usual = unknown === undefined || failed(unknown) ? undefined : unknown
  return exchanges.flatMap(({ question, request, outcome }) =>
    judgeFailure(outcome, (answer) =>
      judgements[question](answer, { usual, path: request.path, headers: request.headers }),
    ).map((difference) => ({ ...difference, request })),
  )
}

type Context = {
  /** What an unknown username got. */
  readonly usual: Answer | undefined
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

type Judge = (answer: Answer, context: Context) => readonly Difference[]

const judgeNotFound =
  (found: Cause): Judge =>
  (answer, { usual, path }) => {
    const { status, file, body } = errors.notFound
    if (answer.status === status) {
      return [
        ...judgeErrorCaching(answer, errors.notFound, 'not-found-cached'),
        ...judgeErrorBody(answer, { cause: 'not-found-body', file, body }),
      ]
    }
    const got = statusOf(answer)
    if (isOk(answer)) {
      const cause = isAsUsual(answer, usual) ? 'soft-404' : found
      return [differ(isListing(answer) ? 'listing' : cause, `${status}`, got), ...judgeHsts(answer)]
    }
    if (isRedirect(answer)) return [differ('not-found-redirects', `${status}`, got), ...judgeHsts(answer)]
    return [differ('not-found-status', `${status} for ${path}`, got), ...judgeHsts(answer)]
  }

/** The body and the headers; another body has another type, which would say nothing new. */
const judgeErrorBody = (
  answer: Answer,
  { cause, file, body }: { readonly cause: Cause; readonly file: string; readonly body: string },
): readonly Difference[] =>
  isText(answer, body)
    ? judgeErrorHeaders(answer)
    : [
        differ(cause, `the body of ${file}`, describe(answer)),
        ...judgeErrorHeaders(answer).filter((difference) => difference.cause !== 'error-type'),
      ]

const judgeClimb: Judge = (answer, { usual }) =>
  isOk(answer) && !isAsUsual(answer, usual)
    ? [differ('climbs-out', `${errors.notFound.status}`, statusOf(answer))]
    : []

const judgeOptions =
  (cause: Cause): Judge =>
  (answer, { headers }) => {
    if (answer.status !== preflight.status) return [differ(cause, `${preflight.status}`, statusOf(answer))]
    const asked = 'Access-Control-Request-Method' in headers
    return [
      ...(asked ? judgePreflight(answer) : []),
      ...judgeCorsElsewhere(answer),
      ...judgeHsts(answer),
      ...judgeSurplus(answer),
    ]
  }

const judgePreflight = (answer: Answer): readonly Difference[] => {
  const line = (name: keyof typeof preflight.headers) => `${name}: ${preflight.headers[name]}`
  const allowed = elements(header(answer, 'Access-Control-Allow-Methods'))
  const headers = elements(header(answer, 'Access-Control-Allow-Headers'))
  const maxAge = header(answer, 'Access-Control-Max-Age')
  return [
    ...(allowsReading(allowed)
      ? []
      : [
          differ(
            'options-headers',
            line('Access-Control-Allow-Methods'),
            shown(answer, 'Access-Control-Allow-Methods'),
          ),
        ]),
    ...(headers.includes('*') || headers.includes(preflightHeaders['Access-Control-Request-Headers'])
      ? []
      : [
          differ(
            'options-headers',
            line('Access-Control-Allow-Headers'),
            shown(answer, 'Access-Control-Allow-Headers'),
          ),
        ]),
    ...(maxAge !== undefined && Number(maxAge) >= Number(preflight.headers['Access-Control-Max-Age'])
      ? []
      : [differ('options-max-age', line('Access-Control-Max-Age'), shown(answer, 'Access-Control-Max-Age'))]),
  ]
}

/** Whether a page may use all methods but OPTIONS, which no page asks for, and no other. */
const allowsReading = (allowed: readonly string[]): boolean =>
  sameElements([...allowed, 'options'], lower(methods))

const judgeMethod =
  (cause: Cause): Judge =>
  (answer) => {
    const { status, file, body, headers } = errors.methodNotAllowed
    if (answer.status !== status) return [differ(cause, `${status}`, statusOf(answer)), ...judgeHsts(answer)]
    return [
      ...(sameElements(elements(header(answer, 'Allow')), lower(methods))
        ? []
        : [differ('method-allow', `Allow: ${headers.Allow}`, shown(answer, 'Allow'))]),
      ...judgeErrorCaching(answer, errors.methodNotAllowed, 'method-cached'),
      ...judgeErrorBody(answer, { cause: 'method-body', file, body }),
    ]
  }

const judgeTrace: Judge = (answer) =>
  isOk(answer) ? [differ('trace-answered', `${errors.methodNotAllowed.status}`, statusOf(answer))] : []

const judgeUnknownHead: Judge = (answer, { usual }) => [
  ...(usual === undefined || answer.status === usual.status
    ? []
    : [differ('head-differs', `${usual.status}, as GET`, statusOf(answer))]),
  ...judgeSurplus(answer),
]

const judgements: Readonly<Record<SiteQuestion, Judge>> = {
  unknown: judgeNotFound('soft-404'),
  elsewhere: judgeNotFound('soft-404'),
  'wrong-case': judgeNotFound('wrong-case'),
  hidden: judgeNotFound('hidden-path'),
  folder: judgeNotFound('soft-404'),
  climb: judgeClimb,
  'unknown-head': judgeUnknownHead,
  options: judgeOptions('options-status'),
  'options-elsewhere': judgeOptions('options-elsewhere'),
  method: judgeMethod('method-status'),
  'method-elsewhere': judgeMethod('method-elsewhere'),
  trace: judgeTrace,
}

/** Whether this is the page that an unknown username gets, a fallback that says nothing about the path. */
const isAsUsual = (answer: Answer, usual: Answer | undefined): boolean =>
  usual !== undefined && isOk(usual) && isText(answer, text(usual))

const isOk = (answer: Answer): boolean => answer.status >= 200 && answer.status < 300

const isRedirect = (answer: Answer): boolean => answer.status >= 300 && answer.status < 400

/** Whether a page looks like the listing of a folder, as the common servers write it. */
const isListing = (answer: Answer): boolean =>
  /<title>\s*Index of|<h1>\s*Index of|Directory listing|"(?:type|is_dir)":\s*(?:"directory"|true)|<a href="\.\.?\/?/i.test(
    text(answer),
  )

const isText = (answer: Answer, wanted: string): boolean => text(answer) === wanted

const text = (answer: Answer): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(answer.content ?? answer.body)

const describe = (answer: Answer): string =>
  answer.body.length === 0 ? 'no body' : `another body: ${excerpt(text(answer))}`

const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase())
