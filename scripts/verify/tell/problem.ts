import { prefix, type Variant, variants } from '../../api/routes.ts'
import { tellingHeaders } from '../../http/exchange.ts'
import type { Severity } from '../../problems/diagnostic.ts'
import { type Cause, causeNames, wording } from './causes.ts'
import type { Finding } from './finding.ts'
import type { Server } from './server.ts'

/** All findings of one cause. */
export type Problem = {
  readonly cause: Cause
  readonly severity: Severity
  readonly message: string
  /** How many requests showed it. */
  readonly count: number
  /** Three at most, of different requests. */
  readonly examples: readonly Finding[]
  /** The schemes of all of them. */
  readonly schemes: readonly Variant[]
  /** What to change: on any host, then on the one that was recognised. */
  readonly advice: readonly { readonly server?: Server; readonly text: string }[]
}

const exampleCount = 3

/** Groups findings by cause, in the order of the table of causes; a part is left out where the whole is seen. */
export const groupFindings = (
  findings: readonly Finding[],
  server: Server | undefined,
): readonly Problem[] => {
  const byCause = new Map<Cause, Finding[]>()
  for (const finding of findings) {
    const group = byCause.get(finding.cause)
    if (group === undefined) byCause.set(finding.cause, [finding])
    else group.push(finding)
  }
  return causeNames.flatMap((cause) => {
    const group = byCause.get(cause)
    const { severity, message, advice, on, partOf } = wording(cause)
    if (group === undefined || (partOf !== undefined && byCause.has(partOf as Cause))) return []
    const special = server === undefined ? undefined : on?.[server]
    return [
      {
        cause,
        severity,
        message,
        count: new Set(group.map(({ request }) => request)).size,
        examples: pickExamples(group),
        schemes: variants.filter((scheme) => group.some(({ request }) => request.scheme === scheme)),
        advice: [{ text: advice }, ...(special === undefined ? [] : [{ server: server!, text: special }])],
      },
    ]
  })
}

/** Of different requests, the ones that are shortest to read and easiest to repeat. */
const pickExamples = (group: readonly Finding[]): readonly Finding[] => {
  const seen = new Set<string>()
  return group
    .toSorted((a, b) => oddness(a) - oddness(b))
    .filter(({ request: { scheme, method, path } }) => {
      const key = `${scheme} ${method} ${path}`
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, exampleCount)
}

const oddness = ({ request }: Finding): number =>
  (request.path.includes(prefix) ? 0 : 500) +
  request.path.length +
  100 * tellingHeaders(request).length +
  (request.host === 'own' ? 0 : 1000)
