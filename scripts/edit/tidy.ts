import { parse } from '../content/parse/parse.ts'
import { quickParse } from '../content/parse/quick.ts'
import type { ContentFolder } from '../content/read/scan.ts'
import { readSchema, type Subschema } from '../content/schema.ts'
import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { readEntries } from './change.ts'
import { type ContentFile, readText, shownPath, unreadable } from './content-files.ts'
import { type Edited, prove, splitMark } from './prove.ts'

/** What tidying makes of a file, as it was `before`; nothing is written. */
export type Tidied = Edited & { readonly before?: string; readonly diagnostics?: readonly Diagnostic[] }

/** Says of one file after the other what tidying makes of it. */
export const createTidy = (content: ContentFolder): ((file: ContentFile) => Tidied) => {
  const schemas = { site: readSchema('site'), profile: readSchema('profile'), shot: readSchema('shot') }
  return ({ kind, below }) => {
    const before = readText(content, below)
    if (before === undefined) return { refused: unreadable }
    const [, text] = splitMark(before)
    const known = quickParse(text)
    if (known === undefined) {
      const { problems } = parse({ file: shownPath(content, below), text })
      if (hasErrors(problems)) return { refused: 'it is broken', diagnostics: problems }
    } else if (isSorted(Object.keys(known), schemas[kind]) && hasPlainLines(text))
      return { before, text: before }
    return { before, ...tidy(before, schemas[kind]) }
  }
}

const hasPlainLines = (text: string): boolean =>
  (text === '' || text.endsWith('\n')) && !text.includes('\r\n')

/**
 * A profile, a shot or site.yaml with its keys in the schema's order, each with its comments, with plain line ends and
 * a last one. Nothing else changes. The text must be free of errors in its syntax.
 */
export const tidy = (source: string, schema: Subschema): Edited => {
  const [mark, before] = splitMark(source)
  const plain = before.replaceAll('\r\n', '\n')
  const after = sortKeys(hasPlainLines(plain) ? plain : `${plain}\n`, schema)
  if (after === before) return { text: source }
  const edited = prove(before, after, parse({ file: '', text: before }).data ?? '')
  return edited.refused === undefined ? { text: mark + edited.text } : edited
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

const isSorted = (keys: readonly string[], schema: Subschema): boolean =>
  ranksOf(keys, schema).every((rank, at, all) => at === 0 || all[at - 1]! <= rank)

const sortKeys = (text: string, schema: Subschema): string => {
  const { entries = [] } = readEntries(text) ?? {}
  const ranks = ranksOf(
    entries.map(({ key }) => key),
    schema,
  )
  const sorted = [...entries.keys()].sort((a, b) => ranks[a]! - ranks[b]!).map((at) => entries[at]!)
  const lines = sorted.map(({ from, to }) => text.slice(from, to))
  return text.slice(0, entries[0]?.from) + lines.join('') + text.slice(entries.at(-1)?.to ?? text.length)
}
