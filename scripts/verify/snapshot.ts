import { hash } from 'node:crypto'
import path from 'node:path'
import { render } from '../api/records.ts'
import * as api from '../api/routes.ts'
import { findEntry, readFile } from '../files/folder.ts'
import { readSums } from '../files/sums.ts'
import { UserError } from '../problems/diagnostic.ts'
import { publicationFiles } from '../snapshot/publication.ts'
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
  const name = path.join(folder, api.sumsFile)
  const sums = readSums({ root: folder, below: api.sumsFile, name })
  const digests = new Map(sums.map(({ path, digest }) => [path, digest]))
  if (!digests.has(api.errors.notFound.file))
    throw notASnapshot(folder, `it has no ${api.sumsFile}, or one that lists no snapshot`)
  const listed = [...digests.keys()]
  const told = publicationFiles.filter((file) => findEntry(folder, file)?.isFile())
  const served = [...listed, ...told].flatMap((file) => {
    const found = top(file) === http ? undefined : api.servedAt(file)
    return found && !found.encoding ? [found] : []
  })
  const schemes: readonly api.Variant[] = listed.some((file) => top(file) === http)
    ? api.variants
    : ['https']
  const shown = new Set([http, ...served.map(({ request }) => top(request.slice(1)))])
  const digestOf = (route: api.Route, username: string) =>
    digests.get(api.filePath(route, 'https', username))
  const usernames = [...new Set(served.flatMap(({ username }) => username ?? []))].sort()
  return {
    folder,
    /** Without http, the snapshot has no folder for it, and nothing is asked over it. */
    schemes,
    /** Sorted by code unit, aliases included. */
    usernames,
    /** The site's own paths that it has. */
    site: served.filter(({ username }) => !username).map((one) => resourceOf(one, schemes)),
    /** How many members have so many of the names: a member has the same bytes at each. */
    countMembers: (usernames: readonly string[]): number =>
      new Set(usernames.map((username) => digestOf(api.userRoute, username))).size,
    /** Names of the files and folders at the root, besides those of the API: what no client may see. */
    private: [...new Set([...listed.map(top), api.sumsFile])].filter((name) => !shown.has(name)),
    /** The first member who has none. No other file is as short, so it may have no compressed copies. */
    withoutShots: usernames.find((username) => digestOf(api.shotsRoute, username) === noShots),
  }
}

const { http } = api.variantFolder

/** The first name of a path. */
const top = (file: string): string => file.split('/')[0]!

const noShots = hash('sha256', render({ Shots: [] }))

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
  const read = (file: string): Uint8Array => {
    const bytes = readFile(folder, file)
    if (!bytes) throw notASnapshot(folder, `${file} is missing`)
    return bytes
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
