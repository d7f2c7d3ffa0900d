import type { Member } from '../../api/derive.ts'
import { type Audit, auditMember, fingerprintOutput } from '../dist/audit.ts'
import type { Changes, FileCounts, Output } from '../dist/changes.ts'
import { createStage } from '../dist/stage.ts'
import { slotTime } from '../dist/stamp.ts'
import { createEncoder, type Pressed, press } from '../member/press.ts'
import { sameBytes } from '../state/fingerprint.ts'
import type { MemberRecord } from '../state/record.ts'
import { slotPath, slots } from '../state/slots.ts'
import { control, type Task } from './task.ts'

/** Brings members' files into the stage, as far as the snapshot doesn't hold them, and counts them. */
export type Publisher = {
  /** A member's files, if they are in the snapshot as its record says, and nothing else is. */
  readonly find: (record: MemberRecord) => Held | undefined
  /** Counts the files of a record as they are. */
  readonly keep: (record: MemberRecord) => void
  /** Stages what is new of a member, whose last record was `before`. */
  readonly publish: (member: Member, before: MemberRecord | undefined) => Published
  readonly changes: Changes
  readonly counts: FileCounts
}

/** What was made of a member, and the fingerprint of its files' stats if they are where they will stay. */
export type Published = Pressed & Pick<MemberRecord, 'outputStat'>

/** The fingerprint of the files' stats, if one was taken. */
export type Held = { readonly stat: Uint8Array | undefined }

export const createPublisher = ({
  output,
  outputLooksNew,
  site,
  sameEpoch,
  control: counters,
}: Task): Publisher => {
  const scratch = Buffer.allocUnsafeSlow(1 << 18)
  const stage = output && createStage(output.stage)
  const encode = createEncoder()
  const changes = { write: [] as string[], remove: [] as string[], clear: [] as string[] }
  const counts = { written: 0, unchanged: 0, removed: 0 }

  /** What the snapshot has of a member: by its record if nothing was touched since, else by reading it. */
  const look = ({ folder, blocked }: Output, username: string, before: MemberRecord | undefined): Audit => {
    if (before?.outputStat !== undefined && blocked.length === 0 && !outputLooksNew) {
      const { digests, outputStat: stat } = before
      if (sameBytes(fingerprintOutput(folder, username, digests), stat))
        return { digests, strangers: [], stat }
    }
    return auditMember(folder, username, { blocked, scratch })
  }

  const find: Publisher['find'] = (record) => {
    if (output === undefined) return { stat: undefined }
    if (output.empty) return undefined
    const { digests } = record
    const held = look(output, record.username, record)
    const same = slots.every((_, number) => sameBytes(held.digests[number], digests[number]))
    return same && held.strangers.length === 0 ? { stat: held.stat } : undefined
  }

  const keep: Publisher['keep'] = ({ digests }) => {
    counts.unchanged += countFiles(digests)
  }

  const publish: Publisher['publish'] = (member, before) => {
    // what is staged beside something wrong is thrown away
    if (
      output === undefined ||
      stage === undefined ||
      site === undefined ||
      Atomics.load(counters, control.wrong) === 1
    )
      return unpublished
    const { username } = member
    const { digests: present, strangers, stat } = output.empty ? nothing : look(output, username, before)
    let written = 0
    const pressed = press(member, {
      site,
      before: before !== undefined && sameEpoch ? before.digests : [],
      present,
      encode,
      write: (slot, bytes) => {
        const path = slotPath(slot, username)
        stage(path, bytes, slotTime(output.stamp, slot))
        written++
        if (!output.empty) changes.write.push(path)
      },
    })
    const stale = slots.filter(
      (_, number) => present[number] !== undefined && pressed.digests[number] === undefined,
    )
    changes.remove.push(...stale.map((slot) => slotPath(slot, username)))
    changes.clear.push(...strangers)
    counts.written += written
    counts.removed += stale.length + strangers.length
    counts.unchanged += countFiles(
      pressed.digests.filter((digest, number) => sameBytes(digest, present[number])),
    )
    if (output.empty) {
      return { ...pressed, outputStat: fingerprintOutput(output.stage, username, pressed.digests) }
    }
    // the next build looks at what is moved into place: somebody may have been there between
    const untouched = written + stale.length + strangers.length === 0
    return { ...pressed, outputStat: untouched ? stat : undefined }
  }

  return { find, keep, publish, changes, counts }
}

export const unpublished: Published = { digests: [], largest: 0, outputStat: undefined }

const nothing: Audit = { digests: [], strangers: [], stat: undefined }

const countFiles = (digests: MemberRecord['digests']): number =>
  digests.filter((digest) => digest !== undefined).length
