import { hash } from 'node:crypto'
import { errors, filePath, routes, variants } from '../../scripts/api/routes.ts'
import { sandbox, type Texts, type Tree, writeTree } from '../sandbox.ts'

/** The files of a snapshot whose members have what is given as their bodies; without the list. */
export const filesOf = (members: Texts) => ({
  ...Object.fromEntries(Object.values(errors).map(({ file, body }) => [file, body])),
  ...shardFilesOf(members),
})

/** The files of a shard's snapshot. */
export const shardFilesOf = (members: Texts) =>
  Object.fromEntries(
    Object.entries(members).flatMap(([username, text]) =>
      variants.flatMap((variant) =>
        routes.map((route) => [
          filePath(route, variant, username),
          `${variant} ${route.name} of ${username}: ${text}\n`,
        ]),
      ),
    ),
  )

/** SHA256SUMS of files. */
export const sumsOf = (files: Tree) =>
  Object.keys(files)
    .sort()
    .map((file) => `${hash('sha256', files[file]!)}  ${file}\n`)
    .join('')

/** A folder with these files and their list. */
export const snapshot = (files: Tree, list: Tree = files) => {
  const out = `${sandbox({})}/dist`
  writeTree(out, { ...files, SHA256SUMS: sumsOf(list) })
  return out
}

/** What a remote holds when these files are published, sorted. */
export const published = (files: Tree) => sorted({ ...files, SHA256SUMS: sumsOf(files) })

/** Files by path, sorted by it. */
export const sorted = (files: Tree) => Object.fromEntries(Object.entries(files).sort())
