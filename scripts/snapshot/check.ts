import fs from 'node:fs'
import path from 'node:path'
import { parse } from '../content/parse/parse.ts'
import { accentProblem } from '../content/values/colour.ts'
import type { HostName } from '../content/values/formats.ts'
import { byPlace, type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { findClashes, findHoldings, findRepeated } from './claims.ts'
import { brokenLimit, notLookedAt, type Tools } from './compile.ts'
import { type FolderNames, resolveFolders } from './folders.ts'
import { compileMembers } from './members.ts'
import type { Place } from './outputs.ts'
import { type OpenSite, openSite, type Shard } from './site.ts'
import { type Entry, emptyState, knownState, type State } from './state.ts'

export type CheckOptions = FolderNames & {
  readonly hostNames: readonly HostName[]
  /** Look at every member anew, and take nothing from the last build. */
  readonly all?: boolean
  /** Only the members of this shard. */
  readonly shard?: Shard | undefined
  /** What the check before this one found; absent to take what the last build left. */
  readonly last?: State | undefined
  /** Members that may have changed since then, if that is known. */
  readonly touched?: ReadonlySet<string> | undefined
  readonly onProgress: (done: number, total: number) => void
}

/** All members, inspected and compared: what is wrong with them, and what their files come to. */
export type CheckResult = ReturnType<typeof summarize> & {
  /** One for each member, in the order of the paths; fewer if not all were looked at. */
  readonly entries: readonly Entry[]
  /** Sorted by place; those of the survey too. */
  readonly diagnostics: readonly Diagnostic[]
  /** Members that were read and checked; the others are as they were when the last build looked at them. */
  readonly compiled: number
  /** Whether the state to keep is not the one that was taken. */
  readonly renewed: boolean
  /** For the next check. It takes memory, so call it only to check again. */
  readonly keep: () => State
}

/** Checks the content, and writes nothing. */
export const check = async (options: CheckOptions): Promise<CheckResult> => {
  const folders = resolveFolders(options)
  const { last } = options
  const found = openSite(folders.content, options)
  const isLast = last !== undefined && last.epoch === found.epoch && found.epoch !== ''
  const state = isLast ? last : last || options.all ? emptyState : knownState(folders, found)
  return checkMembers(found, { ...options, touched: last && options.touched, state })
}

export type CheckMembersOptions = Pick<CheckOptions, 'touched' | 'onProgress'> & {
  readonly state: State
  /** Absent to check only. */
  readonly place?: Place | undefined
}

/** Looks at every member, then compares what must be unique. */
export const checkMembers = async (
  { tools, hostNames, epoch, ...survey }: OpenSite,
  { state, place, touched, onProgress }: CheckMembersOptions,
): Promise<CheckResult> => {
  const { content, site, source } = tools
  const mayDiffer = (username: string): boolean =>
    touched === undefined || touched.has(username) || (state.entries.get(username)?.from.key ?? '') === ''
  const members = survey.members.filter(mayDiffer)
  const task = { content, site, source, hostNames, members, known: state.entries, place }
  const found = await compileMembers(task, (done) => onProgress(done, members.length))
  const news = new Map(found.map((one) => [one.username, one]))
  const diagnostics = [...survey.diagnostics, ...lookAtGallery(tools)]
  const entries: Entry[] = []
  let [broken, isWhole] = [0, true]
  for (const username of survey.members) {
    const one = news.get(username)
    const entry = one?.entry ?? state.entries.get(username)
    if (!isWhole || entry === undefined) break
    entries.push(entry)
    for (const diagnostic of [...(one?.diagnostics ?? []), ...entry.warnings]) diagnostics.push(diagnostic)
    broken += one?.broken ?? 0
    isWhole = broken < brokenLimit
    if (!isWhole) diagnostics.push(notLookedAt(content, username))
  }
  // nothing in a snapshot clashes, so only what claims something else than before is compared
  const isFresh = ({ username, claims }: Entry) => claims !== state.entries.get(username)?.claims
  const fresh = entries.filter((entry) => state.sums === '' || isFresh(entry))
  if (isWhole && fresh.length > 0) {
    const repeated = findRepeated(entries, fresh)
    const clashes = findClashes(entries, repeated, ({ username }) => findHoldings(username, tools))
    for (const clash of clashes) diagnostics.push(clash)
  }
  const sums = hasErrors(diagnostics) ? '' : epoch
  return {
    ...{ ...summarize(entries), entries, diagnostics: diagnostics.sort(byPlace) },
    compiled: found.filter((one) => one.broken !== undefined).length,
    renewed: found.some(({ entry }) => entry) || state.entries.size !== entries.length,
    keep: () => ({
      ...{ epoch, sums, content: content.name },
      entries: new Map(entries.map((entry) => [entry.username, entry])),
    }),
  }
}

/** What of the gallery's look will not be seen. No build reads it, so these are warnings. */
const lookAtGallery = ({ content, site, source }: Tools): readonly Diagnostic[] => {
  if (site === undefined) return []
  const { accent, logo } = site.gallery
  const stat = logo && fs.lstatSync(path.join(content.path, logo), { throwIfNoEntry: false })
  const isThere = stat === '' || (stat?.isFile() && stat.size <= mostLogoBytes)
  const noLogo = isThere ? undefined : 'no file of that name, of at most 1 MiB, lies beside site.yaml'
  const tell = (key: 'accent' | 'logo', why: string | undefined, advice: string): readonly Diagnostic[] =>
    why === undefined
      ? []
      : [
          diagnose('unlikely-value', parse(source!).place(['gallery', key], 'value'), {
            ...{ value: site.gallery[key], why, advice },
          }),
        ]
  return [
    ...tell('logo', noLogo, 'put the file there, or leave logo out'),
    ...tell(
      'accent',
      accent ? accentProblem(accent) : undefined,
      'write a colour of medium brightness, as "#c2410c"',
    ),
  ]
}

export const mostLogoBytes = 1 << 20

/** Figures of a site's members. */
export const summarize = (entries: readonly Entry[]) => ({
  members: entries.length,
  /** Of all members. */
  aliases: entries.flatMap(({ aliases }) => aliases),
  /** Drafts too. */
  shots: entries.reduce((sum, { shots }) => sum + shots, 0),
  /** Bytes of the largest file of a member. */
  largest: entries.reduce((most, { made }) => Math.max(most, made.largest), 0),
})
