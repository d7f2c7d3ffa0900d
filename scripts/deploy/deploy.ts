import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { isMassRemoval } from '../api/removal.ts'
import { errors, sumsFile } from '../api/routes.ts'
import { findEntry, makeFolder, realPath, statOf } from '../files/folder.ts'
import { linesOf, parseSums, readSums, type Sum, sumsIn } from '../files/sums.ts'
import { remove, replaceFile } from '../files/write.ts'
import { UserError } from '../problems/diagnostic.ts'
import { besideOf, findRealPath, inLock, lock, overlap } from '../snapshot/folders.ts'
import { publicationFiles } from '../snapshot/publication.ts'
import { amount, grouped } from '../text/amounts.ts'
import { batchesOf, headersOf, isRemoval, type Plan, plan, type Touch } from './plan.ts'
import { createFolderStore, createRcloneStore, deployFolder, type Store } from './store.ts'

// Start here: `deploy` compares lists in plan.ts and moves files by a store (store.ts): a
// folder, or what rclone knows. What it is about to change stands in a marker at the remote
// until the new list is there.

export type Session = {
  /** The snapshot; links resolved. No build changes it meanwhile. */
  readonly out: string
  /** An empty folder for what the deployment needs for itself. */
  readonly own: string
}

/**
 * Keeps builds out of the snapshot while it is published, and gives the deployment a folder
 * of its own.
 */
export const inSession = async <T>(
  name: string,
  work: (session: Session) => Promise<T>,
  options: { readonly onWait: () => void },
): Promise<T> => {
  const out = findSnapshot(name)
  const { root, below } = besideOf(out)
  return inLock(out, options, async () => {
    try {
      remove(root, `${below}/deploy`)
      return await work({ out, own: makeFolder(root, `${below}/deploy`) })
    } finally {
      remove(root, `${below}/deploy`)
    }
  })
}

const findSnapshot = (name: string) => {
  const out = statOf(name)?.isDirectory() ? realPath(name) : undefined
  if (out !== undefined && findEntry(out, sumsFile)?.isFile()) return out
  throw new UserError(`there is no snapshot in "${name}": it has no ${sumsFile}`, {
    hint: 'npx shotpress build makes one; --out DIR names its folder',
  })
}

/**
 * Opens what the command line names: an rclone remote (`store:bucket/path`, `:s3:bucket`), or
 * a folder. A folder must not overlap the snapshot, nor the content, which the published
 * files would spoil. It stays locked until the store is closed: two deployments to it would
 * take each other's files for their own.
 */
export const openRemote = async (
  name: string,
  {
    out,
    own,
    content,
    onWait,
  }: Session & { readonly content: string; readonly onWait: () => void },
): Promise<Store> => {
  if (isRemote(name)) return createRcloneStore(name, { own, env: process.env })
  const folder = findRealPath(path.resolve(name))
  const others = {
    'the snapshot itself': out,
    'the content': findRealPath(path.resolve(content)),
    'what builds keep': path.dirname(path.dirname(own)),
  }
  for (const [other, place] of Object.entries(others)) {
    if (!overlap(place, folder)) continue
    throw new UserError(`a snapshot can't go to "${name}": it overlaps with ${other}`, {
      hint: 'name another folder, or an rclone remote: store:bucket/path',
    })
  }
  const store = createFolderStore(folder)
  const unlock = await lock(folder, { onWait })
  const close = () => {
    store.close()
    unlock()
  }
  return { ...store, close }
}

/**
 * Whether a colon comes before any slash, as rclone has it; one letter before it is a disk of
 * Windows.
 */
const isRemote = (name: string) =>
  /^[^/\\]*:/.test(name) && !(process.platform === 'win32' && /^[A-Za-z]:/.test(name))

export type DeployOptions = Session & {
  readonly store: Store
  readonly dryRun: boolean
  readonly allowRemoval: boolean
  /** Called before the first change. */
  readonly onPlan: (plan: Plan) => void
  readonly onProgress: (done: number, total: number) => void
}

export type Deployed = Awaited<ReturnType<typeof deploy>>

/** Makes a remote hold the snapshot, as far as it doesn't yet. */
export const deploy = async (options: DeployOptions) => {
  const { out, store } = options
  const wanted = readSums({ root: out, below: sumsFile })
  // a shard's list holds its members' files only
  const shard = !wanted.some(({ path }) => path === errors.notFound.file)
  const [list, text] = await Promise.all([store.fetch(sumsFile), store.fetch(markerFile)])
  const published = parseSums(list, {
    name: `${sumsFile} at the remote`,
    hint: 'was another path meant? if not, remove the file there: the next deployment uploads everything again',
  })
  const marker = parseMarker(text, wanted)
  const shards = marker ? await fetchShards(store, wanted) : []
  const touched = [...(marker?.touches ?? []), ...shards.flatMap(({ touches }) => touches)]
  const planned = plan({ wanted, out, shard, published, touched })
  const { published: all, removed } = planned.members
  if (isMassRemoval(planned.members) && !options.allowRemoval && !shard) {
    throw new UserError(`${grouped(removed)} of ${amount(all, 'member')} would be removed`, {
      hint: 'look at the content; if they are to go, add --allow-removal',
      answer: true,
    })
  }
  options.onPlan(planned)
  /** The files that say when it is published, as far as it has them. */
  const publication = shard
    ? []
    : publicationFiles.filter((file) => findEntry(out, file)?.isFile())
  const result = { plan: planned, publication }
  if (options.dryRun) return result
  const shipping = { ...options, planned, shards, publication }
  if (planned.changes.length === 0 && (shard || marker === undefined))
    await uploadFiles(shipping, out, publication)
  else if (shard) await shipShard(shipping, marker === undefined)
  else await shipWhole(shipping)
  return result
}

/** Name of the file at the remote that says that a deployment is under way, or was broken off. */
export const markerFile = '.shotpress-deploy'

const title = '# shotpress deployment '
const endLine = '# end'
const doneLine = '# done'

type Marker = {
  readonly id: string
  /**
   * What its deployment writes and removes; of a marker that is not whole, all that is
   * wanted: anything may be changed.
   */
  readonly touches: readonly Touch[]
}

/** The text of a marker: the changes between its head and its end, as in SHA256SUMS. */
const markerText = (id: string, changes: readonly Sum[], end = endLine) =>
  [title + id, ...changes.map(({ digest, path }) => `${digest}  ${path}`), end]
    .map((line) => `${line}\n`)
    .join('')

/**
 * Reads a marker; `undefined` if there is none. One that is none of ours is not whole. That
 * of a shard has an order.
 */
const parseMarker = (
  text: Buffer | undefined,
  wanted: readonly Sum[],
  order = 0,
): Marker | undefined => {
  const lines = linesOf(text)
  if (lines.length === 0) return undefined
  const [first = ''] = lines
  const id = first.startsWith(title) ? first.slice(title.length) : ''
  const end = lines.at(-1) ?? ''
  const changes = id !== '' && [endLine, doneLine].includes(end) ? sumsIn(text) : undefined
  const told = changes
    ? { order, done: order > 0 && end === doneLine }
    : { order: 0, done: false }
  return { id, touches: (changes ?? wanted).map((sum) => ({ ...sum, ...told })) }
}

/** A shard's marker has its order in its name. */
type ShardMarker = Marker & { readonly name: string; readonly order: number }

const fetchShards = async (
  store: Store,
  wanted: readonly Sum[],
): Promise<readonly ShardMarker[]> =>
  [...(await store.fetchFolder(deployFolder))].sort().flatMap(([name, text]) => {
    const order = Number(/^([1-9][0-9]{0,8})-[0-9a-f-]+$/.exec(name)?.[1])
    const marker = order ? parseMarker(text, wanted, order) : undefined
    return marker ? [{ ...marker, order, name: `${deployFolder}/${name}` }] : []
  })

type Shipping = DeployOptions & {
  readonly planned: Plan
  readonly shards: readonly ShardMarker[]
  readonly publication: readonly string[]
}

/** Uploads what a shard's members need, and leaves a marker that says so. */
const shipShard = async (shipping: Shipping, isFirst: boolean) => {
  const { changes } = shipping.planned
  const order = 1 + Math.max(0, ...shipping.shards.map((shard) => shard.order))
  const name = `${deployFolder}/${order}-${randomUUID()}`
  // of several shards that begin now, the last writer does no harm
  if (isFirst) await put(shipping, markerFile, markerText('of shards', []))
  await put(shipping, name, markerText(name, changes))
  await makeChanges(shipping)
  await put(shipping, name, markerText(name, changes, doneLine))
}

const shipWhole = async (shipping: Shipping) => {
  const { out, store, planned, shards, publication } = shipping
  const id = randomUUID()
  await put(shipping, markerFile, markerText(id, planned.changes))
  await makeChanges(shipping, async () => {
    if (parseMarker(await store.fetch(markerFile), [])?.id !== id) {
      throw new UserError(
        'another deployment began meanwhile and writes to the same remote',
        {
          hint: 'let that one end, then run again; in a workflow, concurrency keeps two apart',
        },
      )
    }
  })
  // just before the list, so that the two are of different snapshots for a moment only
  await uploadFiles(shipping, out, publication)
  await uploadFiles(shipping, out, [sumsFile])
  if (shards.length > 0) await store.remove(shards.map(({ name }) => name))
  await store.remove([markerFile])
}

/** `beforeEnd` is called when all uploads are done. */
const makeChanges = async (
  { out, store, planned, onProgress }: Shipping,
  beforeEnd: () => Promise<void> = async () => {},
) => {
  const { changes } = planned
  let done = 0
  const count = (paths: readonly string[]) => {
    done += paths.length
    onProgress(done, changes.length)
  }
  count([])
  const uploads = batchesOf(changes.filter((change) => !isRemoval(change)))
  await store.upload(out, uploads, ({ paths }) => count(paths))
  await beforeEnd()
  for (const { paths } of batchesOf(changes.filter(isRemoval))) {
    await store.remove(paths)
    count(paths)
  }
}

/** Uploads a file of the deployment's own. */
const put = async (shipping: Shipping, name: string, text: string) => {
  const { own } = shipping
  if (name.includes('/')) makeFolder(own, path.posix.dirname(name))
  replaceFile(own, name, text)
  await uploadFiles(shipping, own, [name])
}

/** One after the other. */
const uploadFiles = ({ store }: Shipping, from: string, files: readonly string[]) =>
  store.upload(
    from,
    files.map((file) => ({ paths: [file], headers: headersOf(file) })),
  )
