import fs from 'node:fs'
import path from 'node:path'
import { type Diagnostic, fileStart, type Place, UserError } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import { jsonIn } from '../../text/json.ts'
import { suggest } from '../../text/suggest.ts'
import {
  type ContentFolder,
  type Groups,
  groupOf,
  hasStem,
  inMember,
  isLeftAlone,
  isPicture,
  isYaml,
  meantYaml,
  memberFolder,
  names,
  stemOf,
  yamlName,
} from '../layout.ts'
import { type Data, isMapping } from '../parse/data.ts'
import { parse } from '../parse/parse.ts'
import { readTree } from '../parse/reader.ts'
import { byPath, foldUsername, isUntidy, isUsername, meantUsername } from '../username.ts'
import { leadsThroughLink, peek } from './read-file.ts'

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

export type PictureFile = {
  /** Below the member's folder. */
  readonly path: string
  readonly stat: fs.Stats
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
    return [diagnose('twin-files', at(`${dir}/${twin}`), { name: twin, twin: name! })]
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

/** What is wrong with a folder's entries but for those that belong there. */
const straysIn = (folder: Folder, belongs: (entry: fs.Dirent) => boolean): Diagnostic[] =>
  fs
    .readdirSync(path.join(folder.content.path, folder.below), { withFileTypes: true })
    .flatMap((entry) => (belongs(entry) ? [] : strays(folder, entry.name, entry)))

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
    const better = meantUsername(username)
    const advice = isUsername(better) ? `rename the folder to "${better}"` : undefined
    diagnostics.push(diagnose('bad-username', at(place), { value: username, advice }))
  } else if (isUntidy(username))
    diagnostics.push(diagnose('untidy-username', at(place), { username }))
  const [profile] = profiles.sort()
  if (profiles.length !== 1) {
    const missing = diagnose('missing-profile', at(`${place}/${names.profile}.yaml`), { username })
    for (const one of unlessOne(profiles, missing, diagnostics)) diagnostics.push(one)
  }
  const stats = profile === undefined ? [] : [fs.lstatSync(`${path}/${profile}`)]
  const shots: string[] = []
  if (hasShots) {
    const inside: Folder = { ...folder, below: `${folder.below}/${names.shots}`, role: 'shots' }
    // the hot loop of a build in which nothing changed: one listing, and one stat for each name
    for (const name of fs.readdirSync(`${path}/${names.shots}`).sort()) {
      const stat = fs.lstatSync(`${path}/${names.shots}/${name}`, { throwIfNoEntry: false })
      if (stat?.isFile() && isYaml(name) && !isLeftAlone(name)) {
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

/** A folder of the content, by its path below the content folder: `''` is the content folder itself. */
type Folder = {
  readonly content: ContentFolder
  readonly below: string
  readonly role: Role
  /** Takes the pictures that are found; absent outside of members' folders. */
  readonly pictures?: PictureFile[]
}

const placeOf = ({ content, below }: Folder): string =>
  below === '' ? content.name : `${content.name}/${below}`

/** What a folder is for; `other` is one that nothing is read from. */
type Role = 'content' | 'members' | 'member' | 'shots' | 'other'

/**
 * What is wrong with an entry that is no part of the content: work that would be lost in silence, and links. Hidden
 * files and other files are nobody's content and left alone. No type: the name can't be found again.
 */
const strays = (
  folder: Folder,
  name: string,
  type: fs.Dirent | fs.Stats | undefined,
): Diagnostic[] => {
  const { content, role } = folder
  const place = placeOf(folder)
  const file = `${place}/${name}`
  if (type === undefined || name.includes('\ufffd'))
    return [diagnose('bad-file-name', at(place), { name })]
  if (isLeftAlone(name) || (role === 'member' && name === names.imported)) return []
  if (type.isFile() && isPicture(name) && role !== 'content') {
    const below = inside(folder, name)
    if (folder.pictures === undefined)
      return role === 'members' ? [diagnose('picture-unused', at(file), {})] : []
    const stat = type instanceof fs.Stats ? type : fs.lstatSync(`${content.path}/${below}`)
    folder.pictures.push({ path: inMember(below, content).rest, stat })
    return []
  }
  const looksLikeYaml = isYaml(name) || meantYaml(name) !== undefined
  const text = type.isFile() ? peek(content.path, inside(folder, name)) : undefined
  // git takes a folder with such a file for a repository, whose config names programs to run
  const mayBeHead =
    /^head$/i.test(name) && (type.isSymbolicLink() || /^(?:ref:|[\da-f]{40})/.test(text ?? ''))
  if (mayBeHead) return [diagnose('git-repository', at(place), undefined)]
  if (type.isSymbolicLink())
    return role === 'content' && !looksLikeYaml ? [] : [inTheWay(file, type)]
  if (type.isDirectory()) return strayFolder(folder, name)
  if (!type.isFile()) return looksLikeYaml ? [inTheWay(file, type)] : []
  const isSite = looksLikeYaml && /^base_url[ \t]*:/m.test(text ?? '')
  const kind = isSite ? 'site' : kindOfText(text)
  return looksLikeYaml || kind !== undefined ? [strayFile(folder, name, kind)] : []
}

const inside = ({ below }: Folder, name: string): string =>
  below === '' ? name : `${below}/${name}`

const inTheWay = (file: string, type: fs.Dirent | fs.Stats): Diagnostic => {
  if (type.isSymbolicLink()) return diagnose('symbolic-link', at(file), undefined)
  const other = type.isFile() ? 'file' : 'other'
  return diagnose('not-a-file', at(file), { is: type.isDirectory() ? 'folder' : other })
}

const at = (file: string): Place => ({ file, ...fileStart })

const strayFile = (folder: Folder, name: string, kind: FileKind): Diagnostic => {
  const { content, role } = folder
  const file = at(`${placeOf(folder)}/${name}`)
  const yaml = yamlName(name)
  const isRead =
    role === 'shots' ||
    (role === 'content' && hasStem(yaml, names.site)) ||
    (role === 'member' && hasStem(yaml, names.profile))
  // the place is right, only the ending is wrong
  if (!isYaml(name) && isRead)
    return { ...diagnose('wrong-ending', file, { name, meant: yaml }), fix: inside(folder, yaml) }
  const target = targetOf(folder, yaml, kind)
  const meant = target && `${content.path}/${target.slice(content.name.length + 1)}`
  const isTaken = meant !== undefined && isOther(meant, `${content.path}/${inside(folder, name)}`)
  const stray = diagnose('stray-yaml', file, { name, ...(isTaken ? { twin: target } : { target }) })
  const isShot = role === 'member' && kind === 'shot'
  return isShot ? { ...stray, fix: inside(folder, `${names.shots}/${yaml}`) } : stray
}

/** Whether something stands at a path that is not the file itself, as it is where letter case counts nothing. */
const isOther = (place: string, file: string): boolean => {
  const stat = fs.lstatSync(place, { bigint: true, throwIfNoEntry: false })
  return stat !== undefined && stat.ino !== fs.lstatSync(file, { bigint: true }).ino
}

const targetOf = (folder: Folder, name: string, kind: FileKind): string | undefined => {
  const { content, role } = folder
  const place = placeOf(folder)
  const stem = stemOf(name)
  if (kind === 'shot') {
    const { username, rest } = inMember(folder.below, content)
    if (username === '' || !/^(?:shots\/|$)/.test(rest)) return undefined
    return `${content.name}/${memberFolder(username, content)}/${names.shots}/${name}`
  }
  if (role === 'member') {
    const isProfile = suggest(stem, [names.profile]) || (kind === 'profile' && !hasProfile(folder))
    return isProfile ? `${place}/profile.yaml` : undefined
  }
  const isNear = role === 'content' && kind !== 'profile' && suggest(stem, [names.site])
  if (isNear || (kind === 'site' && findSite(content).name === undefined))
    return `${content.name}/site.yaml`
  return kind === 'profile' && role !== 'other' && isUsername(stem)
    ? `${content.name}/${memberFolder(stem, content)}/profile.yaml`
    : undefined
}

/** A folder with a misspelt name is reported once; in any other folder, every file that would be lost. */
const strayFolder = (outer: Folder, name: string): Diagnostic[] => {
  const target = folderTarget(outer, name)
  const found: Diagnostic[] = []
  // a stack of our own, because folders may nest deeper than calls can
  const folders: Folder[] = [{ ...outer, below: inside(outer, name), role: 'other' }]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const path = `${outer.content.path}/${folder.below}`
    for (const entry of fs.readdirSync(path, { withFileTypes: true })) {
      const isFolder =
        entry.isDirectory() && !isLeftAlone(entry.name) && !entry.name.includes('\ufffd')
      if (isFolder) folders.push({ ...folder, below: `${folder.below}/${entry.name}` })
      else for (const problem of strays(folder, entry.name, entry)) found.push(problem)
      if (target !== undefined && found.length > 0)
        return [diagnose('stray-folder', at(`${placeOf(outer)}/${name}`), { name, target })]
    }
  }
  return found
}

/** What else people call the folders of members and of shots. */
const otherNames = {
  [names.members]: ['user', 'users', 'username', 'people', 'profiles', 'authors', 'team'],
  [names.shots]: ['work', 'works', 'post', 'posts', 'portfolio', 'projects'],
}

/** The path that a folder was most likely meant to have. */
const folderTarget = (folder: Folder, name: string): string | undefined => {
  const { content, role } = folder
  const meant = role === 'content' ? names.members : names.shots
  const isMeant = suggest(name, [meant]) || otherNames[meant].includes(name.toLowerCase())
  if ((role === 'content' || role === 'member') && isMeant) return `${placeOf(folder)}/${meant}`
  return role === 'content' && isUsername(name) && hasProfile({ content, below: name })
    ? `${content.name}/${memberFolder(name, content)}`
    : undefined
}

const hasProfile = ({ content, below }: Pick<Folder, 'content' | 'below'>): boolean =>
  ['yaml', 'yml'].some((ending) =>
    fs.existsSync(`${content.path}/${below}/${names.profile}.${ending}`),
  )

type ContentKind = 'profile' | 'shot'
type FileKind = ContentKind | 'site' | undefined

/** What a text reads as: a mapping with `id` and `title` is a shot, one with `id` and `name` a profile. */
export const kindOfText = (text: string | undefined): ContentKind | undefined => {
  // most files that are no content go no further
  if (text === undefined || !/\bid\b/.test(text) || !/\b(?:title|name)\b/.test(text))
    return undefined
  const data =
    readTree(text)?.tree.data ??
    (text.length > worthParsing ? outlineOf(text) : parse({ file: '', text }).data)
  if (!isMapping(data) || !('id' in data)) return undefined
  if ('title' in data) return 'shot'
  return 'name' in data ? 'profile' : undefined
}

/** UTF-16 units. A branch may bring a thousand files of 1 MiB under any name, and all are looked at. */
const worthParsing = 1 << 16

/** What a large text holds as JSON, or else the keys at the beginnings of its lines that tell what it is. */
const outlineOf = (text: string): Data => {
  if (text.trimStart().startsWith('{')) return (jsonIn(text) ?? '') as Data
  // notes, for instance, may show a shot somewhere: they have a line that is no part of a mapping
  if (/^(?![\s#%\]}-]|.*:(?!\S))./m.test(text)) return ''
  const keys = text.matchAll(/^(["']?)(id|title|name)\1[ \t]*:(?!\S)/gm)
  return Object.fromEntries(Array.from(keys, ([, , key]) => [key!, '']))
}
