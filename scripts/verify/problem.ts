import type { Severity } from '../diagnostics/diagnostic.ts'
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
  /** What to change, a sentence each: on any host, then on the one that was recognised. */
  readonly advice: readonly string[]
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
        advice: [advice, ...(special === undefined ? [] : [`on ${server}: ${special}`])],
      },
    ]
  })
}

/** The first of each path, then whatever comes. */
const pickExamples = (group: readonly Finding[]): readonly Finding[] => {
  const key = ({ request }: Finding) => `${request.scheme} ${request.method} ${request.path}`
  const firsts = group.filter((finding, i) => group.findIndex((other) => key(other) === key(finding)) === i)
  return firsts.slice(0, exampleCount)
}
