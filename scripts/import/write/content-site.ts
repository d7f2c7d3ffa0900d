import fs from 'node:fs'
import type { Source } from '../../content/load.ts'
import { createLoader } from '../../content/load.ts'
import { createReader } from '../../content/read/read-file.ts'
import { contentFolder, findSite, listMembers } from '../../content/read/scan.ts'
import { readSchema, schemasBeside } from '../../content/schema.ts'
import type { Site } from '../../content/site.ts'
import { writeNewFile } from '../../edit/write.ts'
import { createFolderOf, type FolderOf } from '../../files/folder.ts'
import { type Diagnostic, hasErrors } from '../../problems/diagnostic.ts'
import { UserError } from '../../problems/user-error.ts'
import { createTools, type Tools } from '../../snapshot/compile.ts'

/** The content that is imported into. */
export type ContentSite = Tools & {
  readonly site: Site
  /** Makes folders to write to. */
  readonly folderOf: FolderOf
  /** The members' folders; the run adds those that it makes. */
  readonly members: Set<string>
  /** The text of the site.yaml that is still to be written. */
  newSite: string | undefined
  /** The path to the schemas that new files name in their first line; see schemasBeside. */
  readonly schemas: string | undefined
}

/** Opens a content folder; one that lacks site.yaml, or that is not there yet, will get one for this address. */
export const openContent = (
  name: string,
  { baseUrl, hostNames }: { readonly baseUrl: string; readonly hostNames: readonly string[] },
): ContentSite | { readonly diagnostics: readonly Diagnostic[] } => {
  const stat = fs.statSync(name, { throwIfNoEntry: false })
  if (stat?.isDirectory() === false) throw new UserError(`"${name}" is not a folder`)
  const content = contentFolder(name)
  const loader = createLoader({ hostNames })
  const found = stat === undefined ? { name: undefined, diagnostics: [] } : findSite(content)
  const listed = stat === undefined ? [] : listMembers(content).members
  const isMissing = found.diagnostics.every(({ code }) => code === 'missing-site')
  if (found.name === undefined && !isMissing) return { diagnostics: found.diagnostics }
  const schemas = schemasBeside(content.path)
  const newSite =
    found.name === undefined
      ? writeNewFile({ data: { base_url: baseUrl }, name: 'site', schema: readSchema('site'), schemas }).text
      : undefined
  const read: { readonly source?: Source; readonly diagnostic?: Diagnostic } =
    found.name === undefined
      ? { source: { file: `${content.name}/site.yaml`, text: newSite! } }
      : createReader(content)(found.name)
  if (read.source === undefined) return { diagnostics: [read.diagnostic!] }
  const { value: site, diagnostics } = loader.loadSite(read.source)
  if (site === undefined || hasErrors(diagnostics)) return { diagnostics }
  return {
    ...createTools({ content, site, source: read.source, loader }),
    ...{ site, newSite, schemas },
    folderOf: createFolderOf(content.path, { make: true }),
    members: new Set(listed),
  }
}
