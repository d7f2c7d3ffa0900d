import { prefix, type Variant, variants } from '../api/routes.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import { tellingHeaders } from '../http/exchange.ts'
import { type Diagnostic, fileStart, type Severity } from '../problems/diagnostic.ts'
import { type FormatName, github, json, lines } from '../problems/formats.ts'
import { amount, grouped } from '../text/amounts.ts'
import { hang, wrap } from '../text/cells.ts'
import { type Paint, painter } from '../text/paint.ts'
import { printable } from '../text/printable.ts'
import { type Cause, causes } from './causes.ts'
import type { Finding } from './judge.ts'

export type Report = {
  readonly problems: readonly Problem[]
  readonly requests: number
  /** Members that were asked about, and all of the snapshot. */
  readonly members: number
  readonly total: number
  /** The schemes that were asked everything, and how many the snapshot has. */
  readonly schemes: readonly Variant[]
  readonly expected: number
  /**
   * When it was published, and who signed that; `undefined` if that was not asked, or
   * something is wrong with it.
   */
  readonly publication?: string | undefined
}

type Look = {
  readonly addresses: Addresses
  readonly color: boolean
  /** Width of the terminal; 40 or more. */
  readonly columns: number
}

type ReportFormat = (report: Report, look: Look) => string

/**
 * For people: each cause with some requests that showed it and what to change, the most
 * fundamental first, and one closing line.
 */
const pretty: ReportFormat = (report, look) => {
  const { columns } = look
  const paint = painter(look.color)
  const { problems } = report
  return [
    ...problems.flatMap((problem) => [...describe(problem, { ...look, paint }), '']),
    ...(problems.length > 0 ? [...wrap(whereToLook, columns), ''] : []),
    ...wrap(closing(report), columns).map((line) => paint('bold', line)),
    '',
  ].join('\n')
}

const describe = (
  problem: Problem,
  { paint, columns, addresses }: Look & { readonly paint: Paint },
): readonly string[] => {
  const { severity, message, cause, count, examples, hint } = problem
  const say = (lead: string, text: string) => hang(lead, printable(text), columns)
  return [
    ...say(`${severity}: `, `${message} [${cause}]`).map((line) =>
      paint(severity === 'error' ? 'red' : 'yellow', line),
    ),
    `  ${shownBy(problem)}${count > examples.length ? ', such as' : ''}`,
    ...examples.flatMap((example, i) => {
      const { url, sent } = askedIn(example, addresses)
      const next = examples[i + 1]
      const isSaidBelow = example.expected === next?.expected && example.got === next.got
      return [
        // a URL stays whole, so that it can be copied
        `    ${example.request.method} ${paint('cyan', printable(url))}`,
        ...(sent ? say('      with     ', sent) : []),
        ...(isSaidBelow ? [] : say('      expected ', example.expected)),
        ...(isSaidBelow ? [] : say('      got      ', example.got)),
      ]
    }),
    ...say('  fix: ', hint),
  ]
}

const shownBy = ({ count, schemes }: Problem) =>
  `${amount(count, 'request')} over ${schemes.join(' and ')}`

/** The URL of a request, and the headers that tell it from others of its URL. */
const askedIn = ({ request }: Pick<Finding, 'request'>, addresses: Addresses) => {
  const { scheme, path, host } = request
  const headers = tellingHeaders(request).map(([name, value]) => `${name}: ${value}`)
  const own = host === 'shared' ? [`Host: ${addresses[scheme].hostname}`] : []
  return { url: urlOf(addresses, scheme, path), sent: [...own, ...headers].join('; ') }
}

const whereToLook =
  'docs/verify.md explains each cause. npx shotpress host NAME prints a config that keeps the contract.'

const closing = ({ problems, schemes, publication, ...report }: Report) => {
  const of = (wanted: Severity) =>
    problems.filter(({ severity }) => severity === wanted).length
  const found = [amount(of('error'), 'problem'), amount(of('warning'), 'warning')]
  const what = found.filter((one) => !one.startsWith('0 ')).join(', ') || 'no problems'
  const asked = `${amount(report.requests, 'request')}, ${grouped(report.members)} of ${amount(report.total, 'member')}`
  const over = schemes.length > 0 && `over ${schemes.join(' and ')}`
  const only = schemes.length < report.expected && 'only'
  const line = [`${what}: ${asked}`, over, only].filter(Boolean).join(' ')
  return publication ? `${line}; ${publication}` : line
}

/** The problems as the other commands' diagnostics: the file is the URL that showed it first. */
const toDiagnostics = ({ problems }: Report, { addresses }: Look): readonly Diagnostic[] =>
  problems.map((problem) => {
    const { severity, cause: code, hint, examples } = problem
    const related = examples.map(({ expected, got, ...example }) => {
      const { url, sent } = askedIn(example, addresses)
      const asked = [example.request.method, ...(sent ? ['with', sent] : [])].join(' ')
      return {
        file: url,
        ...fileStart,
        message: `${asked}: expected ${expected}; got ${got}`,
      }
    })
    const message = `${problem.message} (${shownBy(problem)})`
    return { severity, code, message, hint, file: related[0]!.file, ...fileStart, related }
  })

export const reportFormats = {
  pretty,
  json: (report, look) => json(toDiagnostics(report, look)),
  github: (report, look) => github(toDiagnostics(report, look)),
  lines: (report, look) => lines(toDiagnostics(report, look)),
} as const satisfies Record<FormatName, ReportFormat>

/** All findings of one cause, and its words. */
type Problem = ReturnType<typeof groupFindings>[number]

/** Groups findings by cause, in the order of the table of causes. */
export const groupFindings = (findings: readonly Finding[]) =>
  (Object.keys(causes) as Cause[]).flatMap((cause) => {
    const group = findings.filter((finding) => finding.cause === cause)
    if (group.length === 0) return []
    return [
      {
        cause,
        ...causes[cause],
        /** How many requests showed it. */
        count: new Set(group.map(({ request }) => request)).size,
        examples: pickExamples(group),
        schemes: variants.filter((scheme) =>
          group.some(({ request }) => request.scheme === scheme),
        ),
      },
    ]
  })

/**
 * Three at most, of different requests: the ones that are shortest to read and easiest to
 * repeat.
 */
const pickExamples = (group: readonly Finding[]): readonly Finding[] => {
  const seen = new Set<string>()
  return group
    .toSorted((a, b) => oddness(a) - oddness(b))
    .filter(({ request: { scheme, method, path } }) => {
      const key = `${scheme} ${method} ${path}`
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, 3)
}

const oddness = ({ request, elsewhere }: Finding) =>
  (elsewhere ? 2000 : 0) +
  (request.path.includes(prefix) ? 0 : 500) +
  request.path.length +
  100 * tellingHeaders(request).length +
  (request.host === 'own' ? 0 : 1000) +
  (request.scheme === 'https' ? 0 : 0.5)
