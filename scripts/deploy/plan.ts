import { hash } from 'node:crypto'
import path from 'node:path'
import { createMemberCount, type MemberCount, memberFileAt } from '../api/member-file.ts'
import { contentType, encodings, errors, okHeaders, siteRouteAt } from '../api/routes.ts'
import { readFile } from '../files/open.ts'
import type { Sum } from '../files/sums.ts'
import { UserError } from '../problems/user-error.ts'
import { amount } from '../text/amounts.ts'
import type { StoredHeaders } from './store.ts'

/** Stands for the sha256 of a file that will be removed, or of which nothing is known. */
export const noDigest = '0'.repeat(64)

/** What a deployment that was broken off, or one of a shard, said that it would write. */
export type Touch = Sum & {
  /** Of two deployments, the later one has the higher number. */
  readonly order: number
  /** Whether the deployment ended well. */
  readonly done: boolean
}

/** Files that go to the remote, or from it, together. */
export type Batch = {
  readonly kind: 'upload' | 'remove'
  /** Batches are made in the order of their ranks. */
  readonly rank: number
  /** None for a removal. */
  readonly headers: StoredHeaders
  readonly paths: readonly string[]
}

/** What a deployment will do. */
export type Plan = {
  /** In the order in which they are made. */
  readonly batches: readonly Batch[]
  readonly upload: number
  readonly remove: number
  /** Bytes of what is uploaded. */
  readonly bytes: number
  /** Files of the snapshot. */
  readonly files: number
  /** Every path whose bytes change at the remote, those too that shards have uploaded already. */
  readonly changed: readonly string[]
  /** Members of the list that was published last, and how many of them are to go. */
  readonly members: MemberCount
  /** Every change as a line of a list, for the marker. */
  readonly changes: readonly Sum[]
}

export type Lists = {
  readonly wanted: readonly Sum[]
  readonly published: readonly Sum[]
  /** A path may come several times. */
  readonly touched: readonly Touch[]
}

export type PlanOptions = {
  /** The snapshot. */
  readonly out: string
  /** Whether the snapshot is a shard's: then nothing is removed. */
  readonly shard: boolean
}

/** Compares the snapshot with what was published, and every file that will be uploaded with its line in the list. */
export const plan = (lists: Lists, { out, shard }: PlanOptions): Plan => {
  if (lists.published.length > 0 && !lists.published.some(({ path }) => path === errors.notFound.file)) {
    throw new UserError('the SHA256SUMS at the remote is no list of a snapshot', {
      hint: 'publish to a path of its own: what the list names would be removed',
    })
  }
  const batches = new Map<string, Omit<Batch, 'paths'> & { readonly paths: string[] }>()
  const members = createMemberCount()
  const changes: Sum[] = []
  const changed: string[] = []
  const counts = { upload: 0, remove: 0 }
  let bytes = 0

  const add = (kind: Batch['kind'], { path, wanted }: Comparison): void => {
    const batch = { kind, rank: rankOf(path, kind), headers: kind === 'upload' ? headersOf(path) : {} }
    const key = JSON.stringify(batch)
    const known = batches.get(key) ?? { ...batch, paths: [] }
    batches.set(key, known)
    known.paths.push(path)
    counts[kind]++
    changes.push({ path, digest: wanted ?? noDigest })
    changed.push(path)
  }

  for (const step of compare(lists)) {
    const { path, wanted, published, touches } = step
    if (published !== undefined) members.add({ path, digest: published }, wanted !== undefined || shard)
    if (touches.length === 0 && wanted === published) continue
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
    else changed.push(path)
  }
  return {
    batches: [...batches.values()].sort((a, b) => a.rank - b.rank),
    ...counts,
    bytes,
    files: lists.wanted.length,
    changed,
    members: members.result(),
    changes,
  }
}

/** A path that the snapshot or the remote may hold. */
type Comparison = {
  readonly path: string
  /** sha256 in the snapshot; absent if it isn't there. */
  wanted?: string
  /** sha256 in the list of what was published last. */
  published?: string
  /** What deployments since then may have done to it. */
  readonly touches: Touch[]
}

/** Every path of the lists once, sorted. */
const compare = ({ wanted, published, touched }: Lists): readonly Comparison[] => {
  const all = new Map<string, Comparison>()
  const at = (path: string): Comparison => {
    const one = all.get(path) ?? { path, touches: [] }
    all.set(path, one)
    return one
  }
  for (const { path, digest } of wanted) at(path).wanted = digest
  for (const { path, digest } of published) at(path).published = digest
  for (const touch of touched) at(touch.path).touches.push(touch)
  return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether a shard's deployment brought what is wanted, and none after it touched it. */
const isUploaded = ({ wanted, touches }: Comparison): boolean => {
  const last = Math.max(-1, ...touches.map(({ order }) => order))
  const latest = touches.filter(({ order }) => order === last)
  return latest.length > 0 && latest.every(({ digest, done }) => done && digest === wanted)
}

/**
 * When a file is uploaded or removed. No client may see what leads nowhere: pictures come before the profiles and
 * shots that name them, profiles before shots, bins after the members, and the lists that name all of them last; what
 * is removed goes the other way, after all that is new has come.
 */
const rankOf = (path: string, kind: Batch['kind']): number => {
  const name = servedAt(path).route?.name
  const order = ['pictures', 'user', 'shots', 'bins', 'all']
  const place = name === 'members' ? order.indexOf('all') : name === undefined ? 1 : order.indexOf(name)
  const rank = place === -1 ? 1 : place
  return kind === 'upload' ? rank : 2 * order.length - rank
}

/** What a store should send with a file of the snapshot. */
export const headersOf = (path: string): StoredHeaders => {
  const { route, encoding } = servedAt(path)
  if (route !== undefined) {
    return {
      ...('pattern' in route
        ? { 'Content-Type': route.contentType, 'Cache-Control': route.cacheControl }
        : { 'Content-Type': contentType, ...okHeaders }),
      ...(encoding !== undefined && { 'Content-Encoding': encoding.name }),
    }
  }
  const error = Object.values(errors).find(({ file }) => file === path)
  if (error !== undefined) {
    return { 'Content-Type': contentType, 'Cache-Control': error.headers['Cache-Control'] }
  }
  return { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' }
}

/** The route that a file of the snapshot answers, also as a compressed copy. */
const servedAt = (path: string) => {
  const encoding = encodings.find(({ suffix }) => path.endsWith(suffix))
  const plain = encoding === undefined ? path : path.slice(0, -encoding.suffix.length)
  return { route: siteRouteAt(plain)?.route ?? memberFileAt(plain)?.route, encoding }
}

/** The size of a file of the snapshot, if it is there and what the list says it is. */
const checkFile = (
  out: string,
  { path: below, wanted }: { readonly path: string; readonly wanted: string },
): number | undefined => {
  const bytes = readFile(out, below, { limit: 1 << 30 })
  if (bytes === undefined) return undefined
  if (hash('sha256', bytes) === wanted) return bytes.length
  throw new UserError(`"${path.join(out, below)}" is not what SHA256SUMS says`, {
    hint: 'npm run build repairs the snapshot',
  })
}

const notThere = (out: string, file: string): UserError =>
  new UserError(`"${file}" is listed in ${out}/SHA256SUMS, is not in ${out}, and no shard has brought it`, {
    hint: 'after npm run merge, deploy every shard first; npm run build makes a whole snapshot',
  })

/** US dollars a million, as large stores charge: Amazon S3 5.00 and 0.40, Cloudflare R2 4.50 and 0.36. */
const prices = { writes: 5, reads: 0.4 }

/** What a deployment asks of a store: `4 writes, 3 reads, 1 removal: less than $0.01` */
export const describeRequests = (
  { upload, remove }: Pick<Plan, 'upload' | 'remove'>,
  { signed, earlier }: { readonly signed: boolean; readonly earlier: boolean },
): string => {
  // the marker before, the list and the marker's removal after, and a look at the marker between
  const changes = Number(upload + remove > 0)
  const [writes, reads] = [upload + 2 * changes + Number(signed), 2 + changes + Number(earlier)]
  const dollars = (writes * prices.writes + reads * prices.reads) / 1e6
  const cost = dollars < 0.01 ? 'less than $0.01' : `about $${dollars.toFixed(2)}`
  return `${amount(writes, 'write')}, ${amount(reads, 'read')}, ${amount(remove + changes, 'removal')}: ${cost}`
}
