import fs from 'node:fs'
import { type Diagnostic, fileStart, type Place } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import { suggest } from '../../text/suggest.ts'
import { hasStem, isLeftAlone, isPicture, isYaml, meantYaml, names, stemOf, yamlName } from '../layout.ts'
import { type Data, isMapping } from '../parse/data.ts'
import { parse } from '../parse/parse.ts'
import { quickParse } from '../parse/quick.ts'
import { isUsername } from '../username.ts'
import { peek } from './read-file.ts'
import type { ContentFolder } from './scan.ts'

/** A folder of the content, by its path below the content folder: `''` is the content folder itself. */
export type Folder = {
  readonly content: ContentFolder
  readonly below: string
  readonly role: Role
  /** Takes the pictures that are found; absent outside of members' folders. */
  readonly pictures?: PictureFile[]
}

/** A picture in a member's folder, by its ending. */
export type PictureFile = {
  /** Below the member's folder. */
  readonly path: string
  readonly stat: fs.Stats
}

/** A folder as diagnostics call it. */
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
  if (type === undefined || name.includes('\ufffd')) return [diagnose('bad-file-name', at(place), { name })]
  if (isLeftAlone(name) || (role === 'member' && name === names.imported)) return []
  if (type.isFile() && isPicture(name) && role !== 'content') {
    const below = inside(folder, name)
    if (folder.pictures === undefined)
      return role === 'members' ? [diagnose('picture-unused', at(file), { path: '' })] : []
    const stat = type instanceof fs.Stats ? type : fs.lstatSync(`${content.path}/${below}`)
    folder.pictures.push({ path: below.split('/').slice(2).join('/'), stat })
    return []
  }
  const looksLikeYaml = isYaml(name) || meantYaml(name) !== undefined
  const text = type.isFile() ? peek(content.path, inside(folder, name)) : undefined
  // git takes a folder with such a file for a repository, whose config names programs to run
  const mayBeHead =
    /^head$/i.test(name) && (type.isSymbolicLink() || /^(?:ref:|[\da-f]{40})/.test(text ?? ''))
  if (mayBeHead) return [diagnose('git-repository', at(place), undefined)]
  if (type.isSymbolicLink()) return role === 'content' && !looksLikeYaml ? [] : [notAFile(file, type)]
  if (type.isDirectory()) return strayFolder(folder, name)
  if (!type.isFile()) return looksLikeYaml ? [notAFile(file, type)] : []
  const kind = kindOfText(text)
  return looksLikeYaml || kind !== undefined ? [strayFile(folder, name, kind)] : []
}

/** The path of a file or folder below the content folder. */
const inside = ({ below }: Folder, name: string): string => (below === '' ? name : `${below}/${name}`)

/** A link, a folder, or whatever else stands where a file should be. */
export const notAFile = (file: string, type: fs.Dirent | fs.Stats): Diagnostic =>
  type.isSymbolicLink()
    ? diagnose('symbolic-link', at(file), undefined)
    : diagnose('not-a-file', at(file), { is: type.isDirectory() ? 'folder' : 'other' })

/** A file or a link where the folder of members should be. */
export const notAFolder = (file: string, type: fs.Stats): Diagnostic =>
  type.isFile() ? diagnose('not-a-file', at(file), { is: 'file' }) : notAFile(file, type)

/** The place of a file or folder as a whole. */
export const at = (file: string): Place => ({ file, ...fileStart })

const strayFile = (folder: Folder, name: string, kind: ContentKind | undefined): Diagnostic => {
  const { role } = folder
  const file = at(`${placeOf(folder)}/${name}`)
  const yaml = yamlName(name)
  const isRead =
    role === 'shots' ||
    (role === 'content' && hasStem(yaml, names.site)) ||
    (role === 'member' && hasStem(yaml, names.profile))
  // the place is right, only the ending is wrong
  if (!isYaml(name) && isRead) return diagnose('wrong-ending', file, { name, meant: yaml })
  return diagnose('stray-yaml', file, { name, target: targetOf(folder, yaml, kind) })
}

/** Where a file most likely belongs. */
const targetOf = (folder: Folder, name: string, kind: ContentKind | undefined): string | undefined => {
  const { role } = folder
  const place = placeOf(folder)
  const stem = stemOf(name)
  switch (role) {
    case 'content':
    case 'members': {
      if (role === 'content' && kind === undefined && suggest(stem, [names.site])) return `${place}/site.yaml`
      const members = role === 'members' ? place : `${place}/${names.members}`
      return kind === 'profile' && isUsername(stem) ? `${members}/${stem}/profile.yaml` : undefined
    }
    case 'member':
      if (kind === 'shot') return `${place}/${names.shots}/${name}`
      return suggest(stem, [names.profile]) || (kind === 'profile' && !hasProfile(folder))
        ? `${place}/profile.yaml`
        : undefined
    default: {
      const shots = /^.*\/members\/[^/]+\/shots(?=\/|$)/.exec(place)?.[0]
      return kind === 'shot' && shots !== undefined ? `${shots}/${name}` : undefined
    }
  }
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
      const isFolder = entry.isDirectory() && !isLeftAlone(entry.name) && !entry.name.includes('\ufffd')
      if (isFolder) folders.push({ ...folder, below: `${folder.below}/${entry.name}` })
      else for (const problem of strays(folder, entry.name, entry)) found.push(problem)
      if (target !== undefined && found.length > 0)
        return [diagnose('stray-folder', at(`${placeOf(outer)}/${name}`), { name, target })]
    }
  }
  return found
}

/** The path that a folder was most likely meant to have. */
const folderTarget = (folder: Folder, name: string): string | undefined => {
  const { content, role } = folder
  const meant = role === 'content' ? names.members : names.shots
  if ((role === 'content' || role === 'member') && suggest(name, [meant]))
    return `${placeOf(folder)}/${meant}`
  return role === 'content' && isUsername(name) && hasProfile({ content, below: name })
    ? `${placeOf(folder)}/${names.members}/${name}`
    : undefined
}

const hasProfile = ({ content, below }: Pick<Folder, 'content' | 'below'>): boolean =>
  ['yaml', 'yml'].some((ending) => fs.existsSync(`${content.path}/${below}/${names.profile}.${ending}`))

/** What a file holds, whatever its name is. */
export type ContentKind = 'profile' | 'shot'

/** What a text reads as: a mapping with `id` and `title` is a shot, one with `id` and `name` a profile. */
export const kindOfText = (text: string | undefined): ContentKind | undefined => {
  // most files that are no content go no further
  if (text === undefined || !/\bid\b/.test(text) || !/\b(?:title|name)\b/.test(text)) return undefined
  const data =
    quickParse(text) ?? (text.length > worthParsing ? outlineOf(text) : parse({ file: '', text }).data)
  if (!isMapping(data) || !('id' in data)) return undefined
  return 'title' in data ? 'shot' : 'name' in data ? 'profile' : undefined
}

/** UTF-16 units. A branch may bring a thousand files of 1 MiB under any name, and all are looked at. */
const worthParsing = 1 << 16

/** What a large text holds as JSON, or else the keys at the beginnings of its lines that tell what it is. */
const outlineOf = (text: string): Data => {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text)
    } catch {
      return ''
    }
  }
  // notes, for instance, may show a shot somewhere: they have a line that is no part of a mapping
  if (/^(?![\s#%\]}-]|.*:(?!\S))./m.test(text)) return ''
  const keys = text.matchAll(/^(["']?)(id|title|name)\1[ \t]*:(?!\S)/gm)
  return Object.fromEntries(Array.from(keys, ([, , key]) => [key!, '']))
}
