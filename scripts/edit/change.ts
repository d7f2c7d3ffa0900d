import { isDeepStrictEqual } from 'node:util'
import type { Node, Pair, YAMLMap, YAMLSeq } from 'yaml'
import { explainYaml } from '../advice/yaml.ts'
import type { ContentFolder } from '../content/layout.ts'
import { type Data, isMapping, type Mapping, mappingOf } from '../content/parse/data.ts'
import { composeFirst, scalarFollows, yaml } from '../content/parse/document.ts'
import { type Parsed, parse } from '../content/parse/parse.ts'
import { readSchema, type SchemaName, type Subschema } from '../content/schema.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { writeEntry, writeFlow, writeItem, writeValue } from './write.ts'

/** An edited text, with what it says if that was compared; or why nothing was edited, in words that follow "can't be edited: ". */
export type Edited =
  | { readonly text: string; readonly data?: Data; readonly refused?: never }
  | { readonly text?: never; readonly data?: never; readonly refused: string }

/** The same, with the text of a file as it was, and the problems of one that is broken. */
export type Tidied = Edited & {
  readonly before?: string
  readonly diagnostics?: readonly Diagnostic[]
}

/** New values by key; `undefined` takes the key out. */
export type NewValues = Readonly<Record<string, Data | undefined>>

/**
 * What a new file begins with: where editors find its schema, if there is a path from the content folder's parent to
 * the schemas. {@link changeKeys} does the rest.
 */
export const firstLine = (
  name: SchemaName,
  schemas: string | undefined,
  { groups = 0 }: Pick<ContentFolder, 'groups'> = {},
): string => {
  if (schemas === undefined) return ''
  const more = groups > 0 && name !== 'site' ? '../' : ''
  return `# yaml-language-server: $schema=${more}${up[name]}${schemas}/${name}.schema.json\n`
}

/** From a file to the content folder's parent. */
const up = { site: '../', profile: '../../../', shot: '../../../../' } as const

/**
 * Sets or takes out keys of a profile, a shot or site.yaml, for commands and forms alike. Pure: the text of the file
 * goes in, the new text comes out, or why not, in words. All other bytes stay as they are; a new key comes where the
 * schema's order has it; the comments of a key that goes, or of a value that is replaced, stay on lines of their own.
 * The new text is read again, and refused unless it says exactly what it should. Whether the values are right is not
 * asked here: the check of the file says so.
 */
export const changeKeys = (text: string, values: NewValues, name: SchemaName): Edited => {
  const schema = readSchema(name)
  const { data, problems } = readData(text)
  if (!isMapping(data) || problems.length > 0) return { refused: 'it has errors' }
  const rankOf = createRank(schema)
  const changes = Object.entries(values)
    .map(([key, after]) => ({ key, before: data[key], after }))
    .filter(({ before, after }) => !equalData(before, after))
    .sort((a, b) => rankOf(a.key) - rankOf(b.key))
  if (changes.length === 0) return { text }
  const map = rootMap(text)
  const splices = map?.flow
    ? inBraces(map, changes, schema)
    : inLines({ text, map }, changes, schema)
  if (splices === undefined) return { refused: 'it is not written as one key a line' }
  const windows = text.split('\r\n').length - 1
  const lineBreak = windows * 2 > text.split('\n').length - 1 ? '\r\n' : '\n'
  const written = splices.map((one) => ({ ...one, text: one.text.replaceAll('\n', lineBreak) }))
  const wanted = Object.entries({ ...data, ...values }).filter(([, value]) => value !== undefined)
  return prove(text, applySplices(text, written), Object.fromEntries(wanted) as Mapping)
}

/** Whether a comment stands beside the value of a key, or within it. */
export const hasComment = (text: string, key: string): boolean => {
  const entry = readEntries(text, rootMap(text))?.find((one) => one.key === key)
  return commentsOf(text).some(
    ({ from }) => entry !== undefined && entry.line <= from && from < entry.end,
  )
}

/** Gives the place of a key in the schema's order; unknown ones come last. */
const createRank = ({ properties = {} }: Subschema): ((key: string) => number) => {
  const order = Object.keys(properties)
  return (key) => (order.includes(key) ? order.indexOf(key) : order.length)
}

type Change = {
  readonly key: string
  readonly before: Data | undefined
  readonly after: Data | undefined
}

/** A stretch of a text, in UTF-16 units, and its replacement. */
export type Splice = {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Makes all replacements at once; insertions at one offset keep their order. */
export const applySplices = (text: string, splices: readonly Splice[]): string =>
  splices
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
    .reduceRight(
      (rest, { from, to, text: put }) => rest.slice(0, from) + put + rest.slice(to),
      text,
    )

/** What changes in a file with one key a line, with `\n` for line ends; `undefined` if it is none. */
const inLines = (
  { text, map }: { readonly text: string; readonly map: Root },
  changes: readonly Change[],
  schema: Subschema,
): readonly Splice[] | undefined => {
  const entries = readEntries(text, map)
  if (entries === undefined) return undefined
  const column = entries.length === 0 ? 0 : indentOf(text, entries[0]!.line)
  /** The comments of a stretch, each on a line of its own. */
  const comments = (from: number, to: number): string =>
    commentsOf(text)
      .filter((comment) => comment.from >= from && comment.from < to)
      .map((comment) => `${' '.repeat(column)}${comment.text}\n`)
      .join('')
  const rankOf = createRank(schema)
  return changes.flatMap(({ key, before, after }): readonly Splice[] => {
    const entry = entries.find((one) => one.key === key)
    if (entry === undefined) {
      const above = entries
        .filter((one) => rankOf(one.key) < rankOf(key))
        .sort((a, b) => rankOf(a.key) - rankOf(b.key))
      const at = above.at(-1)?.to ?? entries[0]?.from ?? text.length
      return [insertion(text, at, writeEntry(key, after!, { schema, column }))]
    }
    const { line, colon, end, value } = entry
    if (after === undefined) return [{ from: line, to: end, text: comments(line, end) }]
    const last = value?.range?.[1] ?? colon
    if (after === '' && !text.slice(colon, last).includes('\n'))
      return [{ from: colon, to: last, text: '' }]
    const own = schema.properties?.[key]
    const added = yaml().isSeq(value) && appending(text, value as YAMLSeq, { before, after, own })
    if (added) return [added]
    const style = yaml().isScalar(value) ? (value.type ?? 'PLAIN') : undefined
    const written = writeValue(after, { schema: own, style, column })
    const isOneLine = style !== undefined && !style.startsWith('BLOCK') && !written.includes('\n')
    if (typeof after === 'string' && isOneLine) {
      const [from, to] = value!.range!
      return [
        from === to
          ? { from: colon, to: colon, text: written }
          : { from, to, text: written.slice(1) },
      ]
    }
    const ending = text.slice(colon, end).endsWith('\n') ? '\n' : ''
    return [
      { from: line, to: line, text: comments(colon, end) },
      { from: colon, to: end, text: written + ending },
    ]
  })
}

/** Puts whole lines at the beginning of a line, or at the end of a text whose last line lacks its end. */
const insertion = (text: string, at: number, lines: string): Splice => {
  const isOpen = at > 0 && text[at - 1] !== '\n'
  return { from: at, to: at, text: isOpen ? `\n${lines}` : `${lines}\n` }
}

/** Writes items after the last one of a list that has not changed but for them, as they are written there. */
const appending = (
  text: string,
  list: YAMLSeq,
  { before, after, own }: Omit<Change, 'key'> & { readonly own: Subschema | undefined },
): Splice | undefined => {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length === 0) return undefined
  const items: readonly Data[] = after.slice(before.length)
  if (items.length === 0 || !equalData(before, after.slice(0, before.length))) return undefined
  const schema = own?.items
  const last = list.items.at(-1) as Node
  if (list.flow) {
    const at = last.range![1]
    return { from: at, to: at, text: items.map((item) => `, ${writeFlow(item, schema)}`).join('') }
  }
  const column = list.range![0] - lineStart(text, list.range![0])
  const lines = items.map((item) => writeItem(item, { schema, column }))
  return insertion(text, lineEnd(text, lastOf(text, last)), lines.join('\n'))
}

/** What changes in a file that stands in braces as a whole. */
const inBraces = (
  map: YAMLMap,
  changes: readonly Change[],
  schema: Subschema,
): readonly Splice[] => {
  const pairs = pairsOf(map).map(({ key, value }) => {
    const [from, colon] = key.range!
    return { key: textOf(key), from, colon, to: Math.max(colon, value?.range?.[1] ?? 0) }
  })
  const goes = new Set(changes.filter(({ after }) => after === undefined).map(({ key }) => key))
  return changes.map(({ key, after }): Splice => {
    const at = pairs.findIndex((one) => one.key === key)
    const written = after === undefined ? '' : `: ${writeFlow(after, schema.properties?.[key])}`
    if (at === -1) {
      const end = pairs.at(-1)?.to ?? map.range![0] + 1
      return { from: end, to: end, text: `${pairs.length === 0 ? '' : ', '}${key}${written}` }
    }
    const last = pairs[at - 1]
    const { from, colon, to } = pairs[at]!
    const next = pairs[at + 1]
    if (after !== undefined) return { from: colon, to, text: written }
    // a comma goes with the pair before it where no other comes after
    const isLast = pairs.slice(at).every((one) => goes.has(one.key))
    return isLast ? { from: last?.to ?? from, to, text: '' } : { from, to: next!.from, text: '' }
  })
}

/** Offset of the beginning of the line that an offset is in. */
const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

/** Offset right after the line feed of the line that an offset is in; the text's end on its last line. */
const lineEnd = (text: string, at: number): number => text.indexOf('\n', at) + 1 || text.length

/** A key of a block mapping with its value: whole lines, together with the comments that are about it. */
type Entry = {
  readonly key: string
  /** Right after its colon. */
  readonly colon: number
  /** Absent where nothing follows the colon. */
  readonly value: Node | undefined
  /** Where its lines begin: with what stands above it. A comment with which a file begins is the file's. */
  readonly from: number
  /** Where the key's own line begins. */
  readonly line: number
  /** Where the line ends on which the value does. */
  readonly end: number
  /** Where its lines end: comments that are indented below the value belong to it. */
  readonly to: number
}

/**
 * The entries of a block mapping, in its order; `undefined` if the text is anything else. Lines before the first entry
 * and after the last belong to none. The text must be free of syntax errors.
 */
const readEntries = (text: string, map: Root): readonly Entry[] | undefined => {
  if (map === null) return []
  if (map === undefined || map.flow) return undefined
  const bodies = pairsOf(map).map(({ key, value }) => ({
    key: textOf(key),
    colon: text.indexOf(':', key.range![1]) + 1,
    value: value ?? undefined,
    line: lineStart(text, key.range![0]),
    end: lineEnd(text, lastOf(text, value ?? key)),
  }))
  const column = indentOf(text, bodies[0]!.line)
  // a key shares its line with nothing but spaces, a question mark, an anchor
  const isAlone = ({ line }: { readonly line: number }): boolean =>
    indentOf(text, line) === column && !/^(?:---|[%#])/.test(text.slice(line, line + 3))
  if (!bodies.every(isAlone)) return undefined
  let from = withLead(text, bodies[0]!.line)
  return bodies.map((body, at) => {
    const to = withIndented(text, {
      from: body.end,
      to: bodies[at + 1]?.line ?? text.length,
      column,
    })
    const entry = { ...body, from, to }
    from = to
    return entry
  })
}

/**
 * A profile, a shot or site.yaml with its keys in the schema's order, each with its comments, with plain line ends and
 * a last one. Nothing else changes. A text that has errors in its syntax is refused; they name the file.
 */
export const tidy = (text: string, name: SchemaName, file = ''): Tidied => {
  const { data = '', problems } = readData(text)
  if (problems.length > 0)
    return { refused: 'it is broken', diagnostics: explainYaml(parse({ file, text }), text) }
  const schema = readSchema(name)
  const plain = text.replaceAll('\r\n', '\n').replace(/[^\n]$/, '$&\n')
  const ranks = ranksOf(Object.keys(mappingOf(data)), schema)
  const isSorted = ranks.every((rank, at) => at === 0 || ranks[at - 1]! <= rank)
  const after = isSorted ? plain : sortKeys(plain, ranks)
  return after === text ? { text } : prove(text, after, data)
}

/** Where each key stands in the schema's order; an unknown one stays after the key that it follows. */
const ranksOf = (keys: readonly string[], { properties = {} }: Subschema): readonly number[] => {
  const order = Object.keys(properties)
  let last = -1
  return keys.map((key) => {
    if (order.includes(key)) last = order.indexOf(key)
    return last
  })
}

const sortKeys = (text: string, ranks: readonly number[]): string => {
  const entries = readEntries(text, rootMap(text)) ?? []
  const sorted = [...entries.keys()].sort((a, b) => ranks[a]! - ranks[b]!).map((at) => entries[at]!)
  const lines = sorted.map(({ from, to }) => text.slice(from, to))
  return (
    text.slice(0, entries[0]?.from) + lines.join('') + text.slice(entries.at(-1)?.to ?? text.length)
  )
}

/** The mapping that a text is; `null` for a text that says nothing, `undefined` for any other. */
type Root = YAMLMap | null | undefined

const rootMap = (text: string): Root => {
  const composed = composeFirst(text)
  if ('tooMuch' in composed) return undefined
  const { contents } = composed
  if (contents === null || (yaml().isScalar(contents) && contents.value === '')) return null
  return yaml().isMap(contents) ? (contents as YAMLMap) : undefined
}

const pairsOf = (map: YAMLMap): readonly Pair<Node, Node | null>[] =>
  map.items as readonly Pair<Node, Node | null>[]

const textOf = (key: Node): string => String((key as { value?: unknown }).value)

const indentOf = (text: string, line: number): number =>
  /^ */.exec(text.slice(line, line + 100))![0].length

/** An offset on the line on which a value ends. */
const lastOf = (text: string, node: Node): number => {
  const [from, end] = node.range!
  const { isCollection, isScalar, isMap } = yaml()
  if (isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')) {
    return text[end - 1] === '\n' ? end - 1 : end
  }
  if (!isCollection(node) || node.flow || node.items.length === 0) return Math.max(from, end)
  const last = node.items.at(-1)!
  if (!isMap(node)) return lastOf(text, last as Node)
  const { key, value } = last as Pair<Node, Node | null>
  return lastOf(text, value ?? key)
}

/** Where the first entry begins: with the comments right above it, if a blank line keeps them from the file's start. */
const withLead = (text: string, line: number): number => {
  let lead = line
  for (let at = 0; at < line; at = lineEnd(text, at)) {
    if (!text.slice(at, lineEnd(text, at)).trim().startsWith('#')) lead = lineEnd(text, at)
  }
  return lead
}

/** Where the lines of an entry end: comments that are indented below it are its own, others belong to what follows. */
const withIndented = (
  text: string,
  { from, to, column }: { readonly from: number; readonly to: number; readonly column: number },
): number => {
  const comments = new RegExp(`^(?:(?:[^\\S\\n]*\\n)*[^\\S\\n]{${column + 1},}#[^\\n]*(?:\\n|$))*`)
  return from + comments.exec(text.slice(from, to))![0].length
}

/** What a file with this text says. */
export const readData = (text = ''): Pick<Parsed, 'data' | 'whole' | 'problems'> =>
  parse({ file: '', text })

/** The mapping that a text is, as far as it can be read. */
export const mappingIn = (text?: string): Mapping => mappingOf(readData(text).data)

/** Reads a new text once more, and accepts it only if it says what it should and has every comment. */
const prove = (before: string, after: string, wanted: Data): Edited => {
  const { data, problems } = readData(after)
  if (problems.some(({ code }) => code === 'unknown-alias'))
    return { refused: 'an alias would come before its anchor' }
  if (data === undefined || problems.length > 0 || !equalData(data, wanted))
    return { refused: 'it would say something else' }
  return keepsComments(before, after)
    ? { text: after, data: wanted }
    : { refused: 'a comment would be lost' }
}

/** Whether two values are the same, in whatever order their keys are. */
export const equalData = (a: Data | undefined, b: Data | undefined): boolean =>
  typeof a === 'object' && typeof b === 'object'
    ? isDeepStrictEqual(structuredClone(a), structuredClone(b))
    : a === b

/** Whether a text has all comments of another one. */
export const keepsComments = (before: string, after: string): boolean => {
  const counts = new Map<string, number>()
  for (const { text } of commentsOf(after)) counts.set(text, (counts.get(text) ?? 0) + 1)
  return commentsOf(before).every(({ text }) => {
    const left = counts.get(text) ?? 0
    counts.set(text, left - 1)
    return left > 0
  })
}

/** Every comment of a YAML text, in its order: `# so`. The end of the line is not part of it. */
export const commentsOf = (
  text: string,
): readonly { readonly from: number; readonly text: string }[] => {
  const comments: { from: number; text: string }[] = []
  if (!text.includes('#')) return comments
  let at = 0
  let previous = ''
  for (const lexeme of new (yaml().Lexer)().lex(text)) {
    if (lexeme.startsWith('#') && previous !== scalarFollows)
      comments.push({ from: at, text: lexeme.trimEnd() })
    if (!marks.has(lexeme)) at += lexeme.length
    previous = lexeme
  }
  return comments
}

/** Tokens of the lexer that are no text: the start of a document, a scalar to come, the end of broken brackets. */
const marks: ReadonlySet<string> = new Set(['\x02', scalarFollows, '\x18'])
