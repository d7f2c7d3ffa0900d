import type { YAMLMap } from 'yaml'
import type { Place } from '../../problems/diagnostic.ts'
import { once } from '../once.ts'
import { type Data, emptyMapping, type Path } from './data.ts'
import {
  type Composed,
  composeFirst,
  lineAt,
  maxParts,
  type Stretch,
  yaml,
} from './document.ts'
import type { Problem, Report } from './problem.ts'
import { readTree } from './reader.ts'
import { recover } from './recover.ts'
import { resolve } from './resolve.ts'
import { syntaxError } from './syntax-error.ts'
import { leaf, type Part, placesIn, stretchAt, type Tree } from './tree.ts'

export type Source = {
  /** As diagnostics name it: the `--content` value, `/`, the path inside. */
  readonly file: string
  /** The whole text, without a byte order mark. */
  readonly text: string
  /** The text parsed, which others may have asked for. */
  readonly parsed?: Parsed
}

export type Parsed = {
  /** `undefined` when the syntax leaves nothing to go on with. */
  readonly data: Data | undefined
  /**
   * Whether the data is all that the file says. After a syntax error it is what can still be
   * read.
   */
  readonly whole: boolean
  /** In the order of the file. */
  readonly problems: readonly Problem[]
  /**
   * Whether a comment such as `#x`, an anchor or a backslash may have been meant for a part
   * of a value.
   */
  readonly mayBeCut: boolean
  /** What was read, as it stands in the text. */
  readonly tree: () => Tree | undefined
  readonly placeOf: (stretch: Stretch) => Place
  /**
   * The place of the value at a path, or of its key. An alias stands where it is written,
   * what lies below it where its anchor is; a path that leads nowhere has the place of the
   * last value on the way.
   */
  readonly place: (path: Path, of: Part) => Place
}

/**
 * Reads YAML with the failsafe schema: every scalar is its text. Never throws; after a syntax
 * error it reads the rest.
 */
export const parse = (source: Source): Parsed => {
  const { file, text } = source
  const read = readTree(text)
  if (read === undefined) return parseFully(source)
  const { mayBeCut, tree } = read
  return {
    data: tree.data,
    whole: true,
    problems: [],
    mayBeCut,
    ...placing(file, () => read),
  }
}

/** The same by `yaml` alone, which reads no more than {@link maxParts}. */
export const parseFully = ({ file, text }: Source): Parsed => {
  const problems: Problem[] = []
  const tree = read(text, (code, { from, to }, args, first) => {
    // code and args belong together, which a union can't show
    problems.push({ code, from, to, args, first } as Problem)
  })
  return {
    data: tree?.data,
    whole: tree !== undefined && !problems.some(({ code }) => code === 'yaml-syntax'),
    problems: problems.sort((a, b) => a.from - b.from),
    mayBeCut: /[ \t](?:#[^\s#]|&|[|>][-+]?\d)|\S \\ /.test(text),
    ...placing(file, () => ({ tree, text })),
  }
}

/** Finds places in a text, of which perhaps a tree was read. */
export const placing = (
  file: string,
  read: () => { readonly tree: Tree | undefined; readonly text: string } | undefined,
): Pick<Parsed, 'tree' | 'placeOf' | 'place'> => {
  const tree = () => read()?.tree
  const places = once(() => placesIn(file, read()?.text ?? ''))
  return {
    tree,
    placeOf: (stretch) => places()(stretch),
    place: (path, of) => {
      const place = places()(stretchAt(tree() ?? nowhere, path, of))
      return of === 'mapping' && place.endLine > place.line
        ? { ...place, endLine: place.line, endColumn: place.column + 1 }
        : place
    },
  }
}

const nowhere = leaf('', 0, 0)

/** What a text says; `undefined` where nothing of it can be read. */
const read = (text: string, report: Report): Tree | undefined => {
  const composed = composeFirst(text)
  if ('tooMuch' in composed) {
    const at = { from: composed.at, to: composed.at + 1 }
    if (composed.tooMuch === 'too-deep') report('too-deep', at, undefined)
    else report('too-many-values', at, { limit: maxParts })
    return undefined
  }
  const { contents, second } = composed
  const error = syntaxError(composed)
  const { sound, errors } = error
    ? recover(text, contents, error)
    : { sound: [composed], errors: [] }
  for (const one of errors) report('yaml-syntax', one, one)
  const [first, ...others] = sound
  if (first === undefined) return undefined
  for (const tag of sound.flatMap(badTags)) report('bad-tag', tag, undefined)
  if (second !== undefined && error === undefined) {
    const to = text.startsWith('---', second) ? second + 3 : lineAt(text, second).to
    report('multiple-documents', { from: second, to }, undefined)
  }
  const root = first.contents
  // an empty file, or one that holds comments only, says as much as `{}`
  if (!root || (yaml().isScalar(root) && root.type === 'PLAIN' && root.value === ''))
    return { data: emptyMapping(), keys: [], values: [], from: 0, to: 0 }
  // entries that were read by themselves are those of one mapping
  if (others.length > 0) {
    ;(root as YAMLMap).items = sound.flatMap(({ contents }) => (contents as YAMLMap).items)
  }
  return resolve(root, text, (code, ...about) => {
    // its anchor may be where the syntax error is
    if (error === undefined || code !== 'unknown-alias') report(code, ...about)
  })
}

/** The tags that yaml can't resolve with three types, each once, and the lone `!`. */
const badTags = ({ errors, warnings, loneTags }: Composed): readonly Stretch[] => {
  const tags = new Map(loneTags.map((from) => [from, from + 1]))
  for (const { code, pos } of [...errors, ...warnings])
    if (code === 'TAG_RESOLVE_FAILED') tags.set(...pos)
  return Array.from(tags, ([from, to]) => ({ from, to }))
}
