import path from 'node:path'
import { createLoader } from '../advice/loader.ts'
import { type ContentFolder, memberFolder, names, sizeLimit } from '../content/layout.ts'
import { type ContentFile, filesOf, readMember } from '../content/read/open.ts'
import { createReader } from '../content/read/read-file.ts'
import { findSite, listMembers, scanMember } from '../content/read/scan.ts'
import { createFolderOf, readFile } from '../files/folder.ts'
import {
  createFile,
  remove,
  removeEmpty,
  removeLeftBehind,
  replaceFile,
} from '../files/write.ts'
import { codeOf, type FailureOptions, UserError } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import { changeKeys, type NewValues } from './yaml/change.ts'
import { type Tidied, tidy } from './yaml/tidy.ts'

// Files of the content, as commands find, read, change and make them.

/** A file of the content that Shotpress reads, before anybody reads it. */
type Listed = Pick<ContentFile, 'kind' | 'below'>

/** All of them: site.yaml, then each member's. */
export const listContentFiles = (content: ContentFolder): readonly Listed[] => {
  const { name } = findSite(content)
  const site = name === undefined ? [] : [{ kind: 'site', below: name } as const]
  const files = listMembers(content).members.flatMap((username) =>
    filesOf(filesIn(username, content)),
  )
  return [...site, ...files]
}

/** The path of a member's profile below the content folder, also of one without a profile. */
export const profileOf = (username: string, content: ContentFolder): string => {
  const { profile = `${names.profile}.yaml` } = scanMember(username, content)
  return `${memberFolder(username, content)}/${profile}`
}

/**
 * Removes what killed commands left half written beside these members' files; says the paths
 * below the content folder.
 */
export const removeHalfWritten = (
  content: ContentFolder,
  members: Iterable<string>,
): readonly string[] => {
  const folders = Array.from(members, (username) => memberFolder(username, content))
  return ['.', ...folders.flatMap((folder) => [folder, `${folder}/${names.shots}`])].flatMap(
    (folder) =>
      removeLeftBehind(content.path, folder).map((name) => path.posix.join(folder, name)),
  )
}

/** What diagnostics call a file: the `--content` value, `/`, the path inside. */
export const shownPath = (content: ContentFolder, below: string): string =>
  `${content.name}/${below}`

/** Why a file has no text. */
export const unreadable = 'it is no UTF-8 text of at most 1 MiB'

/**
 * The text of a file without its byte order mark; `undefined` if it is no UTF-8 text of at
 * most 1 MiB.
 */
const readText = (content: ContentFolder, below: string) =>
  createReader(content)(below).source?.text

/**
 * Gives a file with this text another one; a byte order mark that it begins with stays. One
 * that says something else by now stays as it is.
 */
export const replaceText = (
  content: ContentFolder,
  below: string,
  { before, text }: { readonly before: string; readonly text: string },
): void => {
  const held = readFile(content.path, below, { limit: sizeLimit })
  const mark = held?.toString('utf8', 0, 3) === '\ufeff' ? '\ufeff' : ''
  replaceFile(content.path, below, mark + text, {
    before: Buffer.from(mark + before),
  })
}

/** The files of a member, for what can be known of them without a look at the site. */
export const filesIn = (username: string, content: ContentFolder) => {
  const loader = createLoader()
  return readMember(username, { content, loader, read: createReader(content) })
}

/** Sets or takes out keys of a file, or fails in words; all else in it stays as it is. */
export const editFile = (
  content: ContentFolder,
  { kind, below }: Listed,
  values: NewValues,
): void => {
  const text = readText(content, below)
  const edited = text === undefined ? { refused: unreadable } : changeKeys(text, values, kind)
  if (edited.refused !== undefined) {
    throw new UserError(`${shownPath(content, below)} can't be edited: ${edited.refused}`, {
      hint: 'edit it by hand, or look at what npx shotpress check says',
    })
  }
  if (text !== undefined && edited.text !== text)
    replaceText(content, below, { before: text, text: edited.text })
}

/** What tidying makes of a file, as it was `before`; nothing is written. */
export const tidyFile = (content: ContentFolder, { kind, below }: Listed): Tidied => {
  const before = readText(content, below)
  if (before === undefined) return { refused: unreadable }
  return { before, ...tidy(before, kind, shownPath(content, below)) }
}

/**
 * Writes new files of one folder, all of them whole, or nothing: no folder either. A file
 * that somebody else made meanwhile is the answer "no", unless `failure` says otherwise.
 */
export const create = (
  files: readonly { readonly below: string; readonly contents: Uint8Array | string }[],
  content: ContentFolder,
  failure: FailureOptions = { answer: true },
) => {
  let made = 0
  try {
    for (const { below, contents } of files) {
      createFolderOf(content.path)(below)
      createFile(content.path, below, contents)
      made++
    }
  } catch (error) {
    for (const { below } of files.slice(0, made)) remove(content.path, below)
    // the one that failed
    const { below } = files[made]!
    removeEmpty(content.path, path.posix.dirname(below))
    if (codeOf(error) !== 'EEXIST') throw error
    const shown = quote(shownPath(content, below))
    throw new UserError(`the file ${shown} is there meanwhile`, failure)
  }
}
