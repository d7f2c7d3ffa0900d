import { hash } from 'node:crypto'
import { render } from '../api/records.ts'
import {
  errors,
  fileOf,
  filePath,
  type Route,
  requestPath,
  routes,
  servedAt,
  shotsRoute,
  sumsFile,
  userRoute,
  type Variant,
  variantFolder,
  variants,
} from '../api/routes.ts'
import { findEntry, readFile } from '../files/folder.ts'
import { digestsOf, readSums } from '../files/sums.ts'
import { UserError } from '../problems/diagnostic.ts'
import { publicationFiles } from '../snapshot/publication.ts'
import { printable } from '../text/printable.ts'

/** The snapshot that the host should serve, as far as it is needed before any request. */
export type Snapshot = ReturnType<typeof openSnapshot>

/** Looks at the folder of `--out`. */
export const openSnapshot = (folder: string) => {
  const digests = digestsOf(readSums({ root: folder, below: sumsFile }))
  if (!digests.has(errors.notFound.file))
    throw notASnapshot(folder, `it has no ${sumsFile}, or one that lists no snapshot`)
  const listed = [...digests.keys()]
  const told = publicationFiles.filter((file) => findEntry(folder, file)?.isFile())
  const served = [...listed, ...told].flatMap((file) => {
    const found = top(file) === http ? undefined : servedAt(file)
    return found && !found.encoding ? [found] : []
  })
  const schemes = variants.filter(
    (variant) => variant === 'https' || listed.some((file) => top(file) === http),
  )
  const shown = new Set([http, ...served.map(({ request }) => top(request.slice(1)))])
  const digestOf = (route: Route, username: string) =>
    digests.get(filePath(route, 'https', username))
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
    countMembers: (usernames: readonly string[]) =>
      new Set(usernames.map((username) => digestOf(userRoute, username))).size,
    /**
     * Names of the files and folders at the root, besides those of the API: what no client
     * may see.
     */
    private: [...new Set([...listed.map(top), sumsFile])].filter((name) => !shown.has(name)),
    /**
     * The first member who has none. No other file is as short, so it may have no compressed
     * copies.
     */
    withoutShots: usernames.find((username) => digestOf(shotsRoute, username) === noShots),
  }
}

const { http } = variantFolder

/** The first name of a path. */
const top = (file: string) => file.split('/')[0]!

const noShots = hash('sha256', render({ Shots: [] }))

/** The paths at which a host should answer for a name. */
export const resourcesOf = (username: string, { schemes }: Snapshot): readonly Resource[] =>
  routes.map((route) =>
    resourceOf({ route, username, request: requestPath(route, username) }, schemes),
  )

type Served = NonNullable<ReturnType<typeof servedAt>>

/** A path that a host should answer, and the files of the snapshot that answer it. */
export type Resource = ReturnType<typeof resourceOf>

const resourceOf = (
  { route, username, request }: Pick<Served, 'route' | 'username' | 'request'>,
  schemes: readonly Variant[],
) => ({
  route,
  /** Whose it is; `undefined` if it is the site's. */
  username,
  /** From the root of `base_url`. */
  path: request,
  /**
   * Below the snapshot's root. Where the schemes have it in common, or there is one scheme,
   * the two are the same.
   */
  files: {
    https: fileOf(route, { request }),
    http: fileOf(route, { request, variant: schemes.at(-1) ?? 'https' }),
  },
})

/** The bytes of a file of the snapshot. */
export const readListed = ({ folder }: Snapshot, file: string): Uint8Array => {
  const bytes = readFile(folder, file)
  if (bytes) return bytes
  throw notASnapshot(folder, `${file} is missing`)
}

const notASnapshot = (folder: string, reason: string) =>
  new UserError(`${printable(folder)} is not a snapshot: ${printable(reason)}`, {
    hint: 'npx shotpress build makes one; --out DIR names its folder',
  })

/**
 * How many members are asked everything about; the others of a larger sample are asked for
 * their content.
 */
export const closeLook = 50

/**
 * Which members to ask about, by place in the sorted list: the odd ones first (the longest
 * name, one with a dot, one without shots, the first, the last), then as many as are wanted,
 * evenly spread. Sorted; the same input gives the same members.
 */
export const sample = (
  usernames: readonly string[],
  {
    size,
    withoutShots,
  }: { readonly size: number; readonly withoutShots: string | undefined },
): readonly string[] => {
  if (size >= usernames.length) return usernames
  const chosen = new Set([
    usernames[0],
    usernames.at(-1),
    usernames.toSorted((a, b) => b.length - a.length)[0],
    usernames.find((username) => username.includes('.')),
    withoutShots,
  ])
  chosen.delete(undefined)
  for (const username of some(usernames, size)) if (chosen.size < size) chosen.add(username)
  return usernames.filter((username) => chosen.has(username))
}

/** So many of a list, evenly spread. */
export const some = <T>(all: readonly T[], size: number): readonly T[] =>
  size >= all.length
    ? all
    : Array.from(
        { length: size },
        (_, i) => all[Math.floor(((i + 0.5) * all.length) / size)]!,
      )
