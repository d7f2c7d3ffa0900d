import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { render } from '../api/records.ts'
import * as api from '../api/routes.ts'
import { readSums } from '../files/sums.ts'
import { UserError } from '../problems/diagnostic.ts'
import { printable } from '../text/printable.ts'

/** The snapshot that the host should serve, as far as it is needed before any request. */
export type Snapshot = ReturnType<typeof openSnapshot>

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
export const openSnapshot = (folder: string) => {
  const root = list(folder)
  if (root === undefined) throw notASnapshot(folder, 'there is no such folder')
  if (!root.includes(api.errors.notFound.file))
    throw notASnapshot(folder, `it has no ${api.errors.notFound.file}`)
  const usernames = list(path.join(folder, api.prefix)) ?? []
  const schemes: readonly api.Variant[] = root.includes(api.variantFolder.http)
    ? api.variants
    : ['https']
  const site = siteFolders
    .flatMap((below) =>
      (list(path.join(folder, below)) ?? []).map((name) => path.posix.join(below, name)),
    )
    .map(api.servedAt)
    .flatMap((served) =>
      served && served.encoding === undefined ? [resourceOf(served, schemes)] : [],
    )
  const shown = [api.prefix, `/${api.variantFolder.http}`, ...site.map(({ path }) => path)].map(
    (path) => path.split('/')[1]!,
  )
  const sums = readSums({
    root: folder,
    below: api.sumsFile,
    name: path.join(folder, api.sumsFile),
  })
  const digests = new Map(sums.map(({ path, digest }) => [path, digest]))
  const digestOf = (username: string) => digests.get(api.filePath(api.userRoute, 'https', username))
  return {
    folder,
    /** Without http, the snapshot has no folder for it, and nothing is asked over it. */
    schemes,
    /** Sorted by code unit, aliases included. */
    usernames,
    /** The site's own paths that it has, in the order of the routes. */
    site,
    /** How many members have so many of the names: a member has the same bytes at each. */
    countMembers: (usernames: readonly string[]): number =>
      new Set(usernames.map((username) => digestOf(username) ?? username)).size,
    /** Names of the files and folders at the root, besides those of the API: what no client may see. */
    private: root.filter((name) => !shown.includes(name)),
    /** The first member who has none. No other file is as short, so it may have no compressed copies. */
    withoutShots: usernames.find(
      (username) => digests.get(api.filePath(api.shotsRoute, 'https', username)) === noShots,
    ),
  }
}

const noShots = hash('sha256', render({ Shots: [] }))

/** The folders that hold files of the site. */
const siteFolders = [
  ...new Set(api.siteRoutes.map((route) => path.posix.dirname(api.fileOf(route)))),
]

/** The names in a folder, sorted; `undefined` if it can't be listed. */
const list = (folder: string): readonly string[] | undefined => {
  try {
    return fs.readdirSync(folder).sort()
  } catch {
    return undefined
  }
}

/** The paths at which a host should answer for a name. */
export const resourcesOf = (username: string, { schemes }: Snapshot): readonly Resource[] =>
  api.routes.map((route) =>
    resourceOf({ route, username, request: api.requestPath(route, username) }, schemes),
  )

type Served = NonNullable<ReturnType<typeof api.servedAt>>

const resourceOf = (
  { route, username, request }: Pick<Served, 'route' | 'username' | 'request'>,
  schemes: readonly api.Variant[],
): Resource => ({
  kind: route.name,
  username,
  path: request,
  files: {
    https: api.fileOf(route, { request }),
    http: api.fileOf(route, { request, variant: schemes.includes('http') ? 'http' : 'https' }),
  },
  headers: route.headers,
})

/** The bytes of a resource's files. */
export const readFiles = (
  { folder }: Snapshot,
  { files }: Resource,
): Readonly<Record<api.Variant, Uint8Array>> => {
  // one after the other, so that of several that can't be read the same one is told each time
  const read = (file: string): Uint8Array => {
    try {
      return fs.readFileSync(path.join(folder, file))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw notASnapshot(folder, `${file} can't be read (${code})`)
    }
  }
  return { https: read(files.https), http: read(files.http) }
}

const notASnapshot = (folder: string, reason: string): UserError =>
  new UserError(`${printable(folder)} is not a snapshot: ${printable(reason)}`, {
    hint: 'npx shotpress build makes one; --out DIR names its folder',
  })

/** How many members are asked everything about; the others of a larger sample are asked for their content. */
export const closeLook = 50

/**
 * Which members to ask about, by place in the sorted list: the odd ones first (the longest name, one with a dot,
 * one without shots, the first, the last), then as many as are wanted, evenly spread. Sorted; the same input gives the
 * same members.
 */
export const sample = (
  usernames: readonly string[],
  { size, withoutShots }: { readonly size: number; readonly withoutShots: string | undefined },
): readonly string[] => {
  if (size >= usernames.length) return usernames
  const chosen = new Set<string | undefined>([
    usernames[0],
    usernames.at(-1),
    usernames.reduce(
      (longest, username) => (username.length > longest.length ? username : longest),
      '',
    ),
    usernames.find((username) => username.includes('.')),
    withoutShots,
  ])
  chosen.delete(undefined)
  for (const username of some(usernames, size)) {
    if (chosen.size >= size) break
    chosen.add(username)
  }
  return usernames.filter((username) => chosen.has(username))
}

/** So many of a list, evenly spread. */
export const some = <T>(all: readonly T[], size: number): readonly T[] =>
  size >= all.length
    ? all
    : Array.from({ length: size }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / size)]!)
