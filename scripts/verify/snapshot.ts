import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { errors, filePath, prefix, type Route, routes, type Variant, variantFolder } from '../api/routes.ts'
import { UserError } from '../diagnostics/user-error.ts'
import { printable } from '../text/printable.ts'

/** The snapshot that the host should serve, as far as it is needed before any request. */
export type Snapshot = {
  readonly folder: string
  /** Sorted by code unit. */
  readonly usernames: readonly string[]
  /** Names of the files and folders at the root, besides those of the API: what no client may see. */
  readonly private: readonly string[]
  readonly withoutShots: string | undefined
}

const shots = routes.find(({ name }) => name === 'shots')!

/** Looks at the folder of `--out`. */
export const openSnapshot = async (folder: string): Promise<Snapshot> => {
  const root = await list(folder)
  if (root === undefined) throw notASnapshot(folder, 'there is no such folder')
  const members = (await list(path.join(folder, prefix))) ?? []
  if (!root.includes(errors.notFound.file)) throw notASnapshot(folder, `it has no ${errors.notFound.file}`)
  const api = prefix.split('/')[1]!
  return {
    folder,
    usernames: members,
    private: root.filter((name) => name !== api && name !== variantFolder.http),
    withoutShots: await findWithoutShots(folder, members),
  }
}

/** The bytes that answer a route for a member, in both variants. */
export const readVariants = async (
  { folder }: Snapshot,
  { route, username }: { readonly route: Route; readonly username: string },
): Promise<Readonly<Record<Variant, Uint8Array>>> => {
  const read = async (variant: Variant) => {
    const file = path.join(folder, filePath(route, variant, username))
    return readFile(file).catch((cause: NodeJS.ErrnoException) => {
      throw notASnapshot(folder, `${filePath(route, variant, username)} can't be read (${cause.code})`)
    })
  }
  return { https: await read('https'), http: await read('http') }
}

const list = async (folder: string): Promise<readonly string[] | undefined> => {
  const names = await readdir(folder).catch(() => undefined)
  return names?.sort()
}

/** The first member whose list of shots is the empty one, by its size. */
const findWithoutShots = async (folder: string, members: readonly string[]): Promise<string | undefined> => {
  const empty = '{"Shots":[]}\n'.length
  for (const username of members) {
    const file = await stat(path.join(folder, filePath(shots, 'https', username))).catch(() => undefined)
    if (file?.size === empty) return username
  }
  return undefined
}

const notASnapshot = (folder: string, reason: string): UserError =>
  new UserError(`${printable(folder)} is not a snapshot: ${printable(reason)}`, {
    hint: 'npm run build makes one; --out DIR names its folder',
  })
