import { hash } from 'node:crypto'
import path from 'node:path'
import { countMembers } from '../api/removal.ts'
import { contentType, errors, servedAt } from '../api/routes.ts'
import { pathOf } from '../content/values/address.ts'
import { readFile } from '../files/folder.ts'
import { digestsOf, type Sum } from '../files/sums.ts'
import { UserError } from '../problems/diagnostic.ts'
import { groupBy } from '../text/groups.ts'
import type { Batch, StoredHeaders } from './store.ts'

/** Stands for the sha256 of a file that will be removed, or of which nothing is known. */
const noDigest = '0'.repeat(64)

/** What a deployment that was broken off, or one of a shard, said that it would write. */
export type Touch = Sum & {
  /** Of two deployments, the later one has the higher number. */
  readonly order: number
  /** Whether the deployment ended well. */
  readonly done: boolean
}

export type Plan = ReturnType<typeof plan>

type Lists = {
  /** The list of the snapshot, which lies in `out`. */
  readonly wanted: readonly Sum[]
  readonly out: string
  /** Whether the snapshot is a shard's: then nothing is removed. */
  readonly shard: boolean
  readonly published: readonly Sum[]
  /** A path may come several times. */
  readonly touched: readonly Touch[]
}

/**
 * Compares the snapshot with what was published, and every file that will be uploaded with
 * its line in the list.
 */
export const plan = ({ wanted, out, shard, published, touched }: Lists) => {
  if (published.length > 0 && !published.some(({ path }) => path === errors.notFound.file)) {
    throw new UserError('the SHA256SUMS at the remote is no list of a snapshot', {
      hint: 'publish to a path of its own: what the list names would be removed',
    })
  }
  const after = digestsOf(wanted)
  const before = digestsOf(published)
  const touches = groupBy(touched, ({ path }) => path)
  /** Every change as a line of a list, for the marker: a removal has {@link noDigest}. */
  const changes: Sum[] = []
  /** Every path whose bytes change at the remote, those too that shards have uploaded already. */
  const changed: string[] = []
  /** Of what is uploaded. */
  let bytes = 0
  for (const path of [
    ...new Set([...after.keys(), ...before.keys(), ...touches.keys()]),
  ].sort()) {
    const digest = after.get(path)
    const since = touches.get(path) ?? []
    if (since.length === 0 && digest === before.get(path)) continue
    const isThere = digest !== undefined && isUploaded(digest, since)
    // a shard removes nothing, and what its deployment uploaded before it was broken off is there
    if (shard && (digest === undefined || isThere)) continue
    const size = digest === undefined ? 0 : sizeOf(out, { path, digest })
    if (size === undefined && !isThere) {
      throw new UserError(
        `"${path}" is listed in ${out}/SHA256SUMS, is not in ${out}, and no shard has brought it`,
        {
          hint: 'after npx shotpress merge, deploy every shard first; npx shotpress build makes a whole snapshot',
        },
      )
    }
    changed.push(path)
    if (size === undefined) continue
    bytes += size
    changes.push({ path, digest: digest ?? noDigest })
  }
  const remove = changes.filter(isRemoval).length
  return {
    changes,
    changed,
    bytes,
    upload: changes.length - remove,
    remove,
    /** Files of the snapshot. */
    files: wanted.length,
    /** Members of the list that was published last, and how many of them are to go. */
    members: countMembers(published, ({ path }) => shard || after.has(path)),
  }
}

export const isRemoval = ({ digest }: Sum): boolean => digest === noDigest

/** Whether a shard's deployment brought what is wanted, and none after it touched it. */
const isUploaded = (wanted: string, touches: readonly Touch[]) => {
  const last = Math.max(-1, ...touches.map(({ order }) => order))
  const latest = touches.filter(({ order }) => order === last)
  return latest.length > 0 && latest.every(({ digest, done }) => done && digest === wanted)
}

/**
 * Uploads or removals, of which none else are given, in the order in which they are made; a
 * removal has no headers.
 */
export const batchesOf = (changes: readonly Sum[]): readonly Batch[] => {
  const batches = new Map<string, { rank: number; headers: StoredHeaders; paths: string[] }>()
  for (const change of changes) {
    const batch = {
      rank: rankOf(change),
      headers: isRemoval(change) ? {} : headersOf(change.path),
    }
    const key = JSON.stringify(batch)
    const known = batches.get(key) ?? { ...batch, paths: [] }
    batches.set(key, known)
    known.paths.push(change.path)
  }
  return [...batches.values()].sort((a, b) => a.rank - b.rank)
}

/**
 * When a file is uploaded or removed: in the order of the routes' ranks; what is removed goes
 * the other way, after all that is new has come.
 */
const rankOf = (change: Sum) => {
  const rank = servedAt(change.path)?.route.rank ?? 1
  return isRemoval(change) ? -rank : rank
}

/** What a store should send with a file of the snapshot. */
export const headersOf = (path: string): StoredHeaders => {
  const { route, encoding } = servedAt(path) ?? {}
  if (route !== undefined)
    return { ...route.headers, ...(encoding && { 'Content-Encoding': encoding }) }
  const error = Object.values(errors).find(({ file }) => file === path)
  if (error !== undefined) {
    return { 'Content-Type': contentType, 'Cache-Control': error.headers['Cache-Control'] }
  }
  return { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' }
}

/** The size of a file of the snapshot, if it is there and what the list says it is. */
const sizeOf = (out: string, { path: below, digest }: Sum) => {
  const bytes = readFile(out, below)
  if (bytes === undefined || hash('sha256', bytes) === digest) return bytes?.length
  throw new UserError(`"${path.join(out, below)}" is not what SHA256SUMS says`, {
    hint: 'npx shotpress build repairs the snapshot',
  })
}

/**
 * The addresses at which caches may hold a file of the snapshot: in both schemes, with and
 * without a slash at the end. None for what no client can ask for.
 */
export const addressesOf = (file: string, baseUrl: string): readonly string[] => {
  const base = new URL(baseUrl)
  const served = servedAt(file)
  if (served === undefined) return []
  const address = `${base.host}${pathOf(base)}${served.request}`
  return ['https', 'http'].flatMap((scheme) => [
    `${scheme}://${address}`,
    `${scheme}://${address}/`,
  ])
}
