import type { Node } from 'yaml'
import { byPlace, type Diagnostic, type Place, type Span } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import type { Source } from '../load.ts'
import { once } from '../once.ts'
import { type Data, emptyMapping } from './data.ts'
import { type Composed, composeFirst, maxParts, yaml } from './document.ts'
import { recover } from './recover.ts'
import { type Report, resolve } from './resolve.ts'
import { lineError, syntaxError } from './syntax-error.ts'

export type { Data } from './data.ts'

export type Parsed = {
  /** `undefined` when the syntax leaves nothing to go on with. */
  readonly data: Data | undefined
  /** Whether the data is all that the file says. After a syntax error it is what can still be read. */
  readonly whole: boolean
  /** In the order of the file. */
  readonly problems: readonly Diagnostic[]
  /**
   * The place of the value at a path, or of its key. An alias stands where it is written, what lies below it where
   * its anchor is; a path that leads nowhere has the place of the last value on the way.
   */
  readonly place: (path: readonly (string | number)[], of: 'key' | 'value') => Place
}

/**
 * Reads YAML with the failsafe schema: every scalar is its text. Never throws, whatever the text. After a syntax error
 * the other entries of the outermost mapping are read all the same.
 */
export const parse = ({ file, text }: Source): Parsed => {
  const lines = linesOf(text)
  const placeOf = (stretch: Stretch): Place => ({ file, ...lines(stretch) })
  const stray = text.length > carefully ? strayLine.exec(text)?.index : undefined
  if (stray !== undefined && !/^\s*[[{]/.test(text)) {
    const error = lineError(text, stray)
    return unreadable([diagnose('yaml-syntax', placeOf(error), error)], placeOf)
  }
  const composed = composeFirst(text)
  if ('tooMuch' in composed) {
    const place = placeOf({ from: composed.at, to: composed.at + 1 })
    const told =
      composed.tooMuch === 'too-deep'
        ? diagnose('too-deep', place, undefined)
        : diagnose('too-many-values', place, { limit: maxParts })
    return unreadable([told], placeOf)
  }
  const { contents, errors, second } = composed
  const syntax = syntaxError(errors, contents, text)
  const recovered = syntax && recover(text, contents)
  const found = recovered?.errors.length ? recovered.errors : syntax ? [syntax] : []
  const problems = found.map((error) => ({
    ...diagnose('yaml-syntax', placeOf(error), error),
    ...(error.fix !== undefined && { fix: error.fix }),
  }))
  if (syntax !== undefined && recovered?.contents === undefined) return unreadable(problems, placeOf)

  for (const tag of (recovered?.composed ?? [composed]).flatMap(badTags)) {
    const end = text.indexOf('\n', tag.from)
    const whole = text.slice(text.lastIndexOf('\n', tag.from) + 1, end === -1 ? text.length : end)
    const [, key, value] = /^\s*(?:- +)?(\w+):\s+(![^!].{0,100})$/.exec(whole.trimEnd()) ?? []
    const line = key === undefined || /["\\]/.test(value!) ? undefined : `${key}: "${value}"`
    problems.push(diagnose('bad-tag', placeOf(tag), { tag: text.slice(tag.from, tag.to), line }))
  }
  if (second !== undefined && syntax === undefined) {
    problems.push(
      diagnose('multiple-documents', placeOf(documentStart(text, second)), afterDocument(text, second)),
    )
  }
  const report: Report = (code, at, args, first) => {
    const related = first ? [{ ...placeOf(first), message: 'it is given here first' }] : []
    // its anchor may be where the syntax error is
    if (syntax === undefined || code !== 'unknown-alias')
      problems.push(diagnose(code, placeOf(at), args, related))
  }
  const root = recovered?.contents ?? contents
  const tree = root === null || isEmpty(root) ? emptyFile() : resolve(root, text, report)
  return {
    data: tree.data,
    whole: syntax === undefined,
    problems: problems.sort(byPlace),
    place: (path, of) => placeOf(stretchAt(tree, path, of)),
  }
}

/** UTF-16 units above which a text is looked through before `yaml` spends half a second on it. */
const carefully = 1 << 16

/** A line that begins with anything but a key, a comment, an item of a list, a mark of YAML or white space. */
const strayLine = /^(?!\.\.\.|[\s#%\]}?-]|.*:(?!\S))./m

const unreadable = (problems: readonly Diagnostic[], placeOf: (stretch: Stretch) => Place): Parsed => ({
  data: undefined,
  whole: false,
  problems,
  place: () => placeOf({ from: 0, to: 0 }),
})

/** The tags that yaml can't resolve with three types, each once, and the lone `!`. */
const badTags = ({ errors, warnings, loneTags }: Composed): readonly Stretch[] => {
  const tags = new Map(loneTags.map((from) => [from, from + 1]))
  for (const { code, pos } of [...errors, ...warnings]) if (code === 'TAG_RESOLVE_FAILED') tags.set(...pos)
  return Array.from(tags, ([from, to]) => ({ from, to }))
}

/**
 * What follows a first document. `empty` says that nothing is wrong but the line that begins a second one; `key` is where
 * a text below it belongs.
 */
const afterDocument = (text: string, second: number) => {
  const above = text.slice(0, Math.min(second, 10_000))
  // of a large text, its beginning tells what it is
  const rest = text.slice(second, second + 10_000).replace(/^---|^\.\.\./, '')
  const keys = Array.from(rest.matchAll(/^(\w+)\s*:(?:\s|$)/gm), ([, key]) => key!)
  const isMore = text.startsWith('---', second) && keys.length > 0 && !/^(?!\w+\s*:|[\s#-]|$)/m.test(rest)
  return {
    empty:
      (text.length - second <= 10_000 && !/^(?!\s*(?:#|$))/m.test(rest)) ||
      (isMore && !keys.some((key) => new RegExp(`^${key}\\s*:`, 'm').test(above))),
    key: keys.some((key) => /^(?:id|title|name)$/.test(key))
      ? undefined
      : /^name\s*:/m.test(above)
        ? 'bio'
        : 'description',
  }
}

const documentStart = (text: string, from: number): Stretch => {
  if (text.startsWith('---', from)) return { from, to: from + 3 }
  const end = text.indexOf('\n', from)
  return { from, to: from + text.slice(from, end === -1 ? text.length : end).trimEnd().length }
}

/** An empty file, or one that holds comments only, says as much as `{}`. */
const isEmpty = (contents: Node): boolean =>
  yaml().isScalar(contents) && contents.type === 'PLAIN' && contents.value === ''

const emptyFile = (): Tree => ({ data: emptyMapping(), from: 0, to: 0, nodes: 1, units: 0 })

/** Turns a stretch of a text into lines and columns. Lines end at a line feed; they are looked for once one is asked for. */
const linesOf = (text: string): ((stretch: Stretch) => Span) => {
  const counter = once(() => {
    const lines = new (yaml().LineCounter)()
    for (let at = 0; at !== -1; at = text.indexOf('\n', at) + 1 || -1) lines.addNewLine(at)
    return lines
  })
  return ({ from, to }) => {
    const [start, end] = [counter().linePos(from), counter().linePos(to)]
    return { line: start.line, column: start.col, endLine: end.line, endColumn: end.col }
  }
}

/** A value together with where it stands. Offsets in UTF-16 units, the end exclusive. */
export type Tree = {
  readonly data: Data
  readonly from: number
  readonly to: number
  /** Values and UTF-16 units of text below and in this one, aliases written out. */
  readonly nodes: number
  readonly units: number
  readonly entries?: ReadonlyMap<string, Entry>
  readonly items?: readonly Tree[]
}

export type Entry = { readonly key: Stretch; readonly value: Tree }

export type Stretch = { readonly from: number; readonly to: number }

/** Where the value at a path stands, or its key; when the path leads nowhere, the last value on the way. */
const stretchAt = (root: Tree, path: readonly (string | number)[], of: 'key' | 'value'): Stretch => {
  let value = root
  let key: Stretch | undefined
  for (const step of path) {
    const entry = value.entries?.get(String(step))
    const next = entry?.value ?? value.items?.[Number(step)]
    if (next === undefined) return value
    value = next
    key = entry?.key
  }
  return of === 'key' ? (key ?? value) : value
}
