import { isWeak, opaque, sameTag } from '../../http/etag.ts'
import { type Answer, failed, header } from '../../http/exchange.ts'
import { codingOf, type Exchange } from '../ask/member-probes.ts'
import type { Cause } from '../tell/causes.ts'
import { type Difference, differ, type Finding } from '../tell/finding.ts'
import { judgeBody, variantsDiffer } from './judge-body.ts'
import { shown } from './judge-headers.ts'
import { judgeSurplus, statusOf } from './judge-outcome.ts'
import type { View } from './view.ts'

/** The ETag of a 200. */
export const judgeTag = (answer: Answer): readonly Difference[] => {
  const tag = header(answer, 'ETag')
  if (tag === undefined) return [differ('etag-missing', 'an ETag', 'no ETag')]
  return opaque(tag) === undefined ? [differ('etag-malformed', 'ETag: "…"', `ETag: ${tag}`)] : []
}

/** What a 304 must repeat of the 200. */
const repeated = ['ETag', 'Cache-Control', 'Access-Control-Allow-Origin']

/** The answer to If-None-Match with the current ETag. */
export const judgeNotModified = (ok: Answer, answer: Answer, cause: Cause): readonly Difference[] => {
  if (answer.status !== 304) return [differ(cause, '304', statusOf(answer))]
  return [
    ...repeated
      .filter((name) => header(ok, name) !== undefined && header(answer, name) === undefined)
      .map((name) => differ('304-headers', `${name}, as with the 200`, shown(answer, name))),
    ...judgeSurplus(answer),
  ]
}

/** The answer to If-None-Match with an ETag of something else. */
export const judgeModified = (view: View, { request }: Exchange, answer: Answer): readonly Difference[] =>
  answer.status === 304 && view.body === 'right'
    ? [differ('false-304', `200 to If-None-Match: ${request.headers['If-None-Match']}`, '304')]
    : []

/** Whether two answers with the same bytes had the same ETag. */
export const judgeStability = (view: View, answer: Answer): readonly Difference[] => {
  const tag = header(answer, 'ETag')
  const plainTag = view.answer && header(view.answer, 'ETag')
  const body = judgeBody(answer, view.subject, view.scheme)
  return tag === undefined || plainTag === undefined || sameTag(tag, plainTag) || body !== view.body
    ? []
    : [differ('etag-unstable', `ETag: ${plainTag}, as before`, `ETag: ${tag}`)]
}

/** Tags that must not be equal: of the two variants, and of the encodings of one. */
export const compareTags = (views: readonly View[]): readonly Finding[] => {
  const tags = views.flatMap((view) =>
    view.exchanges
      .filter(({ question }) => question === 'plain' || question === 'encoded')
      .flatMap(({ request, outcome }) => {
        if (failed(outcome) || outcome.status !== 200) return []
        const tag = header(outcome, 'ETag')
        const right = judgeBody(outcome, view.subject, view.scheme) === 'right'
        return tag !== undefined && opaque(tag) !== undefined && right
          ? [{ scheme: view.scheme, coding: codingOf(outcome), tag, request }]
          : []
      }),
  )
  const differing = views[0] !== undefined && variantsDiffer(views[0].subject)
  return tags.flatMap((a, i) => {
    const across = tags.slice(0, i).find((b) => b.scheme !== a.scheme && opaque(b.tag) === opaque(a.tag))
    if (differing && across !== undefined) {
      const expected = `another ETag than over ${across.scheme}`
      return [{ ...differ('etag-across-schemes', expected, `ETag: ${a.tag} over both`), request: a.request }]
    }
    const within = tags
      .slice(0, i)
      .find((b) => b.scheme === a.scheme && b.coding !== a.coding && b.tag === a.tag && !isWeak(a.tag))
    return within === undefined
      ? []
      : [
          {
            ...differ(
              'etag-across-encodings',
              `another ETag than with ${within.coding}`,
              `ETag: ${a.tag} with both`,
            ),
            request: a.request,
          },
        ]
  })
}
