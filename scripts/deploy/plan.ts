import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { errors } from '../api/routes.ts'
import { readFile } from '../files/open.ts'
import { writeNew } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { createMemberCount, type MemberCount } from '../sums/member-count.ts'
import { type Batch, batchOf } from './batch.ts'
import { type Comparison, compare, isPublished, isUploaded, type Lists } from './compare.ts'
import { noDigest } from './marker.ts'

/** What a deployment will do. The paths are in lists on disk: of a first deployment there are millions. */
export type Plan = {
  /** In the order in which they are made. */
  readonly batches: readonly PlannedBatch[]
  readonly upload: number
  readonly remove: number
  /** Bytes of what is uploaded. */
  readonly bytes: number
  /** Files of the snapshot. */
  readonly files: number
  /** Some of the changes, for people. */
  readonly examples: readonly { readonly kind: Batch['kind']; readonly path: string }[]
  /** Members of the list that was published last, and how many of them are to go. */
  readonly members: MemberCount
  /** Absolute path of the lines of the marker: every change, as in SHA256SUMS. */
  readonly changes: string
}

export type PlannedBatch = Batch & { readonly count: number; readonly list: string }

export type PlanOptions = {
  /** The snapshot. */
  readonly out: string
  /** Whether the snapshot is a shard's: then nothing is removed. */
  readonly shard: boolean
  /** A folder for the lists. */
  readonly own: string
  /** Called with every path that changes at the remote. */
  readonly onChange: (path: string) => void
}

/** Compares the snapshot with what was published, and every file that will be uploaded with its line in the list. */
export const plan = (lists: Lists, { out, shard, own, onChange }: PlanOptions): Plan => {
  const writers = new Map<string, Batch & ReturnType<typeof createListWriter>>()
  const changes = createListWriter(own, 'changes')
  const members = createMemberCount()
  const examples: { kind: Batch['kind']; path: string }[] = []
  let [bytes, files, isOurs, isAny] = [0, 0, false, false]

  const add = (kind: Batch['kind'], { path, wanted }: Comparison): void => {
    const batch = batchOf(path, kind)
    const key = JSON.stringify(batch)
    let writer = writers.get(key)
    if (writer === undefined) {
      writer = { ...batch, ...createListWriter(own, `batch-${writers.size}`) }
      writers.set(key, writer)
    }
    writer.add(path)
    changes.add(`${wanted ?? noDigest}  ${path}`)
    if (examples.length < 20) examples.push({ kind, path })
    onChange(path)
  }

  for (const step of compare(lists)) {
    const { path, wanted, published } = step
    if (published !== undefined) {
      isAny = true
      isOurs ||= path === errors.notFound.file
      members.add({ path, digest: published }, wanted !== undefined || shard)
    }
    if (wanted !== undefined) files++
    if (isPublished(step)) continue
    if (wanted === undefined) {
      if (!shard) add('remove', step)
      continue
    }
    // what a shard's deployment uploaded before it was broken off is there
    if (shard && isUploaded(step)) continue
    const size = checkFile(out, { path, wanted })
    if (size !== undefined) {
      bytes += size
      add('upload', step)
    } else if (!isUploaded(step)) throw notThere(out, path)
    else onChange(path)
  }
  if (isAny && !isOurs) {
    throw new UserError('the SHA256SUMS at the remote is no list of a snapshot', {
      hint: 'publish to a path of its own: what the list names would be removed',
    })
  }
  changes.close()
  for (const writer of writers.values()) writer.close()
  const batches = [...writers.values()]
    .map(({ kind, rank, headers, list, count }) => ({ kind, rank, headers, list, count: count() }))
    .sort((a, b) => a.rank - b.rank)
  const countOf = (kind: Batch['kind']): number =>
    batches.reduce((sum, batch) => sum + (batch.kind === kind ? batch.count : 0), 0)
  return {
    batches,
    upload: countOf('upload'),
    remove: countOf('remove'),
    bytes,
    files,
    examples,
    members: members.result(),
    changes: changes.list,
  }
}

/** The size of a file of the snapshot, if it is there and what the list says it is. */
const checkFile = (
  out: string,
  { path: below, wanted }: { readonly path: string; readonly wanted: string },
): number | undefined => {
  const bytes = readFile(out, below, { limit: largest })
  if (bytes === undefined) return undefined
  if (hash('sha256', bytes) === wanted) return bytes.length
  throw new UserError(`"${path.join(out, below)}" is not what SHA256SUMS says`, {
    hint: 'npm run build repairs the snapshot',
  })
}

/** A size in bytes that no file of a snapshot has. */
const largest = 1 << 30

const notThere = (out: string, file: string): UserError =>
  new UserError(`"${file}" is listed in ${out}/SHA256SUMS, is not in ${out}, and no shard has brought it`, {
    hint: 'after npm run merge, deploy every shard first; npm run build makes a whole snapshot',
  })

/** Writes a list, one line after the other, and counts them. */
const createListWriter = (own: string, name: string) => {
  writeNew(own, name, '')
  const list = path.join(own, name)
  let [text, count] = ['', 0]
  const flush = (): void => {
    fs.appendFileSync(list, text)
    text = ''
  }
  return {
    list,
    count: () => count,
    add: (line: string): void => {
      text += `${line}\n`
      count++
      if (text.length > 1 << 18) flush()
    },
    close: flush,
  }
}
