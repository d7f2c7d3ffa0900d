import { requestPath, routes, type Variant, variants } from '../api/routes.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import { type Failure, failed, header, type Outcome, type Request } from '../http/exchange.ts'
import type { Sender } from '../http/send.ts'
import { UserError } from '../problems/user-error.ts'
import { printable } from '../text/printable.ts'
import { otherScheme } from './ask/member-probes.ts'
import { judgeHsts } from './judge/judge-headers.ts'
import { statusOf } from './judge/judge-outcome.ts'
import { differ, type Finding } from './tell/finding.ts'
import { recognise, type Server } from './tell/server.ts'

export type Contact = {
  /** The schemes that are worth asking everything. */
  readonly schemes: readonly Variant[]
  /** Why one of them is not: said once, instead of with every request. */
  readonly findings: readonly Finding[]
  readonly server: Server | undefined
}

/** Asks over both schemes. A host that doesn't answer at all is the operator's error, not a finding. */
export const makeContact = async (
  usernames: readonly string[],
  { addresses, sender }: { readonly addresses: Addresses; readonly sender: Sender },
): Promise<Contact> => {
  const doors = await Promise.all(variants.map((scheme) => knock(scheme, usernames, { addresses, sender })))
  const shut = doors.filter((door) => door.failure !== undefined)
  const untrusted = shut.find(({ failure }) => failure?.failure === 'certificate')
  if (untrusted !== undefined || shut.length === doors.length)
    throw unreachable(untrusted ?? shut[0]!, addresses)
  return {
    schemes: doors.filter(({ findings }) => findings.length === 0).map(({ scheme }) => scheme),
    findings: doors.flatMap(({ findings }) => findings),
    server: doors.find(({ server }) => server !== undefined)?.server,
  }
}

type Door = {
  readonly scheme: Variant
  readonly failure: Failure | undefined
  readonly findings: readonly Finding[]
  readonly server: Server | undefined
}

const knock = async (
  scheme: Variant,
  usernames: readonly string[],
  { addresses, sender }: { readonly addresses: Addresses; readonly sender: Sender },
): Promise<Door> => {
  const outcomes: { request: Request; outcome: Outcome }[] = []
  for (const path of paths(usernames)) {
    const request: Request = {
      scheme,
      method: 'GET',
      path: addresses[scheme].path + path,
      host: 'own',
      headers: {},
      limit: 65536,
    }
    const outcome = await sender.send(request)
    outcomes.push({ request, outcome })
    if (failed(outcome)) break
  }
  const last = outcomes.at(-1)!
  if (failed(last.outcome)) {
    const difference = differ('scheme-unreachable', 'an answer', last.outcome.detail)
    return {
      scheme,
      failure: last.outcome,
      findings: [{ ...difference, request: last.request }],
      server: undefined,
    }
  }
  const redirected = outcomes.every(({ outcome }) => leadsTo(outcome, otherScheme(scheme)))
  return {
    scheme,
    failure: undefined,
    findings: redirected ? outcomes.flatMap(describeRedirect) : [],
    server: recognise(last.outcome),
  }
}

/** Paths of the first and the last member, which a redirect of the whole scheme must all have. */
const paths = (usernames: readonly string[]): readonly string[] => {
  const some = usernames.length === 0 ? ['no-such-member'] : [usernames[0]!, usernames.at(-1)!]
  return Array.from(new Set(some)).flatMap((username) => routes.map((route) => requestPath(route, username)))
}

const leadsTo = (outcome: Outcome, scheme: Variant): boolean => {
  if (failed(outcome) || outcome.status < 300 || outcome.status >= 400) return false
  return (header(outcome, 'Location') ?? '').toLowerCase().startsWith(`${scheme}://`)
}

const describeRedirect = ({
  request,
  outcome,
}: {
  readonly request: Request
  readonly outcome: Outcome
}): readonly Finding[] =>
  failed(outcome)
    ? []
    : [differ('scheme-redirects', '200', statusOf(outcome)), ...judgeHsts(outcome)].map((difference) => ({
        ...difference,
        request,
      }))

const unreachable = ({ scheme, failure }: Door, addresses: Addresses): UserError => {
  const hints: Readonly<Partial<Record<Failure['failure'], string>>> = {
    certificate: '--insecure checks in spite of that: right for a self-signed certificate on a test host',
    name: 'look for a misspelt name',
    tls: 'the https address seems to lead to a plain http port',
    garbled: 'the http address may lead to an https port',
    timeout: 'the port may be blocked by a firewall',
  }
  return new UserError(printable(`${urlOf(addresses, scheme)} can't be reached: ${failure!.detail}`), {
    hint: hints[failure!.failure] ?? 'start the host, or check address and port',
  })
}
