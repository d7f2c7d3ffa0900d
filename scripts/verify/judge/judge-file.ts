import { variants } from '../../api/routes.ts'
import { sameTag } from '../../http/etag.ts'
import { type Answer, elements, failed, header } from '../../http/exchange.ts'
import { allowedCodings, codingOf, type Exchange, otherScheme, type Subject } from '../ask/member-probes.ts'
import type { Cause } from '../tell/causes.ts'
import { type Difference, differ, type Finding } from '../tell/finding.ts'
import { type Body, describeBody, judgeBody, variantsDiffer } from './judge-body.ts'
import { judgeOkHeaders, shown } from './judge-headers.ts'
import { judgeFailure, judgeSurplus, statusOf } from './judge-outcome.ts'
import { compareTags, judgeModified, judgeNotModified, judgeStability, judgeTag } from './judge-tags.ts'
import { type Sighting, sightingsOf } from './sightings.ts'
import { describeFile, isSteady, type View, viewOf } from './view.ts'

export type FileJudgement = {
  readonly findings: readonly Finding[]
  readonly sightings: readonly Sighting[]
}

/** Judges everything that came back about one file. */
export const judgeFile = (subject: Subject, exchanges: readonly Exchange[]): FileJudgement => {
  const views = variants
    .map((scheme) => viewOf(subject, scheme, exchanges))
    .filter((view) => view !== undefined)
  return {
    findings: [...views.flatMap(judgeView), ...compareTags(views)],
    sightings: views.flatMap(sightingsOf),
  }
}

const judgeView = (view: View): readonly Finding[] =>
  view.exchanges.flatMap((exchange) =>
    judgeFailure(exchange.outcome, (answer) => judge(view, exchange, answer)).map((difference) => ({
      ...difference,
      request: exchange.request,
    })),
  )

const judge = (view: View, exchange: Exchange, answer: Answer): readonly Difference[] => {
  if (exchange.question === 'plain') return judgePlain(view, answer)
  if (view.answer === undefined) return []
  if (['spoof', 'head', 'own-tag', 'encoded-tag'].includes(exchange.question) && !isSteady(view)) return []
  switch (exchange.question) {
    case 'shared':
    case 'again':
      return judgeAlike(view, answer)
    case 'slash':
      return judgeVaried(
        view,
        answer,
        answer.status >= 300 && answer.status < 400 ? 'slash-redirects' : 'slash-differs',
      )
    case 'query':
      return judgeVaried(view, answer, 'query-differs')
    case 'spoof':
      return judgeSpoof(view, answer)
    case 'encoded':
      return judgeEncoded(view, exchange, answer)
    case 'head':
      return judgeHead(view, view.answer, answer)
    case 'own-tag':
      return judgeNotModified(view.answer, answer, 'no-304')
    case 'encoded-tag':
      return judgeNotModified(view.answer, answer, 'no-304-encoded')
    case 'other-tag':
    case 'variant-tag':
      return judgeModified(view, exchange, answer)
    default:
      return exchange.question satisfies never
  }
}

const judgePlain = (view: View, answer: Answer): readonly Difference[] => {
  if (view.body === undefined) {
    if (answer.status === 404) return []
    const isRedirect = answer.status >= 300 && answer.status < 400
    return [differ(isRedirect ? 'redirects' : 'bad-status', '200', statusOf(answer))]
  }
  return [...judgeContent(view, view.body, answer), ...judgeOkHeaders(answer), ...judgeTag(answer)]
}

const bodyCauses = {
  right: undefined,
  // judged over all files together
  'other-variant': undefined,
  reformatted: 'reformatted',
  truncated: 'truncated',
  'other-file': 'wrong-file',
  older: 'not-the-snapshot',
  undecodable: 'encoded-body',
  foreign: 'wrong-body',
} as const satisfies Record<Body, Cause | undefined>

const judgeContent = (view: View, body: Body, answer: Answer): readonly Difference[] => {
  if (codingOf(answer) !== 'identity') return [unasked(answer)]
  const cause = bodyCauses[body]
  return cause === undefined ? [] : [differ(cause, describeFile(view), describeBody(body, answer))]
}

/** The same request with other headers: what is wrong with it is wrong with the plain one, or a matter of the variant. */
const judgeAlike = (view: View, answer: Answer): readonly Difference[] => {
  if (answer.status !== 200) return []
  return codingOf(answer) === 'identity' ? judgeStability(view, answer) : [unasked(answer)]
}

const unasked = (answer: Answer): Difference =>
  differ('encoding-unasked', 'no Content-Encoding', shown(answer, 'Content-Encoding'))

/** The path with a slash or a query: it must answer as the plain one does. */
const judgeVaried = (view: View, answer: Answer, cause: Cause): readonly Difference[] => {
  if (answer.status !== 200) return [differ(cause, '200', statusOf(answer))]
  const body = judgeBody(answer, view.subject, view.scheme)
  if (body !== view.body && body !== 'right' && body !== 'other-variant') {
    return [differ(cause, describeFile(view), describeBody(body, answer))]
  }
  return [...judgeOkHeaders(answer), ...(header(view.answer!, 'ETag') === undefined ? [] : judgeTag(answer))]
}

const judgeSpoof = (view: View, answer: Answer): readonly Difference[] => {
  if (view.body !== 'right' || !variantsDiffer(view.subject)) return []
  if (answer.status !== 200) return [differ('spoofed-scheme', '200', statusOf(answer))]
  return judgeBody(answer, view.subject, view.scheme) === 'other-variant'
    ? [differ('spoofed-scheme', describeFile(view), `the ${otherScheme(view.scheme)} variant`)]
    : []
}

const judgeEncoded = (view: View, { request }: Exchange, answer: Answer): readonly Difference[] => {
  if (answer.status !== 200) {
    return [differ('encoding-unasked', '200, compressed or not', statusOf(answer))]
  }
  const coding = codingOf(answer)
  const body = judgeBody(answer, view.subject, view.scheme)
  const isAllowed = elements(coding).every((name) => allowedCodings(request).includes(name))
  return [
    ...(isAllowed
      ? []
      : [
          differ(
            'encoding-unasked',
            'a coding that was accepted, or none',
            shown(answer, 'Content-Encoding'),
          ),
        ]),
    ...(body === view.body || body === 'right' || body === 'other-variant'
      ? []
      : [differ('encoded-body', describeFile(view), describeBody(body, answer))]),
    ...(coding === 'identity' || variesByEncoding(answer)
      ? []
      : [differ('vary', 'Vary: Accept-Encoding', shown(answer, 'Vary'))]),
    ...judgeOkHeaders(answer),
  ]
}

const variesByEncoding = (answer: Answer): boolean =>
  elements(header(answer, 'Vary')).some((name) => name === 'accept-encoding' || name === '*')

const isStable = (view: View): boolean =>
  view.exchanges.every(
    ({ question, outcome }) =>
      question !== 'again' || failed(outcome) || judgeStability(view, outcome).length === 0,
  )

/** Headers that HEAD must give as GET does. */
const headHeaders = [
  'Content-Type',
  'ETag',
  'Cache-Control',
  'Access-Control-Allow-Origin',
  'X-Content-Type-Options',
  'Content-Encoding',
]

const sameHeader = (name: string, a: string | undefined, b: string | undefined): boolean =>
  a === b || (name === 'ETag' && a !== undefined && b !== undefined && sameTag(a, b))

const judgeHead = (view: View, get: Answer, answer: Answer): readonly Difference[] => {
  if (answer.status !== 200) return [differ('head-differs', '200, as GET', statusOf(answer))]
  const length = header(answer, 'Content-Length')
  return [
    ...headHeaders
      .filter((name) => name !== 'ETag' || isStable(view))
      .filter((name) => !sameHeader(name, header(answer, name), header(get, name)))
      .map((name) => differ('head-differs', `${shown(get, name)}, as GET`, shown(answer, name))),
    ...(length === undefined || Number(length) === get.body.length || view.body !== 'right'
      ? []
      : [
          differ(
            'head-differs',
            `Content-Length: ${get.body.length}, as GET`,
            shown(answer, 'Content-Length'),
          ),
        ]),
    ...judgeSurplus(answer),
  ]
}
