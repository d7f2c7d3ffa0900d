import { routes, type Variant } from '../api/routes.ts'
import type { Addresses } from '../http/addresses.ts'
import type { Outcome, Request } from '../http/exchange.ts'
import type { Sender } from '../http/send.ts'
import { firstRound, type Look, type Subject, secondRound } from './ask/member-probes.ts'
import { memberResource, type Resource, siteResource } from './ask/resource.ts'
import { closeLook, sample } from './ask/sample.ts'
import { siteProbes } from './ask/site-probes.ts'
import { makeContact } from './contact.ts'
import { conclude } from './judge/conclude.ts'
import { type FileJudgement, judgeFile } from './judge/judge-file.ts'
import { judgeSite } from './judge/judge-site.ts'
import { judgeSigned, readSigned, type Signed, type Signing } from './signed.ts'
import { readFiles, type Snapshot } from './snapshot.ts'
import type { Finding } from './tell/finding.ts'
import { groupFindings } from './tell/problem.ts'
import type { Report } from './tell/report.ts'

export type RunOptions = {
  readonly addresses: Addresses
  readonly snapshot: Snapshot
  /** How many members to ask about. */
  readonly size: number
  readonly sender: Sender
  /** How many requests may be under way at a time. */
  readonly concurrency: number
  /** The keys, one of which should have signed what the host serves. */
  readonly signing?: Signing | undefined
  readonly onProgress: (done: number, total: number) => void
}

/** Asks the host everything, and says what is wrong with the answers. */
export const run = async (options: RunOptions): Promise<Report> => {
  const { snapshot, sender, signing } = options
  const pick = { withoutShots: snapshot.withoutShots }
  const usernames = sample(snapshot.usernames, { ...pick, size: options.size })
  const contact = await makeContact(usernames, options)
  const closely = new Set(sample(usernames, { ...pick, size: closeLook }))
  const resources =
    contact.schemes.length === 0
      ? []
      : [
          ...usernames.flatMap((username) => routes.map((route) => memberResource(route, username))),
          ...snapshot.siteRoutes.map(siteResource),
        ]
  const files = new Set(resources.flatMap(({ files }) => Object.values(files)))
  const signed = signing && readSigned(snapshot.folder, { ...signing, files })
  const judgements = await inTurn(options, [
    ...contact.schemes.map((scheme) => () => checkSite(scheme, usernames, options)),
    ...resources.map((resource, i) => () => {
      const close = resource.username === undefined || closely.has(resource.username)
      return checkResource(resource, { schemes: turn(contact.schemes, i), close }, { ...options, signed })
    }),
  ])
  const findings = [
    ...contact.findings,
    ...judgements.flatMap((judgement) => judgement.findings),
    ...conclude(judgements.flatMap(({ sightings }) => sightings)),
  ]
  return {
    problems: groupFindings(findings, contact.server),
    server: contact.server,
    requests: sender.count(),
    members: usernames.length,
    schemes: contact.schemes,
    signer: isSigned(signed, findings) ? signed.signer : undefined,
  }
}

const isSigned = (signed: Signed | undefined, findings: readonly Finding[]): signed is Signed =>
  signed !== undefined &&
  signed.doubt === undefined &&
  !findings.some(({ cause }) => cause === 'not-signed' || cause === 'signed-earlier')

/** Another scheme comes first from route to route, and for each route from member to member. */
const turn = (schemes: readonly Variant[], index: number): readonly Variant[] =>
  (index + Math.floor(index / routes.length)) % 2 === 0 ? schemes : schemes.toReversed()

const checkSite = async (
  scheme: Variant,
  usernames: readonly string[],
  { addresses, snapshot, sender }: RunOptions,
): Promise<FileJudgement> => {
  const site = {
    basePath: addresses[scheme].path,
    usernames: snapshot.usernames,
    sample: usernames.slice(0, 3),
    siteRoutes: snapshot.siteRoutes,
    private: snapshot.private,
  }
  return { findings: judgeSite(await sendAll(siteProbes(site, scheme), sender)), sightings: [] }
}

const checkResource = async (
  resource: Resource,
  look: Look,
  { addresses, snapshot, sender, signed }: RunOptions & { readonly signed: Signed | undefined },
): Promise<FileJudgement> => {
  const basePath = { https: addresses.https.path, http: addresses.http.path }
  const subject: Subject = { ...resource, basePath, bytes: await readFiles(snapshot, resource) }
  const first = await sendAll(firstRound(subject, look), sender)
  const second = look.close ? await sendAll(secondRound(subject, look, first), sender) : []
  const judgement = judgeFile(subject, [...first, ...second])
  if (signed === undefined) return judgement
  const unsigned = judgeSigned(signed, subject, first)
  // whose signature the bytes have says more than that they differ
  const rest = judgement.findings.filter(
    ({ cause, request }) =>
      cause !== 'not-the-snapshot' || !unsigned.some((finding) => finding.request === request),
  )
  return { ...judgement, findings: [...unsigned, ...rest] }
}

/** Sends requests one after another: what is asked first matters to caches. */
const sendAll = async <P extends { readonly request: Request }>(probes: readonly P[], sender: Sender) => {
  const exchanges: (P & { readonly outcome: Outcome })[] = []
  for (const probe of probes) exchanges.push({ ...probe, outcome: await sender.send(probe.request) })
  return exchanges
}

/** Runs the tasks, some at a time; the results keep their order. */
const inTurn = async <T>(
  { concurrency, onProgress }: Pick<RunOptions, 'concurrency' | 'onProgress'>,
  tasks: readonly (() => Promise<T>)[],
): Promise<readonly T[]> => {
  const results: T[] = []
  let next = 0
  let done = 0
  const work = async () => {
    while (next < tasks.length) {
      const index = next++
      results[index] = await tasks[index]!()
      onProgress(++done, tasks.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, work))
    return results
  } finally {
    // if one fails, the others finish their current task and end
    next = tasks.length
  }
}
