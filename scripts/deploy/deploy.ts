import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { isMassRemoval } from '../api/removal.ts'
import { errors, signatureFile, sumsFile } from '../api/routes.ts'
import { findEntry, makeFolder, makeRoot, readFile, realPath } from '../files/folder.ts'
import { signatureLimit } from '../files/signature.ts'
import { linesOf, parseSums, readSums, type Sum } from '../files/sums.ts'
import { remove, replaceFile } from '../files/write.ts'
import { UserError } from '../problems/diagnostic.ts'
import { grouped } from '../text/amounts.ts'
import { batchesOf, headersOf, isRemoval, type Plan, plan } from './plan.ts'
import { deployFolder, type Store } from './store.ts'

// Start here: `deploy` compares lists in plan.ts and moves files by a store (store.ts): a folder, or what rclone
// knows. What it is about to change stands in a marker at the remote until the new list is there.

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
  /** Called before the first change. */
  readonly onPlan: (plan: Plan) => void
  readonly onProgress: (done: number, total: number) => void
}

export type Deployed = {
  readonly plan: Plan
  /** Whether the snapshot is a shard's. */
  readonly shard: boolean
  /** Whether the snapshot has a signature, which is uploaded with it. */
  readonly signed: boolean
  /** Whether an earlier deployment was broken off, or shards were brought since the last list. */
  readonly unfinished: boolean
  /** Set if nothing was done because too many members would go. */
  readonly refused: boolean
}

/** Makes a remote hold the snapshot, as far as it doesn't yet. */
export const deploy = async (options: DeployOptions): Promise<Deployed> => {
  const { out, store } = options
  const name = path.join(options.name, sumsFile)
  const wanted = readSums({ root: out, below: sumsFile, name })
  // a shard's list holds its members' files only
  const shard = !wanted.some(({ path }) => path === errors.notFound.file)
  const signed = !shard && hasSignature(options)
  const [list, marker, held] = await Promise.all([
    store.fetch(sumsFile),
    store.fetch(markerFile).then(parseMarker),
    options.earlier === undefined ? undefined : store.fetch(signatureFile),
  ])
  const published = parseSums(list, {
    name: `${sumsFile} at the remote`,
    hint: 'was another path meant? if not, remove the file there: the next deployment uploads everything again',
  })
  if (options.earlier !== undefined) keepEarlier(options.earlier, { list, signature: held })
  const shards = marker?.shards ? await fetchShards(store) : []
  // a marker that was cut off doesn't say all that its deployment may have changed
  const unknown = { order: 0, done: false }
  const markers = [...(marker ? [{ ...marker, ...unknown }] : []), ...shards]
  const touched = markers.flatMap(({ changes, order, done = false }) =>
    (changes ?? wanted).map((sum) => ({ ...sum, ...(changes ? { order, done } : unknown) })),
  )
  const planned = plan({ wanted, out, shard, published, touched })
  const result = { plan: planned, shard, signed, unfinished: marker !== undefined, refused: false }
  if (isMassRemoval(planned.members) && !options.allowRemoval && !shard) return { ...result, refused: true }
  options.onPlan(planned)
  if (options.dryRun) return result
  const shipping = { ...options, planned, marker, shards, signed }
  if (planned.changes.length === 0 && (shard || marker === undefined)) await putSignature(shipping)
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

/** What a marker says. */
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
  return [title + id, ...(shards ? [shardsLine] : []), ...lines, ...end].map((line) => `${line}\n`).join('')
}

/** Reads a marker; `undefined` if there is none. One that is none of ours is not whole. */
const parseMarker = (text: Buffer | undefined): Marker | undefined => {
  const lines = linesOf(text)
  if (lines.length === 0) return undefined
  const id = lines.findLast((line) => line.startsWith(title))?.slice(title.length) ?? ''
  const shards = lines.includes(shardsLine)
  const last = lines.at(-1)!
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
    return marker === undefined ? [] : [{ ...marker, name: `${deployFolder}/${name}`, order: Number(order) }]
  })

type Shipping = DeployOptions & {
  readonly planned: Plan
  readonly marker: Marker | undefined
  readonly shards: readonly ShardMarker[]
  readonly signed: boolean
}

/** Uploads what a shard's members need, and leaves a marker that says so. */
const shipShard = async (shipping: Shipping): Promise<void> => {
  const { planned, marker, shards } = shipping
  const order = 1 + Math.max(0, ...shards.map((shard) => shard.order))
  const name = `${deployFolder}/${order}-${randomUUID()}`
  if (!marker?.shards) {
    // the bytes are the same for every shard that begins now, so the last writer does no harm
    const changes = marker === undefined ? [] : marker.changes
    await put(shipping, markerFile, markerText({ id: marker?.id ?? 'of shards', shards: true, changes }))
  }
  const own = { id: name, shards: true, changes: planned.changes }
  await put(shipping, name, markerText(own))
  await makeChanges(shipping)
  await put(shipping, name, markerText({ ...own, done: true }))
}

/** Uploads, removes, and writes the list. */
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
  await putSignature(shipping)
  await store.upload([{ from: out, paths: [sumsFile], headers: headersOf(sumsFile) }])
  if (shards.length > 0) await store.remove(shards.map(({ name }) => name))
  await store.remove([markerFile])
}

/** Makes the changes in their order. `beforeEnd` is called when all uploads are done. */
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
  const shipments = uploads.map((batch) => ({ from: out, ...batch }))
  if (uploads.length > 0) await store.upload(shipments, ({ paths }) => count(paths))
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
  await store.upload([{ from: own, paths: [name], headers: headersOf(name) }])
}

/** Whether the snapshot has a signature. */
const hasSignature = ({ out, name }: DeployOptions): boolean => {
  if (!findEntry(out, signatureFile)?.isFile()) return false
  if (readFile(out, signatureFile, { limit: signatureLimit })?.length) return true
  throw new UserError(
    `"${name}/${signatureFile}" is no signature: it is empty, or has more than ${grouped(signatureLimit)} bytes`,
    { hint: `sign ${sumsFile} again, or remove the file` },
  )
}

const putSignature = async ({ out, store, signed }: Shipping): Promise<void> => {
  if (signed) await store.upload([{ from: out, paths: [signatureFile], headers: headersOf(sumsFile) }])
}

/** Puts the list that was published last, and its signature if there was one, into a folder. */
const keepEarlier = (
  folder: string,
  { list, signature }: Readonly<Record<'list' | 'signature', Buffer | undefined>>,
): void => {
  makeRoot(folder)
  const root = realPath(folder)
  for (const [below, bytes] of [[sumsFile, list] as const, [signatureFile, signature] as const]) {
    remove(root, below)
    if (bytes !== undefined) replaceFile(root, below, bytes)
  }
}
