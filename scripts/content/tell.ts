import type { Diagnostic, Place } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { amount } from '../text/amounts.ts'
import { printable } from '../text/printable.ts'
import type { Explained } from './explain.ts'
import { exampleLine, fits, isFreeText, keyIn, lineFor, meantData, meantText, schemaAt } from './hint.ts'
import { type Data, isMapping, valueAt } from './parse/data.ts'
import type { Parsed } from './parse/parse.ts'
import { createFit } from './quick-fit.ts'
import { diagnoseIn, type Path, type Violation } from './rules.ts'
import { meantWords, saysNothing } from './values/meant.ts'
import { otherYears } from './values/timestamp.ts'

/** What was read of a file, its lines, and what it is held against. */
type Read = { readonly parsed: Parsed; readonly lines: readonly string[]; readonly about: Explained }

/** Reports each violation once, where it helps most: what follows from another one is left out. */
export const tell = (violations: readonly Violation[], file: Read): readonly Diagnostic[] => {
  const { data, whole } = file.parsed
  const missing = violations.filter((one): one is Missing => one.code === 'missing-key')
  if (whole && missing.length > 0 && isMapping(data) && Object.keys(data).length === 0) {
    const example = missing.map(({ args }) => args.example).join('; ')
    return [diagnose('empty-file', file.parsed.place([], 'value'), { example })]
  }
  // of missing keys that another problem explains, the paths
  const explained = new Set<string>()
  let isNested = false
  const advised = violations.map((one): Violation => {
    if (one.code !== 'unknown-key') return one
    const { path, args } = one
    if (args.suggestion !== undefined) explained.add([...path.slice(0, -1), args.suggestion].join('/'))
    const line = unnested(path, file)
    if (line !== undefined) isNested = true
    // an entry of a list may lack a key that stands below it, at the start of its line
    const lacking = missing.findLast((other) => other.path.length > 0 && other.args.key === path[0])
    if (line !== undefined || path.length > 1 || lacking === undefined) {
      return line === undefined ? one : { ...one, args: { ...args, line } }
    }
    explained.add([...lacking.path, lacking.args.key].join('/'))
    const spaces = amount(file.parsed.place(lacking.path, 'value').column - 1, 'space')
    const advice = `begin this line with ${spaces}: it belongs to ${lacking.path[0]}`
    return { ...one, args: { ...args, line: advice } }
  })
  const isExplained = ({ path, args }: Missing): boolean =>
    (path.length === 0 && (!whole || isNested)) || explained.has([...path, args.key].join('/'))
  return advised
    .filter((one) => one.code !== 'missing-key' || !isExplained(one))
    .map((one) => tellOne(one, file))
}

type Missing = Extract<Violation, { readonly code: 'missing-key' }>

/** What to do where all that belongs into a file stands below a key that isn't one: `shot:`. */
const unnested = (path: Path, { parsed, about }: Read): string | undefined => {
  const below = isMapping(about.data) ? about.data[String(path[0])] : undefined
  const inner = Array.isArray(below) && below.length === 1 ? (below[0] as Data) : below
  if (path.length !== 1 || !isMapping(inner)) return undefined
  const entries = Object.entries(inner)
  if (entries.filter(([key]) => about.schema.properties?.[key] !== undefined).length < 2) return undefined
  if (inner === below && parsed.place(path, 'key').line !== parsed.place(path, 'value').line)
    return 'remove this line, and begin the keys below it at the start of their lines'
  const lines = entries.map(([key, value]) => exampleLine(key, value))
  return `write, each on a line of its own: ${printable(lines.join('; '))}`
}

const tellOne = (violation: Violation, file: Read): Diagnostic => {
  const { code, path, args } = violation
  const { parsed } = file
  if (code === 'bad-word' && args.value === '') return noValue(path, file) ?? diagnoseIn(parsed, violation)
  if (code !== 'missing-key') return diagnoseIn(parsed, violation)
  const at = [...path, args.key]
  if (valueAt(parsed.data, at) === undefined) return diagnoseIn(parsed, violation)
  const elsewhere = { ...parsed.place(at, 'key'), message: 'it is here, without a value' }
  const given = { ...violation, args: { ...args, given: args.example } }
  return noValue(at, file) ?? diagnoseIn(parsed, given, { elsewhere })
}

/** Why nothing is left of a value that must be there: a comment took it, or it is an anchor. */
const noValue = (path: Path, file: Read): Diagnostic | undefined => {
  const rest = restBehind(path, file, /^(:?\s*)([#&]\S.*)$/)
  if (rest === undefined) return undefined
  const better = lineFor(path, meantBy(rest.text, path, file.about) ?? rest.text)
  return diagnose('no-value', rest.place, { sign: rest.text.slice(0, 1), better })
}

/** Whether `#` or `&` may cut a value: a cheap filter for files that are parsed in full. */
export const mayBeCut = (text: string): boolean => /[ \t](?:#[^\s#]|&)/.test(text)

/** Warns where `#` or `&` cuts a value: `title: Poster #1` is published as "Poster", `tags: #poster` as nothing. */
export const cutValues = (file: Read): readonly Diagnostic[] =>
  textsIn(file.parsed.data ?? '', file.about.schema).flatMap(({ path, text, schema }) => {
    const anchor = anchorBefore(path, file)
    const rest = anchor ?? restBehind(path, file, text === '' ? /^(: +)([#&][^\s#].*)$/ : /^( +)(#[^\s#].*)$/)
    if (rest === undefined) return []
    const whole = text === '' ? meantBy(rest.text, path, file.about) : `${text}${rest.gap}${rest.text}`
    const meant = anchor ? `${anchor.text} ${text}` : whole
    const isRight = meant !== undefined && (typeof meant !== 'string' || fits(meant, schema, file.about))
    return [
      diagnose('cut-by-comment', rest.place, {
        lost: rest.text,
        line: isRight ? lineFor(path, meant) : undefined,
      }),
    ]
  })

/** An anchor in front of a plain value that no alias repeats: `title: &Co poster`. */
const anchorBefore = (path: Path, { parsed, lines }: Read) => {
  const place = parsed.place(path, 'value')
  const before = (lines[place.line - 1] ?? '').slice(0, place.column - 1)
  const [, text] = /(?<!\S)(&\S{1,100}) +$/.exec(before.slice(-200)) ?? []
  if (text === undefined || lines.some((one) => one.includes(`*${text.slice(1)}`))) return undefined
  return { gap: ' ', text, place: placeFrom(place, before.lastIndexOf(text) + 1, text) }
}

/** What follows on the line of a plain or empty value. */
const restBehind = (path: Path, { parsed, lines }: Read, form: RegExp) => {
  const isEmpty = valueAt(parsed.data, path) === '' && typeof path.at(-1) === 'string'
  const value = parsed.place(path, isEmpty ? 'key' : 'value')
  const first = lines[value.line - 1]?.[value.column - 1] ?? ''
  if (!isEmpty && /["'[{|>]/.test(first)) return undefined
  const { endLine: line, endColumn } = value
  const [, gap, text] = form.exec((lines[line - 1] ?? '').slice(endColumn - 1).trimEnd()) ?? []
  if (gap === undefined || text === undefined) return undefined
  return { gap, text, place: placeFrom({ ...value, line }, endColumn + gap.length, text) }
}

/** The place of a text on a line, from a column on. */
const placeFrom = ({ file, line }: Place, column: number, { length }: string): Place => ({
  ...{ file, line, column, endLine: line, endColumn: column + length },
})

/** What a value is to be that a comment took: a list, a number, or the text with its mark. */
const meantBy = (lost: string, path: Path, about: Explained): Data | undefined => {
  const schema = schemaAt(about.schema, path)
  const bare = lost.replace(/^[#&]\s*/, '')
  if (typeof path.at(-1) === 'number') return meantWords(bare)[0]
  return isFreeText(schema) ? lost : meantData(bare, keyIn(path), { schema, judge: about })
}

/** Warns of what is right by its form, and not what a person means. */
export const unlikelyValues = ({ parsed, about }: Pick<Read, 'parsed' | 'about'>): readonly Violation[] =>
  textsIn(parsed.data ?? '', about.schema).flatMap(({ path, text, schema }): readonly Violation[] => {
    const why =
      text === '' || !fits(text, schema, about) ? undefined : about.unlikely(schema['x-code'])?.(text)
    if (why === undefined) return []
    const others = schema.format === 'timestamp' ? otherYears(text) : []
    const better = [meantText(text, keyIn(path), { schema, judge: about })!, ...others].find(
      createFit(schema, about),
    )
    const advice = better
      ? `write ${lineFor(path, better).replace(/^- /, '')}; if it is right, leave it as it is`
      : saysNothing(text)
        ? `leave ${keyIn(path)} out`
        : 'if it is right, leave it as it is'
    return [{ code: 'unlikely-value', args: { value: text, why, advice }, path, of: 'value' }]
  })

/**
 * Every text of a file that its schema knows, with its path: the first thousand, as a stranger's broken file may have
 * any number.
 */
const textsIn = (
  data: Data,
  schema: Explained['schema'],
  path: Path = [],
): readonly { readonly path: Path; readonly text: string; readonly schema: Explained['schema'] }[] => {
  if (typeof data === 'string') return [{ path, text: data, schema }]
  const entries = Array.isArray(data)
    ? data.slice(0, 1000).map((item, index) => [index, item] as const)
    : Object.entries(data).slice(0, 1000)
  return entries.flatMap(([key, value]) => {
    const inner = typeof key === 'number' ? schema.items : schema.properties?.[key]
    return inner === undefined ? [] : textsIn(value, inner, [...path, key])
  })
}
