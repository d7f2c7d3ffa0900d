import { createLoader } from '../../content/load.ts'
import { type Scan, scanMember } from '../../content/read/scan.ts'
import { type Diagnostic, hasErrors } from '../../problems/diagnostic.ts'
import { UserError } from '../../problems/user-error.ts'
import { brokenLimit, lastLookedAt } from '../member/broken.ts'
import { compileMember, createTools } from '../member/compile.ts'
import { readMember } from '../member/read-member.ts'
import { createEntryWriter } from '../state/entries.ts'
import { keySize, memoryOf, type StateEntry, StoredEntry, withStats } from '../state/entry.ts'
import { contentKeyOf, fingerprintScan, haveSettled, sameBytes } from '../state/fingerprint.ts'
import { createMemberStage, notStaged } from './stage-member.ts'
import { control, type Part, type Problems, type Task } from './task.ts'

/** To ask for the stats of a member's files and compare them, as a part of the effort to compile it. */
const effortToKeep = 1 / 8

/** The fingerprint that stands for none. */
const noKey = Buffer.alloc(keySize)

const notLookedInto = {
  ...notStaged,
  ...{ aliases: [], contentStat: undefined, contentKey: noKey },
  ...{ shots: 0, published: 0, claims: new Uint8Array() },
}

/** Turns members into entries, staged files and diagnostics, and gathers them. */
export type MemberWorker = {
  /** Processes the member at a position: keeps it or compiles it. */
  readonly process: (index: number) => void
  /** What was done so far, in the effort that it takes to compile a member. */
  readonly effort: () => number
  readonly part: () => Part
}

/** A scan, and when it began: milliseconds. */
type TimedScan = { readonly scan: Scan; readonly since: number }

export const createMemberWorker = (task: Task): MemberWorker => {
  const { content, site, source, members } = task
  const tools = createTools({ content, site, source, loader: createLoader({ hostNames: task.hostNames }) })
  const stage = createMemberStage(task)
  const old = memoryOf(task.entries)
  const made = createEntryWriter()
  const indexes: number[] = []
  const problems: Problems[] = []
  let compiledMembers = 0
  let kept = 0
  let last: number | undefined

  const process: MemberWorker['process'] = (index) => {
    if (isPassedOver(index)) return add(index, { ...notLookedInto, username: members[index]! })
    const before = entryAt(index)
    const untouched = task.touched?.has(members[index]!) === false
    if (before !== undefined && untouched && !sameBytes(before.contentKey, noKey)) return stage.keep(before)
    const scan = look(index)
    if (before !== undefined && task.sameEpoch && keepIfSame(index, scan, before)) kept++
    else compile(index, scan)
  }

  /** Whether too much is broken before it. What turns up later only brings the end nearer. */
  const isPassedOver = (index: number): boolean => {
    if (Atomics.load(task.control, control.broken) < brokenLimit) return false
    last ??= lastLookedAt(task.broken)
    return index > last
  }

  const look = (index: number): TimedScan => {
    const since = Date.now()
    return { scan: scanMember(members[index]!, content), since }
  }

  /** Keeps a member whose content is what its entry was made from, and whose files are what the entry says. */
  const keepIfSame = (index: number, { scan, since }: TimedScan, before: StateEntry): boolean => {
    if (hasErrors(scan.diagnostics)) return false
    const stat = fingerprintScan(scan)
    const known = sameBytes(stat, before.contentStat)
    const same = known || sameBytes(readKey(scan), before.contentKey)
    const held = same ? stage.find(before) : undefined
    if (held === undefined) return false
    stage.keep(before)
    tell(index, scan.diagnostics)
    const contentStat = haveSettled(scan.stats, since) ? stat : undefined
    if (!sameBytes(contentStat, before.contentStat) || !sameBytes(held.stat, before.outputStat)) {
      add(index, withStats(before, { contentStat, outputStat: held.stat }))
    }
    return true
  }

  /** Of the content as it is read now; `undefined` if it can't be: whoever compiles it says why. */
  const readKey = (scan: Scan): Buffer | undefined => {
    try {
      return contentKeyOf(scan, readMember(scan, tools.read))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return undefined
    }
  }

  const compile = (index: number, { scan, since }: TimedScan): void => {
    compiledMembers++
    const compiled = compileMember(scan, tools)
    tell(index, compiled.diagnostics)
    Atomics.store(task.broken, index, compiled.broken)
    Atomics.add(task.control, control.broken, compiled.broken)
    const { member, oids, claims } = compiled
    if (member === undefined) Atomics.store(task.control, control.wrong, 1)
    const published = member === undefined ? notStaged : stage.put(member, entryAt(index))
    // a member with a warning gets no key, so that the next build and check show the warning again
    const silent = compiled.diagnostics.length === scan.diagnostics.length
    add(index, {
      ...published,
      username: scan.username,
      aliases: member?.profile.aliases ?? [],
      contentStat: silent && haveSettled(scan.stats, since) ? fingerprintScan(scan) : undefined,
      contentKey: silent ? contentKeyOf(scan, oids) : noKey,
      shots: scan.shots.length,
      published: compiled.published,
      claims,
    })
  }

  const tell = (index: number, diagnostics: readonly Diagnostic[]): void => {
    if (diagnostics.length > 0) problems.push({ index, diagnostics })
  }

  const add = (index: number, entry: StateEntry): void => {
    indexes.push(index)
    made.add(entry)
  }

  const entryAt = (index: number): StateEntry | undefined => {
    const offset = task.offsets[index]!
    return offset === -1 ? undefined : new StoredEntry(old, offset)
  }

  const part = (): Part => ({
    made: { indexes, blocks: made.blocks() },
    problems,
    compiled: compiledMembers,
    changes: stage.changes,
    counts: stage.counts,
  })

  return { process, effort: () => compiledMembers + kept * effortToKeep, part }
}
