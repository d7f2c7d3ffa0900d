import { names } from '../content/layout.ts'
import { createLoader } from '../content/load.ts'
import { createReader } from '../content/read.ts'
import { type Scan, scanMember } from '../content/scan.ts'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { type Audit, auditMember, fingerprintOutput } from './audit.ts'
import { type Compiled, compileMember, type Tools } from './compile.ts'
import { fileNames, fingerprintContent, fingerprintScan, haveSettled, sameBytes } from './fingerprint.ts'
import { type Pressed, press } from './press.ts'
import { decodeRecord, encodeRecord, keySize, type MemberRecord } from './record.ts'
import { slotPath, slots } from './slots.ts'
import { stageFile } from './stage.ts'
import { slotTime } from './stamp.ts'
import { control, type Part, type Task } from './task.ts'

/** A member with more shots than this is shared by all threads. */
export const largeMember = 1000

/** Turns members into records, staged files and diagnostics, and gathers them. */
export type MemberWorker = {
  readonly tools: Tools
  /** Takes on the member at a position: keeps it, compiles it, or leaves it for all threads if it is large. */
  readonly process: (index: number) => void
  /** Goes on with a member that was compiled elsewhere; `since` is when its scan began. */
  readonly finish: (
    index: number,
    compiled: Compiled,
    scan: { readonly scan: Scan; readonly since: number },
  ) => void
  readonly part: () => Part
}

export const createMemberWorker = (task: Task): MemberWorker => {
  const { content, site, members, output } = task
  const tools: Tools = {
    content,
    site,
    reader: createReader(),
    loader: createLoader({ hostNames: task.hostNames }),
  }
  const scratch = Buffer.allocUnsafeSlow(1 << 18)
  const { buffer, byteOffset, byteLength } = task.records
  const old = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
  const made: { index: number; bytes: Buffer }[] = []
  const large: number[] = []
  const diagnostics: Diagnostic[] = []
  const changes = { write: [] as string[], remove: [] as string[], clear: [] as string[] }
  const counts = { compiled: 0, read: 0, written: 0, unchanged: 0, removed: 0 }

  const process = (index: number): void => {
    const username = members[index]!
    const before = recordAt(index)
    if (before !== undefined && task.touched?.has(username) === false) {
      counts.unchanged += countFiles(before.digests)
      return
    }
    const since = Date.now()
    const scan = scanMember(username, content)
    const stat = fingerprintScan(scan)
    if (before !== undefined && isSame(index, scan, { before, stat })) {
      const audit = lookAt(username, before)
      if (
        output === undefined ||
        (audit.strangers.length === 0 && sameDigests(audit.digests, before.digests))
      ) {
        counts.unchanged += countFiles(before.digests)
        diagnostics.push(...scan.diagnostics)
        const outputStat =
          audit.stat ?? (output && fingerprintOutput(output.folder, username, before.digests))
        if (!sameBytes(stat, before.contentStat) || !sameBytes(outputStat, before.outputStat)) {
          add(index, {
            ...before,
            contentStat: haveSettled(scan.stats, since) ? stat : undefined,
            outputStat,
          })
        }
        return
      }
    }
    if (scan.shots.length > largeMember) large.push(index)
    else finish(index, compileMember(scan, tools), { scan, since })
  }

  const finish: MemberWorker['finish'] = (index, compiled, { scan, since }) => {
    counts.compiled++
    counts.read += scan.stats.length
    diagnostics.push(...compiled.diagnostics)
    if (compiled.member === undefined) Atomics.store(task.control, control.wrong, 1)
    const before = recordAt(index)
    const { digests, largest } =
      compiled.member === undefined ? unpressed : pressInto(compiled.member, before)
    add(index, {
      username: scan.username,
      contentStat: haveSettled(scan.stats, since) ? fingerprintScan(scan) : undefined,
      contentKey: fingerprintContent(fileNames(scan), compiled.oids),
      outputStat: output?.empty ? fingerprintOutput(output.stage, scan.username, digests) : undefined,
      digests,
      published: compiled.published,
      largest,
      claims: compiled.claims,
    })
  }

  const add = (index: number, record: MemberRecord): void => {
    made.push({ index, bytes: encodeRecord(record) })
  }

  /** Stages the files of a member that the snapshot doesn't hold yet; says the digests of all. */
  const pressInto = (member: NonNullable<Compiled['member']>, before: MemberRecord | undefined): Pressed => {
    if (output === undefined || site === undefined || Atomics.load(task.control, control.wrong) === 1)
      return unpressed
    const { username } = member
    const { digests: present, strangers } = output.empty ? nothing : lookAt(username, before)
    const { digests, largest } = press(member, {
      site,
      before: before !== undefined && task.sameEpoch ? before.digests : [],
      present,
      write: (slot, bytes) => {
        const path = slotPath(slot, username)
        stageFile(`${output.stage}/${path}`, bytes, slotTime(output.stamp, slot))
        counts.written++
        if (!output.empty) changes.write.push(path)
      },
    })
    const stale = slots.flatMap((slot, number) =>
      present[number] !== undefined && digests[number] === undefined ? [slotPath(slot, username)] : [],
    )
    changes.remove.push(...stale)
    changes.clear.push(...strangers)
    counts.removed += stale.length + strangers.length
    counts.unchanged += digests.filter(
      (digest, number) => sameBytes(digest, present[number]) && digest,
    ).length
    return { digests, largest }
  }

  /** What the snapshot holds of a member: by its record if nothing was touched since, else by reading it. */
  const lookAt = (username: string, before: MemberRecord | undefined): Audit & { stat?: Uint8Array } => {
    if (output === undefined || output.empty) return nothing
    if (before?.outputStat !== undefined) {
      const stat = fingerprintOutput(output.folder, username, before.digests)
      if (stat !== undefined && sameBytes(stat, before.outputStat)) {
        return { digests: before.digests, strangers: [], stat }
      }
    }
    return auditMember(output.folder, username, scratch)
  }

  /** Whether the member's content is what its record was made from. */
  const isSame = (
    index: number,
    scan: Scan,
    { before, stat }: { readonly before: MemberRecord; readonly stat: Uint8Array },
  ): boolean =>
    task.sameEpoch &&
    !hasErrors(scan.diagnostics) &&
    (sameBytes(stat, before.contentStat) ||
      sameBytes(keyFromGit(index, scan) ?? keyFromFiles(scan), before.contentKey))

  const keyFromGit = (index: number, scan: Scan): Uint8Array | undefined => {
    if (task.listing === undefined) return undefined
    const at = index * keySize
    const known = task.listing.names.subarray(at, at + keySize)
    return sameBytes(known, fingerprintContent(fileNames(scan), []))
      ? task.listing.keys.subarray(at, at + keySize)
      : undefined
  }

  const keyFromFiles = (scan: Scan): Uint8Array => {
    const folder = `${names.members}/${scan.username}`
    counts.read += scan.stats.length
    const paths = [scan.profile, ...scan.shots.map((name) => `${names.shots}/${name}`)]
    return fingerprintContent(
      fileNames(scan),
      paths.map(
        (path) => tools.reader(`${content.path}/${folder}/${path}`, `${content.name}/${folder}/${path}`).oid,
      ),
    )
  }

  const recordAt = (index: number): MemberRecord | undefined => {
    const offset = task.offsets[index]!
    return offset === -1 ? undefined : decodeRecord(old, offset)
  }

  const part = (): Part => ({
    indexes: made.map(({ index }) => index),
    records: new Uint8Array(Buffer.concat(made.map(({ bytes }) => bytes))),
    large,
    diagnostics,
    changes,
    counts,
  })

  return { tools, process, finish, part }
}

const unpressed: Pressed = { digests: [], largest: 0 }

const nothing: Audit = { digests: [], strangers: [] }

const countFiles = (digests: MemberRecord['digests']): number =>
  digests.filter((digest) => digest !== undefined).length

const sameDigests = (a: MemberRecord['digests'], b: MemberRecord['digests']): boolean =>
  slots.every((_, number) => sameBytes(a[number], b[number]))
