import type { Loaded, Source } from '../../content/load.ts'
import type { Profile, Shot } from '../../content/member.ts'
import type { Read } from '../../content/read/read-file.ts'
import { scanMember } from '../../content/read/scan.ts'
import type { Site } from '../../content/site.ts'
import { type Diagnostic, hasErrors } from '../../problems/diagnostic.ts'
import { readMember as readFiles } from '../../snapshot/compile.ts'
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
  { content, site, read, loader }: ContentSite,
): { readonly member?: MemberFiles; readonly diagnostics: readonly Diagnostic[] } => {
  const scan = scanMember(username, content)
  const diagnostics: Diagnostic[] = [...scan.diagnostics]
  const take = <T>({ source, diagnostic }: Read, load: (source: Source, site: Site) => Loaded<T>) => {
    if (source === undefined) {
      diagnostics.push(diagnostic)
      return undefined
    }
    const { value, diagnostics: found } = load(source, site)
    for (const one of found) diagnostics.push(one)
    const file: ContentFile = { path: source.file.slice(content.name.length + 1), text: source.text }
    return value === undefined ? undefined : { value, file }
  }
  let profile: { readonly value: Profile; readonly file: ContentFile } | undefined
  const shots = new Map<string, Shot>()
  const files = new Map<string, ContentFile>()
  readFiles(scan, read, {
    profile: (file) => {
      profile = take(file, loader.loadProfile)
    },
    shot: (file) => {
      const shot = take(file, loader.loadShot)
      if (shot === undefined) return
      shots.set(shot.value.id, shot.value)
      files.set(shot.value.id, shot.file)
    },
  })
  if (profile === undefined || hasErrors(diagnostics)) return { diagnostics }
  const mine = { profile: profile.value, shots }
  return { member: { mine, profile: profile.file, shots: files, shotNames: scan.shots }, diagnostics }
}
