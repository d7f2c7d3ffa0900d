import { explainYaml } from '../../advice/yaml.ts'
import { mappingOf } from '../../content/parse/data.ts'
import { parse } from '../../content/parse/parse.ts'
import { readSchema, type SchemaName, type Subschema } from '../../content/schema.ts'
import type { Diagnostic } from '../../problems/diagnostic.ts'
import { readEntries } from './entries.ts'
import { type Edited, prove, readData } from './proof.ts'

/** An edited text, with the text of the file as it was; of a broken one, its problems. */
export type Tidied = Edited & {
  readonly before?: string
  readonly diagnostics?: readonly Diagnostic[]
}

/**
 * A profile, a shot or site.yaml with its keys in the schema's order, each with its comments,
 * with plain line ends and a last one. Nothing else changes. A text that has errors in its
 * syntax is refused; they name the file.
 */
export const tidy = (text: string, name: SchemaName, file = ''): Tidied => {
  const { data = '', problems } = readData(text)
  if (problems.length > 0) {
    const diagnostics = explainYaml(parse({ file, text }), text)
    return { refused: 'it is broken', diagnostics }
  }
  const schema = readSchema(name)
  const plain = text.replaceAll('\r\n', '\n').replace(/[^\n]$/, '$&\n')
  const ranks = ranksOf(Object.keys(mappingOf(data)), schema)
  const isSorted = ranks.every((rank, at) => (ranks[at - 1] ?? 0) <= rank)
  const after = isSorted ? plain : sortKeys(plain, ranks)
  return after === text ? { text } : prove(text, after, data)
}

/**
 * Where each key stands in the schema's order; an unknown one stays after the key that it
 * follows.
 */
const ranksOf = (
  keys: readonly string[],
  { properties = {} }: Subschema,
): readonly number[] => {
  const order = Object.keys(properties)
  let last = -1
  return keys.map((key) => {
    const rank = order.indexOf(key)
    if (rank !== -1) last = rank
    return last
  })
}

const sortKeys = (text: string, ranks: readonly number[]) => {
  const entries = readEntries(text) ?? []
  const sorted = entries
    .map((entry, at) => ({ ...entry, rank: ranks[at] ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
  const lines = sorted.map(({ from, to }) => text.slice(from, to))
  const start = text.slice(0, entries[0]?.from)
  const end = text.slice(entries.at(-1)?.to ?? text.length)
  return start + lines.join('') + end
}
