import type { Member } from '../../api/derive.ts'
import { type Audit, auditMember, fingerprintOutput } from '../dist/audit.ts'
import type { Changes, FileCounts, Target } from '../dist/changes.ts'
import { slotTime } from '../dist/file-times.ts'
import { createStage } from '../dist/stage.ts'
import { createEncoder, type Pressed, press } from '../member/press.ts'
import type { StateEntry } from '../state/entry.ts'
import { sameBytes } from '../state/fingerprint.ts'
import { slotPath, slots } from '../state/slots.ts'
import { control, type Task } from './task.ts'

/** Brings members' files into the stage, as far as the snapshot doesn't hold them, and counts them. */
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
  const look = ({ folder, blocked }: Target, username: string, before: StateEntry | undefined): Audit => {
    if (before?.outputStat !== undefined && blocked.length === 0 && !targetLooksNew) {
      const { digests, outputStat: stat } = before
      if (sameBytes(fingerprintOutput(folder, username, digests), stat))
        return { digests, strangers: [], stat }
    }
    return auditMember(folder, username, { blocked, scratch })
  }

  const find: MemberStage['find'] = (entry) => {
    if (target === undefined) return { stat: undefined }
    if (target.empty) return undefined
    const { digests } = entry
    const held = look(target, entry.username, entry)
    const same = slots.every((_, number) => sameBytes(held.digests[number], digests[number]))
    return same && held.strangers.length === 0 ? { stat: held.stat } : undefined
  }

  const keep: MemberStage['keep'] = ({ digests }) => {
    counts.unchanged += countFiles(digests)
  }

  const put: MemberStage['put'] = (member, before) => {
    // what is staged beside something wrong is thrown away
    if (
      target === undefined ||
      stage === undefined ||
      site === undefined ||
      Atomics.load(counters, control.wrong) === 1
    )
      return notStaged
    const { username } = member
    const { digests: present, strangers, stat } = target.empty ? nothing : look(target, username, before)
    let written = 0
    const pressed = press(member, {
      site,
      before: before !== undefined && sameEpoch ? before.digests : [],
      present,
      encode,
      write: (slot, bytes) => {
        const path = slotPath(slot, username)
        stage(path, bytes, slotTime(target.baseTime, slot))
        written++
        if (!target.empty) changes.write.push(path)
      },
    })
    const stale = slots.filter(
      (_, number) => present[number] !== undefined && pressed.digests[number] === undefined,
    )
    changes.remove.push(...stale.map((slot) => slotPath(slot, username)))
    for (const stranger of strangers) changes.clear.push(stranger)
    counts.written += written
    counts.removed += stale.length + strangers.length
    counts.unchanged += countFiles(
      pressed.digests.filter((digest, number) => sameBytes(digest, present[number])),
    )
    if (target.empty) {
      return { ...pressed, outputStat: fingerprintOutput(target.stage, username, pressed.digests) }
    }
    // the next build looks at what is moved into place: somebody may have been there between
    const untouched = written + stale.length + strangers.length === 0
    return { ...pressed, outputStat: untouched ? stat : undefined }
  }

  return { find, keep, put, changes, counts }
}

export const notStaged: StagedMember = { digests: [], largest: 0, outputStat: undefined }

const nothing: Audit = { digests: [], strangers: [], stat: undefined }

const countFiles = (digests: StateEntry['digests']): number =>
  digests.filter((digest) => digest !== undefined).length
