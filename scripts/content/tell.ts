import type { Diagnostic, Place } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { exampleLine, flow, wordsIn } from './explain.ts'
import type { Data } from './parse/data.ts'
import type { Parsed } from './parse/parse.ts'
import { diagnoseIn, type Path, type Violation } from './rules.ts'

/** What was read of a file, and its lines. */
type Read = { readonly parsed: Parsed; readonly lines: readonly string[] }

/** Reports each violation once, where it helps most: what follows from another one is left out. */
export const tell = (violations: readonly Violation[], file: Read): readonly Diagnostic[] => {
  const { data, whole } = file.parsed
  const missing = violations.filter((violation) => violation.code === 'missing-key')
  if (whole && missing.length > 0 && isEmptyMapping(data)) return [emptyFile(missing, file)]
  const suggested = new Set(violations.flatMap(suggestedBy))
  return violations
    .filter((one) => one.code !== 'missing-key' || !isExplained(one, { whole, suggested }))
    .map((violation) => tellOne(violation, file))
}

type Missing = Extract<Violation, { readonly code: 'missing-key' }>

/** A key may be hidden by a syntax error, or be the one that is misspelt. */
const isExplained = (
  { path, args }: Missing,
  { whole, suggested }: { readonly whole: boolean; readonly suggested: ReadonlySet<string> },
): boolean => (!whole && path.length === 0) || suggested.has([...path, args.key].join('/'))

const suggestedBy = ({ code, path, args }: Violation): readonly string[] => {
  const meant = code === 'unknown-key' ? args.suggestion : undefined
  return meant === undefined ? [] : [[...path.slice(0, -1), meant].join('/')]
}

const emptyFile = (missing: readonly Missing[], { parsed }: Read): Diagnostic => {
  const example = missing.map(({ args }) => args.example).join('; ')
  return diagnose('empty-file', parsed.place([], 'value'), { example })
}

const tellOne = (violation: Violation, { parsed, lines }: Read): Diagnostic => {
  const { code, path, args } = violation
  if (code === 'missing-key' && has(parsed.data, [...path, args.key])) {
    const key = parsed.place([...path, args.key], 'key')
    const lost = lostValue(key, { lines, key: args.key })
    const given = { ...violation, args: { ...args, given: true } }
    return (
      lost ?? { ...diagnoseIn(parsed, given), related: [{ ...key, message: 'it is here, without a value' }] }
    )
  }
  if (code === 'bad-word' && args.value === '') {
    return (
      lostValue(parsed.place(path, 'value'), { lines, key: path.at(-1)! }) ?? diagnoseIn(parsed, violation)
    )
  }
  return diagnoseIn(parsed, violation)
}

const has = (data: Data | undefined, path: Path): boolean =>
  path.reduce<Data | undefined>((value, part) => (value as Readonly<Record<string, Data>>)?.[part], data) !==
  undefined

const isEmptyMapping = (data: Data | undefined): boolean =>
  typeof data === 'object' && !Array.isArray(data) && Object.keys(data).length === 0

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
