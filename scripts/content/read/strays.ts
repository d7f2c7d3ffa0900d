import fs from 'node:fs'
import path from 'node:path'
import { type Diagnostic, fileStart, type Place } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import { suggest } from '../../text/suggest.ts'
import {
  type ContentFolder,
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
import { isUsername } from '../username.ts'
import { type FileKind, kindOfText } from './kind.ts'
import { peek } from './read-file.ts'

// What is told of everything in the content folder that is no part of the content.

export type PictureFile = {
  /** Below the member's folder. */
  readonly path: string
  readonly stat: fs.Stats
}

/** What is wrong with a folder's entries but for those that belong there. */
export const straysIn = (folder: Folder, belongs: (entry: fs.Dirent) => boolean): Diagnostic[] =>
  fs
    .readdirSync(path.join(folder.content.path, folder.below), { withFileTypes: true })
    .flatMap((entry) => (belongs(entry) ? [] : strays(folder, entry.name, entry)))

/** A folder of the content, by its path below the content folder: `''` is the content folder itself. */
export type Folder = {
  readonly content: ContentFolder
  readonly below: string
  readonly role: Role
  /** Takes the pictures that are found; absent outside of members' folders. */
  readonly pictures?: PictureFile[]
}

export const placeOf = ({ content, below }: Folder): string =>
  below === '' ? content.name : `${content.name}/${below}`

/** What a folder is for; `other` is one that nothing is read from. */
type Role = 'content' | 'members' | 'member' | 'shots' | 'other'

/**
 * What is wrong with an entry that is no part of the content: work that would be lost in silence, and links. Hidden
 * files and other files are nobody's content and left alone. No type: the name can't be found again.
 */
export const strays = (
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
  if (type.isFile() && isPicture(name) && role !== 'content') return picture(folder, name, type)
  const text = type.isFile() ? peek(content.path, inside(folder, name)) : undefined
  if (/^head$/i.test(name) && (type.isSymbolicLink() || isGitHead(text)))
    return [diagnose('git-repository', at(place), undefined)]
  if (type.isDirectory()) return strayFolder(folder, name)
  const looksLikeYaml = isYaml(name) || meantYaml(name) !== undefined
  if (type.isFile()) return strayText(folder, { name, text: text ?? '', looksLikeYaml })
  const isTold = looksLikeYaml || (type.isSymbolicLink() && role !== 'content')
  return isTold ? [inTheWay(file, type)] : []
}

/** Git takes a folder with such a file for a repository, whose config names programs to run. */
const isGitHead = (text = ''): boolean => /^(?:ref:|[\da-f]{40})/.test(text)

/** A picture belongs to the member in whose folder it lies. */
const picture = (folder: Folder, name: string, type: fs.Dirent | fs.Stats): Diagnostic[] => {
  const { content, role, pictures } = folder
  const below = inside(folder, name)
  if (pictures === undefined)
    return role === 'members'
      ? [diagnose('picture-unused', at(`${content.name}/${below}`), {})]
      : []
  const stat = type instanceof fs.Stats ? type : fs.lstatSync(`${content.path}/${below}`)
  pictures.push({ path: inMember(below, content).rest, stat })
  return []
}

/** A file that has the name or the text of content. */
const strayText = (
  folder: Folder,
  { name, text, looksLikeYaml }: { name: string; text: string; looksLikeYaml: boolean },
): Diagnostic[] => {
  const isSite = looksLikeYaml && /^base_url[ \t]*:/m.test(text)
  const kind = isSite ? 'site' : kindOfText(text)
  return looksLikeYaml || kind !== undefined ? [strayFile(folder, name, kind)] : []
}

export const inside = ({ below }: Folder, name: string): string =>
  below === '' ? name : `${below}/${name}`

export const inTheWay = (file: string, type: fs.Dirent | fs.Stats): Diagnostic => {
  if (type.isSymbolicLink()) return diagnose('symbolic-link', at(file), undefined)
  const other = type.isFile() ? 'file' : 'other'
  return diagnose('not-a-file', at(file), { is: type.isDirectory() ? 'folder' : other })
}

export const at = (file: string): Place => ({ file, ...fileStart })

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
  if (isNear || (kind === 'site' && !hasSite(content))) return `${content.name}/site.yaml`
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

const hasSite = ({ path }: ContentFolder): boolean =>
  ['yaml', 'yml'].some((ending) =>
    fs.lstatSync(`${path}/${names.site}.${ending}`, { throwIfNoEntry: false })?.isFile(),
  )

export const hasProfile = ({ content, below }: Pick<Folder, 'content' | 'below'>): boolean =>
  ['yaml', 'yml'].some((ending) =>
    fs.existsSync(`${content.path}/${below}/${names.profile}.${ending}`),
  )
