import type { Node } from 'yaml'
import { byPlace, type Diagnostic, type Place } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import type { Source } from '../source.ts'
import { yaml } from '../yaml.ts'
import { syntaxError } from './advice/syntax-error.ts'
import { type Data, emptyMapping } from './data.ts'
import { type Composed, composeFirst, maxParts } from './document.ts'
import { linesOf } from './lines.ts'
import { recover } from './recover.ts'
import { type Flaw, resolve } from './resolve.ts'
import { type Stretch, stretchAt, type Tree } from './tree.ts'

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
  const placeOf = ({ from, to }: Stretch): Place => ({ file, ...lines(from, to) })
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
  if (errors.length > 0 && !text.includes('\n') && text.trimEnd().includes('\r')) {
    return unreadable(
      [diagnose('yaml-syntax', placeOf({ from: 0, to: text.indexOf('\r') }), oldLineEnds)],
      placeOf,
    )
  }
  const syntax = syntaxError(errors, contents, text)
  const recovered = syntax && recover(text, contents)
  const found = recovered?.errors.length ? recovered.errors : syntax ? [syntax] : []
  const problems = found.map((error) => diagnose('yaml-syntax', placeOf(error), error))
  if (syntax !== undefined && recovered?.contents === undefined) return unreadable(problems, placeOf)

  for (const tag of (recovered?.composed ?? [composed]).flatMap(badTags)) {
    problems.push(diagnose('bad-tag', placeOf(tag), { tag: text.slice(tag.from, tag.to) }))
  }
  if (second !== undefined && syntax === undefined) {
    const empty = !/^(?!\s*(?:#|$))/m.test(text.slice(second).replace(/^---|^\.\.\./, ''))
    problems.push(diagnose('multiple-documents', placeOf(documentStart(text, second)), { empty }))
  }
  const report = (flaw: Flaw): void => {
    // its anchor may be where the syntax error is
    if (syntax === undefined || flaw.code !== 'unknown-alias') problems.push(explain(flaw, placeOf))
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

const oldLineEnds = {
  problem: 'its lines end with CR alone, as on very old Macs',
  advice: 'save the file again with line ends LF (Unix) or CRLF (Windows)',
}

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

const documentStart = (text: string, from: number): Stretch => {
  if (text.startsWith('---', from)) return { from, to: from + 3 }
  const end = text.indexOf('\n', from)
  return { from, to: from + text.slice(from, end === -1 ? text.length : end).trimEnd().length }
}

/** An empty file, or one that holds comments only, says as much as `{}`. */
const isEmpty = (contents: Node): boolean =>
  yaml().isScalar(contents) && contents.type === 'PLAIN' && contents.value === ''

const emptyFile = (): Tree => ({ data: emptyMapping(), from: 0, to: 0, nodes: 1, units: 0 })

const explain = (flaw: Flaw, placeOf: (stretch: Stretch) => Place): Diagnostic => {
  const place = placeOf(flaw)
  switch (flaw.code) {
    case 'duplicate-key':
      return diagnose(flaw.code, place, { key: flaw.subject }, [
        { ...placeOf(flaw.first!), message: 'it is given here first' },
      ])
    case 'unknown-alias':
      return diagnose(flaw.code, place, { name: flaw.subject })
    case 'bad-character':
      return diagnose(flaw.code, place, { character: flaw.subject })
    default:
      return diagnose(flaw.code, place, undefined)
  }
}
