import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { errors, sumsFile } from '../api/routes.ts'
import { makeFolder } from '../files/folder.ts'
import { openFile } from '../files/open.ts'
import { replaceFile } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { isMassRemoval } from '../sums/member-count.ts'
import { mergeSorted } from '../sums/merge.ts'
import { readSums, type SumsFile } from '../sums/read.ts'
import { headersOf } from './batch.ts'
import type { Touch } from './compare.ts'
import {
  doneSuffix,
  type Marker,
  markerFile,
  markerHead,
  orderOf,
  readMarker,
  readTouches,
  shardMarkerName,
} from './marker.ts'
import { type Plan, plan } from './plan.ts'
import { compareSignatures, keepEarlier, noSignatures, type Signatures } from './signatures.ts'
import { deployFolder, type Store } from './store/store.ts'
import { writeMarker } from './write-marker.ts'

export type DeployOptions = {
  /** The snapshot, and what messages call it. */
  readonly out: string
  readonly name: string
  readonly store: Store
  /** An empty folder for lists. */
  readonly own: string
  /** A folder that gets the list of what was published before, and its signatures. */
  readonly earlier?: string | undefined
  readonly dryRun: boolean
  readonly allowRemoval: boolean
  /** Called with every path whose bytes change at the remote, before any does. */
  readonly onChange: (path: string) => void
  /** Called before the first change. */
  readonly onPlan: (plan: Plan) => void
  readonly onProgress: (done: number, total: number) => void
}

export type Deployed = {
  readonly plan: Plan
  /** Whether the snapshot is a shard's. */
  readonly shard: boolean
  readonly signatures: Signatures
  /** Whether an earlier deployment was broken off, or shards were brought since the last list. */
  readonly unfinished: boolean
  /** Set if nothing was done because too many members would go. */
  readonly refused: boolean
}

/** Makes a remote hold the snapshot, as far as it doesn't yet. */
export const deploy = async (options: DeployOptions): Promise<Deployed> => {
  const { out, own, store } = options
  const wanted = { root: out, below: sumsFile, name: path.join(options.name, sumsFile) }
  const shard = isShard(wanted)
  const fetched = {
    ...{ root: own, below: 'published', name: `${sumsFile} at the remote` },
    hint: 'was another path meant? if not, remove the file there: the next deployment uploads everything again',
  }
  const marked = { root: own, below: 'marker', name: `${markerFile} at the remote` }
  const [signatures] = await Promise.all([
    shard ? noSignatures : compareSignatures(options),
    store.fetch(sumsFile, fetched),
    store.fetch(markerFile, marked),
  ])
  if (options.earlier !== undefined) keepEarlier(options.earlier, { own, published: fetched.below })
  const marker = readMarker(marked)
  const shards = marker?.shards ? await fetchShards(options) : []
  // a marker that was cut off doesn't say all that its deployment may have changed
  const everything = [marker, ...shards].some((one) => one?.whole === false)
  const touches: Iterable<Touch>[] = [
    ...(marker?.whole ? [readTouches(marked, { order: 0, done: false })] : []),
    ...shards
      .filter(({ whole }) => whole)
      .map(({ below, ...about }) => readTouches({ root: own, below, name: below }, about)),
    ...(everything ? [readTouches(wanted, { order: 0, done: false })] : []),
  ]
  const planned = plan(
    { wanted: readSums(wanted), published: readSums(fetched), touched: mergeSorted(touches) },
    { ...options, shard },
  )
  const result = { plan: planned, shard, signatures, unfinished: marker !== undefined, refused: false }
  if (isMassRemoval(planned.members) && !options.allowRemoval && !shard) return { ...result, refused: true }
  options.onPlan(planned)
  if (options.dryRun) return result
  const shipping = { ...options, planned, marker, shards, signatures }
  if (planned.upload + planned.remove === 0 && (marker === undefined || shard)) {
    // one that was killed before its first change may have left what it had made ready
    await store.prepare([])
    await putSignatures(shipping)
    return result
  }
  await store.prepare(
    planned.batches.filter(({ kind }) => kind === 'upload').map((batch) => ({ from: out, ...batch })),
  )
  if (shard) await shipShard(shipping)
  else await shipWhole(shipping)
  return result
}

/** A shard's list holds its members' files only. */
const isShard = (wanted: SumsFile): boolean => {
  const file = openFile(wanted.root, wanted.below)
  if (file === undefined) {
    throw new UserError(`there is no snapshot in "${path.dirname(wanted.name)}": it has no ${sumsFile}`, {
      hint: 'npm run build makes one; --out DIR names its folder',
    })
  }
  fs.closeSync(file)
  for (const { path } of readSums(wanted)) if (path === errors.notFound.file) return false
  return true
}

type ShardMarker = {
  readonly below: string
  readonly order: number
  readonly done: boolean
  readonly whole: boolean
}

const fetchShards = async ({ store, own }: DeployOptions): Promise<readonly ShardMarker[]> => {
  const into = makeFolder(own, 'shards')
  await store.fetchFolder(deployFolder, into)
  const names = new Set(fs.readdirSync(into))
  return [...names].sort().flatMap((name) => {
    const order = orderOf(name)
    if (order === undefined) return []
    const below = `shards/${name}`
    const whole = readMarker({ root: own, below, name })?.whole === true
    return [{ below, order, done: names.has(`${name}${doneSuffix}`), whole }]
  })
}

type Shipping = DeployOptions & {
  readonly planned: Plan
  readonly marker: Marker | undefined
  readonly shards: readonly ShardMarker[]
  readonly signatures: Signatures
}

/** Uploads what a shard's members need, and leaves a marker that says so. */
const shipShard = async (shipping: Shipping): Promise<void> => {
  const { own, planned, marker, shards } = shipping
  const order = 1 + Math.max(0, ...shards.map((shard) => shard.order))
  const name = `${deployFolder}/${shardMarkerName(order, randomUUID())}`
  if (!marker?.shards) {
    // the bytes are the same for every shard that begins now, so the last writer does no harm
    const text = markerHead(marker?.id ?? 'of shards', { shards: true })
    const changes = marker?.whole ? path.join(own, 'marker') : undefined
    writeMarker(own, markerFile, { head: text, changes, whole: marker?.whole !== false })
    await put(shipping, markerFile)
  }
  writeMarker(own, name, { head: markerHead(name, { shards: true }), changes: planned.changes })
  await put(shipping, name)
  await makeChanges(shipping)
  replaceFile(own, `${name}${doneSuffix}`, 'done\n')
  await put(shipping, `${name}${doneSuffix}`)
}

/** Uploads, removes, and writes the list. */
const shipWhole = async (shipping: Shipping): Promise<void> => {
  const { out, own, store, planned, marker, shards } = shipping
  const id = randomUUID()
  const head = markerHead(id, { shards: marker?.shards === true })
  writeMarker(own, markerFile, { head, changes: planned.changes })
  await put(shipping, markerFile)
  await makeChanges(shipping, async () => {
    const now = { root: own, below: 'marker-now', name: `${markerFile} at the remote` }
    await store.fetch(markerFile, now)
    if (readMarker(now)?.id !== id) {
      throw new UserError('another deployment began meanwhile and writes to the same remote', {
        hint: 'let that one end, then run again; in a workflow, concurrency keeps two apart',
      })
    }
  })
  // just before the list, so that the two are of different snapshots for a moment only
  await putSignatures(shipping)
  await store.upload({ from: out, list: listOf(own, 'list', [sumsFile]), headers: headersOf(sumsFile) })
  const left = shards.flatMap(({ below, done }) => {
    const name = below.replace(/^shards/, deployFolder)
    return done ? [`${name}${doneSuffix}`, name] : [name]
  })
  if (left.length > 0) await store.remove(listOf(own, 'left', left))
  await store.remove(listOf(own, 'end', [markerFile]))
}

/** Makes the changes in their order. `beforeEnd` is called when all uploads are done. */
const makeChanges = async (
  { out, store, planned, onProgress }: Shipping,
  beforeEnd: () => Promise<void> = async () => {},
): Promise<void> => {
  const total = planned.upload + planned.remove
  let done = 0
  for (const kind of ['upload', 'remove'] as const) {
    for (const batch of planned.batches.filter((batch) => batch.kind === kind)) {
      onProgress(done, total)
      await (kind === 'upload' ? store.upload({ from: out, ...batch }) : store.remove(batch.list))
      done += batch.count
    }
    if (kind === 'upload') await beforeEnd()
  }
  onProgress(done, total)
}

const putSignatures = async ({ out, own, store, signatures: { fresh } }: Shipping): Promise<void> => {
  if (fresh.length === 0) return
  await store.upload({ from: out, list: listOf(own, 'signed', fresh), headers: headersOf(sumsFile) })
}

/** Uploads a file of the deployment's own folder. */
const put = ({ store, own }: Shipping, name: string): Promise<void> =>
  store.upload({ from: own, list: listOf(own, 'put', [name]), headers: headersOf(name) })

const listOf = (own: string, name: string, lines: readonly string[]): string => {
  replaceFile(own, name, lines.map((line) => `${line}\n`).join(''))
  return path.join(own, name)
}
