import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { Diagnostic, Place } from '../../scripts/problems/diagnostic.ts'
import { type BuildOptions, type BuildResult, build } from '../../scripts/snapshot/build.ts'
import { type CheckOptions, check } from '../../scripts/snapshot/check.ts'
import { type MergeOptions, merge } from '../../scripts/snapshot/merge.ts'
import { readTree, sandbox, type Tree } from '../sandbox.ts'
import { site } from '../site.ts'
import { times } from '../times.ts'

const foldersOf = (folder: string) => ({
  content: path.join(folder, 'content'),
  out: path.join(folder, 'dist'),
  onProgress: () => {},
})

/** Builds `content` of a folder into `dist` beside it. */
export const buildIn = (folder: string, options: Partial<BuildOptions> = {}) =>
  build({ ...foldersOf(folder), onWait: () => {}, ...options })

/** A folder with a site that was built. */
export const built = async (tree: Tree = site) => {
  const folder = sandbox(tree)
  await buildIn(folder)
  return folder
}

/** Builds, which says this of itself. */
export const expectBuild = async (
  folder: string,
  said: Partial<BuildResult>,
  options: Partial<BuildOptions> = {},
) => expect(await buildIn(folder, options)).toMatchObject(said)

/** Checks `content` of a folder; what a build left for it is beside `dist`. */
export const checkIn = (folder: string, options: Partial<CheckOptions> = {}) =>
  check({ ...foldersOf(folder), ...options })

/** The path of a file below a folder. */
export const below = (folder: string, file: string) =>
  path.relative(folder, file).replaceAll(path.sep, '/')

/** `line:column-endLine:endColumn` */
export const placeOf = ({ line, column, endLine, endColumn }: Place) =>
  `${line}:${column}-${endLine}:${endColumn}`

/**
 * What is told of the content of a folder, a line each: `content/site.yaml:2:1-2:4
 * unknown-key`.
 */
export const linesOf = (folder: string, diagnostics: readonly Diagnostic[]) =>
  diagnostics.map((one) => `${below(folder, one.file)}:${placeOf(one)} ${one.code}`)

/** What a build from nothing makes of the content of a folder. */
export const cleanBuild = async (folder: string, options: Partial<BuildOptions> = {}) => {
  const fresh = path.join(folder, 'fresh')
  fs.rmSync(fresh, { recursive: true, force: true })
  await buildIn(folder, { ...options, out: path.join(fresh, 'dist') })
  return readTree(fresh, 'dist')
}

/** Expects the snapshot of a folder to be what a build from nothing makes of the content. */
export const expectClean = async (folder: string, message?: string) =>
  expect(readTree(folder, 'dist'), message).toEqual(await cleanBuild(folder))

/** Builds the content of a folder in shards, `shard-1` and so on beside it. */
export const buildShards = async (
  folder: string,
  count: number,
  options: Partial<BuildOptions> = {},
) => {
  const outs = times(count, (at) => path.join(folder, `shard-${at + 1}`))
  const results: BuildResult[] = []
  for (const [at, out] of outs.entries())
    results.push(await buildIn(folder, { ...options, out, shard: { index: at + 1, count } }))
  return { outs, results }
}

/** Merges such shards into `merged` beside them. */
export const mergeShards = (
  folder: string,
  outs: readonly string[],
  options: Partial<MergeOptions> = {},
) =>
  merge({
    out: path.join(folder, 'merged'),
    allowRemoval: false,
    onWait: () => {},
    shards: outs.map((out) => ({ out, state: undefined })),
    ...options,
  })
