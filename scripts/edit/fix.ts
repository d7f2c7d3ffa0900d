import fs from 'node:fs'
import path from 'node:path'
import { hasStem, names, stemOf, yamlName } from '../content/layout.ts'
import { parse } from '../content/parse/parse.ts'
import type { ContentFolder } from '../content/read/scan.ts'
import { kindOfText } from '../content/read/strays.ts'
import { readSchema } from '../content/schema.ts'
import { makeFolder } from '../files/folder.ts'
import { rename } from '../files/rename.ts'
import { replaceFile } from '../files/write.ts'
import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { type ContentFile, listContentFiles, readText, shownPath } from './content-files.ts'
import { exchange } from './exchange.ts'
import { findSlips } from './slips.ts'

/** A problem that had one answer, and was fixed. */
export type Fix = {
  /** As diagnostics call it. */
  readonly file: string
  readonly line: number
  readonly before: string
  readonly after: string
  /** The path that was written, below the content folder. */
  readonly written: string
}

/** Fixes what has one answer among these problems; the files are as they were but for that. */
export const fixProblems = (diagnostics: readonly Diagnostic[], content: ContentFolder): readonly Fix[] => {
  const places = new Map(listContentFiles(content).map((file) => [shownPath(content, file.below), file]))
  const files = [...new Set(diagnostics.map(({ file }) => file))]
  return files.flatMap((shown) => {
    const codes = new Set(diagnostics.filter(({ file }) => file === shown).map(({ code }) => code))
    const below = shown.slice(content.name.length + 1)
    if (codes.has('wrong-ending') || codes.has('stray-yaml')) return moved(below, content)
    const file = places.get(shown)
    if (file === undefined || !(codes.has('unknown-key') || codes.has('bad-timestamp'))) return []
    return inFile(file, content)
  })
}

/** A file whose ending is wrong, or a shot that lies beside the profile, goes where it is read, if nothing is there. */
const moved = (below: string, content: ContentFolder): readonly Fix[] => {
  const target = placeFor(below, content)
  if (target === undefined || target === below) return []
  const stem = stemOf(target)
  const own = fs.lstatSync(path.join(content.path, below)).ino
  const stat = (file: string) => fs.statSync(path.join(content.path, file), { throwIfNoEntry: false })
  // a file system that ignores letter case finds the file itself under its new name
  const isTaken = [`${stem}.yaml`, `${stem}.yml`].some((twin) => (stat(twin)?.ino ?? own) !== own)
  if (isTaken) return []
  const folder = path.posix.dirname(target)
  if (folder !== '.') makeFolder(content.path, folder)
  rename(path.join(content.path, below), path.join(content.path, target))
  return [{ file: shownPath(content, below), line: 1, before: below, after: target, written: target }]
}

/** Where a file is read, below the content folder; `undefined` if there is more than one answer. */
const placeFor = (below: string, content: ContentFolder): string | undefined => {
  const parts = below.split('/')
  const name = yamlName(parts.pop()!)
  const [members, username, shots, ...deeper] = parts
  if (members === undefined) return hasStem(name, names.site) ? name : undefined
  if (members !== names.members || username === undefined || deeper.length > 0) return undefined
  if (shots !== undefined) return shots === names.shots ? [...parts, name].join('/') : undefined
  if (hasStem(name, names.profile)) return [...parts, name].join('/')
  const isShot = kindOfText(readText(content, below)) === 'shot'
  return isShot ? [...parts, names.shots, name].join('/') : undefined
}

const inFile = ({ kind, below }: ContentFile, content: ContentFolder): readonly Fix[] => {
  const before = readText(content, below)
  if (before === undefined) return []
  const { data, problems, place } = parse({ file: '', text: before.replace(/^\ufeff/, '') })
  if (data === undefined || hasErrors(problems)) return []
  const { text, done } = exchange(before, findSlips(data, readSchema(kind)))
  if (done.length === 0) return []
  replaceFile(content.path, below, text, { durable: true })
  return done
    .map(({ path, of, before, after }) => {
      const { line } = place(path, of)
      return { file: shownPath(content, below), line, before, after, written: below }
    })
    .sort((a, b) => a.line - b.line)
}
