import type { Member } from '../api/derive.ts'
import { noTimestamp } from '../api/records.ts'
import { renderRoute } from '../api/render.ts'
import { filePath, routes } from '../api/routes.ts'
import { createLoader, type Source } from '../content/load.ts'
import { type ContentFolder, type Scan, scanListed } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import type { HostName } from '../content/values/formats.ts'
import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'
import { brokenLimit, type Compiled, compileMember, createTools, readMember } from './compile.ts'
import type { Listed } from './lists.ts'
import {
  copiesOf,
  filesOf,
  foldersOf,
  haveSettled,
  type Made,
  namesOf,
  openSnapshot,
  type Place,
  slotsOf,
} from './outputs.ts'
import type { TakePicture } from './pictures.ts'
import { contentKeyOf, type Entry, fingerprintScan, statsOf } from './state.ts'

/** What every thread needs before it draws members; it is sent to the threads as it is. */
export type Task = {
  readonly content: ContentFolder
  readonly site: Site | undefined
  /** site.yaml, if it can be read. */
  readonly source: Source | undefined
  readonly hostNames: readonly HostName[]
  /** The members to look at, in the order of the paths. */
  readonly members: readonly string[]
  /** What is known of members: from this same program and site, so that equal content means equal results. */
  readonly known: ReadonlyMap<string, Entry>
  /** Absent if the content is only to be checked. */
  readonly place: Place | undefined
  /** Shared by the threads; see {@link control}. */
  readonly control: Int32Array<ArrayBufferLike>
}

/** What stands where in {@link Task.control}. */
const control = { next: 0, done: 1, wrong: 2, broken: 3 } as const

/** Numbers that threads share, all 0. */
export const createControl = (): Task['control'] => new Int32Array(new SharedArrayBuffer(16))

/** The result of a thread, for the members that it drew. */
export type Part = {
  readonly found: readonly Found[]
  /** How many members were read and checked. */
  readonly compiled: number
}

/** What is new about a member. */
export type Found = {
  readonly username: string
  /** Absent if it is the one that was known. */
  readonly entry?: Entry
  /** What is wrong with the tree of its files. */
  readonly diagnostics: readonly Diagnostic[]
  /** See {@link Compiled.broken}. */
  readonly broken: number
}

/** To ask for the stats of a member's files and compare them, as a part of the effort to compile it. */
const effortToKeep = 1 / 8
/** Bytes of pictures that take the effort of a member, to be read, hashed and written. */
const picturesLikeAMember = 1 << 19

const nothingMade: Made = { sha256: [], stat: '', largest: 0 }

/** Turns members into entries and staged files. */
const createWorker = (task: Task) => {
  const { content, site, source, known, place } = task
  const tools = createTools({ content, site, source, loader: createLoader({ hostNames: task.hostNames }) })
  const slots = site === undefined ? [] : slotsOf(site)
  const snapshot = place && openSnapshot(place)
  const found: Found[] = []
  let [compiledMembers, effort] = [0, 0]

  const process = (username: string): void => {
    const scan = scanListed(username, content)
    const { diagnostics } = scan
    const before = known.get(username)
    const kept = before && keep(scan, before)
    if (kept === undefined) found.push({ username, diagnostics, ...compile(scan, before) })
    else if (kept !== before) found.push({ username, diagnostics, broken: 0, entry: kept })
    else if (diagnostics.length > 0) found.push({ username, diagnostics, broken: 0 })
  }

  /** Keeps a member whose content is what its entry was made from, and whose files are what the entry says. */
  const keep = (scan: Scan, before: Entry): Entry | undefined => {
    if (before.from.key === '' || hasErrors(scan.diagnostics)) return undefined
    const stat = settledStat(scan)
    // pictures are not read here: whoever compiles reads those that changed
    const isSame =
      (stat !== '' && stat === before.from.stat) ||
      (scan.pictures.length === 0 && readKey(scan) === before.from.key)
    const made = isSame ? find(before) : undefined
    if (made === undefined) return undefined
    effort += effortToKeep
    return stat === before.from.stat && made === before.made.stat
      ? before
      : { ...before, from: { ...before.from, stat }, made: { ...before.made, stat: made } }
  }

  /** Fingerprint of a member's content as far as stat shows it; empty if it must not be kept. */
  const settledStat = (scan: Scan): string => (haveSettled(statsOf(scan)) ? fingerprintScan(scan) : '')

  /** Of the content as it is read now; `undefined` if it can't be: whoever compiles it says why. */
  const readKey = (scan: Scan): string | undefined => {
    try {
      return contentKeyOf(scan, readMember(scan, tools.read))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return undefined
    }
  }

  /** The fingerprint of a member's files if they are in the snapshot as its entry says. */
  const find = (entry: Entry): string | undefined => {
    if (snapshot === undefined) return entry.made.stat
    const stat = fingerprintOf(entry)
    const files = stat === entry.made.stat ? [] : filesOf(entry, slots)
    const isThere =
      stat !== '' &&
      files.every(({ path, digest }) => snapshot.has(path, digest)) &&
      Object.entries(entry.made.pictures ?? {}).every(hasPicture(stat === entry.made.stat))
    return isThere ? stat : undefined
  }

  const fingerprintOf = (entry: Pick<Entry, 'username' | 'aliases' | 'made'>, isStaged = false): string =>
    snapshot!.fingerprint(
      {
        folders: namesOf(entry).flatMap((name) => foldersOf(slots, name)),
        files: filesOf(entry, slots).map(({ path }) => path),
      },
      { isStaged },
    )

  /** Where nobody touched a member's files, the name of a picture is enough. */
  const hasPicture =
    (isUntouched: boolean) =>
    ([file, digest]: readonly [string, string]): boolean =>
      isUntouched ? snapshot!.pictures().has(file) : snapshot!.has(file, digest)

  const compile = (scan: Scan, before: Entry | undefined): Pick<Found, 'broken'> & { entry: Entry } => {
    compiledMembers++
    effort++
    const stat = settledStat(scan)
    const compiled = compileMember(scan, tools, { seen: seenOf(before), take })
    const { member, aliases, broken, claims } = compiled
    Atomics.add(task.control, control.broken, broken)
    if (member === undefined) Atomics.store(task.control, control.wrong, 1)
    const key = member === undefined ? '' : contentKeyOf(scan, compiled.oids)
    return {
      broken,
      entry: {
        ...{ username: scan.username, aliases, shots: scan.shots.length },
        from: { key, stat, ...(Object.keys(compiled.seen).length > 0 && { pictures: compiled.seen }) },
        made: member === undefined ? nothingMade : put(member, compiled),
        claims,
        ...(site?.members && member && { listed: listedOf(member) }),
        // those of the scan are found again each time
        warnings: compiled.diagnostics.slice(scan.diagnostics.length),
      },
    }
  }

  /** What is known of pictures whose published bytes the snapshot has. */
  const seenOf = (before: Entry | undefined): Compiled['seen'] => {
    const seen = before?.from.pictures ?? {}
    if (snapshot === undefined || before === undefined) return seen
    const isThere = hasPicture(before.made.stat !== '' && fingerprintOf(before) === before.made.stat)
    return Object.fromEntries(Object.entries(seen).filter(([, { file, sha256 }]) => isThere([file, sha256])))
  }

  /** With an error, what is staged is thrown away. */
  const isWrong = (): boolean => Atomics.load(task.control, control.wrong) === 1

  const take: TakePicture = (file, { sha256, pieces }) => {
    for (const { length } of pieces) effort += length / picturesLikeAMember
    if (snapshot !== undefined && !isWrong() && !snapshot.has(file, sha256)) snapshot.put(file, pieces)
  }

  /** Stages what is new of a member. */
  const put = (member: Member, { pictures }: Compiled): Made => {
    if (!snapshot || !site || isWrong()) return nothingMade
    const of = { username: member.username, aliases: member.profile.aliases }
    let [largest, isStaged] = [0, false]
    const sha256 = site.schemes.flatMap((variant) =>
      routes.flatMap((route) => {
        const plain = Buffer.from(renderRoute(route, variant, member, site))
        largest = Math.max(largest, plain.length)
        return copiesOf(plain, site).map((copy) => {
          for (const name of copy ? namesOf(of) : [])
            if (snapshot.renew(filePath(route, variant, name) + copy!.suffix, copy!)) isStaged = true
          return copy?.digest ?? null
        })
      }),
    )
    const made = { sha256, largest, stat: '', ...(Object.keys(pictures).length > 0 && { pictures }) }
    return { ...made, stat: fingerprintOf({ ...of, made }, isStaged) }
  }

  return { process, effort: () => effort, part: (): Part => ({ found, compiled: compiledMembers }) }
}

const listedOf = ({ profile, published, latest }: Member): Listed => ({
  id: profile.id,
  name: profile.name,
  totalShots: profile.totalShots ?? String(published),
  date: latest[0]?.date ?? noTimestamp,
})

/**
 * Every thread, the main one too, draws members in their order from a shared counter until none is left, or too much is
 * broken. Whatever is drawn is processed, so those that are left out come after all others. After each member, `onMember`
 * gets how many members all threads have processed, and the effort that was this one's.
 */
export const drawMembers = async (
  task: Task,
  onMember: (done: number, effort: number) => void = () => {},
): Promise<Part> => {
  const worker = createWorker(task)
  for (let turned = performance.now(); Atomics.load(task.control, control.broken) < brokenLimit; ) {
    const username = task.members[Atomics.add(task.control, control.next, 1)]
    if (username === undefined) break
    worker.process(username)
    onMember(Atomics.add(task.control, control.done, 1) + 1, worker.effort())
    if (performance.now() - turned < longestTurnMs) continue
    // signals and messages of other threads are handled now
    await new Promise((resolve) => setImmediate(resolve))
    turned = performance.now()
  }
  return worker.part()
}

const longestTurnMs = 100

/** Leaves nothing to draw for any thread. */
export const stopDrawing = ({ control: counters }: Task): void => {
  Atomics.store(counters, control.next, 2 ** 30)
}
