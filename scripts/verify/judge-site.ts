import { commonHeaders, contentType, type ErrorAnswer, errors, preflight } from '../api/routes.ts'
import { type Answer, failed, type Request } from '../http/exchange.ts'
import type { Cause } from './causes.ts'
import {
  type Difference,
  differ,
  excerpt,
  type Finding,
  judgeExchange,
  judgeHeaders,
  judgeSurplus,
  statusOf,
  unless,
} from './judge.ts'
import type { Exchange } from './member-probes.ts'
import type { SiteQuestion } from './site-probes.ts'

/** Judges what came back to `siteProbes` of one scheme. */
export const judgeSite = (exchanges: readonly Exchange<SiteQuestion>[]): readonly Finding[] => {
  const unknown = exchanges[0]!.outcome
  const usual = failed(unknown) ? undefined : unknown
  return exchanges.flatMap(({ question, request, outcome }) =>
    judgeExchange({ request, outcome }, (answer) => judgements[question](answer, { usual, request })).map(
      (finding) => ({ ...finding, elsewhere: true as const }),
    ),
  )
}

type Context = {
  /** What an unknown username got. */
  readonly usual: Answer | undefined
  readonly request: Request
}

type Judge = (answer: Answer, context: Context) => readonly Difference[]

const judgeNotFound =
  (found: Cause): Judge =>
  (answer, { usual, request }) => {
    const { status } = errors.notFound
    if (answer.status === status) return judgeError(answer, errors.notFound)
    const cause = isListing(answer) ? 'listing' : isAsUsual(answer, usual) ? 'soft-404' : found
    return [
      differ(isOk(answer) ? cause : 'not-found-status', `${status} for ${request.path}`, statusOf(answer)),
      ...judgeHeaders(answer, {}),
    ]
  }

/** The body and the headers; another body has another type, which would say nothing new. */
const judgeError = (answer: Answer, { file, body, headers }: ErrorAnswer): readonly Difference[] => {
  const wanted = { ...commonHeaders, ...headers }
  if (text(answer) === body) return judgeHeaders(answer, { 'Content-Type': contentType, ...wanted })
  const got = answer.body.length === 0 ? 'no body' : `another body: ${excerpt(text(answer))}`
  return [differ('error-body', `the body of ${file}`, got), ...judgeHeaders(answer, wanted)]
}

const judgeClimb: Judge = (answer, { usual }) =>
  unless(!isOk(answer) || isAsUsual(answer, usual), 'hidden-path', '404', statusOf(answer))

const judgeOptions: Judge = (answer, { request }) => {
  if (answer.status !== preflight.status)
    return [differ('options-status', `${preflight.status}`, statusOf(answer))]
  const asked = 'Access-Control-Request-Method' in request.headers
  const cors = 'Access-Control-Allow-Origin'
  const wanted = { [cors]: commonHeaders[cors], ...(asked && preflight.headers) }
  return [...judgeHeaders(answer, wanted), ...judgeSurplus(answer)]
}

const judgeMethod: Judge = (answer) => {
  const { status } = errors.methodNotAllowed
  return answer.status === status
    ? judgeError(answer, errors.methodNotAllowed)
    : [differ('method-status', `${status}`, statusOf(answer)), ...judgeHeaders(answer, {})]
}

const judgeUnknownHead: Judge = (answer, { usual = answer }) => [
  ...unless(answer.status === usual.status, 'head-differs', `${usual.status}, as GET`, statusOf(answer)),
  ...judgeSurplus(answer),
]

const judgements: Readonly<Record<SiteQuestion, Judge>> = {
  nowhere: judgeNotFound('soft-404'),
  'wrong-case': judgeNotFound('wrong-case'),
  hidden: judgeNotFound('hidden-path'),
  climb: judgeClimb,
  head: judgeUnknownHead,
  options: judgeOptions,
  method: judgeMethod,
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
