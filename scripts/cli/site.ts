import { createLoader } from '../content/load.ts'
import { createReader } from '../content/read/read-file.ts'
import { type ContentFolder, contentFolder, findSite, listMembers } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import { type Editing, readClaims, removeHalfWritten, shownPath } from '../edit/members.ts'
import { hostNames } from '../hosts/hosts.ts'
import { UserError } from '../problems/diagnostic.ts'
import { resolveContent } from '../snapshot/folders.ts'
import { tell } from './output.ts'

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

/** The content folder, for a command that writes to it. What a killed one left half written is removed and told. */
export const openToWrite = (folder: string): ContentFolder => {
  const content = resolveContent(folder)
  for (const file of removeHalfWritten(content, listMembers(content).members)) {
    tell(`removed ${shownPath(content, file)}: a command that was killed left it half written`)
  }
  return content
}

/** The same with all that a new file or name is held against. */
export const openEditing = (folder: string): Editing => {
  const content = openToWrite(folder)
  const site = loadSite(folder)
  return { content, site, loader: createLoader({ hostNames }), claims: readClaims(content) }
}
