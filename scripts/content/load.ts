import { byPlace, type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { explain, warn } from './explain.ts'
import { type Judged, schemaAt } from './hint.ts'
import { type Profile, type Shot, toProfile, toShot } from './member.ts'
import { type Data, isMapping } from './parse/data.ts'
import { type Parsed, parse } from './parse/parse.ts'
import { quickParse } from './parse/quick.ts'
import { diagnoseIn, fileRules, type Path } from './rules.ts'
import type { SiteFacts } from './salvage.ts'
import { createFit, createValidator, readSchema, type SchemaName } from './schema.ts'
import { type Site, toSite } from './site.ts'
import { createJudge, type HostName, type Judge } from './values/formats.ts'

export type Source = {
  /** As diagnostics name it: the `--content` value, `/`, the path inside. */
  readonly file: string
  /** The whole text, without a byte order mark. */
  readonly text: string
  /** What the text says, if that is known and proved already; `undefined` if the quick reader doesn't know it. */
  readonly data?: Data | undefined
  /** The text parsed, which others may have asked for. */
  readonly parsed?: () => Parsed
}

/** What became of a source: a value (with warnings at most), or the reasons why there is none. */
export type Loaded<T> =
  | { readonly value: T; readonly diagnostics: readonly Diagnostic[]; readonly parsed?: never }
  /** Includes what was parsed, so that it is not parsed again. */
  | { readonly value?: never; readonly diagnostics: readonly Diagnostic[]; readonly parsed: Parsed }

/** Cheap: schemas are compiled when the first file needs them. Dates after `today` (`YYYY-MM-DD`) have not come yet. */
export const createLoader = ({
  hostNames,
  today = new Date().toISOString(),
}: {
  readonly hostNames: readonly HostName[]
  readonly today?: string
}) => {
  // it may be tomorrow already where they live
  const latest = `${new Date(Date.parse(today.slice(0, 10)) + 86_400_000).toISOString().slice(0, 10)} 99`
  const kinds = new Map<string, Kind>()
  const kindOf = (name: SchemaName, portsAllowed = true): Kind => {
    const id = `${name} ${portsAllowed}`
    const kind = kinds.get(id) ?? createKind(name, createJudge(hostNames, { portsAllowed, latest }))
    kinds.set(id, kind)
    return kind
  }
  return {
    loadSite: (source: Source): Loaded<Site> => load(source, kindOf('site'), toSite),
    /** Without a site, ports in assets are let be. */
    loadProfile: (source: Source, site: SiteFacts | undefined): Loaded<Profile> =>
      load(source, kindOf('profile', site?.portsAllowed), toProfile),
    loadShot: (source: Source, site: SiteFacts | undefined): Loaded<Shot> =>
      load(source, kindOf('shot', site?.portsAllowed), toShot),
  }
}

export type Loader = ReturnType<typeof createLoader>

type Kind = ReturnType<typeof createKind>

const createKind = (name: SchemaName, judge: Judge) => {
  const schema = readSchema(name)
  return {
    ...judge,
    name,
    schema,
    surelyFits: createFit(schema, judge),
    findBreaches: createValidator(schema, judge),
  }
}

const load = <T>(source: Source, kind: Kind, convert: (data: Data) => T): Loaded<T> => {
  const rules = fileRules[kind.name]
  const quick = 'data' in source ? source.data : quickParse(source.text)
  if (quick !== undefined && kind.surelyFits(quick) && rules.every((rule) => !rule(quick, true).length))
    return { value: convert(quick), diagnostics: [] }
  const parsed = source.parsed?.() ?? parse(source)
  if (parsed.data === undefined) return { parsed, diagnostics: parsed.problems }
  const is = parsed.problems.length === 0 ? otherKind(kind.name, parsed.data) : undefined
  if (is !== undefined) {
    const place = parsed.place([Object.keys(parsed.data)[0]!], 'key')
    return { parsed, diagnostics: [diagnose('wrong-file', place, { is, wanted: kind.name })] }
  }
  const data = dropEmpty(parsed.data, (path) => {
    // there is no value, not even a pair of quotes
    const { line, column, endLine, endColumn } = parsed.place(path, 'value')
    return line === endLine && column === endColumn && Object.keys(schemaAt(kind.schema, path)).length > 0
  })
  const file: Judged = { ...kind, lines: source.text.split('\n'), parsed, data }
  const breaches = kind.findBreaches(data)
  const shown = breaches.slice(0, mostProblems)
  const wrong = explain(shown, file)
  const broken = rules.flatMap((rule) => rule(data, parsed.whole)).map((one) => diagnoseIn(parsed, one))
  // a tag that doesn't fit follows from a value that has the wrong type whatever its tag is
  const isBehind = ({ endLine, endColumn }: Diagnostic, { code, line, column }: Diagnostic): boolean =>
    code === 'wrong-type' &&
    line === endLine &&
    /^\s+$/.test(file.lines[line - 1]!.slice(endColumn - 1, column - 1))
  const problems = parsed.problems.filter(
    (one) => one.code !== 'bad-tag' || !wrong.some((other) => isBehind(one, other)),
  )
  let told = problems
  for (const more of [wrong, broken, warn(file)]) told = [...told, ...more.filter(isNews(told))]
  const diagnostics = shorten(told.toSorted(byPlace), breaches.length - shown.length)
  return hasErrors(diagnostics) ? { parsed, diagnostics } : { value: convert(data), diagnostics }
}

/** The most problems of one file that are shown: more are no help to anyone. */
const mostProblems = 500

/** What a file is that has nothing of what belongs here, and all that makes another kind. */
const otherKind = (wanted: SchemaName, data: Data): SchemaName | undefined => {
  const marks = { shot: ['title', 'date', 'image'], site: ['base_url'], profile: ['name'] } as const
  const count = (name: SchemaName): number =>
    isMapping(data) ? marks[name].filter((key) => Object.hasOwn(data, key)).length : 0
  if (count(wanted) > 0) return undefined
  return (['shot', 'site', 'profile'] as const).find((name) => count(name) > (name === 'shot' ? 1 : 0))
}

const shorten = (all: readonly Diagnostic[], hidden: number): readonly Diagnostic[] => {
  const count = hidden + Math.max(0, all.length - mostProblems)
  if (count === 0) return all
  const { file, endLine: line, endColumn: column } = all[Math.min(mostProblems, all.length) - 1]!
  const end = { file, line, column, endLine: line, endColumn: column }
  return [...all.slice(0, mostProblems), diagnose('more-problems', end, { count })]
}

/** Data without the keys that have no value, at any depth: the same as leaving them out. */
const dropEmpty = (data: Data, empty: (path: Path) => boolean, path: Path = []): Data => {
  if (typeof data === 'string') return data
  if (Array.isArray(data)) return data.map((item, index) => dropEmpty(item, empty, [...path, index]))
  return Object.fromEntries(
    Object.entries(data)
      .filter(([key, value]) => value !== '' || !empty([...path, key]))
      .map(([key, value]) => [key, dropEmpty(value, empty, [...path, key])]),
  )
}

/** Leaves out what follows from what is told: on the same value, or on merged keys. */
const isNews = (told: readonly Diagnostic[]): ((diagnostic: Diagnostic) => boolean) => {
  const places = new Set(told.map(({ line, column }) => `${line}:${column}`))
  const merges = told.some(({ code }) => code === 'merge-key' || code === 'bad-key')
  const tagged = new Set(told.flatMap(({ code, line }) => (code === 'bad-tag' ? [line] : [])))
  return ({ code, line, column, related = [] }) =>
    code === 'missing-key'
      ? !merges && !related.some((other) => tagged.has(other.line))
      : !places.has(`${line}:${column}`)
}
