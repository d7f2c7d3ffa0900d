import { requestPath, routes, userRoute, type Variant } from '../api/routes.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import { type Answer, failed, header, requestFor, type Sender } from '../http/exchange.ts'
import { inOrder } from '../http/in-order.ts'
import { hasErrors, UserError } from '../problems/diagnostic.ts'
import { printable } from '../text/printable.ts'
import { checkFile, conclude } from './file.ts'
import {
  type Difference,
  differ,
  type Finding,
  isRedirect,
  judgeHeaders,
  otherScheme,
  statusOf,
} from './judge.ts'
import { checkPublication, type Freshness } from './publication.ts'
import { groupFindings, type Report } from './report.ts'
import { checkSite } from './site.ts'
import {
  closeLook,
  type Resource,
  readListed,
  resourcesOf,
  type Snapshot,
  sample,
  some,
} from './snapshot.ts'

export type RunOptions = {
  readonly addresses: Addresses
  readonly snapshot: Snapshot
  /** How many members to ask about. */
  readonly size: number
  readonly sender: Sender
  readonly concurrency: number
  /** What is asked of the time of publication; nothing without it. */
  readonly freshness?: Freshness | undefined
  readonly onProgress: (done: number, total: number) => void
  /** Milliseconds since 1970, to tell ages. */
  readonly now: number
}

/** Asks the host everything, and says what is wrong with the answers. */
export const run = async (options: RunOptions): Promise<Report> => {
  const { addresses, snapshot, size, sender, concurrency, onProgress } = options
  const { withoutShots } = snapshot
  const usernames = sample(snapshot.usernames, { size, withoutShots })
  const closely = new Set(sample(usernames, { size: closeLook, withoutShots }))
  const doors = await makeContact(usernames[0], options)
  // the schemes that are worth asking everything
  const schemes = doors
    .filter(({ findings }) => findings.length === 0)
    .map(({ scheme }) => scheme)
  const resources = [
    ...usernames.flatMap((username) => resourcesOf(username, snapshot)),
    ...siteSample(snapshot.site, size),
  ]
  const tasks = [
    ...schemes.map((scheme) => async () => {
      const basePath = addresses[scheme].path
      const site = { ...snapshot, basePath, sample: usernames.slice(0, 3) }
      return { findings: await checkSite(site, scheme, sender.send), sightings: [] }
    }),
    ...resources.map((resource, i) => () => {
      const { username, files } = resource
      const bytes = {
        https: readListed(snapshot, files.https),
        http: readListed(snapshot, files.http),
      }
      const close = username === undefined || closely.has(username)
      const subject = { ...resource, addresses, bytes, schemes: turn(schemes, i), close }
      return checkFile(subject, sender.send)
    }),
  ]
  const judgements: Awaited<ReturnType<typeof checkFile>>[] = []
  for await (const one of inOrder(tasks, concurrency)) {
    judgements.push(one)
    onProgress(judgements.length, tasks.length)
  }
  const publications = await checkPublications(schemes, options)
  const published = publications.flatMap(({ findings }) => findings)
  const found = [
    ...doors.flatMap(({ findings }) => findings),
    ...judgeCertificate(options),
    ...published,
    ...judgements.flatMap(({ findings }) => findings),
    ...conclude(judgements.flatMap(({ sightings }) => sightings)),
  ]
  // without plain http, HSTS ends nothing
  const counts = ({ cause }: Finding) => cause !== 'hsts' || snapshot.schemes.includes('http')
  return {
    problems: groupFindings(found.filter(counts)),
    requests: sender.count(),
    members: snapshot.countMembers(usernames),
    total: snapshot.countMembers(snapshot.usernames),
    schemes,
    expected: snapshot.schemes.length,
    publication: published.length === 0 ? publications[0]?.told : undefined,
  }
}

const checkPublications = async (schemes: readonly Variant[], options: RunOptions) => {
  const { snapshot, sender, freshness } = options
  if (!freshness) return []
  const asking = { ...options, folder: snapshot.folder, send: sender.send, freshness }
  return Promise.all(schemes.map((scheme) => checkPublication(scheme, asking)))
}

/**
 * Fewer days than these, and less than a fifth of its life: certificates of a week are
 * renewed late.
 */
const soonDays = 14

const judgeCertificate = ({ sender, now, addresses }: RunOptions): readonly Finding[] => {
  const certificate = sender.certificate()
  if (!certificate) return []
  const dayMs = 86_400_000
  const left = certificate.to - now
  if (left > Math.min(soonDays * dayMs, (certificate.to - certificate.from) / 5)) return []
  const end = new Date(certificate.to).toISOString().slice(0, 10)
  const got = `${Math.floor(left / dayMs)}: it ends on ${end}`
  const request = requestFor('https', `${addresses.https.path}/`)
  return [{ ...differ('certificate-ends-soon', `more than ${soonDays} days`, got), request }]
}

/** Of the site's own files, those that are one of a kind, and some of the others. */
const siteSample = (site: readonly Resource[], size: number): readonly Resource[] =>
  [...new Set(site.map(({ route }) => route.name))].flatMap((name) =>
    some(
      site.filter(({ route }) => route.name === name),
      Math.max(manyOfAKind, size - closeLook),
    ),
  )

/** How many bins and pictures are asked for beside {@link closeLook} members. */
const manyOfAKind = 16

/** Another scheme comes first from route to route, and for each route from member to member. */
const turn = (schemes: readonly Variant[], index: number) =>
  (index + Math.floor(index / routes.length)) % 2 === 0 ? schemes : schemes.toReversed()

/**
 * Asks over each scheme. A host that doesn't answer at all is the operator's error, not a
 * finding.
 */
const makeContact = async (username: string | undefined, options: RunOptions) => {
  const doors = await Promise.all(
    options.snapshot.schemes.map((scheme) => knock(scheme, username, options)),
  )
  const shut = doors.filter(({ failure }) => failure)
  const untrusted = shut.find(({ failure }) => failure?.failure === 'certificate')
  if (!untrusted && shut.length < doors.length) return doors
  const { scheme, failure } = untrusted ?? shut[0]!
  const address = urlOf(options.addresses, scheme)
  throw new UserError(printable(`${address} can't be reached: ${failure!.detail}`), {
    hint: untrusted
      ? '--insecure checks in spite of that: right for a self-signed certificate on a test host'
      : 'start the host, or check address and port',
  })
}

/** Asks for a member over one scheme. The findings say why nothing else is asked there. */
const knock = async (
  scheme: Variant,
  username = 'no-such-member',
  { addresses, sender }: RunOptions,
) => {
  const request = requestFor(
    scheme,
    addresses[scheme].path + requestPath(userRoute, username),
  )
  const outcome = await sender.send(request)
  const failure = failed(outcome) ? outcome : undefined
  const differences = failed(outcome)
    ? [differ('scheme-unreachable', 'an answer', outcome.detail)]
    : judgeWay(outcome, scheme)
  return { scheme, failure, findings: differences.map((one) => ({ ...one, request })) }
}

/** Whether an answer leads to the other scheme. */
const judgeWay = (answer: Answer, scheme: Variant): readonly Difference[] => {
  const to = header(answer, 'Location')?.toLowerCase()
  return isRedirect(answer) && to?.startsWith(`${otherScheme(scheme)}://`)
    ? [differ('scheme-redirects', '200', statusOf(answer)), ...judgeHeaders(answer)]
    : []
}

/** Between the end of a try and the beginning of the next one. */
export const pauseMs = 120_000

type Patience = {
  /** How long to ask again after the first try has begun. */
  readonly patienceMs: number
  /** Milliseconds; only differences count. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<unknown>
  readonly onWait: () => void
}

/**
 * Asks until nothing is wrong or the patience ends; gives the last report. Caches may keep a
 * body for five minutes after a deployment, so what is wrong then need not stay so.
 */
export const askPatiently = async (
  ask: () => Promise<Report>,
  { patienceMs, now, sleep, onWait }: Patience,
): Promise<Report> => {
  const until = now() + patienceMs
  let report = await ask()
  while (hasErrors(report.problems) && now() + pauseMs <= until) {
    onWait()
    await sleep(pauseMs)
    report = await ask()
  }
  return report
}
