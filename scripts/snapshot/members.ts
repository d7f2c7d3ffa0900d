import type { Member } from '../api/derive.ts'
import { noTimestamp } from '../api/records.ts'
import { createLoader, type Source } from '../content/load.ts'
import { once } from '../content/once.ts'
import { createReader } from '../content/read/read-file.ts'
import { type ContentFolder, type Scan, scanMember } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import type { HostName } from '../content/values/formats.ts'
import { readFile } from '../files/open.ts'
import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'
import { findHoldings, type Holding } from './claims.ts'
import {
  type Broken,
  brokenLimit,
  type Compiled,
  compileMember,
  createTools,
  lastLookedAt,
  readMember,
} from './compile.ts'
import { type Bin, binNames, type Listed, makeBin } from './lists.ts'
import {
  auditMember,
  createEncoder,
  createStage,
  type Digests,
  fingerprintOutput,
  isThere,
  largestFile,
  listPictures,
  type Made,
  press,
  type Stage,
  slotPath,
  slotsOf,
} from './outputs.ts'
import type { TakePicture } from './pictures.ts'
import type { Changes, Target } from './publish.ts'
import { contentKeyOf, type Entry, fingerprintScan, haveSettled, namesOf, statsOf } from './state.ts'

/** What every thread needs before it draws members; it is sent to the threads as it is. */
export type Task = {
  readonly content: ContentFolder
  readonly site: Site | undefined
  /** site.yaml, if it can be read. */
  readonly source: Source | undefined
  readonly hostNames: readonly HostName[]
  /** Every member, in the order of the paths. */
  readonly members: readonly string[]
  /** The members of each bin, by their positions; a thread processes them one after the other. */
  readonly groups: readonly (readonly number[])[]
  /** Those of the last build; absent if none are to be made. */
  readonly bins: readonly Bin[] | undefined
  /** Members that may have changed, if that is known; the others are taken from their entries without a look. */
  readonly touched: ReadonlySet<string> | undefined
  /** What is known of members: from this same program and site, so that equal content means equal results. */
  readonly known: ReadonlyMap<string, Entry>
  /** Whether entries are for a merge. */
  readonly forMerge: boolean
  /** Absent if the content is only to be checked. */
  readonly target: Target | undefined
  /** Shared by the threads; see {@link control}. */
  readonly control: Int32Array<ArrayBufferLike>
  readonly broken: Broken
}

/** What stands where in {@link Task.control}. */
export const control = { next: 0, done: 1, wrong: 2, broken: 3 } as const

/** Numbers that threads share, all 0. */
export const sharedNumbers = (length: number): Int32Array<ArrayBufferLike> =>
  new Int32Array(new SharedArrayBuffer(length * 4))

/** The result of a thread, for the members that it drew. */
export type Part = {
  readonly made: readonly MadeEntry[]
  readonly bins: readonly Bin[]
  /** What is wrong with members, by their positions. */
  readonly problems: readonly { readonly index: number; readonly diagnostics: readonly Diagnostic[] }[]
  /** How many members were read and checked. */
  readonly compiled: number
  readonly changes: Changes
}

/** An entry that is not the one that was known, at its member's position. */
export type MadeEntry = { readonly index: number; readonly entry: Entry }

/** To ask for the stats of a member's files and compare them, as a part of the effort to compile it. */
const effortToKeep = 1 / 8
/** Bytes of pictures that take the effort of a member, to be read, hashed and written. */
const picturesLikeAMember = 1 << 19

const nothingMade: Made = { sha256: [], stat: '', largest: 0 }
const noClaims = { id: '', shots: '', tokens: '' }
const notLookedInto: Omit<Entry, 'username'> = {
  ...{ aliases: [], shots: 0, published: 0, from: { key: '', stat: '' }, claims: noClaims, warnings: [] },
  made: nothingMade,
}

/** Turns members into entries, staged files and diagnostics, and gathers them. */
const createWorker = (task: Task) => {
  const { content, site, source, members, known } = task
  const tools = createTools({ content, site, source, loader: createLoader({ hostNames: task.hostNames }) })
  const stage = createMemberStage(task)
  const made: MadeEntry[] = []
  const problems: Part['problems'][number][] = []
  let [compiledMembers, kept, pictureBytes] = [0, 0, 0]
  const bins: Bin[] = []
  let last: number | undefined

  /** Processes the members of a group, by its number: keeps them or compiles them, then makes their bin. */
  const process = (group: number): void => {
    const first = made.length
    const indexes = task.groups[group]!
    for (const index of indexes) processMember(index)
    if (task.bins === undefined) return
    const fresh = new Map(made.slice(first).map(({ index, entry }) => [index, entry]))
    const entries = indexes.map((index) => fresh.get(index) ?? known.get(members[index]!)!)
    const bin = stage.putBin(binNames[group]!, { entries, isKnown: fresh.size === 0 })
    if (bin !== undefined) bins.push(bin)
  }

  const processMember = (index: number): void => {
    const username = members[index]!
    if (isPassedOver(index)) {
      add(index, { ...notLookedInto, username })
      return
    }
    const before = known.get(username)
    if (before !== undefined && before.from.key !== '') {
      if (task.touched?.has(username) === false) {
        tell(index, before.warnings)
        return
      }
      if (task.forMerge === (before.held !== undefined) && keepIfSame(index, before)) {
        kept++
        return
      }
    }
    compile(index, before)
  }

  /** Whether too much is broken before it. What turns up later can only bring the end nearer. */
  const isPassedOver = (index: number): boolean => {
    if (Atomics.load(task.control, control.broken) < brokenLimit) return false
    last ??= lastLookedAt(task.broken)
    return index > last
  }

  /** Keeps a member whose content is what its entry was made from, and whose files are what the entry says. */
  const keepIfSame = (index: number, before: Entry): boolean => {
    const since = Date.now()
    const now = scanMember(before.username, content)
    if (hasErrors(now.diagnostics)) return false
    const stat = fingerprintScan(now)
    // pictures are not read here: whoever compiles reads those that changed
    const same = stat === before.from.stat || (now.pictures.length === 0 && readKey(now) === before.from.key)
    const held = same ? stage.find(before) : undefined
    if (held === undefined) return false
    tell(index, [...now.diagnostics, ...before.warnings])
    const settled = haveSettled(statsOf(now), since) ? stat : ''
    if (settled !== before.from.stat || held !== before.made.stat) {
      add(index, {
        ...before,
        from: { ...before.from, stat: settled },
        made: { ...before.made, stat: held },
      })
    }
    return true
  }

  /** Of the content as it is read now; `undefined` if it can't be: whoever compiles it says why. */
  const readKey = (now: Scan): string | undefined => {
    try {
      return contentKeyOf(now, readMember(now, tools.read))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return undefined
    }
  }

  const compile = (index: number, before: Entry | undefined): void => {
    compiledMembers++
    const since = Date.now()
    const now = scanMember(members[index]!, content)
    const compiled = compileMember(now, tools, {
      seen: stage.present(before),
      take: (file, picture) => {
        for (const { length } of picture.pieces) pictureBytes += length
        stage.take(file, picture)
      },
    })
    const { member, aliases, published, claims } = compiled
    tell(index, compiled.diagnostics)
    Atomics.store(task.broken, index, compiled.broken)
    Atomics.add(task.control, control.broken, compiled.broken)
    if (member === undefined) Atomics.store(task.control, control.wrong, 1)
    const settled = haveSettled(statsOf(now), since)
    const pictures = settledOnly(compiled.seen, now, since)
    add(index, {
      ...{ username: now.username, aliases, shots: now.shots.length, published },
      from: {
        key: member === undefined ? '' : contentKeyOf(now, compiled.oids),
        stat: settled ? fingerprintScan(now) : '',
        ...(Object.keys(pictures).length > 0 && { pictures }),
      },
      made: member === undefined ? nothingMade : stage.put(member, compiled, before),
      claims,
      ...(site?.members && { listed: listedOf(member) }),
      // those of the scan are found again each time
      warnings: compiled.diagnostics.slice(now.diagnostics.length),
      ...(task.forMerge && { held: member === undefined ? [] : holdingsIn(now.username) }),
    })
  }

  /** Places are below the content folder: a merge may call it something else. */
  const inside = { ...tools, content: { ...content, name: '.' } }
  const insideTools = { ...inside, read: createReader(inside.content) }
  const holdingsIn = (username: string): readonly Holding[] =>
    findHoldings(username, insideTools, { quick: true }).map((one) => ({
      ...one,
      place: { ...one.place, file: one.place.file.replace(/^\.\//, '') },
    }))

  const tell = (index: number, diagnostics: readonly Diagnostic[]): void => {
    if (diagnostics.length > 0) problems.push({ index, diagnostics })
  }

  const add = (index: number, entry: Entry): void => void made.push({ index, entry })

  const part = (): Part => ({ made, bins, problems, compiled: compiledMembers, changes: stage.changes })

  const effort = (): number => compiledMembers + kept * effortToKeep + pictureBytes / picturesLikeAMember
  return { process, effort, part }
}

const listedOf = (member: Member | undefined): Listed => ({
  id: member?.profile.id ?? '',
  name: member?.profile.name ?? '',
  totalShots: member?.profile.totalShots ?? String(member?.published ?? 0),
  date: member?.latest[0]?.date ?? noTimestamp,
})

/** What is known of pictures, without the stats of those that changed too recently. */
const settledOnly = (seen: Compiled['seen'], { pictures }: Scan, since: number): Compiled['seen'] => {
  const fresh = new Set(pictures.filter(({ stat }) => !haveSettled([stat], since)).map((one) => one.path))
  if (fresh.size === 0) return seen
  const all = Object.entries(seen).map(([path, one]) => [path, fresh.has(path) ? { ...one, stat: '' } : one])
  return Object.fromEntries(all)
}

/** Stages members' files that the snapshot doesn't have. */
const createMemberStage = ({ target, site, bins, control: counters }: Task) => {
  const slots = site === undefined ? [] : slotsOf(site)
  const stage: Stage = target === undefined ? () => {} : createStage(target)
  const { encode, forget } = createEncoder()
  const changes = { remove: [] as string[], clear: [] as string[] }
  const knownBins = new Map(bins?.map((bin) => [bin.name, bin]))
  /** Of the members that were put since the last bin, by path. */
  const bodies = new Map<string, Uint8Array>()
  /** With an error, what is staged is thrown away. */
  const isWrong = (): boolean => Atomics.load(counters, control.wrong) === 1

  /** Pictures of the snapshot. Each is named after its bytes, so nobody need look at it again if its name is there. */
  const pictures = once(() => (target ? listPictures(target.folder) : new Set()))

  /** Whether nobody touched the files that an entry tells of. */
  const isUntouched = ({ folder }: Target, before: Entry): boolean =>
    before.made.stat !== '' &&
    before.made.stat === fingerprintOutput(folder, namesOf(before), { slots, made: before.made })

  /** What the snapshot has of a member under each of its names: by its entry if nothing was touched, else by reading. */
  const look = (target: Target, names: readonly string[], before: Entry | undefined): Found => {
    const { folder, blocked } = target
    if (before && namesOf(before).join('/') === names.join('/') && isUntouched(target, before))
      return { sha256: names.map(() => before.made.sha256), strangers: [], isKnown: true }
    const audits = names.map((name) => auditMember(folder, name, { slots, blocked }))
    return {
      sha256: audits.map(({ sha256 }) => sha256),
      strangers: audits.flatMap(({ strangers }) => strangers),
      isKnown: false,
    }
  }

  /** The fingerprint of a member's files if they are in the snapshot as its entry says, and nothing else is. */
  const find = (entry: Entry): string | undefined => {
    const { made } = entry
    if (target === undefined) return made.stat
    const { sha256, strangers, isKnown } = look(target, namesOf(entry), entry)
    const hasPictures = Object.entries(made.pictures ?? {}).every(([file, digest]) =>
      isKnown ? pictures().has(file) : isThere(target, file, digest),
    )
    if (isKnown) return hasPictures ? made.stat : undefined
    const isSame = sha256.every((digests) => digests.join() === made.sha256.join())
    return isSame && hasPictures && strangers.length === 0
      ? fingerprintOutput(target.folder, namesOf(entry), { slots, made })
      : undefined
  }

  /** What is known of pictures whose published bytes the snapshot has. */
  const present = (before: Entry | undefined): Compiled['seen'] => {
    const seen = before?.from.pictures ?? {}
    if (target === undefined || before === undefined) return seen
    const isKnown = isUntouched(target, before)
    return Object.fromEntries(
      Object.entries(seen).filter(([, { file, sha256 }]) =>
        isKnown ? pictures().has(file) : isThere(target, file, sha256),
      ),
    )
  }

  const take: TakePicture = (file, { sha256, pieces }) => {
    if (target !== undefined && !isWrong() && !isThere(target, file, sha256)) stage(file, pieces)
  }

  /** Stages what is new of a member. */
  const put = (member: Member, { pictures }: Compiled, before: Entry | undefined): Made => {
    if (!target || !site || isWrong()) return nothingMade
    const names = [member.username, ...member.profile.aliases]
    const found = target.empty ? nothingFound : look(target, names, before)
    let isChanged = found.strangers.length > 0
    const pressed = press(member, {
      ...{ site, slots, encode },
      take: (slot, { bytes, digest }) => {
        if (bins !== undefined && slot.encoding === undefined)
          bodies.set(slotPath(slot, member.username), bytes)
        for (const [index, name] of names.entries()) {
          if (found.sha256[index]?.[slots.indexOf(slot)] === digest) continue
          stage(slotPath(slot, name), bytes)
          isChanged = true
        }
      },
    })
    for (const [index, name] of names.entries()) {
      for (const [number, slot] of slots.entries()) {
        if (pressed.sha256[number] !== null || !found.sha256[index]?.[number]) continue
        changes.remove.push(slotPath(slot, name))
        isChanged = true
      }
    }
    if (bins === undefined) forget()
    for (const stranger of found.strangers) changes.clear.push(stranger)
    const made = { ...pressed, ...(Object.keys(pictures).length > 0 && { pictures }) }
    // the next build looks at what is moved into place: somebody may have been there meanwhile
    const stat =
      isChanged && !target.empty
        ? ''
        : fingerprintOutput(target.empty ? target.stage : target.folder, names, { slots, made })
    return { ...made, stat }
  }

  /** Stages a bin's files if they are not there; the members were just kept or put. `undefined` if something is wrong. */
  const putBin = (name: string, { entries, isKnown }: BinMembers): Bin | undefined => {
    const before = knownBins.get(name)
    try {
      return !target || !site || isWrong()
        ? undefined
        : makeBin(name, {
            ...{ entries, site, slots, target, stage, before },
            // nobody came, so nobody went if there are as many
            isKnown: isKnown && before?.members === entries.length,
            // what was kept is in the snapshot as its entry says
            read: (path) => bodies.get(path) ?? readFile(target.folder, path, { limit: largestFile })!,
          })
    } finally {
      bodies.clear()
      forget()
    }
  }

  return { find, present, take, put, putBin, changes }
}

/** Of a bin, and whether all are as they were. */
type BinMembers = { readonly entries: readonly Entry[]; readonly isKnown: boolean }

/** What the snapshot has of a member. */
type Found = {
  /** By name, then by slot. */
  readonly sha256: readonly Digests[]
  readonly strangers: readonly string[]
  /** Whether all is as the entry says. */
  readonly isKnown: boolean
}

const nothingFound: Found = { sha256: [], strangers: [], isKnown: false }

/**
 * Every thread, the main one too, draws members from a shared counter until none is left. After each group, `onGroup` gets
 * how many members all threads have processed, and the effort that was this one's.
 */
export const drawMembers = async (
  task: Task,
  onGroup: (done: number, effort: number) => void = () => {},
): Promise<Part> => {
  const worker = createWorker(task)
  let turned = performance.now()
  for (;;) {
    const group = Atomics.add(task.control, control.next, 1)
    const size = task.groups[group]?.length
    if (size === undefined) return worker.part()
    worker.process(group)
    onGroup(Atomics.add(task.control, control.done, size) + size, worker.effort())
    if (performance.now() - turned < longestTurnMs) continue
    // signals and messages of other threads are handled now
    await new Promise((resolve) => setImmediate(resolve))
    turned = performance.now()
  }
}

const longestTurnMs = 100

/** Leaves nothing to draw for any thread. */
export const stopDrawing = ({ control: counters }: Task): void => {
  Atomics.store(counters, control.next, 2 ** 30)
}
