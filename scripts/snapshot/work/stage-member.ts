import type { Member } from '../../api/derive.ts'
import type { Changes, FileCounts, Target } from '../dist/changes.ts'
import { slotTime } from '../dist/file-times.ts'
import { type Audit, auditMember, fingerprintOutput, joinFingerprints } from '../dist/look/audit.ts'
import { createStage } from '../dist/stage.ts'
import { createEncoder, type Pressed, press } from '../member/press.ts'
import { namesOf, type StateEntry } from '../state/entry.ts'
import { sameBytes } from '../state/fingerprint.ts'
import { slotPath, slots } from '../state/slots.ts'
import { control, type Task } from './task.ts'

/** Stages members' files that the snapshot doesn't have, and counts them. */
export type MemberStage = {
  /** A member's files, if they are in the snapshot as its entry says, and nothing else is. */
  readonly find: (entry: StateEntry) => Held | undefined
  /** Counts the files of an entry as they are. */
  readonly keep: (entry: StateEntry) => void
  /** Stages what is new of a member, whose last entry was `before`. */
  readonly put: (member: Member, before: StateEntry | undefined) => StagedMember
  readonly changes: Changes
  readonly counts: FileCounts
}

/** What was made of a member, and the fingerprint of its files' stats if they are where they will stay. */
export type StagedMember = Pressed & Pick<StateEntry, 'outputStat'>

/** The fingerprint of the files' stats, if one was taken. */
export type Held = { readonly stat: Uint8Array | undefined }

export const createMemberStage = ({
  target,
  targetLooksNew,
  site,
  sameEpoch,
  control: counters,
}: Task): MemberStage => {
  const scratch = Buffer.allocUnsafeSlow(1 << 18)
  const stage = target && createStage(target.stage)
  const encode = createEncoder()
  const changes = { write: [] as string[], remove: [] as string[], clear: [] as string[] }
  const counts = { written: 0, unchanged: 0, removed: 0 }

  /** What the snapshot has of a member: by its entry if nothing was touched since, else by reading it. */
  const look = (
    { folder, blocked }: Target,
    names: readonly string[],
    before: StateEntry | undefined,
  ): Found => {
    if (before?.outputStat !== undefined && blocked.length === 0 && !targetLooksNew) {
      const { digests, outputStat: stat } = before
      const same = namesOf(before).join('/') === names.join('/')
      if (same && sameBytes(fingerprintOutput(folder, names, digests), stat))
        return { digests: names.map(() => digests), strangers: [], stat }
    }
    const audits = names.map((name) => auditMember(folder, name, { blocked, scratch }))
    return {
      digests: audits.map(({ digests }) => digests),
      strangers: audits.flatMap(({ strangers }) => strangers),
      stat: joinFingerprints(audits.map(({ stat }) => stat)),
    }
  }

  const find: MemberStage['find'] = (entry) => {
    if (target === undefined) return { stat: undefined }
    if (target.empty) return undefined
    const held = look(target, namesOf(entry), entry)
    const same = held.digests.every((digests) =>
      slots.every((_, number) => sameBytes(digests[number], entry.digests[number])),
    )
    return same && held.strangers.length === 0 ? { stat: held.stat } : undefined
  }

  const keep: MemberStage['keep'] = ({ digests, aliases }) => {
    counts.unchanged += countFiles(digests) * (1 + aliases.length)
  }

  const put: MemberStage['put'] = (member, before) => {
    // with an error, what is staged is thrown away
    if (
      target === undefined ||
      stage === undefined ||
      site === undefined ||
      Atomics.load(counters, control.wrong) === 1
    )
      return notStaged
    const names = [member.username, ...member.profile.aliases]
    const found = target.empty ? nothing : look(target, names, before)
    let written = 0
    const pressed = press(member, {
      site,
      before: before !== undefined && sameEpoch ? before.digests : [],
      present: presentIn(found),
      encode,
      write: (slot, { bytes, digest }) => {
        names.forEach((name, index) => {
          if (sameBytes(digest, found.digests[index]?.[slots.indexOf(slot)])) return
          const path = slotPath(slot, name)
          stage(path, bytes, slotTime(target.baseTime, slot))
          written++
          if (!target.empty) changes.write.push(path)
        })
      },
    })
    let removed = found.strangers.length
    found.digests.forEach((digests, index) => {
      const stale = slots.filter(
        (_, number) => digests[number] !== undefined && pressed.digests[number] === undefined,
      )
      for (const slot of stale) changes.remove.push(slotPath(slot, names[index]!))
      removed += stale.length
    })
    for (const stranger of found.strangers) changes.clear.push(stranger)
    counts.written += written
    counts.removed += removed
    counts.unchanged += countFiles(pressed.digests) * names.length - written
    if (target.empty) {
      return { ...pressed, outputStat: fingerprintOutput(target.stage, names, pressed.digests) }
    }
    // the next build looks at what is moved into place: somebody may have been there between
    return { ...pressed, outputStat: written + removed === 0 ? found.stat : undefined }
  }

  return { find, keep, put, changes, counts }
}

export const notStaged: StagedMember = { digests: [], largest: 0, outputStat: undefined }

/** What the snapshot has of a member: the digests by name, then by slot number. */
type Found = Omit<Audit, 'digests'> & { readonly digests: readonly Audit['digests'][] }

const nothing: Found = { digests: [], strangers: [], stat: undefined }

/** The files that are the same under each name. */
const presentIn = ({ digests: [first = [], ...others] }: Found): Audit['digests'] =>
  others.length === 0
    ? first
    : first.map((digest, number) =>
        others.every((digests) => sameBytes(digests[number], digest)) ? digest : undefined,
      )

const countFiles = (digests: StateEntry['digests']): number => {
  let count = 0
  for (const digest of digests) if (digest !== undefined) count++
  return count
}
