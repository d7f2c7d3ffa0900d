import { byPlace, type Diagnostic } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { explain } from './explain.ts'
import { schemaAt } from './hint.ts'
import { type Profile, type Shot, type SiteFacts, toProfile, toShot, toSite } from './member.ts'
import { type Data, isMapping } from './parse/data.ts'
import { type Parsed, parse } from './parse/parse.ts'
import { quickParse } from './parse/quick.ts'
import type { Judge } from './quick-fit.ts'
import { diagnoseIn, type FileRule, type Path, profileRules, siteRules } from './rules.ts'
import { createValidator, mostProblems, type SchemaName, type Validator } from './schema.ts'
import type { Site } from './site.ts'
import { cutValues, mayBeCut, tell, unlikelyValues } from './tell.ts'
import { createFormats, type HostName } from './values/formats.ts'
import { unlikelyIn } from './values/meant.ts'

/** A file of the content folder, read. */
export type Source = {
  /** As diagnostics name it: the `--content` value, `/`, the path inside. */
  readonly file: string
  /** The whole text, without a byte order mark. */
  readonly text: string
  /** What the text says, if that is known and proved already. */
  readonly data?: Data | undefined
}

/** What became of a source: a value (with warnings at most), or the reasons why there is none. */
export type Loaded<T> =
  | { readonly value: T; readonly diagnostics: readonly Diagnostic[]; readonly parsed?: never }
  /** Includes what was parsed, so that it is not parsed again. */
  | { readonly value?: never; readonly diagnostics: readonly Diagnostic[]; readonly parsed: Parsed }

/** Turns sources into checked values, or into everything that is wrong with them. */
export type Loader = {
  readonly loadSite: (source: Source) => Loaded<Site>
  /** Without a site, ports in assets are let be. */
  readonly loadProfile: (source: Source, site: SiteFacts | undefined) => Loaded<Profile>
  readonly loadShot: (source: Source, site: SiteFacts | undefined) => Loaded<Shot>
}

/**
 * Makes a loader. Cheap: schemas are compiled when the first file needs them, then kept. `today` (`YYYY-MM-DD`) is what
 * dates are held against that have not come yet.
 */
export const createLoader = ({
  hostNames,
  today = new Date().toISOString(),
}: {
  readonly hostNames: readonly HostName[]
  readonly today?: string
}): Loader => {
  const kinds = new Map<string, Kind>()
  // it may be tomorrow already where they live
  const latest = `${new Date(Date.parse(today.slice(0, 10)) + 86_400_000).toISOString().slice(0, 10)} 99`
  const kind = (name: SchemaName, portsAllowed: boolean, rules: readonly FileRule[]): Kind => {
    const id = `${name} ${portsAllowed}`
    const known = kinds.get(id)
    if (known !== undefined) return known
    const formats = createFormats({ hostNames, portsAllowed })
    const judge: Judge = { formats, unlikely: (code) => unlikelyIn(code, latest) }
    const made = { name, judge, validator: createValidator(name, judge), hostNames, rules }
    kinds.set(id, made)
    return made
  }
  return {
    loadSite: (source) => load(source, kind('site', true, siteRules), toSite),
    loadProfile: (source, site) =>
      load(source, kind('profile', site?.portsAllowed ?? true, profileRules), toProfile),
    loadShot: (source, site) => load(source, kind('shot', site?.portsAllowed ?? true, []), toShot),
  }
}

type Kind = {
  readonly name: SchemaName
  readonly validator: Validator
  readonly judge: Judge
  readonly hostNames: readonly HostName[]
  readonly rules: readonly FileRule[]
}

const load = <T>(source: Source, kind: Kind, convert: (data: Data) => T): Loaded<T> => {
  const quick = source.data ?? quickParse(source.text)
  const { judge, hostNames, validator, rules } = kind
  if (quick !== undefined && validator.surelyFits(quick) && rules.every(({ check }) => !check(quick).length))
    return { value: convert(quick), diagnostics: [] }
  const parsed = parse(source)
  if (parsed.data === undefined) return { parsed, diagnostics: parsed.problems }
  const is = parsed.problems.length === 0 ? otherKind(kind.name, parsed.data) : undefined
  if (is !== undefined) {
    const place = parsed.place([Object.keys(parsed.data)[0]!], 'key')
    return { parsed, diagnostics: [diagnose('wrong-file', place, { is, wanted: kind.name })] }
  }
  const { schema } = validator
  const data = dropEmpty(parsed.data, (path) => {
    // there is no value, not even a pair of quotes
    const { line, column, endLine, endColumn } = parsed.place(path, 'value')
    return line === endLine && column === endColumn && Object.keys(schemaAt(schema, path)).length > 0
  })
  const about = { file: source.file, data, schema, hostNames, ...judge }
  // each value once: its schema speaks first; of very many, the others are only counted
  const breaches = validator.breaches(data)
  const told = new Set(breaches.first.map(({ path }) => path.join('/')))
  const broken = rules
    .filter(({ ofWhole }) => parsed.whole || !ofWhole)
    .flatMap(({ check }) => check(data).filter(({ path }) => !told.has(path.join('/'))))
  const explained = breaches.first.map((breach) => explain(breach, about))
  const first = [...explained, ...broken].slice(0, mostProblems)
  const file = { parsed, lines: source.text.split('\n'), about }
  const found = tell(first, file).filter(isNews(parsed.problems))
  const unlikely = unlikelyValues(file).map((one) => diagnoseIn(parsed, one))
  const warnings = mayBeCut(source.text) ? cutValues(file).filter(isNews(found)) : []
  const problems = parsed.problems.filter(isRoot(found, file.lines))
  const all = [...problems, ...found, ...unlikely, ...warnings].sort(byPlace)
  const diagnostics = shorten(all, breaches.count + broken.length - first.length)
  if (diagnostics.some(({ severity }) => severity === 'error')) return { parsed, diagnostics }
  return { value: convert(data), diagnostics }
}

/** What a file is that has nothing of what belongs here, and all that makes another kind. */
const otherKind = (wanted: SchemaName, data: Data): SchemaName | undefined => {
  if (!isMapping(data)) return undefined
  const marks = { profile: ['id', 'name'], shot: ['title', 'date', 'image'], site: ['base_url'] } as const
  const count = (name: SchemaName): number =>
    marks[name].filter((key) => key !== 'id' && Object.hasOwn(data, key)).length
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

/** Leaves out what follows from a problem that the parser had: on the same value, or on merged keys. */
const isNews = (problems: readonly Diagnostic[]): ((diagnostic: Diagnostic) => boolean) => {
  const places = new Set(problems.map(({ line, column }) => `${line}:${column}`))
  const merges = problems.some(({ code }) => code === 'merge-key' || code === 'bad-key')
  const tagged = new Set(problems.flatMap(({ code, line }) => (code === 'bad-tag' ? [line] : [])))
  return ({ code, line, column, related = [] }) =>
    code === 'missing-key'
      ? !merges && !related.some((other) => tagged.has(other.line))
      : !places.has(`${line}:${column}`)
}

/** Leaves out a tag that doesn't fit a value which has the wrong type whatever its tag is. */
const isRoot = (found: readonly Diagnostic[], lines: readonly string[]) => {
  const wrong = found.filter(({ code }) => code === 'wrong-type')
  return ({ code, endLine, endColumn }: Diagnostic): boolean =>
    code !== 'bad-tag' ||
    !wrong.some(({ line, column }) => {
      if (line !== endLine || column <= endColumn) return false
      return lines[line - 1]!.slice(endColumn - 1, column - 1).trim() === ''
    })
}
