import fs from 'node:fs'
import path from 'node:path'
import { type BuildOptions, type BuildResult, build } from '../../scripts/snapshot/build.ts'
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

/** What a build from nothing makes of the content of a folder. */
export const cleanBuild = async (folder: string): Promise<ReturnType<typeof readTree>> => {
  const fresh = path.join(folder, 'fresh')
  fs.rmSync(fresh, { recursive: true, force: true })
  await buildIn(folder, { out: path.join(fresh, 'dist') })
  return readTree(path.join(fresh, 'dist'))
}
