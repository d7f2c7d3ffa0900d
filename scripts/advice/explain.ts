import type { Finding } from '../content/load.ts'
import { once } from '../content/once.ts'
import { type Data, isMapping, mappingOf, type Path, valueAt } from '../content/parse/data.ts'
import { diagnoseIn, type Violation } from '../content/rules.ts'
import type { Breach, Odd, SchemaName, Subschema } from '../content/schema.ts'
import {
  isFiller,
  joinedItems,
  saysNothing,
  sheetError,
  strayLine,
} from '../content/values/unlikely.ts'
import { byPlace, type Diagnostic } from '../problems/diagnostic.ts'
import { type Args, diagnose } from '../problems/messages.ts'
import { choicesFor } from './choices.ts'
import { anchorBefore, cutValue, lostBehind, noValue } from './cut.ts'
import { dateProblem } from './dates.ts'
import * as hint from './hint.ts'
import { wrongKeys } from './keys.ts'
import { betweenWords, withEscapes } from './meant.ts'
import {
  type FileSpot,
  isMeant,
  type Judged,
  longest,
  mostAsked,
  spotAt,
  typedAt,
} from './spot.ts'
import { example } from './written.ts'
import { explainYaml, oddIndentation } from './yaml.ts'

/** Makes what explains files of one kind, of which many may hold the same value. */
export const createExplain = () => {
  const told: Told = new Map()
  return (finding: Finding) => explain(finding, told)
}

/** What was told of values that are right, and not likely, by their paths and texts. */
type Told = Map<string, Args<'unlikely-value'>>

/**
 * What is told of a file, each thing once, where it helps most: what follows from another is
 * left out.
 */
const explain = (finding: Finding, known: Told): readonly Diagnostic[] => {
  const { text, parsed, data, breaches, violations } = finding
  const odd = oddIndentation(parsed, text)
  if (odd !== undefined) return [odd]
  const broken = explainYaml(parsed, text)
  if (data === undefined) return broken
  const is = broken.length === 0 ? otherKind(finding.name, data) : undefined
  if (is !== undefined) {
    const [first = ''] = Object.keys(mappingOf(data))
    const place = parsed.place([first], 'key')
    return [diagnose('wrong-file', place, { is, wanted: finding.name })]
  }
  const file: Judged = {
    lines: once(() => text.split('\n')),
    isAsked: true,
    ...finding,
    data,
  }
  const shown = breaches.slice(0, mostProblems)
  const wrong = explainBreaches(shown, file)
  let told = broken
  const ruled = violations.map((one) => diagnoseIn(parsed, one))
  const cut = cutValues(file)
  const unlikely = [...cut.values(), ...unlikelyValues(file, { cut, known })]
  for (const more of [wrong, ruled, unlikely])
    if (more.length > 0) told = [...told, ...more.filter(isNews(told))]
  return shorten(told.toSorted(byPlace), breaches.length - shown.length)
}

/** The most problems of one file that are shown: more are no help to anyone. */
const mostProblems = 500

/** What a file is that has nothing of what belongs here, and all that makes another kind. */
const otherKind = (wanted: SchemaName, data: Data): SchemaName | undefined => {
  const marks = {
    shot: ['title', 'date', 'image'],
    site: ['base_url'],
    profile: ['name'],
  } as const
  const count = (name: SchemaName) =>
    isMapping(data) ? marks[name].filter((key) => Object.hasOwn(data, key)).length : 0
  if (count(wanted) > 0) return undefined
  return (['shot', 'site', 'profile'] as const).find(
    (name) => count(name) > (name === 'shot' ? 1 : 0),
  )
}

const shorten = (all: readonly Diagnostic[], hidden: number) => {
  const count = hidden + Math.max(0, all.length - mostProblems)
  if (count === 0) return all
  const {
    file,
    endLine: line,
    endColumn: column,
  } = all[Math.min(mostProblems, all.length) - 1]!
  const end = { file, line, column, endLine: line, endColumn: column }
  return [...all.slice(0, mostProblems), diagnose('more-problems', end, { count })]
}

/**
 * Leaves out what follows from what is told: on the same value, on merged keys, or on a tag
 * in front of a value.
 */
const isNews = (told: readonly Diagnostic[]): ((diagnostic: Diagnostic) => boolean) => {
  const places = new Set(told.map(({ line, column }) => `${line}:${column}`))
  const merges = told.some(({ code }) => code === 'merge-key' || code === 'bad-key')
  const tagged = new Set(told.flatMap(({ code, line }) => (code === 'bad-tag' ? [line] : [])))
  return ({ code, line, column, related = [] }) =>
    code === 'missing-key'
      ? !merges && !related.some((other) => tagged.has(other.line))
      : !places.has(`${line}:${column}`) && !tagged.has(line)
}

/** What data breaks of its schema. */
const explainBreaches = (
  breaches: readonly Breach[],
  file: Judged,
): readonly Diagnostic[] => {
  if (breaches.length === 0) return []
  const { data, whole, place } = file.parsed
  const missing = breaches.filter(({ keyword }) => keyword === 'required')
  if (whole && missing.length > 0 && isMapping(data) && Object.keys(data).length === 0) {
    const example = missing.map((one) => lineFor(one, file)).join('; ')
    const comment = missing.flatMap((one) => commentedLine(one.key ?? '', file) ?? [])[0]
    return [diagnose('empty-file', place([], 'value'), { example, comment })]
  }
  const unknown = breaches.filter(({ keyword }) => keyword === 'additionalProperties')
  const keys = wrongKeys(unknown, missing, file)
  const explained = new Set(keys.flatMap(({ explains }) => explains))
  const isNews = ({ path, key }: Breach) =>
    (whole || path.length > 0) && !explained.has([...path, key].join('/'))
  const values = breaches.filter(({ key }) => key === undefined)
  return [
    ...missing.filter(isNews).map((one) => missingKey(one, file)),
    ...keys.map(({ violation }) => diagnoseIn(file.parsed, violation)),
    ...values.map((one, at) => wrongValue(one, { ...file, isAsked: at < mostAsked })),
  ]
}

const missingKey = (breach: Breach, file: Judged) => {
  const { parsed } = file
  const { path, key = '' } = breach
  const example = lineFor(breach, file)
  const line =
    path.length > 0
      ? hint.wholeList(path, file, false)
      : (lineWithin(key, file) ?? lineInComment(key, file))
  const violation = {
    code: 'missing-key',
    args: { key, example, line },
    path,
    of: 'mapping',
  } as const
  const at = [...path, key]
  if (valueAt(parsed.data, at) === undefined) return diagnoseIn(parsed, violation)
  const elsewhere = { ...parsed.place(at, 'key'), message: 'it is here, without a value' }
  const args = { key, example, given: example }
  return noValue(spotAt(at, file)) ?? diagnoseIn(parsed, { ...violation, args, elsewhere })
}

/** What to do where the line of a key became a part of a text by its indent. */
const lineWithin = (key: string, file: Judged) => {
  const text = Object.keys(file.data).find((name) => {
    const [mark = '', ...lines] = typedAt(spotAt([name], file)).split(/\n */)
    return /^[|>"']/.test(mark) && lines.some((line) => line.startsWith(`${key}: `))
  })
  return (
    text &&
    `its line is a part of ${text}: move it below that text, and begin it with "${key}:"`
  )
}

/** What to do where the line of a key is a comment, as in a template that was filled in. */
const lineInComment = (key: string, file: Judged) => {
  const line = commentedLine(key, file)
  return line && `remove the "#" in front of it in line ${line}`
}

/** The number of the line that is a comment, and would give a key its value. */
const commentedLine = (key: string, { lines }: Judged) => {
  const at = lines().findIndex((line) => line.replace(/^# ?/, '#').startsWith(`#${key}: `))
  return at === -1 ? undefined : at + 1
}

const lineFor = ({ path, key = '' }: Breach, file: Judged) =>
  key === 'id' && path.length === 0
    ? hint.freeId(file)
    : example(spotAt([...path, key], file))

const wrongValue = ({ path, keyword }: Breach, file: Judged) => {
  const value = valueAt(file.data, path) ?? ''
  const spot = spotAt(path, file)
  const { key } = spot
  const { 'x-code': code = 'wrong-type', format = '' } = spot.schema
  const tell = (violation: object) =>
    diagnoseIn(file.parsed, { path, of: 'value', ...violation } as Violation)
  if (keyword === 'type' || code === 'wrong-type' || typeof value !== 'string') {
    const { args, fix } = hint.wrongType(value, spot, lostBehind(spot))
    return tell({ code: 'wrong-type', args, fix: anchorBefore(spot) ? undefined : fix })
  }
  if (code === 'unknown-host')
    return tell({ code, args: hint.hostArgs(value, file.hostNames) })
  const problems: Judged['formats'] = { ...file.formats, timestamp: dateProblem }
  const problem = problems[format]?.(value) ?? 'it has another form'
  const { advice, fix } = hint.answerFor(value, spot)
  const gone = code === 'bad-word' && value === '' ? noValue(spot) : undefined
  const word = value.trim() === '' ? undefined : value
  return gone ?? tell({ code, args: { key, value, word, problem, advice }, fix })
}

/** Warns of values that a comment or an anchor cuts, by their paths. */
const cutValues = (file: Judged): ReadonlyMap<string, Diagnostic> => {
  const found = new Map<string, Diagnostic>()
  if (!file.parsed.mayBeCut) return found
  const aliases = new Set(file.lines().flatMap((line) => line.match(/\*[^\s,[\]{}]+/g) ?? []))
  for (const [text, path] of textsIn(file.parsed.data ?? '', file.schema)) {
    const cut = cutValue(text, { ...spotAt(path, file), aliases })
    if (cut) found.set(path.join('.'), cut)
  }
  return found
}

/**
 * The texts that a schema knows: of each list and mapping the first thousand, as a broken
 * file may have any number.
 */
const textsIn = (
  data: Data,
  schema: Subschema,
  path: Path = [],
): readonly (readonly [text: string, Path])[] => {
  if (typeof data === 'string') return [[data, path]]
  const isList = Array.isArray(data)
  const entries = Object.entries(data).slice(0, 1000)
  return entries.flatMap(([key, value]) => {
    const inner = isList ? schema.items : schema.properties?.[key]
    return inner ? textsIn(value, inner, [...path, isList ? Number(key) : key]) : []
  })
}

/**
 * Warns of texts that are right by their form, and not what people mean. Of one that is cut,
 * the rest is not what was written.
 */
const unlikelyValues = (
  file: Judged,
  { cut, known }: { readonly cut: ReadonlyMap<string, Diagnostic>; readonly known: Told },
) =>
  file.odd.flatMap((odd) => {
    const { path, text } = odd
    const at = path.join('.')
    if (cut.has(at)) return []
    // a text in other quotes has other advice
    const spot = spotAt(path, file)
    const id = `${at} ${typedAt(spot)[0]} ${text}`
    const items = itemsIn(text, spot)
    if (items === undefined) return []
    const { place, advice } = strangerIn(spot, odd)
    const args = known.get(id) ?? unlikelyArgs(odd, spot, { items, advice })
    // what is told of an item depends on the others of its list
    if (typeof path.at(-1) === 'string' && id.length < longest) known.set(id, args)
    if (known.size > mostKnown) known.clear()
    return [diagnose('unlikely-value', place, args)]
  })

const mostKnown = 1000

/**
 * A text with each item of a list on a line; `undefined` if dashes stand between parts of
 * one: `Tea - black - 2024`.
 */
const itemsIn = (text: string, spot: FileSpot) => {
  if (!joinedItems.test(text)) return text
  const areLines = /\n *- .*\n *- /.test(typedAt(spot))
  return areLines ? text.replace(/ (?=- \S)/g, '\n') : undefined
}

/**
 * What is said of a text of several lines for one that may be no part of it, and what to do
 * with that line.
 */
const strangers: readonly (readonly [said: RegExp, line: RegExp, advice: string])[] = [
  [/merge/, /^ *<{7}/, 'keep one of the two versions, and remove the lines of marks'],
  [/indentation/, /^ *EOF *$/, 'remove this line'],
  [/indentation/, new RegExp(`^ *${strayLine}`), 'begin it at the start of its line'],
  [
    /heading/,
    /^ *#+ /,
    'if it is a comment, move it above the key; if it is a heading, remove the "#"',
  ],
  [/backslash/, /\\ *$/, 'remove the backslash'],
]

/** Where that line is, and what to do. */
const strangerIn = ({ path, file }: FileSpot, { why }: Odd) => {
  const whole = file.parsed.place(path, 'value')
  const isOneLine = whole.line === whole.endLine
  const own = isOneLine ? [] : file.lines().slice(whole.line - 1, whole.endLine)
  const [, form, advice] =
    strangers.find(([said, form]) => said.test(why) && own.some((one) => form.test(one))) ??
    []
  if (form === undefined) return { place: whole, advice: undefined }
  const at = own.findIndex((one) => form.test(one))
  const column = at === 0 ? whole.column : (own[at] ?? '').search(/\S/) + 1
  const line = whole.line + at
  const place = {
    ...whole,
    line,
    column,
    endLine: line,
    endColumn: (own[at] ?? '').length + 1,
  }
  return { place, advice }
}

const unlikelyArgs = (
  { text, schema, why }: Odd,
  spot: FileSpot,
  {
    items,
    advice: stranger,
  }: { readonly items: string; readonly advice: string | undefined },
) => {
  const escaped = typedAt(spot).startsWith('"') ? withEscapes(text) : text
  const others = [...choicesFor(text, spot), escaped, items]
  const better = [...new Set(others)].filter((one) => isMeant(one, spot))
  const isNothing = saysNothing(text) || (spot.isItem && isFiller(text))
  const leave = spot.isItem ? 'remove it from the list' : `leave ${spot.key} out`
  const asIs = 'if it is right, leave it as it is'
  const likely = [
    stranger,
    better.length > 0 && hint.instead(text, spot, better),
    schema['x-code'] === 'bad-word' && betweenWords.test(text) && hint.wordAdvice(text, spot),
    sheetError.test(text) && hint.cellAdvice(spot),
    isNothing && (spot.mayGo ? leave : hint.exampleAdvice(spot)),
    schema.format === 'picture' && ownPicture,
  ].find(Boolean)
  const advice = [likely, isNothing && better.length === 0 ? '' : asIs]
    .filter(Boolean)
    .join('; ')
  return { value: text, why, advice }
}

const ownPicture =
  'save the picture beside this file and write ./picture.png, or write the address of the picture alone'
