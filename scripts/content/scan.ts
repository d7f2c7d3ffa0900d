import fs from 'node:fs'
import { type Diagnostic, fileStart, type Place } from '../diagnostics/diagnostic.ts'
import { diagnose } from '../diagnostics/messages.ts'
import { hasStem, isYaml, looksLikeYaml, names } from './layout.ts'
import { foldUsername, isUntidy, isUsername } from './username.ts'

/** The content folder: where it is, and what diagnostics call it. */
export type ContentFolder = {
  readonly path: string
  /** As given on the command line: `content`. */
  readonly name: string
}

/** The files of one member that will be read, and what is wrong with the tree around them. */
export type Scan = {
  readonly username: string
  /** Name of the profile's file; `undefined` if there is none. */
  readonly profile: string | undefined
  /** Names of the files in `shots/`, sorted by code unit. */
  readonly shots: readonly string[]
  /** The profile's stat, then those of the shots. */
  readonly stats: readonly fs.Stats[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The name of site.yaml as it stands in the folder; `undefined` if there is none. */
export const findSite = (content: ContentFolder): { name: string | undefined; diagnostics: Diagnostic[] } => {
  const diagnostics: Diagnostic[] = []
  const found: string[] = []
  for (const name of [`${names.site}.yaml`, `${names.site}.yml`]) {
    const stat = fs.lstatSync(`${content.path}/${name}`, { throwIfNoEntry: false })
    if (stat?.isFile()) found.push(name)
    else if (stat !== undefined) diagnostics.push(notAFile(`${content.name}/${name}`, stat))
  }
  const [name, twin] = found
  if (twin !== undefined) {
    diagnostics.push(diagnose('twin-files', at(`${content.name}/${twin}`), { name: twin, twin: name! }))
  }
  if (name === undefined && diagnostics.length === 0) {
    diagnostics.push(diagnose('missing-site', at(`${content.name}/${names.site}.yaml`), undefined))
  }
  return { name, diagnostics }
}

/** The members' folders, sorted as their paths are; no folder `members` is a site without members. */
export const listMembers = (content: ContentFolder): { members: string[]; diagnostics: Diagnostic[] } => {
  const path = `${content.path}/${names.members}`
  const place = `${content.name}/${names.members}`
  const stat = fs.lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return { members: [], diagnostics: [] }
  if (!stat.isDirectory()) return { members: [], diagnostics: [notAFile(place, stat)] }
  const members: string[] = []
  const diagnostics: Diagnostic[] = []
  // one by one: a list of all entries is several times the size of the names
  const folder = fs.opendirSync(path, { bufferSize: 1024 })
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (entry.isDirectory() && !entry.name.includes('\ufffd')) members.push(entry.name)
      else diagnostics.push(...strays({ path, place }, entry.name, entry))
    }
  } finally {
    folder.closeSync()
  }
  members.sort(byPath)
  return { members, diagnostics: [...diagnostics, ...clashes(members, place)] }
}

/** Lists a member's folder. Nothing is opened and no link is followed. */
export const scanMember = (username: string, content: ContentFolder): Scan => {
  const path = `${content.path}/${names.members}/${username}`
  const place = `${content.name}/${names.members}/${username}`
  const diagnostics: Diagnostic[] = []
  const profiles: string[] = []
  let hasShots = false
  if (!isUsername(username)) diagnostics.push(diagnose('bad-username', at(place), { username }))
  else if (isUntidy(username)) diagnostics.push(diagnose('untidy-username', at(place), { username }))
  for (const entry of fs.readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name === names.shots) hasShots = true
    else if (entry.isFile() && hasStem(entry.name, names.profile)) profiles.push(entry.name)
    else diagnostics.push(...strays({ path, place }, entry.name, entry))
  }
  const [profile, twin] = profiles.sort()
  if (
    profile === undefined &&
    !diagnostics.some(({ file }) => hasStem(file.slice(place.length + 1), names.profile))
  ) {
    diagnostics.push(diagnose('missing-profile', at(`${place}/${names.profile}.yaml`), { username }))
  }
  if (twin !== undefined) {
    diagnostics.push(diagnose('twin-files', at(`${place}/${twin}`), { name: twin, twin: profile! }))
  }
  const stats: fs.Stats[] = []
  if (profile !== undefined) stats.push(fs.lstatSync(`${path}/${profile}`))
  const shots: string[] = []
  if (hasShots) {
    scanShots(
      { path: `${path}/${names.shots}`, place: `${place}/${names.shots}` },
      { shots, stats, diagnostics },
    )
  }
  return { username, profile, shots, stats, diagnostics }
}

/** A folder, and what diagnostics call it. */
type Folder = { readonly path: string; readonly place: string }

type Found = { readonly shots: string[]; readonly stats: fs.Stats[]; readonly diagnostics: Diagnostic[] }

/** The hot loop of a build in which nothing changed: one listing, and one stat for each name. */
const scanShots = (folder: Folder, { shots, stats, diagnostics }: Found): void => {
  for (const name of fs.readdirSync(folder.path).sort()) {
    const stat = fs.lstatSync(`${folder.path}/${name}`, { throwIfNoEntry: false })
    if (stat?.isFile() && isYaml(name)) {
      shots.push(name)
      stats.push(stat)
    } else if (stat !== undefined || name.includes('\ufffd')) {
      diagnostics.push(...strays(folder, name, stat))
    }
  }
}

/** What is wrong with an entry that is no part of the content: a link, or YAML that nobody would read. */
const strays = (
  { path, place }: Folder,
  name: string,
  type: fs.Dirent | fs.Stats | undefined,
): Diagnostic[] => {
  const file = `${place}/${name}`
  if (type === undefined || name.includes('\ufffd')) return [diagnose('bad-file-name', at(place), { name })]
  if (type.isSymbolicLink()) return [notAFile(file, type)]
  if (type.isDirectory()) {
    return fs
      .readdirSync(`${path}/${name}`, { withFileTypes: true })
      .flatMap((entry) => strays({ path: `${path}/${name}`, place: file }, entry.name, entry))
  }
  if (!looksLikeYaml(name)) return []
  return [type.isFile() ? diagnose('stray-yaml', at(file), { name }) : notAFile(file, type)]
}

const notAFile = (file: string, type: fs.Dirent | fs.Stats): Diagnostic =>
  diagnose(type.isSymbolicLink() ? 'symbolic-link' : 'not-a-file', at(file), undefined)

const clashes = (members: readonly string[], place: string): Diagnostic[] => {
  const seen = new Map<string, string>()
  return members.flatMap((username) => {
    const other = seen.get(foldUsername(username))
    if (other === undefined) {
      seen.set(foldUsername(username), username)
      return []
    }
    const related = [{ ...at(`${place}/${other}`), message: 'the other one' }]
    return [diagnose('username-clash', at(`${place}/${username}`), { username, other }, related)]
  })
}

/** In the order of the paths below the folders: `a.b/…` before `a/…`. */
const byPath = (a: string, b: string): number => (`${a}/` < `${b}/` ? -1 : 1)

const at = (file: string): Place => ({ file, ...fileStart })
