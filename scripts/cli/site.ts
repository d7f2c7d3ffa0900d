import { createLoader } from '../content/load.ts'
import { createReader } from '../content/read/read-file.ts'
import { contentFolder, findSite } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import { hostNames } from '../hosts/hosts.ts'
import { UserError } from '../problems/user-error.ts'

/** What site.yaml says; `undefined` if there is none. */
export const loadSite = (folder: string): Site | undefined => {
  const content = contentFolder(folder)
  const { name } = findSite(content)
  if (name === undefined) return undefined
  const { source } = createReader(content)(name)
  const site = source && createLoader({ hostNames }).loadSite(source).value
  if (site !== undefined) return site
  throw new UserError(`${content.name}/${name} is wrong`, { hint: 'npm run check says how' })
}
