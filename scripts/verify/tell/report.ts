import type { Variant } from '../../api/routes.ts'
import { type Addresses, urlOf } from '../../http/addresses.ts'
import { tellingHeaders } from '../../http/exchange.ts'
import type { Diagnostic } from '../../problems/diagnostic.ts'
import { fileStart } from '../../problems/diagnostic.ts'
import type { FormatName } from '../../problems/formats.ts'
import { lines } from '../../problems/formats.ts'
import { github } from '../../problems/github.ts'
import { json } from '../../problems/json.ts'
import { amount, grouped } from '../../text/amounts.ts'
import { wrap } from '../../text/cells.ts'
import { type Paint, painter } from '../../text/paint.ts'
import { printable } from '../../text/printable.ts'
import type { Finding } from './finding.ts'
import type { Problem } from './problem.ts'
import { hostNameOf, type Server } from './server.ts'

export type Report = {
  readonly problems: readonly Problem[]
  readonly server: Server | undefined
  readonly requests: number
  readonly members: number
  /** The schemes that were asked everything. */
  readonly schemes: readonly Variant[]
  /** The key that signed all that came; `undefined` if that was not asked, or is not so. */
  readonly signer?: string | undefined
}

export type Look = {
  readonly addresses: Addresses
  /** How many members the snapshot has. */
  readonly total: number
  readonly color: boolean
  /** Width of the terminal. */
  readonly columns: number
}

/** A report as text on stdout, ending with a newline. */
export type ReportFormat = (report: Report, look: Look) => string

/**
 * For people: each cause with some requests that showed it and what to change, the most fundamental first, and one
 * closing line.
 */
const pretty: ReportFormat = (report, look) => {
  const paint = painter(look.color)
  const columns = Math.max(40, look.columns)
  return [
    ...report.problems.flatMap((problem) => [...describe(problem, { ...look, paint, columns }), '']),
    ...(report.problems.length > 0 ? whereToLook(report, columns) : []),
    ...wrap(closing(report, look), columns).map((line) => paint('bold', line)),
    '',
  ].join('\n')
}

const describe = (problem: Problem, look: Look & { readonly paint: Paint }): readonly string[] => {
  const { paint, columns } = look
  const label = `${problem.severity}: `
  const tone = problem.severity === 'error' ? 'red' : 'yellow'
  const [head, ...rest] = wrap(`${problem.message} [${problem.cause}]`, columns - label.length)
  const indented = (lead: string, text: string) =>
    wrap(printable(text), columns - lead.length).map(
      (line, i) => (i === 0 ? lead : ' '.repeat(lead.length)) + line,
    )
  return [
    paint(tone, label) + paint('bold', head!),
    ...rest.map((line) => ' '.repeat(label.length) + paint('bold', line)),
    `  ${amount(problem.count, 'request')} over ${problem.schemes.join(' and ')}${problem.count > problem.examples.length ? ', such as' : ''}`,
    ...problem.examples.flatMap((example, i) => [
      // a URL stays whole, so that it can be copied
      `    ${example.request.method} ${paint('cyan', printable(urlFor(example, look.addresses)))}`,
      ...(sentWith(example, look.addresses) === ''
        ? []
        : indented('      with     ', sentWith(example, look.addresses))),
      ...(sameOutcome(example, problem.examples[i + 1])
        ? []
        : [...indented('      expected ', example.expected), ...indented('      got      ', example.got)]),
    ]),
    ...problem.advice.flatMap(({ server, text }) =>
      indented(server === undefined ? '  fix: ' : `  on ${server}: `, text),
    ),
  ]
}

const sameOutcome = (a: Finding, b: Finding | undefined): boolean =>
  a.expected === b?.expected && a.got === b.got

const urlFor = ({ request }: Finding, addresses: Addresses): string =>
  urlOf(addresses, request.scheme, request.path)

/** The headers of a request that tell it from others of its URL. */
const sentWith = ({ request }: Finding, addresses: Addresses): string => {
  const host: (readonly [string, string])[] =
    request.host === 'shared' ? [['Host', addresses[request.scheme].hostname]] : []
  return [...host, ...tellingHeaders(request)].map(([name, value]) => `${name}: ${value}`).join('; ')
}

const whereToLook = ({ server }: Report, columns: number): readonly string[] => {
  const name = server && hostNameOf(server)
  const text =
    server === undefined
      ? 'npm run host lists the hosts that a config can be printed for; docs/verify.md explains each cause.'
      : name === undefined
        ? `By its headers this is ${server}; docs/hosting.md says what it can do, docs/verify.md explains each cause.`
        : `By its headers this is ${server}: npm run host -- ${name} prints a config without these problems. docs/verify.md explains each cause.`
  return [...wrap(text, columns), '']
}

const closing = ({ problems, requests, members, schemes, signer }: Report, { total }: Look): string => {
  const number = (severity: Problem['severity']) => problems.filter((one) => one.severity === severity).length
  const [errors, warnings] = [number('error'), number('warning')]
  const what = [
    ...(errors > 0 ? [amount(errors, 'problem')] : []),
    ...(warnings > 0 ? [amount(warnings, 'warning')] : []),
  ].join(', ')
  const asked = `${amount(requests, 'request')}, ${grouped(members)} of ${amount(total, 'member')}`
  const over = schemes.length === 0 ? '' : ` over ${schemes.join(' and ')}`
  return `${what === '' ? 'no problems' : what}: ${asked}${over}${schemes.length === 1 ? ' only' : ''}${signer === undefined ? '' : `; all signed by ${signer}`}`
}

/** The problems as the other commands' diagnostics: the file is the URL that showed it first. */
const toDiagnostics = ({ problems }: Report, { addresses }: Look): readonly Diagnostic<string>[] =>
  problems.map(({ cause, severity, message, count, schemes, advice, examples }) => ({
    severity,
    code: cause,
    message: `${message} (${amount(count, 'request')} over ${schemes.join(' and ')})`,
    file: urlFor(examples[0]!, addresses),
    ...fileStart,
    hint: advice
      .map(({ server, text }) => (server === undefined ? text : `on ${server}: ${text}`))
      .join('; '),
    related: examples.map((example) => ({
      file: urlFor(example, addresses),
      ...fileStart,
      message: `${asked(example, addresses)}: expected ${example.expected}; got ${example.got}`,
    })),
  }))

const asked = (example: Finding, addresses: Addresses): string => {
  const sent = sentWith(example, addresses)
  return example.request.method + (sent === '' ? '' : ` with ${sent}`)
}

export const reportFormats = {
  pretty,
  json: (report, look) => json(toDiagnostics(report, look)),
  github: (report, look) => github(toDiagnostics(report, look)),
  lines: (report, look) => lines(toDiagnostics(report, look)),
} as const satisfies Record<FormatName, ReportFormat>
