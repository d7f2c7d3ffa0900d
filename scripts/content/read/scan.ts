import fs from 'node:fs'
import path from 'node:path'
import { type Diagnostic, UserError } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import { suggest } from '../../text/suggest.ts'
import {
  type ContentFolder,
  type Groups,
  groupOf,
  hasStem,
  isLeftAlone,
  isYaml,
  memberFolder,
  names,
  stemOf,
  yamlName,
} from '../layout.ts'
import { byPath, foldUsername, isUntidy, isUsername, meantUsername } from '../username.ts'
import { leadsThroughLink } from './read-file.ts'
import {
  at,
  type Folder,
  hasProfile,
  inside,
  inTheWay,
  type PictureFile,
  placeOf,
  strays,
  straysIn,
} from './strays.ts'

// What belongs to the content comes first; then what is told of everything else that lies there.

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

/** The name of site.yaml as it stands in the folder; `undefined` if there is none, which others that are told may explain. */
export const findSite = (content: ContentFolder, others: readonly Diagnostic[] = []) => {
  const diagnostics: Diagnostic[] = []
  const found = [`${names.site}.yaml`, `${names.site}.yml`].filter((name) => {
    const stat = fs.lstatSync(`${content.path}/${name}`, { throwIfNoEntry: false })
    if (stat?.isFile() === false) diagnostics.push(inTheWay(`${content.name}/${name}`, stat))
    return stat?.isFile()
  })
  const missing = diagnose('missing-site', at(`${content.name}/${names.site}.yaml`), undefined)
  const all = [...diagnostics, ...unlessOne(found, missing, [...diagnostics, ...others])]
  return { name: found[0], diagnostics: all }
}

/** What to tell of a file that must be there once: that it is missing, if nothing that is told explains it, or a twin. */
const unlessOne = (
  [name, twin]: readonly string[],
  missing: Diagnostic,
  told: readonly Diagnostic[],
): readonly Diagnostic[] => {
  const { dir, name: stem } = path.posix.parse(missing.file)
  if (twin !== undefined)
    return [diagnose('twin-files', at(`${dir}/${twin}`), { name: twin, twin: name ?? '' })]
  // a file that is not read, such as a link or `profil.yaml`
  const isNear = ({ file }: Diagnostic): boolean => {
    const below = file.slice(dir.length + 1)
    return !below.includes('/') && suggest(stemOf(yamlName(below)), [stem]) !== undefined
  }
  const explains = (one: Diagnostic): boolean =>
    isNear(one) || one.hint?.includes(`"${missing.file}"`) === true
  return name === undefined && !told.some(explains) ? [missing] : []
}

/** The members' folders, sorted as their paths are, and what is wrong with the tree around them. */
export const listMembers = (
  content: ContentFolder,
): { members: string[]; diagnostics: Diagnostic[] } => {
  const folder: Folder = { content, below: names.members, role: 'members' }
  const place = placeOf(folder)
  const members: string[] = []
  const { groups = 0 } = content
  /** Takes a folder of members/ for a member, or for a group of them. */
  const look = (name: string): true => {
    const group: Folder = { ...folder, below: `${names.members}/${name}` }
    if (groups === 0 ? !mayBeGroup(group) : hasProfile(group)) add(name, group.below)
    else {
      const found = straysIn(
        group,
        (entry) => isFolder(entry) && add(entry.name, inside(group, entry.name)),
      )
      for (const one of found) diagnostics.push(one)
    }
    return true
  }
  const add = (username: string, below: string): true => {
    if (below === memberFolder(username, content)) members.push(username)
    else diagnostics.push(misplaced(username, below, content))
    return true
  }
  const around = straysIn(
    { content, below: '', role: 'content' },
    ({ name }) => name === names.members || hasStem(name, names.site),
  )
  const stat = fs.lstatSync(`${content.path}/${names.members}`, { throwIfNoEntry: false })
  if (stat?.isDirectory() === false) return { members: [], diagnostics: [inTheWay(place, stat)] }
  const isFolder = (entry: fs.Dirent): boolean =>
    entry.isDirectory() && !entry.name.includes('\ufffd')
  const diagnostics = [...around]
  const within = stat && straysIn(folder, (entry) => isFolder(entry) && look(entry.name))
  for (const one of within ?? []) diagnostics.push(one)
  members.sort(byPath)
  // members in the wrong place have been reported already
  if (members.length === 0 && diagnostics.length === 0) {
    diagnostics.push(diagnose('no-members', at(place), undefined))
  }
  return { members, diagnostics: [...diagnostics, ...clashes(members, content)] }
}

/** How members are grouped where site.yaml can't tell: by the folders in which profiles lie. */
export const guessGroups = (content: ContentFolder): Groups => {
  const below = names.members
  const folders = fs.existsSync(`${content.path}/${below}`)
    ? fs
        .readdirSync(`${content.path}/${below}`, { withFileTypes: true })
        .filter((one) => one.isDirectory())
    : []
  const groups = folders.filter(({ name }) =>
    mayBeGroup({ content, below: `${below}/${name}`, role: 'members' }),
  )
  const [first] = groups.length === folders.length ? groups : []
  if (first === undefined) return 0
  return first.name.length === 1 ? 1 : 2
}

/** Whether a folder of members/ is no member, but holds some, as where a site gives up its groups. */
const mayBeGroup = (folder: Folder): boolean => {
  const { content, below } = folder
  const name = path.posix.basename(below)
  if (!/^[a-z0-9_]{1,2}$/.test(name) || hasProfile(folder)) return false
  const within = fs.readdirSync(`${content.path}/${below}`, { withFileTypes: true })
  const isMember = (one: fs.Dirent): boolean =>
    one.isDirectory() &&
    groupOf(one.name, name.length === 1 ? 1 : 2) === name &&
    !isLeftAlone(one.name) &&
    hasProfile({ content, below: inside(folder, one.name) })
  return within.some(isMember)
}

const misplaced = (username: string, below: string, content: ContentFolder): Diagnostic => {
  const fix = memberFolder(username, content)
  const args = { username, target: `${content.name}/${fix}` }
  return { ...diagnose('misplaced-member', at(`${content.name}/${below}`), args), fix }
}

/** Lists a member's folder, by a name from anywhere. No file is opened and no link is followed. */
export const scanMember = (username: string, content: ContentFolder): Scan => {
  const below = memberFolder(username, content)
  if (leadsThroughLink(content.path, below)) {
    throw new UserError(`${content.path}/${below} leads through a symbolic link`, {
      hint: 'put the folder itself there',
    })
  }
  return scanListed(username, content)
}

/** The same of a member that {@link listMembers} found: whether links lead there is known. */
export const scanListed = (username: string, content: ContentFolder): Scan => {
  const pictures: PictureFile[] = []
  const folder: Folder = {
    content,
    below: memberFolder(username, content),
    role: 'member',
    pictures,
  }
  const place = placeOf(folder)
  const profiles: string[] = []
  let hasShots = false
  const diagnostics = straysIn(folder, (entry) => {
    if (entry.isDirectory() && entry.name === names.shots) hasShots = true
    else if (entry.isFile() && hasStem(entry.name, names.profile)) profiles.push(entry.name)
    else return false
    return true
  })
  for (const one of checkName(username, place)) diagnostics.push(one)
  const [profile] = profiles.sort()
  if (profiles.length !== 1) {
    const missing = diagnose('missing-profile', at(`${place}/${names.profile}.yaml`), { username })
    for (const one of unlessOne(profiles, missing, diagnostics)) diagnostics.push(one)
  }
  const files =
    profile === undefined
      ? []
      : [{ name: profile, stat: fs.lstatSync(`${content.path}/${inside(folder, profile)}`) }]
  const shots = hasShots ? scanShots(folder) : { files: [], diagnostics: [] }
  for (const one of shots.diagnostics) diagnostics.push(one)
  pictures.sort((a, b) => (a.path < b.path ? -1 : 1))
  return {
    username,
    profile,
    shots: shots.files.map(({ name }) => name),
    stats: [...files, ...shots.files].map(({ stat }) => stat),
    pictures,
    diagnostics,
  }
}

const checkName = (username: string, place: string): readonly Diagnostic[] => {
  if (isUsername(username))
    return isUntidy(username) ? [diagnose('untidy-username', at(place), { username })] : []
  const better = meantUsername(username)
  const advice = isUsername(better) ? `rename the folder to "${better}"` : undefined
  return [diagnose('bad-username', at(place), { value: username, advice })]
}

/** The hot loop of a build in which nothing changed: one listing, and one stat for each name. */
const scanShots = (member: Folder) => {
  const folder: Folder = { ...member, below: inside(member, names.shots), role: 'shots' }
  const path = `${folder.content.path}/${folder.below}`
  const files: { readonly name: string; readonly stat: fs.Stats }[] = []
  const diagnostics: Diagnostic[] = []
  for (const name of fs.readdirSync(path).sort()) {
    const stat = fs.lstatSync(`${path}/${name}`, { throwIfNoEntry: false })
    if (stat?.isFile() && isYaml(name) && !isLeftAlone(name)) files.push({ name, stat })
    else if (stat !== undefined || name.includes('\ufffd'))
      for (const stray of strays(folder, name, stat)) diagnostics.push(stray)
  }
  return { files, diagnostics }
}

const clashes = (members: readonly string[], content: ContentFolder): Diagnostic[] => {
  const placeAt = (username: string) => at(`${content.name}/${memberFolder(username, content)}`)
  const first = new Map<string, string>()
  return members.flatMap((username) => {
    const other = first.get(foldUsername(username)) ?? username
    first.set(foldUsername(username), other)
    const related = [{ ...placeAt(other), message: 'the other one' }]
    return other === username
      ? []
      : [diagnose('username-clash', placeAt(username), { username, other }, related)]
  })
}
