import type { Diagnostic, Place } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import type { Data } from '../parse/data.ts'
import type { Parsed } from '../parse/parse.ts'
import type { Path } from '../rules/violation.ts'
import { wordsIn } from './advise.ts'
import { exampleLine, flow } from './example.ts'

/** Whether a comment may begin inside what was meant as a value: a cheap filter for files that are parsed in full. */
export const mayBeCut = (text: string): boolean => text.includes(' #') && cutLine.test(text)

/** A plain value on the line of its key or dash, then a space and a `#` that no space follows. */
const cutLine = /^[ \t]*(?:- +(?:[\w-]+:[ \t]+)?|[\w-]+:[ \t]+)[^\s"'|>[{&*!#][^\n]* #[^\s#]/m

/** Warns where `#` ends a value early: `title: Poster #1` is published as "Poster". */
export const cutValues = (
  data: Data,
  { place }: Pick<Parsed, 'place'>,
  lines: readonly string[],
): readonly Diagnostic[] =>
  textsIn(data).flatMap(({ path, text }) => {
    const { file, endLine: line, endColumn: column } = place(path, 'value')
    const [, gap, lost] = /^( +)(#[^\s#].*)$/.exec(lines[line - 1]!.slice(column - 1).trimEnd()) ?? []
    if (lost === undefined || text === '') return []
    const from = column + gap!.length
    const at: Place = { file, line, column: from, endLine: line, endColumn: from + lost.length }
    const key = path.at(-1)
    const whole = `${text}${gap}${lost}`
    const better = typeof key === 'string' ? exampleLine(key, whole) : `- ${flow(whole)}`
    return [diagnose('cut-by-comment', at, { lost, line: better })]
  })

/** Why nothing is left of the value that ends at a place: a comment took it, or it is an anchor. */
export const lostValue = (
  { file, endLine: line, endColumn: column }: Place,
  { lines, key }: { readonly lines: readonly string[]; readonly key: string | number },
): Diagnostic | undefined => {
  const [, gap, lost] = /^(:?\s*)([#&]\S.*)$/.exec((lines[line - 1] ?? '').slice(column - 1).trimEnd()) ?? []
  if (lost === undefined) return undefined
  const from = column + gap!.length
  const word = wordsIn(lost.replace(/^[#&]\s*/, ''))[0]
  const better =
    typeof key === 'number'
      ? `- ${flow(word ?? lost)}`
      : exampleLine(key, key.startsWith('id') && /^#\d+$/.test(lost) ? lost.slice(1) : lost)
  const at: Place = { file, line, column: from, endLine: line, endColumn: from + lost.length }
  return diagnose('no-value', at, { sign: lost.slice(0, 1), better })
}

/** Every text of a file with its path: the first thousand, as a stranger's broken file may have any number. */
const textsIn = (data: Data, path: Path = []): readonly { readonly path: Path; readonly text: string }[] => {
  if (typeof data === 'string') return [{ path, text: data }]
  const entries = Array.isArray(data)
    ? data.map((item, index) => [index, item] as const)
    : Object.entries(data)
  return entries.slice(0, 1000).flatMap(([key, value]) => textsIn(value, [...path, key]))
}
