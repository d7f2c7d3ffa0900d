import type { Data } from '../content/parse/data.ts'
import { parse } from '../content/parse/parse.ts'
import type { Path } from '../content/rules.ts'
import { applySplices, type Splice } from './change.ts'
import { prove } from './prove.ts'

/** A key, or a value, and the word to be in its place; it must need no quotes. */
export type Exchange = {
  readonly path: Path
  readonly of: 'key' | 'value'
  readonly before: string
  readonly after: string
}

/**
 * Exchanges keys and values where they stand; all else stays as it is. Those that are not written as they read, such as
 * a value over several lines, stay too: `done` says which were exchanged.
 */
export const exchange = (
  source: string,
  exchanges: readonly Exchange[],
): { readonly text: string; readonly done: readonly Exchange[] } => {
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  const text = source.slice(mark.length)
  const { data = '', place } = parse({ file: '', text })
  const lines = lineOffsets(text)
  const spliceOf = ({ path, of, before, after }: Exchange): Splice | undefined => {
    const { line, column, endLine, endColumn } = place(path, of)
    const [from, to] = [lines[line - 1]! + column - 1, lines[endLine - 1]! + endColumn - 1]
    const written = text.slice(from, to)
    if (written === before) return { from, to, text: after }
    const quoted = [`"${before}"`, `'${before}'`].includes(written)
    return quoted ? { from: from + 1, to: to - 1, text: after } : undefined
  }
  const done = exchanges.filter((one) => spliceOf(one) !== undefined)
  const after = applySplices(
    text,
    done.map((one) => spliceOf(one)!),
  )
  const edited = prove(text, after, exchanged(data, done))
  return edited.refused === undefined ? { text: mark + edited.text, done } : { text: source, done: [] }
}

const lineOffsets = (text: string): readonly number[] => [
  0,
  ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1),
]

const exchanged = (data: Data, exchanges: readonly Exchange[]): Data => {
  const keyOf = (path: Path, of: string): string => JSON.stringify([of, ...path])
  const words = new Map(exchanges.map(({ path, of, after }) => [keyOf(path, of), after]))
  const visit = (value: Data, path: Path): Data => {
    const word = words.get(keyOf(path, 'value'))
    if (word !== undefined || typeof value === 'string') return word ?? value
    if (Array.isArray(value)) return value.map((item: Data, at) => visit(item, [...path, at]))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const below = [...path, key]
        return [words.get(keyOf(below, 'key')) ?? key, visit(one, below)]
      }),
    )
  }
  return visit(data, [])
}
