import fs from 'node:fs'
import path from 'node:path'
import type { Diagnostic } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import { UserError } from '../../problems/user-error.ts'
import { suggest } from '../../text/suggest.ts'
import { hasStem, isYaml, meantYaml, names, stemOf } from '../layout.ts'
import { byPath, foldUsername, isUntidy, isUsername } from '../username.ts'
import { candidates } from '../values/meant.ts'
import { leadsThroughLink } from './read-file.ts'
import { at, type Folder, notAFile, notAFolder, type PictureFile, placeOf, strays } from './strays.ts'

/** The content folder: where it is, and what diagnostics call it. */
export type ContentFolder = {
  readonly path: string
  /** As given on the command line: `content`. */
  readonly name: string
}

/** The content folder that a command line names. Diagnostics show it with `/`, on every system. */
export const contentFolder = (name: string): ContentFolder => {
  const shown = name.replaceAll(path.sep, '/')
  return { path: path.resolve(name), name: shown.replace(/(?<=.)\/+$/, '') }
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
  /** All pictures in the member's folder and below it, named or not; sorted by path. */
  readonly pictures: readonly PictureFile[]
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
  if (twin !== undefined) diagnostics.push(twins(content.name, [name!, twin]))
  if (name === undefined && diagnostics.length === 0) {
    diagnostics.push(diagnose('missing-site', at(`${content.name}/${names.site}.yaml`), undefined))
  }
  return { name, diagnostics }
}

/** What is wrong with the site's file; without "missing" if another file is already said to need that name. */
export const withoutNearSite = (
  content: ContentFolder,
  { site, others }: { readonly site: readonly Diagnostic[]; readonly others: readonly Diagnostic[] },
): readonly Diagnostic[] => {
  const isNearSite = ({ file }: Diagnostic): boolean => {
    const name = file.slice(content.name.length + 1)
    return !name.includes('/') && isNear(name, names.site)
  }
  return others.some(isNearSite) ? site.filter(({ code }) => code !== 'missing-site') : site
}

/** The members' folders, sorted as their paths are, and what is wrong with the tree around them. */
export const listMembers = (content: ContentFolder): { members: string[]; diagnostics: Diagnostic[] } => {
  const folder: Folder = { content, below: names.members, role: 'members' }
  const place = placeOf(folder)
  const members: string[] = []
  const around = straysIn(
    { content, below: '', role: 'content' },
    ({ name }) => name === names.members || hasStem(name, names.site),
  )
  const stat = fs.lstatSync(`${content.path}/${names.members}`, { throwIfNoEntry: false })
  if (stat?.isDirectory() === false) return { members: [], diagnostics: [notAFolder(place, stat)] }
  const isMember = (entry: fs.Dirent): boolean => entry.isDirectory() && !entry.name.includes('\ufffd')
  const within = stat && straysIn(folder, (entry) => isMember(entry) && members.push(entry.name) > 0)
  const diagnostics = [...around, ...(within ?? [])]
  members.sort(byPath)
  // members in the wrong place have been reported already
  if (members.length === 0 && diagnostics.length === 0) {
    diagnostics.push(diagnose('no-members', at(place), undefined))
  }
  return { members, diagnostics: [...diagnostics, ...clashes(members, place)] }
}

/** What is wrong with a folder's entries but for those that belong there. */
const straysIn = (folder: Folder, belongs: (entry: fs.Dirent) => boolean): Diagnostic[] =>
  fs
    .readdirSync(path.join(folder.content.path, folder.below), { withFileTypes: true })
    .flatMap((entry) => (belongs(entry) ? [] : strays(folder, entry.name, entry)))

/** Lists a member's folder, by a name from anywhere. No file is opened and no link is followed. */
export const scanMember = (username: string, content: ContentFolder): Scan => {
  if (leadsThroughLink(content.path, `${names.members}/${username}`)) {
    throw new UserError(`${content.path}/${names.members}/${username} leads through a symbolic link`, {
      hint: 'put the folder itself there',
    })
  }
  return scanListed(username, content)
}

/** The same of a member that {@link listMembers} found: whether links lead there is known. */
export const scanListed = (username: string, content: ContentFolder): Scan => {
  const pictures: PictureFile[] = []
  const folder: Folder = { content, below: `${names.members}/${username}`, role: 'member', pictures }
  const path = `${content.path}/${folder.below}`
  const place = placeOf(folder)
  const profiles: string[] = []
  let hasShots = false
  const diagnostics = straysIn(folder, (entry) => {
    if (entry.isDirectory() && entry.name === names.shots) hasShots = true
    else if (entry.isFile() && hasStem(entry.name, names.profile)) profiles.push(entry.name)
    else return false
    return true
  })
  if (!isUsername(username)) {
    const better = candidates(username, '', { 'x-code': 'bad-username' }).at(-1)!
    const advice = isUsername(better) ? `rename the folder to "${better}"` : undefined
    diagnostics.push(diagnose('bad-username', at(place), { value: username, advice }))
  } else if (isUntidy(username)) diagnostics.push(diagnose('untidy-username', at(place), { username }))
  const [profile, twin] = profiles.sort()
  const isExplained = ({ file, hint = '' }: Diagnostic): boolean =>
    isNear(file.slice(place.length + 1), names.profile) || hint.includes(`"${place}/${names.profile}.yaml"`)
  if (profile === undefined && !diagnostics.some(isExplained)) {
    diagnostics.push(diagnose('missing-profile', at(`${place}/${names.profile}.yaml`), { username }))
  }
  if (twin !== undefined) diagnostics.push(twins(place, [profile!, twin]))
  const stats = profile === undefined ? [] : [fs.lstatSync(`${path}/${profile}`)]
  const shots: string[] = []
  if (hasShots) {
    const inside: Folder = { ...folder, below: `${folder.below}/${names.shots}`, role: 'shots' }
    // the hot loop of a build in which nothing changed: one listing, and one stat for each name
    for (const name of fs.readdirSync(`${path}/${names.shots}`).sort()) {
      const stat = fs.lstatSync(`${path}/${names.shots}/${name}`, { throwIfNoEntry: false })
      if (stat?.isFile() && isYaml(name) && !name.startsWith('._')) {
        shots.push(name)
        stats.push(stat)
      } else if (stat !== undefined || name.includes('\ufffd')) {
        for (const stray of strays(inside, name, stat)) diagnostics.push(stray)
      }
    }
  }
  pictures.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { username, profile, shots, stats, pictures, diagnostics }
}

/** Two files of which one can count. */
const twins = (place: string, [twin, name]: readonly [string, string]): Diagnostic =>
  diagnose('twin-files', at(`${place}/${name}`), { name, twin })

/** An entry that is not read, such as a link or `profil.yaml`: to report a missing file as well would be no help. */
const isNear = (name: string, stem: string): boolean =>
  suggest(stemOf(meantYaml(name) ?? name), [stem]) !== undefined

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
