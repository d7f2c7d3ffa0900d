import fs from 'node:fs'
import path from 'node:path'
import { isYaml, meantYaml, names, stemOf } from '../content/layout.ts'
import type { Data } from '../content/parse/data.ts'
import { parse } from '../content/parse/parse.ts'
import type { ContentFolder } from '../content/scan.ts'
import { readSchema } from '../content/schema.ts'
import { clearDate } from '../content/values/clear-date.ts'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { makeFolder } from '../files/folder.ts'
import { rename } from '../files/rename.ts'
import { replaceFile } from '../files/write.ts'
import { suggest } from '../text/suggest.ts'
import { listContentFiles, readText, shownPath } from './content-files.ts'
import { changeKeys } from './yaml/change-keys.ts'
import { renameKey } from './yaml/rename-key.ts'

/** Something that had one answer, and was done. */
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
    return file.kind === 'site' ? [] : inFile(below, file.kind, content)
  })
}

/** A file whose ending is wrong, or a shot that lies beside the profile, goes where it is read, if nothing is there. */
const moved = (below: string, content: ContentFolder): readonly Fix[] => {
  const [members, username, ...rest] = below.split('/')
  if (members !== names.members || username === undefined) return []
  const name = rest.at(-1) ?? ''
  const yaml = isYaml(name) ? name : meantYaml(name)
  if (yaml === undefined) return []
  const isShot =
    rest.length === 1 && stemOf(yaml) !== names.profile && looksLikeShot(readText(content, below))
  if (rest.length === 1 && stemOf(yaml) !== names.profile && !isShot) return []
  if (rest.length > 2 || (rest.length === 2 && rest[0] !== names.shots)) return []
  const folder = `${names.members}/${username}${isShot || rest.length === 2 ? `/${names.shots}` : ''}`
  const target = `${folder}/${yaml}`
  const twins = [yaml, `${stemOf(yaml)}.yaml`, `${stemOf(yaml)}.yml`]
  const own = fs.lstatSync(path.join(content.path, below)).ino
  const stat = (file: string) => fs.statSync(path.join(content.path, file), { throwIfNoEntry: false })
  // a file system that doesn't tell letter case finds the file itself under its new name
  const isTaken = twins.some((twin) => (stat(`${folder}/${twin}`)?.ino ?? own) !== own)
  if (target === below || isTaken) return []
  makeFolder(content.path, folder)
  rename(path.join(content.path, below), path.join(content.path, target))
  return [{ file: shownPath(content, below), line: 1, before: below, after: target, written: target }]
}

const looksLikeShot = (text: string | undefined): boolean => {
  const { data } = parse({ file: '', text: text ?? '' })
  return typeof data === 'object' && 'id' in data && 'title' in data
}

const inFile = (below: string, kind: 'profile' | 'shot', content: ContentFolder): readonly Fix[] => {
  const schema = readSchema(kind)
  const known = Object.keys(schema.properties ?? {})
  const before = readText(content, below)
  if (before === undefined) return []
  const fixes: Fix[] = []
  let text = before
  const read = () => parse({ file: '', text: text.replace(/^\ufeff/, '') })
  const first = read()
  if (typeof first.data !== 'object' || Array.isArray(first.data) || hasErrors(first.problems)) return []
  const keys = Object.keys(first.data)
  const meant = new Map(keys.filter((key) => !known.includes(key)).map((key) => [key, suggest(key, known)]))
  const add = (line: number, change: readonly [string, string]): void => {
    fixes.push({ file: shownPath(content, below), line, before: change[0], after: change[1], written: below })
  }
  for (const [key, suggestion] of meant) {
    const rivals = [...meant.values()].filter((other) => other === suggestion)
    if (suggestion === undefined || rivals.length > 1 || keys.includes(suggestion)) continue
    const { line } = read().place([key], 'key')
    const edited = renameKey(text, key, suggestion)
    if (edited.refused !== undefined) continue
    text = edited.text
    add(line, [key, suggestion])
  }
  const date = (read().data as Readonly<Record<string, Data>>).date
  const clear = kind === 'shot' && typeof date === 'string' ? clearDate(date) : undefined
  if (clear !== undefined) {
    const { line } = read().place(['date'], 'value')
    const edited = changeKeys(text, { date: clear }, schema)
    if (edited.refused === undefined) {
      text = edited.text
      add(line, [date as string, clear])
    }
  }
  if (fixes.length > 0) replaceFile(content.path, below, text, { durable: true })
  return fixes
}
