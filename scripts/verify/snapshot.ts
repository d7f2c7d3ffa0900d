import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { noShots } from '../api/render.ts'
import {
  errors,
  filePath,
  prefix,
  type SiteRoute,
  shotsRoute,
  siteFile,
  siteRoutes,
  type Variant,
  variantFolder,
} from '../api/routes.ts'
import { UserError } from '../problems/user-error.ts'
import { printable } from '../text/printable.ts'
import type { Resource } from './ask/resource.ts'

/** The snapshot that the host should serve, as far as it is needed before any request. */
export type Snapshot = {
  readonly folder: string
  /** Sorted by code unit. */
  readonly usernames: readonly string[]
  /** The site's own paths that it has. */
  readonly siteRoutes: readonly SiteRoute[]
  /** Names of the files and folders at the root, besides those of the API: what no client may see. */
  readonly private: readonly string[]
  readonly withoutShots: string | undefined
}

/** Looks at the folder of `--out`. */
export const openSnapshot = async (folder: string): Promise<Snapshot> => {
  const root = await list(folder)
  if (root === undefined) throw notASnapshot(folder, 'there is no such folder')
  const members = (await list(path.join(folder, prefix))) ?? []
  if (!root.includes(errors.notFound.file)) throw notASnapshot(folder, `it has no ${errors.notFound.file}`)
  const shown = [prefix.split('/')[1]!, variantFolder.http, ...siteRoutes.map((route) => siteFile(route))]
  return {
    folder,
    usernames: members,
    siteRoutes: siteRoutes.filter((route) => root.includes(siteFile(route))),
    private: root.filter((name) => !shown.includes(name)),
    withoutShots: await findWithoutShots(folder, members),
  }
}

/** The bytes of a resource's files. */
export const readFiles = async (
  { folder }: Snapshot,
  { files }: Resource,
): Promise<Readonly<Record<Variant, Uint8Array>>> => {
  const read = async (file: string) =>
    readFile(path.join(folder, file)).catch((cause: NodeJS.ErrnoException) => {
      throw notASnapshot(folder, `${file} can't be read (${cause.code})`)
    })
  return { https: await read(files.https), http: await read(files.http) }
}

const list = async (folder: string): Promise<readonly string[] | undefined> => {
  const names = await readdir(folder).catch(() => undefined)
  return names?.sort()
}

/** The first member whose list of shots is the empty one, by its size. */
const findWithoutShots = async (folder: string, members: readonly string[]): Promise<string | undefined> => {
  for (const username of members) {
    const file = await stat(path.join(folder, filePath(shotsRoute, 'https', username))).catch(() => undefined)
    if (file?.size === noShots.length) return username
  }
  return undefined
}

const notASnapshot = (folder: string, reason: string): UserError =>
  new UserError(`${printable(folder)} is not a snapshot: ${printable(reason)}`, {
    hint: 'npm run build makes one; --out DIR names its folder',
  })
