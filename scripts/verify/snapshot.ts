import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { noShots } from '../api/records.ts'
import * as api from '../api/routes.ts'
import { readSums } from '../files/sums.ts'
import { UserError } from '../problems/user-error.ts'
import { printable } from '../text/printable.ts'

/** The snapshot that the host should serve, as far as it is needed before any request. */
export type Snapshot = {
  readonly folder: string
  /** Without http, the snapshot has no folder for it, and nothing is asked over it. */
  readonly schemes: readonly api.Variant[]
  /** Sorted by code unit, aliases included. */
  readonly usernames: readonly string[]
  /** How many members have so many of the names: a member has the same bytes at each. */
  readonly countMembers: (usernames: readonly string[]) => number
  /** The site's own paths that it has, in the order of the routes. */
  readonly site: readonly Resource[]
  /** Names of the files and folders at the root, besides those of the API: what no client may see. */
  readonly private: readonly string[]
  readonly withoutShots: string | undefined
}

/** A path that a host should answer, and the files of the snapshot that answer it. */
export type Resource = {
  readonly kind: api.Route['name'] | api.SiteRoute['name']
  /** Whose it is; `undefined` if it is the site's. */
  readonly username: string | undefined
  /** From the root of `base_url`. */
  readonly path: string
  /** Below the snapshot's root. Where the schemes have it in common, or there is one scheme, the two are the same. */
  readonly files: Readonly<Record<api.Variant, string>>
  /** What comes with a 200 besides the headers of every answer. */
  readonly headers: api.FileHeaders
}

/** Looks at the folder of `--out`. */
export const openSnapshot = async (folder: string): Promise<Snapshot> => {
  const root = await list(folder)
  if (root === undefined) throw notASnapshot(folder, 'there is no such folder')
  if (!root.includes(api.errors.notFound.file))
    throw notASnapshot(folder, `it has no ${api.errors.notFound.file}`)
  const usernames = (await list(path.join(folder, api.prefix))) ?? []
  const schemes = root.includes(api.variantFolder.http) ? api.variants : (['https'] as const)
  const lists = await Promise.all(
    siteFolders.map(async (below) =>
      ((await list(path.join(folder, below))) ?? []).map((name) => path.posix.join(below, name)),
    ),
  )
  const site = lists.flat().flatMap((file) => siteResource(file, schemes))
  const shown = [api.prefix, `/${api.variantFolder.http}`, ...site.map(({ path }) => path)].map(
    (path) => path.split('/')[1]!,
  )
  const sums = readSums({ root: folder, below: api.sumsFile, name: api.sumsFile })
  const profiles = new Map(sums.map(({ path, digest }) => [path, digest]))
  const memberOf = (username: string) =>
    profiles.get(api.filePath(api.routes[0]!, 'https', username)) ?? username
  return {
    ...{ folder, schemes, usernames, site },
    countMembers: (usernames) => new Set(usernames.map(memberOf)).size,
    private: root.filter((name) => !shown.includes(name)),
    withoutShots: await findWithoutShots(folder, usernames),
  }
}

/** The folders that hold files of the site. */
const siteFolders = [...new Set(api.siteRoutes.map((route) => path.posix.dirname(api.siteFile(route))))]

export const memberResource = (
  route: api.Route,
  username: string,
  schemes: readonly api.Variant[] = api.variants,
): Resource => ({
  ...{ kind: route.name, username, path: api.requestPath(route, username) },
  files: inSchemes((variant) => api.filePath(route, variant, username), schemes),
  headers: route.headers,
})

const siteResource = (file: string, schemes: readonly api.Variant[]): readonly Resource[] => {
  const { route, request } = api.siteRouteAt(file) ?? {}
  if (route === undefined || request === undefined) return []
  return [
    {
      ...{ kind: route.name, username: undefined, path: request },
      files: inSchemes((variant) => api.siteFile(route, { variant, request }), schemes),
      headers: route.headers,
    },
  ]
}

const inSchemes = (fileOf: (variant: api.Variant) => string, schemes: readonly api.Variant[]) => ({
  https: fileOf('https'),
  http: fileOf(schemes.includes('http') ? 'http' : 'https'),
})

/** The bytes of a resource's files. */
export const readFiles = async (
  { folder }: Snapshot,
  { files }: Resource,
): Promise<Readonly<Record<api.Variant, Uint8Array>>> => {
  const read = async (file: string) =>
    readFile(path.join(folder, file)).catch((cause: NodeJS.ErrnoException) => {
      throw notASnapshot(folder, `${file} can't be read (${cause.code})`)
    })
  return { https: await read(files.https), http: await read(files.http) }
}

const list = async (folder: string): Promise<readonly string[] | undefined> =>
  (await readdir(folder).catch(() => undefined))?.sort()

/** The first member whose list of shots is the empty one, by its size. */
const findWithoutShots = async (folder: string, members: readonly string[]): Promise<string | undefined> => {
  for (const username of members) {
    const file = await stat(path.join(folder, api.filePath(api.shotsRoute, 'https', username))).catch(
      () => undefined,
    )
    if (file?.size === noShots.length) return username
  }
  return undefined
}

const notASnapshot = (folder: string, reason: string): UserError =>
  new UserError(`${printable(folder)} is not a snapshot: ${printable(reason)}`, {
    hint: 'npm run build makes one; --out DIR names its folder',
  })

/** How many members are asked everything about; the others of a larger sample are asked for their content. */
export const closeLook = 50

/**
 * Which members to ask about, by place in the sorted list: the odd ones first (the longest name, one with a dot,
 * one without shots, the first, the last), then as many as are wanted, evenly spread. Sorted; the same input gives
 * the same members.
 */
export const sample = (
  usernames: readonly string[],
  { size, withoutShots }: { readonly size: number; readonly withoutShots: string | undefined },
): readonly string[] => {
  if (size >= usernames.length) return usernames
  const chosen = new Set<string | undefined>([
    usernames[0],
    usernames.at(-1),
    usernames.reduce((longest, username) => (username.length > longest.length ? username : longest), ''),
    usernames.find((username) => username.includes('.')),
    withoutShots,
  ])
  chosen.delete(undefined)
  for (const index of spread(usernames.length, size)) {
    if (chosen.size >= size) break
    chosen.add(usernames[index]!)
  }
  return usernames.filter((username) => chosen.has(username))
}

/** So many of a list, evenly spread. */
export const some = <T>(all: readonly T[], size: number): readonly T[] =>
  size >= all.length ? all : spread(all.length, size).map((index) => all[index]!)

const spread = (length: number, size: number): readonly number[] =>
  Array.from({ length: size }, (_, i) => Math.floor(((i + 0.5) * length) / size))
