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

/** A folder of the content, and what is found in it. */
export type Folder = {
  readonly content: ContentFolder
  /** Its path below the content folder: `''` is the content folder itself. */
  readonly below: string
  readonly role: Role
  readonly told: Diagnostic[]
  /** Absent outside of members' folders. */
  readonly pictures?: PictureFile[]
}

/** What a folder is for; `other` is one that nothing is read from. */
type Role = 'content' | 'members' | 'member' | 'shots' | 'other'

type Entry = fs.Dirent | fs.Stats

/** Tells what is wrong with a folder's entries but for those that belong there. */
export const tellStrays = (folder: Folder, belongs: (entry: fs.Dirent) => boolean): void => {
  const place = path.join(folder.content.path, folder.below)
  for (const entry of fs.readdirSync(place, { withFileTypes: true }))
    if (!belongs(entry)) tellStray(folder, entry.name, entry)
}

/**
 * Tells what is wrong with an entry that is no part of the content: work that would be lost
 * in silence, and links. Hidden files and other files are nobody's content and left alone. No
 * type: the name can't be found again.
 */
export const tellStray = (folder: Folder, name: string, type: Entry | undefined): void => {
  const { content, role, told } = folder
  const isHead = /^head$/i.test(name)
  if (type === undefined || name.includes('\ufffd'))
    told.push(diagnose('bad-file-name', at(content, folder.below), { name }))
  else if (isLeftAlone(name) || (role === 'member' && name === names.imported)) return
  else if (type.isDirectory() && (role === 'members' || !isYaml(name)))
    strayFolder(folder, name)
  else if (type.isFile() && isPicture(name) && role !== 'content') picture(folder, name, type)
  else if (
    isHead &&
    (type.isSymbolicLink() || isGitHead(peek(content.path, inside(folder, name))))
  )
    told.push(diagnose('git-repository', at(content, folder.below), undefined))
  else if (type.isFile()) strayFile(folder, name)
  else if (looksLikeYaml(name) || (type.isSymbolicLink() && role !== 'content'))
    told.push(inTheWay(at(content, inside(folder, name)), type))
}

/** Git takes a folder with such a file for a repository, whose config names programs to run. */
const isGitHead = (text = ''): boolean => /^(?:ref:|[\da-f]{40})/.test(text)

const looksLikeYaml = (name: string): boolean => isYaml(name) || meantYaml(name) !== undefined

/** A picture belongs to the member in whose folder it lies. */
const picture = ({ pictures, ...folder }: Folder, name: string, type: Entry): void => {
  const { content, role, told } = folder
  const below = inside(folder, name)
  const stat = type instanceof fs.Stats ? type : fs.lstatSync(`${content.path}/${below}`)
  if (pictures) pictures.push({ path: inMember(below, content).rest, stat })
  else if (role === 'members') told.push(diagnose('picture-unused', at(content, below), {}))
}

/** Tells of a file that has the name or the text of content. */
const strayFile = (folder: Folder, name: string): void => {
  const { content, role, told } = folder
  const below = inside(folder, name)
  const read = peek(content.path, below)
  const text = read ?? ''
  const isSite = looksLikeYaml(name) && /^base_url[ \t]*:/m.test(text)
  const kind = isSite ? 'site' : kindOfText(text)
  if (!looksLikeYaml(name) && kind === undefined) return
  const yaml = yamlName(name)
  // the place is right, only the ending is wrong
  const isEnding = !isYaml(name) && belongsIn(role, yaml)
  const fix = isEnding ? inside(folder, yaml) : targetOf(folder, yaml, kind)
  const target = fix && at(content, fix).file
  const isTaken =
    fix !== undefined && isOther(`${content.path}/${fix}`, `${content.path}/${below}`)
  const asks = isEnding ? endingArgs(yaml, read) : strayArgs(folder, { kind, text, target })
  const args = { name, ...(isTaken ? { twin: target } : asks) }
  const one = diagnose(isEnding ? 'wrong-ending' : 'stray-yaml', at(content, below), args)
  const mayMove = isEnding
    ? read !== undefined && !isTaken
    : role === 'member' && kind === 'shot'
  told.push(fix && mayMove ? { ...one, fix } : one)
}

/** What is asked for where a file lies elsewhere than it belongs; one may hold several shots. */
const strayArgs = (
  folder: Folder,
  { kind, text, target }: { kind: FileKind; text: string; target: string | undefined },
) => {
  if (kind === 'shot' && /: *\.\//.test(text)) return { shot: target }
  const isList = folder.role === 'member' && /^- *(?:id|title):/m.test(text)
  return {
    target,
    shots: isList ? at(folder.content, inside(folder, names.shots)).file : undefined,
  }
}

/**
 * What is asked for where only the ending is wrong; a file without a text is to be saved as
 * one.
 */
const endingArgs = (yaml: string, text: string | undefined) => {
  const isFrontMatter = /^---\r?\n.*\n---\s/s.test(text ?? '')
  if (isFrontMatter) return { front: yaml }
  return text === undefined ? { plain: yaml } : { meant: yaml }
}

/** Whether a folder is where a file of this name is read. */
const belongsIn = (role: Role, name: string): boolean =>
  role === 'shots' ||
  (role === 'content' && hasStem(name, names.site)) ||
  (role === 'member' && hasStem(name, names.profile))

/**
 * Whether something stands at a path that is not the file itself, as it is where letter case
 * counts nothing.
 */
const isOther = (place: string, file: string): boolean => {
  const stat = fs.lstatSync(place, { bigint: true, throwIfNoEntry: false })
  return stat !== undefined && stat.ino !== fs.lstatSync(file, { bigint: true }).ino
}

/** The path that a file was most likely meant to have. */
const targetOf = (folder: Folder, name: string, kind: FileKind): string | undefined => {
  const { content, role } = folder
  if (kind === 'shot') return shotTarget(folder, name)
  const stem = stemOf(name)
  const owner = kind === 'profile' && stem === names.profile && ownerOf(folder, folder.below)
  if (role === 'other' && owner)
    return `${memberFolder(owner, content)}/${names.profile}.yaml`
  if (role === 'member') {
    const profile = inside(folder, names.profile)
    const isMissing = kind === 'profile' && !hasFile(content, profile)
    return isMissing || suggest(stem, [names.profile]) ? `${profile}.yaml` : undefined
  }
  const isNear = role === 'content' && kind !== 'profile' && suggest(stem, [names.site])
  if (isNear || (kind === 'site' && !hasFile(content, names.site)))
    return `${names.site}.yaml`
  return kind === 'profile' && role !== 'other' && isUsername(stem)
    ? `${memberFolder(stem, content)}/${names.profile}.yaml`
    : undefined
}

/** The same of a shot, which lies beside the folder of its member's shots, or too deep. */
const shotTarget = (folder: Folder, name: string): string | undefined => {
  const { content, below, role } = folder
  const { username, rest } = inMember(below, content)
  if (role === 'members' || username === '') return undefined
  const isNear = /^(?:shots\/|$)/.test(rest)
  const outer = path.dirname(below)
  const owner = isNear ? username : rest.endsWith(`/${names.shots}`) && ownerOf(folder, outer)
  return owner ? `${memberFolder(owner, content)}/${names.shots}/${name}` : undefined
}

/**
 * Whose files lie too deep in a member's folder: that member's where the profile is missing,
 * and otherwise those of the member whose name the folder has.
 */
const ownerOf = ({ content }: Folder, below: string): string | undefined => {
  const { username } = inMember(below, content)
  if (username === '') return undefined
  const isMissing = !hasFile(content, `${memberFolder(username, content)}/${names.profile}`)
  const name = isMissing ? username : path.basename(below)
  return isUsername(name) ? name : undefined
}

/**
 * A folder with a misspelt name is told once; in any other folder, every file that would be
 * lost.
 */
const strayFolder = (outer: Folder, name: string): void => {
  const below = inside(outer, name)
  const target = folderTarget(outer, name)
  const told = target === undefined ? outer.told : []
  // a stack of our own, because folders may nest deeper than calls can
  const folders: Folder[] = [{ ...outer, below, role: 'other', told }]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (target !== undefined && told.length > 0) break
    const { below } = folder
    const isFolder = (entry: fs.Dirent): boolean => {
      const isWalked =
        entry.isDirectory() && !isLeftAlone(entry.name) && !entry.name.includes('\ufffd')
      if (isWalked)
        folders.push({ ...outer, below: `${below}/${entry.name}`, role: 'other', told })
      return isWalked
    }
    tellStrays(folder, isFolder)
  }
  if (target === undefined || told.length === 0) return
  const args = { name, target: at(outer.content, target).file }
  outer.told.push(diagnose('stray-folder', at(outer.content, below), args))
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
  if ((role === 'content' || role === 'member') && isMeant) return inside(folder, meant)
  const isMember =
    role === 'content' && isUsername(name) && hasFile(content, `${name}/${names.profile}`)
  return isMember ? memberFolder(name, content) : undefined
}

export const inTheWay = (place: Place, type: Entry): Diagnostic => {
  if (type.isSymbolicLink()) return diagnose('symbolic-link', place, undefined)
  const other = type.isFile() ? 'file' : 'other'
  return diagnose('not-a-file', place, { is: type.isDirectory() ? 'folder' : other })
}

export const inside = ({ below }: Folder, name: string): string =>
  below === '' ? name : `${below}/${name}`

/** A path below the content folder, as diagnostics name it. */
export const at = ({ name }: ContentFolder, below: string): Place => ({
  file: below === '' ? name : `${name}/${below}`,
  ...fileStart,
})

/** Whether there is a file of this name, but for its ending. */
export const hasFile = ({ path: root }: ContentFolder, below: string): boolean =>
  ['yaml', 'yml'].some((ending) => fs.existsSync(`${root}/${below}.${ending}`))
