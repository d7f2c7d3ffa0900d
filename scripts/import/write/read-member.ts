import { names } from '../../content/layout.ts'
import type { Shot } from '../../content/member.ts'
import { scanMember } from '../../content/read/scan.ts'
import { type Diagnostic, hasErrors } from '../../diagnostics/diagnostic.ts'
import type { Mine } from '../values/mine.ts'
import type { ContentSite } from './content-site.ts'

/** A file of the content as it was read: its path below the content folder, and its text. */
export type ContentFile = { readonly path: string; readonly text: string }

/** A member of the content, with the files that say it. */
export type MemberFiles = {
  readonly mine: Mine
  readonly profile: ContentFile
  readonly shots: ReadonlyMap<string, ContentFile>
  /** Names of the files in shots/. */
  readonly shotNames: readonly string[]
}

/** Reads a member's folder; a member with errors is not touched, so there is nothing but them. */
export const readMember = (
  username: string,
  { content, site, reader, loader }: ContentSite,
): { readonly member?: MemberFiles; readonly diagnostics: readonly Diagnostic[] } => {
  const scan = scanMember(username, content)
  const diagnostics: Diagnostic[] = [...scan.diagnostics]
  const read = (path: string) => {
    const { source, diagnostic } = reader(`${content.path}/${path}`, `${content.name}/${path}`)
    if (diagnostic !== undefined) diagnostics.push(diagnostic)
    return source
  }
  const folder = `${names.members}/${username}`
  const profilePath = `${folder}/${scan.profile}`
  const source = scan.profile === undefined ? undefined : read(profilePath)
  const profile = source && loader.loadProfile(source, site)
  for (const diagnostic of profile?.diagnostics ?? []) diagnostics.push(diagnostic)
  const shots = new Map<string, Shot>()
  const files = new Map<string, ContentFile>()
  for (const name of scan.shots) {
    const path = `${folder}/${names.shots}/${name}`
    const shotSource = read(path)
    if (shotSource === undefined) continue
    const { value, diagnostics: found } = loader.loadShot(shotSource, site)
    for (const diagnostic of found) diagnostics.push(diagnostic)
    if (value === undefined) continue
    shots.set(value.id, value)
    files.set(value.id, { path, text: shotSource.text })
  }
  if (source === undefined || profile?.value === undefined || hasErrors(diagnostics)) return { diagnostics }
  const mine = { profile: profile.value, shots }
  return {
    member: { mine, profile: { path: profilePath, text: source.text }, shots: files, shotNames: scan.shots },
    diagnostics,
  }
}
