import fs from 'node:fs'
import { names } from '../content/layout.ts'
import type { Loaded, Source } from '../content/load.ts'
import { createLoader } from '../content/load.ts'
import type { Profile, Shot } from '../content/member.ts'
import { once } from '../content/once.ts'
import { createReader, type Read } from '../content/read/read-file.ts'
import { contentFolder, findSite, listMembers, scanMember } from '../content/read/scan.ts'
import { readSchema, type Subschema, schemasBeside } from '../content/schema.ts'
import type { Site } from '../content/site.ts'
import { foldUsername } from '../content/username.ts'
import type { HostName } from '../content/values/formats.ts'
import { readClaims } from '../edit/content-files.ts'
import { writeNewFile } from '../edit/write.ts'
import { createFolderOf, type FolderOf, findEntry } from '../files/folder.ts'
import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'
import { createTools, readMember as readFiles, shotToken, type Tools } from '../snapshot/compile.ts'

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
  readonly schemaOf: Readonly<Record<'profile' | 'shot', Subschema>>
}

/** Opens a content folder; one that lacks site.yaml, or that is not there yet, will get one for this address. */
export const openContent = (
  name: string,
  { baseUrl, hostNames }: { readonly baseUrl: string; readonly hostNames: readonly HostName[] },
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
    schemaOf: { profile: readSchema('profile'), shot: readSchema('shot') },
    folderOf: createFolderOf(content.path, { make: true }),
    members: new Set(listed),
  }
}

/** A file of the content as it was read: its path below the content folder, and its text. */
export type ContentFile = { readonly path: string; readonly text: string }

/** What content says of a member, and the files that say it. */
export type Mine = {
  readonly profile: Profile
  readonly shots: ReadonlyMap<string, Shot>
  readonly files: {
    readonly profile: ContentFile
    readonly shots: ReadonlyMap<string, ContentFile>
    /** Names of the files in shots/. */
    readonly names: readonly string[]
  }
}

/** Reads a member's folder; a member with errors is not touched, so there is nothing but them. */
export const readMine = (
  username: string,
  { content, site, read, loader }: ContentSite,
): { readonly mine?: Mine; readonly diagnostics: readonly Diagnostic[] } => {
  const scan = scanMember(username, content)
  const diagnostics: Diagnostic[] = [...scan.diagnostics]
  const take = <T>({ source, diagnostic }: Read, load: (source: Source, site: Site) => Loaded<T>) => {
    const { value, diagnostics: found } =
      source === undefined ? { value: undefined, diagnostics: [diagnostic!] } : load(source, site)
    for (const one of found) diagnostics.push(one)
    if (source === undefined || value === undefined) return undefined
    return { value, file: { path: source.file.slice(content.name.length + 1), text: source.text } }
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
  const mine = {
    profile: profile.value,
    shots,
    files: { profile: profile.file, shots: files, names: scan.shots },
  }
  return { mine, diagnostics }
}

/** A shot of the site, and where it is below the content folder. */
export type KnownShot = {
  readonly id: string
  readonly token: string
  readonly owner: string
  readonly path: string
}

/** Who has which id, name or token on the whole site. It is made when it is first asked, as most imports never ask. */
export const createIndex = (found: ContentSite) => {
  const index = once(() => indexSite(found))
  return {
    /** The member that has this member id. */
    memberWithId: (id: string) => index().ids.get(id),
    memberWithAlias: (alias: string) => index().aliases.get(alias),
    /** Why a new member can't have a name, in words. */
    whyTaken: (name: string): string | undefined => {
      const other = index().folded.get(foldUsername(name))
      if (other !== undefined) return `the member "${other}" has that name, or an alias like it`
      if (found.isReserved(name)) return 'the name is reserved in site.yaml'
      const path = `${names.members}/${name}`
      const isInTheWay = findEntry(found.content.path, path)?.isDirectory() === false
      return isInTheWay ? `"${found.content.name}/${path}" is a file or a link` : undefined
    },
    shotWithId: (id: string) => index().shots.get(id),
    shotWithToken: (token: string) => {
      const shot = index().tokens.get(token)
      // it may have got another one since
      return shot !== undefined && index().shots.get(shot.id)?.token === token ? shot : undefined
    },
    addMember: (username: string, id: string): void => {
      found.members.add(username)
      index().ids.set(id, username)
      index().folded.set(foldUsername(username), username)
    },
    /** Adds a shot, or what its token is now. */
    addShot: (shot: KnownShot): void => addShot(index(), shot),
  }
}

export type SiteIndex = ReturnType<typeof createIndex>

const indexSite = ({ content, members }: ContentSite) => {
  const index = {
    ids: new Map<string, string>(),
    aliases: new Map<string, string>(),
    folded: new Map(Array.from(members, (username) => [foldUsername(username), username])),
    shots: new Map<string, KnownShot>(),
    tokens: new Map<string, KnownShot>(),
  }
  for (const { kind, owner, below: path, id, aliases = [], token_id } of readClaims(content, [...members])) {
    if (kind === 'profile' && id !== undefined) index.ids.set(id, owner)
    if (kind === 'shot' && id !== undefined)
      addShot(index, { id, token: token_id || shotToken(id), owner, path })
    for (const alias of aliases) {
      index.aliases.set(alias, owner)
      index.folded.set(foldUsername(alias), owner)
    }
  }
  return index
}

type ShotIndex = Pick<ReturnType<typeof indexSite>, 'shots' | 'tokens'>

const addShot = ({ shots, tokens }: ShotIndex, shot: KnownShot): void => {
  shots.set(shot.id, shot)
  tokens.set(shot.token, shot)
}
