import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { isMassRemoval } from '../api/removal.ts'
import { errors, sumsFile } from '../api/routes.ts'
import { findEntry, makeFolder, realPath } from '../files/folder.ts'
import { linesOf, parseSums, readSums, type Sum } from '../files/sums.ts'
import { remove, replaceFile } from '../files/write.ts'
import { UserError } from '../problems/diagnostic.ts'
import { besideOf, findRealPath, lock, overlap } from '../snapshot/folders.ts'
import { publicationFiles } from '../snapshot/publication.ts'
import { amount, grouped } from '../text/amounts.ts'
import { batchesOf, headersOf, isRemoval, type Plan, plan } from './plan.ts'
import { createFolderStore, createRcloneStore, deployFolder, type Store } from './store.ts'

// Start here: `deploy` compares lists in plan.ts and moves files by a store (store.ts): a folder, or what rclone
// knows. What it is about to change stands in a marker at the remote until the new list is there.

export type Session = {
  /** The snapshot; links resolved. No build changes it meanwhile. */
  readonly out: string
  /** An empty folder for what the deployment needs for itself. */
  readonly own: string
}

/** Keeps builds out of the snapshot while it is published, and gives the deployment a folder of its own. */
export const inSession = async <T>(
  name: string,
  work: (session: Session) => Promise<T>,
  options: { readonly onWait: () => void },
): Promise<T> => {
  const out = findSnapshot(name)
  const unlock = await lock(out, options)
  const { root, below } = besideOf(out)
  try {
    remove(root, `${below}/deploy`)
    return await work({ out, own: makeFolder(root, `${below}/deploy`) })
  } finally {
    remove(root, `${below}/deploy`)
    unlock()
  }
}

const findSnapshot = (name: string): string => {
  const out = fs.statSync(name, { throwIfNoEntry: false })?.isDirectory()
    ? realPath(name)
    : undefined
  if (out !== undefined && findEntry(out, sumsFile)?.isFile()) return out
  throw new UserError(`there is no snapshot in "${name}": it has no ${sumsFile}`, {
    hint: 'npx shotpress build makes one; --out DIR names its folder',
  })
}

/**
 * Opens what the command line names: an rclone remote (`store:bucket/path`, `:s3:bucket`), or a folder. A folder must
 * not overlap the snapshot, nor the content, which the published files would spoil. It stays locked until the store is
 * closed: two deployments to it would take each other's files for their own.
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
  if (isRemote(name, process.platform)) return createRcloneStore(name, { own, env: process.env })
  const folder = openApart(name, { out, own, content })
  const store = createFolderStore(folder)
  const unlock = await lock(folder, { onWait })
  const close = (): void => {
    store.close()
    unlock()
  }
  return { ...store, close }
}

/** The folder that the command line names; it must not overlap what the deployment reads. */
const openApart = (
  name: string,
  { out, own, content }: Session & { readonly content: string },
): string => {
  const folder = findRealPath(path.resolve(name))
  const others = [
    { other: 'the snapshot itself', place: out },
    { other: 'the content', place: findRealPath(path.resolve(content)) },
    { other: 'what builds keep', place: path.dirname(path.dirname(own)) },
  ]
  for (const { other, place } of others) {
    if (!overlap(place, folder)) continue
    throw new UserError(`a snapshot can't go to "${name}": it overlaps with ${other}`, {
      hint: 'name another folder, or an rclone remote: store:bucket/path',
    })
  }
  return folder
}

/** Whether a colon comes before any slash, as rclone has it; one letter before it is a disk of Windows. */
export const isRemote = (name: string, platform: string): boolean =>
  /^[^/\\]*:/.test(name) && !(platform === 'win32' && /^[A-Za-z]:/.test(name))

export type DeployOptions = Session & {
  /** What messages call the snapshot. */
  readonly name: string
  readonly store: Store
  readonly dryRun: boolean
  readonly allowRemoval: boolean
  /** Called before the first change. */
  readonly onPlan: (plan: Plan) => void
  readonly onProgress: (done: number, total: number) => void
}

export type Deployed = {
  readonly plan: Plan
  /** Whether the snapshot is a shard's. */
  readonly shard: boolean
  /** The files that say when it is published, as far as it has them. */
  readonly publication: readonly string[]
  /** Whether an earlier deployment was broken off, or shards were brought since the last list. */
  readonly unfinished: boolean
}

/** Makes a remote hold the snapshot, as far as it doesn't yet. */
export const deploy = async (options: DeployOptions): Promise<Deployed> => {
  const { out, store } = options
  const name = path.join(options.name, sumsFile)
  const wanted = readSums({ root: out, below: sumsFile, name })
  // a shard's list holds its members' files only
  const shard = !wanted.some(({ path }) => path === errors.notFound.file)
  const publication = shard ? [] : publicationFiles.filter((file) => findEntry(out, file)?.isFile())
  const [list, marker] = await Promise.all([
    store.fetch(sumsFile),
    store.fetch(markerFile).then(parseMarker),
  ])
  const published = parseSums(list, {
    name: `${sumsFile} at the remote`,
    hint: 'was another path meant? if not, remove the file there: the next deployment uploads everything again',
  })
  const shards = marker?.shards ? await fetchShards(store) : []
  // a marker that was cut off doesn't say all that its deployment may have changed
  const unknown = { order: 0, done: false }
  const markers = [...(marker ? [{ ...marker, ...unknown }] : []), ...shards]
  const touched = markers.flatMap(({ changes, order, done = false }) =>
    (changes ?? wanted).map((sum) => ({ ...sum, ...(changes ? { order, done } : unknown) })),
  )
  const planned = plan({ wanted, out, shard, published, touched })
  const { published: all, removed } = planned.members
  if (isMassRemoval(planned.members) && !options.allowRemoval && !shard) {
    throw new UserError(`${grouped(removed)} of ${amount(all, 'member')} would be removed`, {
      hint: 'look at the content; if they are to go, add --allow-removal',
      answer: true,
    })
  }
  options.onPlan(planned)
  const result = { plan: planned, shard, publication, unfinished: marker !== undefined }
  if (options.dryRun) return result
  const shipping = { ...options, planned, marker, shards, publication }
  if (planned.changes.length === 0 && (shard || marker === undefined))
    await putPublication(shipping)
  else if (shard) await shipShard(shipping)
  else await shipWhole(shipping)
  return result
}

/** Name of the file at the remote that says that a deployment is under way, or was broken off. */
export const markerFile = '.shotpress-deploy'

const title = '# shotpress deployment '
const shardsLine = `# the deployments of shards are in ${deployFolder}`
const endLine = '# end'
const doneLine = '# done'

type Marker = {
  readonly id: string
  /** Whether deployments of shards left markers of their own. */
  readonly shards: boolean
  /** What will be written and removed; `undefined` if the marker is not whole: then anything may have been changed. */
  readonly changes: readonly Sum[] | undefined
  /** Whether a shard's deployment ended well. */
  readonly done?: boolean
}

/** The text of a marker: the changes between its head and its end, as in SHA256SUMS. */
export const markerText = ({ id, shards, changes, done }: Marker): string => {
  const end = changes === undefined ? [] : [done ? doneLine : endLine]
  const lines = (changes ?? []).map(({ digest, path }) => `${digest}  ${path}`)
  return [title + id, ...(shards ? [shardsLine] : []), ...lines, ...end]
    .map((line) => `${line}\n`)
    .join('')
}

/** Reads a marker; `undefined` if there is none. One that is none of ours is not whole. */
const parseMarker = (text: Buffer | undefined): Marker | undefined => {
  const lines = linesOf(text)
  if (lines.length === 0) return undefined
  const id = lines.findLast((line) => line.startsWith(title))?.slice(title.length) ?? ''
  const shards = lines.includes(shardsLine)
  const last = lines.at(-1) ?? ''
  try {
    const changes = parseSums(text, { name: markerFile })
    const isWhole = id !== '' && [endLine, doneLine].includes(last)
    return { id, shards, changes: isWhole ? changes : undefined, done: last === doneLine }
  } catch (error) {
    if (error instanceof UserError) return { id, shards, changes: undefined }
    throw error
  }
}

/** A shard's marker has its order in its name. */
type ShardMarker = Marker & { readonly name: string; readonly order: number }

const fetchShards = async (store: Store): Promise<readonly ShardMarker[]> =>
  [...(await store.fetchFolder(deployFolder))].sort().flatMap(([name, text]) => {
    const [, order] = /^([1-9][0-9]{0,8})-[0-9a-f-]+$/.exec(name) ?? []
    const marker = order === undefined ? undefined : parseMarker(text)
    return marker === undefined
      ? []
      : [{ ...marker, name: `${deployFolder}/${name}`, order: Number(order) }]
  })

type Shipping = DeployOptions & {
  readonly planned: Plan
  readonly marker: Marker | undefined
  readonly shards: readonly ShardMarker[]
  readonly publication: readonly string[]
}

/** Uploads what a shard's members need, and leaves a marker that says so. */
const shipShard = async (shipping: Shipping): Promise<void> => {
  const { planned, marker, shards } = shipping
  const order = 1 + Math.max(0, ...shards.map((shard) => shard.order))
  const name = `${deployFolder}/${order}-${randomUUID()}`
  if (!marker?.shards) {
    // the bytes are the same for every shard that begins now, so the last writer does no harm
    const changes = marker === undefined ? [] : marker.changes
    await put(
      shipping,
      markerFile,
      markerText({ id: marker?.id ?? 'of shards', shards: true, changes }),
    )
  }
  const own = { id: name, shards: true, changes: planned.changes }
  await put(shipping, name, markerText(own))
  await makeChanges(shipping)
  await put(shipping, name, markerText({ ...own, done: true }))
}

const shipWhole = async (shipping: Shipping): Promise<void> => {
  const { out, store, planned, marker, shards } = shipping
  const id = randomUUID()
  const text = markerText({ id, shards: marker?.shards === true, changes: planned.changes })
  await put(shipping, markerFile, text)
  await makeChanges(shipping, async () => {
    if (parseMarker(await store.fetch(markerFile))?.id !== id) {
      throw new UserError('another deployment began meanwhile and writes to the same remote', {
        hint: 'let that one end, then run again; in a workflow, concurrency keeps two apart',
      })
    }
  })
  // just before the list, so that the two are of different snapshots for a moment only
  await putPublication(shipping)
  await store.upload(out, [{ paths: [sumsFile], headers: headersOf(sumsFile) }])
  if (shards.length > 0) await store.remove(shards.map(({ name }) => name))
  await store.remove([markerFile])
}

/** `beforeEnd` is called when all uploads are done. */
const makeChanges = async (
  { out, store, planned, onProgress }: Shipping,
  beforeEnd: () => Promise<void> = async () => {},
): Promise<void> => {
  const { changes } = planned
  let done = 0
  const count = (paths: readonly string[]): void => {
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
const put = async ({ store, own }: Shipping, name: string, text: string): Promise<void> => {
  if (name.includes('/')) makeFolder(own, path.posix.dirname(name))
  replaceFile(own, name, text)
  await store.upload(own, [{ paths: [name], headers: headersOf(name) }])
}

const putPublication = ({ out, store, publication }: Shipping): Promise<void> =>
  store.upload(
    out,
    publication.map((file) => ({ paths: [file], headers: headersOf(file) })),
  )
