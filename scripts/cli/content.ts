import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { createLoader } from '../advice/loader.ts'
import { type ContentFolder, contentFolder } from '../content/layout.ts'
import { createReader } from '../content/read/read-file.ts'
import { findSite, listMembers } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import { type Editing, readClaims } from '../edit/claims.ts'
import { removeHalfWritten, shownPath } from '../edit/files.ts'
import { realPath } from '../files/folder.ts'
import { UserError } from '../problems/diagnostic.ts'
import { resolveContent } from '../snapshot/folders.ts'
import { quote } from '../text/printable.ts'
import { tell } from './output.ts'

/** What site.yaml says; `undefined` if there is none. */
export const loadSite = (folder: string): Site | undefined => {
  const content = contentFolder(folder)
  const { name } = findSite(content)
  if (name === undefined) return undefined
  const { source } = createReader(content)(name)
  const site = source && createLoader().loadSite(source).value
  if (site !== undefined) return site
  throw new UserError(`${content.name}/${name} is wrong`, {
    hint: 'npx shotpress check says how',
  })
}

/**
 * The content folder, for a command that writes to it. What a killed one left half written is
 * removed and told.
 */
export const openToWrite = (folder: string): ContentFolder => {
  const content = resolveContent(folder)
  for (const file of removeHalfWritten(content, listMembers(content).members)) {
    tell(
      `removed ${shownPath(content, file)}: a command that was killed left it half written`,
    )
  }
  return content
}

/** The same with all that a new file or name is held against. */
export const openEditing = (folder: string): Editing => {
  const content = openToWrite(folder)
  const site = loadSite(folder)
  return { content, site, loader: createLoader(), claims: readClaims(content) }
}

/**
 * Says whether patterns, seen from the working folder, name a file or folder of the content,
 * as diagnostics call it: it, a folder that it is in, or, of a folder, something that is in
 * it. No patterns name everything.
 */
export const selectFiles = (patterns: readonly string[], content: ContentFolder) => {
  if (patterns.length === 0) return () => true
  const chosen = new Set(patterns.flatMap((pattern) => matches(pattern, content)))
  const around = new Set([...chosen].flatMap(withFolders))
  return (file: string) =>
    around.has(file) || withFolders(file).some((one) => chosen.has(one))
}

/** A file, and the folders that it is in. */
const withFolders = (file: string): readonly string[] => {
  const parts = file.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

const matches = (pattern: string, content: ContentFolder): readonly string[] => {
  const found = findOnDisk(pattern).flatMap((file) => {
    const below = path
      .relative(realPath(content.path), placeOf(path.resolve(file)))
      .replaceAll(path.sep, '/')
    if (below === '' || /^(?:\.\.\/)*\.\.$/.test(below)) return [content.name]
    return below.startsWith('../') || path.isAbsolute(below)
      ? []
      : [`${content.name}/${below}`]
  })
  if (found.length > 0) return found
  throw new UserError(
    `${quote(pattern)} names nothing in the content folder "${content.name}"`,
    {
      hint: `patterns are seen from the working folder: ${content.name}/members/ana, "${content.name}/members/a*/**"`,
    },
  )
}

/** Where it is on disk, spelt as there; a link is what was named, not what it leads to. */
const placeOf = (file: string) =>
  fs.lstatSync(file).isSymbolicLink()
    ? path.join(realPath(path.dirname(file)), path.basename(file))
    : realPath(file)

/** Files and folders; a name that is there as it stands is no pattern, whatever it holds. */
const findOnDisk = (pattern: string): readonly string[] => {
  if (pattern === '') return []
  if (fs.existsSync(pattern)) return [pattern]
  const slashes = path.sep === '\\' ? pattern.replaceAll('\\', '/') : pattern
  // members/a*/** is meant for the folders too: what is missing in one is told at a name below it
  return glob.sync([slashes, slashes.replace(/\/\*\*$/, '')], {
    onlyFiles: false,
    followSymbolicLinks: false,
    suppressErrors: true,
  })
}
