import fs from 'node:fs'
import path from 'node:path'
import { type BuildOptions, type BuildResult, build } from '../../scripts/snapshot/build.ts'
import { type CheckOptions, check } from '../../scripts/snapshot/check.ts'
import { readTree } from '../sandbox.ts'

/** Builds `content` of a folder into `dist` beside it. */
export const buildIn = (folder: string, options: Partial<BuildOptions> = {}): Promise<BuildResult> =>
  build({
    content: path.join(folder, 'content'),
    out: path.join(folder, 'dist'),
    hostNames: [],
    hostFiles: () => [],
    onProgress: () => {},
    onWait: () => {},
    ...options,
  })

/** Checks `content` of a folder; what a build left for it is beside `dist`. */
export const checkIn = (folder: string, options: Partial<CheckOptions> = {}) =>
  check({
    content: path.join(folder, 'content'),
    out: path.join(folder, 'dist'),
    hostNames: [],
    onProgress: () => {},
    ...options,
  })

/** What a build from nothing makes of the content of a folder. */
export const cleanBuild = async (
  folder: string,
  options: Partial<BuildOptions> = {},
): Promise<ReturnType<typeof readTree>> => {
  const fresh = path.join(folder, 'fresh')
  fs.rmSync(fresh, { recursive: true, force: true })
  await buildIn(folder, { ...options, out: path.join(fresh, 'dist') })
  return readTree(path.join(fresh, 'dist'))
}
