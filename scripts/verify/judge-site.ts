import { errors, methods, preflight } from '../api/routes.ts'
import { type Answer, elements, failed, header } from '../http/exchange.ts'
import type { Cause } from './causes.ts'
import {
  type Difference,
  differ,
  excerpt,
  type Finding,
  isRedirect,
  judgeCorsElsewhere,
  judgeErrorCaching,
  judgeErrorHeaders,
  judgeFailure,
  judgeHsts,
  judgeSurplus,
  sameElements,
  statusOf,
  unless,
  unlessHeader,
} from './judge-answer.ts'
import type { Exchange } from './member-probes.ts'
import { preflightHeaders, type SiteQuestion } from './site-probes.ts'

/** Judges what came back to `siteProbes` of one scheme. */
export const judgeSite = (exchanges: readonly Exchange<SiteQuestion>[]): readonly Finding[] => {
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
    const { status } = errors.notFound
    if (answer.status === status) {
      return [
        ...judgeErrorCaching(answer, errors.notFound, 'not-found-cached'),
        ...judgeErrorBody(answer, errors.notFound, 'not-found-body'),
      ]
    }
    const other = (cause: Cause, wanted = `${status}`) => [
      differ(cause, wanted, statusOf(answer)),
      ...judgeHsts(answer),
    ]
    if (isRedirect(answer)) return other('not-found-redirects')
    if (!isOk(answer)) return other('not-found-status', `${status} for ${path}`)
    return other(isListing(answer) ? 'listing' : isAsUsual(answer, usual) ? 'soft-404' : found)
  }

/** The body and the headers; another body has another type, which would say nothing new. */
const judgeErrorBody = (
  answer: Answer,
  { file, body }: { readonly file: string; readonly body: string },
  cause: Cause,
): readonly Difference[] => {
  const headers = judgeErrorHeaders(answer)
  if (text(answer) === body) return headers
  const got = answer.body.length === 0 ? 'no body' : `another body: ${excerpt(text(answer))}`
  return [
    differ(cause, `the body of ${file}`, got),
    ...headers.filter((difference) => difference.cause !== 'error-type'),
  ]
}

const judgeClimb: Judge = (answer, { usual }) =>
  unless(!isOk(answer) || isAsUsual(answer, usual), 'climbs-out', '404', statusOf(answer))

const judgeOptions =
  (cause: Cause): Judge =>
  (answer, { headers }) =>
    answer.status !== preflight.status
      ? [differ(cause, `${preflight.status}`, statusOf(answer))]
      : [
          ...('Access-Control-Request-Method' in headers ? judgePreflight(answer) : []),
          ...judgeCorsElsewhere(answer),
          ...judgeHsts(answer),
          ...judgeSurplus(answer),
        ]

const judgePreflight = (answer: Answer): readonly Difference[] => {
  const judge = (
    name: keyof typeof preflight.headers,
    cause: Cause,
    isRight: (values: readonly string[]) => boolean,
  ) =>
    unlessHeader(answer, [name, preflight.headers[name]], {
      ...{ cause, right: isRight(elements(header(answer, name))) },
    })
  const asked = preflightHeaders['Access-Control-Request-Headers']
  return [
    // no page asks for OPTIONS, so that may be left out
    ...judge('Access-Control-Allow-Methods', 'options-headers', (allowed) =>
      sameElements([...allowed, 'options'], lower(methods)),
    ),
    ...judge(
      'Access-Control-Allow-Headers',
      'options-headers',
      (allowed) => allowed.includes('*') || allowed.includes(asked),
    ),
    ...judge(
      'Access-Control-Max-Age',
      'options-max-age',
      ([age]) => Number(age) >= Number(preflight.headers['Access-Control-Max-Age']),
    ),
  ]
}

const judgeMethod =
  (cause: Cause): Judge =>
  (answer) => {
    const { status, headers } = errors.methodNotAllowed
    if (answer.status !== status) return [differ(cause, `${status}`, statusOf(answer)), ...judgeHsts(answer)]
    const right = sameElements(elements(header(answer, 'Allow')), lower(methods))
    return [
      ...unlessHeader(answer, ['Allow', headers.Allow], { cause: 'method-allow', right }),
      ...judgeErrorCaching(answer, errors.methodNotAllowed, 'method-cached'),
      ...judgeErrorBody(answer, errors.methodNotAllowed, 'method-body'),
    ]
  }

const judgeUnknownHead: Judge = (answer, { usual = answer }) => [
  ...unless(answer.status === usual.status, 'head-differs', `${usual.status}, as GET`, statusOf(answer)),
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
  trace: (answer) => unless(!isOk(answer), 'trace-answered', '405', statusOf(answer)),
}

/** Whether this is the page that an unknown username gets, a fallback that says nothing about the path. */
const isAsUsual = (answer: Answer, usual: Answer | undefined): boolean =>
  usual !== undefined && isOk(usual) && text(answer) === text(usual)

const isOk = ({ status }: Answer): boolean => status >= 200 && status < 300

/** Whether a page looks like the listing of a folder, as the common servers write it. */
const isListing = (answer: Answer): boolean =>
  /<title>\s*Index of|<h1>\s*Index of|Directory listing|"(?:type|is_dir)":\s*(?:"directory"|true)|<a href="\.\.?\/?/i.test(
    text(answer),
  )

const text = (answer: Answer): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(answer.content ?? answer.body)

const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase())
