import type { Diagnostic, Place } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { amount } from '../text/amounts.ts'
import type { Judged } from './explain.ts'
import { exampleLine, fits, isFreeText, keyIn, meantData, meantText, schemaAt, written } from './hint.ts'
import { type Data, isMapping, valueAt } from './parse/data.ts'
import { diagnoseIn, type Path, type Violation } from './rules.ts'
import { createFit, type Subschema } from './schema.ts'
import { meantWords, saysNothing } from './values/meant.ts'
import { otherYears } from './values/timestamp.ts'

/** Reports each violation once, where it helps most: what follows from another one is left out. */
export const tell = (violations: readonly Violation[], file: Judged): readonly Diagnostic[] => {
  const { data, whole, place } = file.parsed
  const missing = violations.filter((one) => one.code === 'missing-key')
  if (whole && missing.length > 0 && isMapping(data) && Object.keys(data).length === 0) {
    const example = missing.map(({ args }) => args.example).join('; ')
    return [diagnose('empty-file', place([], 'value'), { example })]
  }
  // of missing keys that another problem explains, the paths
  const explained = new Set<string>()
  let isNested = false
  const advised = violations.map((one): Violation => {
    if (one.code !== 'unknown-key') return one
    const { path, args } = one
    if (args.suggestion !== undefined) explained.add([...path.slice(0, -1), args.suggestion].join('/'))
    if (path.length > 1) return one
    const nested = unnested(path, file)
    if (nested !== undefined) {
      isNested = true
      return { ...one, args: { ...args, line: nested } }
    }
    // an entry of a list may lack a key that stands below it, at the start of its line
    const lacking = missing.findLast((other) => other.path.length > 0 && other.args.key === path[0])
    if (lacking === undefined) return one
    explained.add([...lacking.path, lacking.args.key].join('/'))
    const spaces = amount(place(lacking.path, 'value').column - 1, 'space')
    const line = `begin this line with ${spaces}: it belongs to ${lacking.path[0]}`
    return { ...one, args: { ...args, line } }
  })
  const told = advised.filter(
    (one) =>
      one.code !== 'missing-key' ||
      !(
        (one.path.length === 0 && (!whole || isNested)) ||
        explained.has([...one.path, one.args.key].join('/'))
      ),
  )
  return told.map((one) => tellOne(one, file))
}

/** What to do where all that belongs into a file stands below a key that isn't one: `shot:`. */
const unnested = (path: Path, { parsed, data, schema }: Judged): string | undefined => {
  const below = valueAt(data, path)
  const inner = Array.isArray(below) && below.length === 1 ? (below[0] as Data) : below
  if (!isMapping(inner)) return undefined
  const entries = Object.entries(inner)
  if (entries.filter(([key]) => schema.properties?.[key] !== undefined).length < 2) return undefined
  if (inner === below && parsed.place(path, 'key').line !== parsed.place(path, 'value').line)
    return 'remove this line, and begin the keys below it at the start of their lines'
  const lines = entries.map(([key, value]) => exampleLine(key, value))
  return `write, each on a line of its own: ${lines.join('; ')}`
}

const tellOne = (violation: Violation, file: Judged): Diagnostic => {
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
const noValue = (path: Path, file: Judged): Diagnostic | undefined => {
  const rest = restBehind(path, file, /^(:?\s*)([#&]\S.*)$/)
  if (rest === undefined) return undefined
  const better = lineFor(path, meantBy(rest.text, path, file) ?? rest.text)
  return diagnose('no-value', rest.place, { sign: rest.text.slice(0, 1), better })
}

/** What to write on the line of a value. */
const lineFor = (path: Path, value: unknown): string =>
  `${typeof path.at(-1) === 'number' ? '- ' : ''}${written(path, value)}`

/** Warns of texts that are right by their form, and not what people mean. */
export const warn = (file: Judged): readonly Diagnostic[] => {
  const mayBeCut = file.lines.some((line) => /[ \t](?:#[^\s#]|&)/.test(line))
  return textsIn(file.parsed.data ?? '', file.schema).flatMap((one) =>
    [unlikelyValue(one, file) ?? [], (mayBeCut && cutValue(one, file)) || []].flat(),
  )
}

/** A text of a file that its schema knows. */
type Known = { readonly path: Path; readonly text: string; readonly schema: Subschema }

/** All of them: of each list and mapping the first thousand, as a stranger's broken file may have any number. */
const textsIn = (data: Data, schema: Subschema, path: Path = []): readonly Known[] => {
  if (typeof data === 'string') return [{ path, text: data, schema }]
  const entries = Array.isArray(data)
    ? [...data.slice(0, 1000).entries()]
    : Object.entries(data).slice(0, 1000)
  return entries.flatMap(([key, value]) => {
    const inner = typeof key === 'number' ? schema.items : schema.properties?.[key]
    return inner === undefined ? [] : textsIn(value, inner, [...path, key])
  })
}

const unlikelyValue = ({ path, text, schema }: Known, file: Judged): Diagnostic | undefined => {
  const why = text !== '' && fits(text, schema, file) ? file.unlikely(schema['x-code'])?.(text) : undefined
  if (why === undefined) return undefined
  const others = schema.format === 'timestamp' ? otherYears(text) : []
  const key = keyIn(path)
  const better = [meantText(text, key, { schema, judge: file })!, ...others].find(createFit(schema, file))
  const leave = saysNothing(text) ? `leave ${key} out` : 'if it is right, leave it as it is'
  const advice = better ? `write ${written(path, better)}; if it is right, leave it as it is` : leave
  return diagnose('unlikely-value', file.parsed.place(path, 'value'), { value: text, why, advice })
}

/** Warns where `#` or `&` cuts a value: `title: Poster #1` is published as "Poster", `tags: #poster` as nothing. */
const cutValue = ({ path, text, schema }: Known, file: Judged): Diagnostic | undefined => {
  const anchor = anchorBefore(path, file)
  const rest = anchor ?? restBehind(path, file, text === '' ? /^(: +)([#&][^\s#].*)$/ : /^( +)(#[^\s#].*)$/)
  if (rest === undefined) return undefined
  const whole = text === '' ? meantBy(rest.text, path, file) : `${text}${rest.gap}${rest.text}`
  const meant = anchor ? `${anchor.text} ${text}` : whole
  const isRight = meant !== undefined && (typeof meant !== 'string' || fits(meant, schema, file))
  const line = isRight ? lineFor(path, meant) : undefined
  return diagnose('cut-by-comment', rest.place, { lost: rest.text, line })
}

/** An anchor in front of a plain value that no alias repeats: `title: &Co poster`. */
const anchorBefore = (path: Path, { parsed, lines }: Judged) => {
  const place = parsed.place(path, 'value')
  const before = (lines[place.line - 1] ?? '').slice(0, place.column - 1)
  const [, text] = /(?<!\S)(&\S{1,100}) +$/.exec(before.slice(-200)) ?? []
  if (text === undefined || lines.some((one) => one.includes(`*${text.slice(1)}`))) return undefined
  return { gap: ' ', text, place: placeFrom(place, before.lastIndexOf(text) + 1, text) }
}

/** What follows on the line of a plain or empty value. */
const restBehind = (path: Path, { parsed, lines }: Judged, form: RegExp) => {
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
  file,
  line,
  column,
  endLine: line,
  endColumn: column + length,
})

/** What a value is to be that a comment took: a list, a number, or the text with its mark. */
const meantBy = (lost: string, path: Path, file: Judged): Data | undefined => {
  const schema = schemaAt(file.schema, path)
  const bare = lost.replace(/^[#&]\s*/, '')
  if (typeof path.at(-1) === 'number') return meantWords(bare)[0]
  return isFreeText(schema) ? lost : meantData(bare, keyIn(path), { schema, judge: file })
}
