import { parse } from '../content/parse/parse.ts'
import { quickParse } from '../content/parse/quick.ts'
import type { ContentFolder } from '../content/read/scan.ts'
import { readSchema, type Subschema } from '../content/schema.ts'
import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { readEntries } from './change.ts'
import { type ContentFile, readText, shownPath, unreadable } from './content-files.ts'
import { type Edited, prove } from './prove.ts'

/** What tidying makes of a file; nothing is written. */
export type Tidied =
  | { readonly outcome: 'tidy' }
  | { readonly outcome: 'changed'; readonly before: string; readonly after: string }
  /** It can't be read, or not be changed without saying something else. */
  | { readonly outcome: 'left'; readonly diagnostics: readonly Diagnostic[]; readonly reason: string }

/** Says of one file after the other what tidying makes of it. */
export const createTidy = (content: ContentFolder): ((file: ContentFile) => Tidied) => {
  const schemas = { site: readSchema('site'), profile: readSchema('profile'), shot: readSchema('shot') }
  return ({ kind, below }) => {
    const left = (reason: string, diagnostics: readonly Diagnostic[] = []): Tidied => ({
      ...{ outcome: 'left', reason, diagnostics },
    })
    const before = readText(content, below)
    if (before === undefined) return left(unreadable)
    const text = before.replace(/^\ufeff/, '')
    const known = quickParse(text)
    if (known === undefined) {
      const { problems } = parse({ file: shownPath(content, below), text })
      if (hasErrors(problems)) return left('it is broken', problems)
    } else if (isSorted(Object.keys(known), schemas[kind]) && hasPlainLines(text)) return { outcome: 'tidy' }
    const { text: after, refused } = tidy(before, schemas[kind])
    if (refused !== undefined) return left(refused)
    return after === before ? { outcome: 'tidy' } : { outcome: 'changed', before, after }
  }
}

const hasPlainLines = (text: string): boolean =>
  (text === '' || text.endsWith('\n')) && !text.includes('\r\n')

/**
 * A profile, a shot or site.yaml with its keys in the schema's order, each with its comments, with plain line ends and
 * a last one. Nothing else changes. The text must be free of errors in its syntax.
 */
export const tidy = (source: string, schema: Subschema): Edited => {
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  const before = source.slice(mark.length)
  const plain = before.replaceAll('\r\n', '\n')
  const ended = hasPlainLines(plain) ? plain : `${plain}\n`
  const after = sortKeys(ended, schema)
  if (after === before) return { text: source }
  const edited = prove(before, after, parse({ file: '', text: before }).data ?? '')
  return edited.refused === undefined ? { text: mark + edited.text } : edited
}

const isSorted = (names: readonly string[], schema: Subschema): boolean => {
  const keys = names.map((key) => ({ key }))
  return inOrder(keys, schema) === keys
}

/** Keys in the schema's order, the same list if they are; an unknown one stays after the key that it follows. */
const inOrder = <T extends { readonly key: string }>(
  items: readonly T[],
  schema: Subschema,
): readonly T[] => {
  const order = Object.keys(schema.properties ?? {})
  let last = -1
  const ranked = items.map((item) => {
    last = order.includes(item.key) ? order.indexOf(item.key) : last
    return { item, rank: last }
  })
  const sorted = ranked.toSorted((a, b) => a.rank - b.rank)
  return sorted.every((one, index) => one === ranked[index]) ? items : sorted.map(({ item }) => item)
}

const sortKeys = (text: string, schema: Subschema): string => {
  const { entries = [] } = readEntries(text) ?? {}
  const sorted = inOrder(entries, schema)
  if (sorted === entries) return text
  return [
    text.slice(0, entries[0]!.from),
    ...sorted.map(({ from, to }) => text.slice(from, to)),
    text.slice(entries.at(-1)!.to),
  ].join('')
}
