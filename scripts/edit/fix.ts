import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { createLoader } from '../advice/loader.ts'
import {
  type ContentFolder,
  inMember,
  memberFolder,
  names,
  stemOf,
} from '../content/layout.ts'
import { pictureKeys } from '../content/member.ts'
import { type Data, mappingOf } from '../content/parse/data.ts'
import { type ContentFile, openFile } from '../content/read/open.ts'
import { createReader } from '../content/read/read-file.ts'
import { scanMember } from '../content/read/scan.ts'
import { salvagePictures } from '../content/salvage.ts'
import { findEntry, isPathBelow, join, makeFolder, readFile } from '../files/folder.ts'
import { removeEmpty, rename, replaceFile } from '../files/write.ts'
import { mostPictureBytes, readPicture } from '../pictures/picture.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { findPicture } from '../snapshot/pictures.ts'
import { groupBy } from '../text/groups.ts'
import { listContentFiles, replaceText, shownPath } from './files.ts'
import { applySplices } from './yaml/change.ts'
import { keepsComments } from './yaml/comments.ts'
import { readData } from './yaml/proof.ts'

/** A problem that had one answer, and was fixed. */
type Fix = {
  /** As diagnostics call it. */
  readonly file: string
  readonly line: number
  readonly before: string
  readonly after: string
  /** What diagnostics call it now, if it was moved. */
  readonly movedTo?: string
}

/**
 * Fixes what has one answer in files that have these problems; the files are as they were but
 * for that.
 */
export const fixProblems = (
  diagnostics: readonly Diagnostic[],
  content: ContentFolder,
): readonly Fix[] => {
  const opening = { content, loader: createLoader(), read: createReader(content) }
  const listed = listContentFiles(content)
  const places = new Map(listed.map((one) => [shownPath(content, one.below), one]))
  const taken = new Set(listed.map(({ below }) => stemOf(below).toLowerCase()))
  const moving = { content, taken }
  const groups = groupBy(diagnostics, ({ file }) => file)
  return [...groups].flatMap(([file, own]) => {
    const place = places.get(file)
    if (place === undefined) return own.flatMap((one) => moved(one, moving))
    const { kind, below } = place
    const open = () => openFile(kind, below, opening)
    const isFixable = own.some(({ fix }) => fix !== undefined)
    const fixes = isFixable ? inFile(open(), content) : []
    const tells = own.some(
      ({ code }) => code === 'picture-location' || code === 'picture-personal',
    )
    // what was fixed is read again
    return tells ? [...fixes, ...inPictures(open(), content)] : fixes
  })
}

type Moving = {
  readonly content: ContentFolder
  /** Paths of YAML files below it that are there, in lower case and without their endings. */
  readonly taken: Set<string>
}

/**
 * A file whose ending is wrong, or a shot that lies beside the profile, goes where it is
 * read, if nothing is there.
 */
const moved = ({ file, fix: target }: Diagnostic, moving: Moving): readonly Fix[] => {
  const { content } = moving
  const before = file.slice(content.name.length + 1)
  // a warning may come from a state that somebody made
  if (target === undefined || ![before, target].every(isPathBelow)) return []
  const isFolder = findEntry(content.path, before)?.isDirectory() === true
  const isMoved = isFolder
    ? moveFolder(before, target, content)
    : moveFile(before, target, moving)
  if (!isMoved) return []
  return [{ file, line: 1, before, after: target, movedTo: shownPath(content, target) }]
}

/** Says whether it could be moved. */
const moveFile = (before: string, target: string, { content, taken }: Moving) => {
  const stem = stemOf(target)
  // a link that leads nowhere is there, too
  const inodeOf = (below: string) => findEntry(content.path, below)?.ino
  const own = inodeOf(before)
  // a file system that ignores letter case finds the file itself under its new name
  const twins = [`${stem}.yaml`, `${stem}.yml`].map(inodeOf)
  if (twins.some((inode) => inode !== undefined && inode !== own)) return false
  // where letter case is not told apart, one of two such files would be missing
  if (taken.has(stem.toLowerCase())) return false
  taken.add(stem.toLowerCase())
  if (target.includes('/')) makeFolder(content.path, path.posix.dirname(target))
  rename(join(content.path, before), join(content.path, target))
  return true
}

/**
 * The same of a member, who may have the name of a group: then one of the two folders lies in
 * the other.
 */
const moveFolder = (before: string, target: string, content: ContentFolder) => {
  const above = path.posix.dirname(before)
  const beside = fs.readdirSync(join(content.path, above))
  const isAlone = above === target && beside.length === 1
  if (!isAlone && findEntry(content.path, target) !== undefined) return false
  const aside = `${names.members}/.${path.posix.basename(before)}.moving`
  rename(join(content.path, before), join(content.path, aside))
  removeEmpty(content.path, above)
  makeFolder(content.path, path.posix.dirname(target))
  rename(join(content.path, aside), join(content.path, target))
  const deeper = target.split('/').length - before.split('/').length
  adjustSchemas(target, deeper, content)
  return true
}

/**
 * Files of a member who lies deeper or less deep than before still tell editors where their
 * schema is.
 */
const adjustSchemas = (below: string, deeper: number, content: ContentFolder) => {
  const cwd = join(content.path, below)
  for (const name of glob.sync('**/*.{yaml,yml}', { cwd, followSymbolicLinks: false })) {
    const file = `${below}/${name}`
    const before = createReader(content)(file).source?.text ?? ''
    const text = before.replace(
      /^(# yaml-language-server: \$schema=)((?:\.\.\/)+)/,
      (_, start: string, up: string) =>
        start + '../'.repeat(Math.max(1, up.length / 3 + deeper)),
    )
    if (text !== before) replaceText(content, file, { before, text })
  }
}

/** Takes what tells on people out of the pictures that a file names. */
function* inPictures(one: ContentFile, content: ContentFolder): Generator<Fix> {
  const { kind, below } = one
  if (kind === 'site') return
  const keys: readonly string[] = pictureKeys[kind]
  const { username } = inMember(below, content)
  const { pictures } = scanMember(username, content)
  const folder = memberFolder(username, content)
  for (const value of Object.values(salvagePictures(one.parsed(), keys))) {
    const wanted = path.posix.join(path.posix.dirname(below), value)
    const found = value && findPicture(pictures, wanted.slice(folder.length + 1))
    if (!found) continue
    const written = `${folder}/${found.path}`
    const bytes = readFile(content.path, written, { limit: mostPictureBytes })
    if (bytes === undefined) continue
    const picture = readPicture(bytes)
    if ('problem' in picture) continue
    // made anew each time that it is asked for
    const { cleaned } = picture
    if (cleaned.equals(bytes)) continue
    replaceFile(content.path, written, cleaned, { before: bytes })
    const place = picture.hasPlace ? ['where it was taken'] : []
    const before = [...place, ...picture.personal].join(', ')
    yield { file: shownPath(content, written), line: 1, before, after: 'taken out' }
  }
}

const inFile = (one: ContentFile, content: ContentFolder): readonly Fix[] => {
  const { below, file } = one
  const text = one.read().source?.text
  const fixed = text === undefined ? undefined : fixText(text, one.loaded().diagnostics)
  if (text === undefined || fixed === undefined) return []
  replaceText(content, below, { before: text, text: fixed.text })
  return fixed.fixes.map((fix) => ({ file, ...fix }))
}

/**
 * The text of a file with the one fix of each of its problems that has one, and what each
 * replaces; `undefined` if none has, or if the text would say anything else that is
 * different. Of one problem alone: what a button beside it would do.
 */
export const fixText = (text: string, problems: readonly Diagnostic[]) => {
  // what is broken hides what else there is: it comes first
  const broken = problems.filter(
    ({ code, fix }) => code === 'yaml-syntax' && fix !== undefined,
  )
  const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)
  const lines = [0, ...ends]
  const wanted = broken.length > 0 ? broken : problems
  const splices = wanted
    .flatMap((one) => spliceOf(text, one, lines[one.line - 1] ?? text.length) ?? [])
    .sort((a, b) => a.from - b.from)
    .filter(({ from }, at, all) => (all[at - 1]?.to ?? 0) <= from)
  const after = applySplices(text, splices)
  if (splices.length === 0 || !isProved(text, after, splices.length)) return undefined
  const fixes = splices.map((one) => ({
    line: one.line,
    before: text.slice(one.from, one.to),
    after: one.text,
  }))
  return { text: after, fixes }
}

const spliceOf = (
  text: string,
  { fix, line, column, endLine, endColumn }: Diagnostic,
  start: number,
) => {
  if (fix === undefined || line !== endLine) return undefined
  const from = start + column - 1
  const to = start + endColumn - 1
  // a word stays in the quotes that it stands in
  const isQuoted = /^(["'])[^"'\\]*\1$/.test(text.slice(from, to))
  const edge = isQuoted && !fix.startsWith('[') ? 1 : 0
  return { line, text: fix, from: from + edge, to: to - edge }
}

/**
 * Whether a text says the same as before but in so many places, is broken nowhere else, and
 * has all comments. Where it was broken, more of it may be read than before.
 */
const isProved = (before: string, after: string, places: number) => {
  const { data: said = {}, whole, problems } = readData(before)
  const now = readData(after)
  if (now.data === undefined || !keepsComments(before, after)) return false
  if (whole) return now.problems.length === 0 && differences(said, now.data) <= places
  const known = mappingOf(said)
  const rest = Object.entries(now.data).filter(([key]) => Object.hasOwn(known, key))
  const isBetter = now.problems.length < problems.length
  return isBetter && differences(said, Object.fromEntries(rest)) === 0
}

/** How many values or keys are not the same. */
const differences = (a: Data | undefined, b: Data | undefined): number => {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b ? 0 : 1
  if (Array.isArray(a) !== Array.isArray(b)) return 1
  const old = new Map(Object.entries(a))
  const now = new Map(Object.entries(b))
  const common = [...old.keys()].filter((key) => now.has(key))
  const changed = common.reduce(
    (sum, key) => sum + differences(old.get(key), now.get(key)),
    0,
  )
  // a key that goes and one that comes are one place
  return changed + Math.max(old.size, now.size) - common.length
}
