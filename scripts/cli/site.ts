import path from 'node:path'
import { createLoader } from '../content/load.ts'
import { createReader } from '../content/read/read-file.ts'
import { findSite } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import { UserError } from '../diagnostics/user-error.ts'
import { hostNames } from '../hosts/hosts.ts'

/** What site.yaml says; `undefined` if there is none. */
export const loadSite = (folder: string): Site | undefined => {
  const { name } = findSite({ path: path.resolve(folder), name: folder })
  if (name === undefined) return undefined
  const { source } = createReader(path.resolve(folder))(path.resolve(folder, name), `${folder}/${name}`)
  const site = source && createLoader({ hostNames }).loadSite(source).value
  if (site !== undefined) return site
  throw new UserError(`${folder}/${name} is wrong`, { hint: 'npm run check says how' })
}
