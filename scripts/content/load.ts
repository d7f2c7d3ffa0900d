import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { type Profile, type Shot, toProfile, toShot } from './member.ts'
import type { Data, Path } from './parse/data.ts'
import { type Parsed, parse, type Source } from './parse/parse.ts'
import { quickParse } from './parse/quick.ts'
import { fileRules, type Violation } from './rules.ts'
import type { SiteFacts } from './salvage.ts'
import { type Breach, createFit, createValidator, readSchema, type SchemaName, schemaAt } from './schema.ts'
import { type Site, toSite } from './site.ts'
import { createJudge, type HostName, type Judge } from './values/formats.ts'

/** What became of a source: a value (with warnings at most), or the reasons why there is none. */
export type Loaded<T> =
  | { readonly value: T; readonly diagnostics: readonly Diagnostic[]; readonly parsed?: never }
  /** Includes what was parsed, so that it is not parsed again. */
  | { readonly value?: never; readonly diagnostics: readonly Diagnostic[]; readonly parsed: Parsed }

/** A file that doesn't surely fit: what it says, and what is wrong with that. */
export type Finding = Kind & {
  readonly text: string
  readonly parsed: Parsed
  /** What was parsed, without the keys that have no value; `undefined` where nothing of it can be read. */
  readonly data: Data | undefined
  readonly breaches: readonly Breach[]
  readonly violations: readonly Violation[]
}

type LoaderOptions = {
  readonly hostNames: readonly HostName[]
  /** `YYYY-MM-DD`: dates after it have not come yet. */
  readonly today?: string
  /** Says what is wrong with a file, in words, and what to write instead. */
  readonly explain: (finding: Finding) => readonly Diagnostic[]
}

/** Cheap: schemas are compiled when the first file needs them. */
export const createLoaderWith = ({ hostNames, today = new Date().toISOString(), explain }: LoaderOptions) => {
  // it may be tomorrow already where they live
  const latest = `${new Date(Date.parse(today.slice(0, 10)) + 86_400_000).toISOString().slice(0, 10)} 99`
  const kinds = new Map<string, Kind>()
  const kindOf = (name: SchemaName, portsAllowed = true): Kind => {
    const id = `${name} ${portsAllowed}`
    const kind = kinds.get(id) ?? createKind(name, createJudge(hostNames, { portsAllowed, latest }))
    kinds.set(id, kind)
    return kind
  }
  const load = <T>(source: Source, kind: Kind, convert: (data: Data) => T): Loaded<T> => {
    const rules = fileRules[kind.name]
    const quick = 'data' in source ? source.data : quickParse(source.text)
    if (quick !== undefined && kind.surelyFits(quick) && rules.every((rule) => !rule(quick, true).length))
      return { value: convert(quick), diagnostics: [] }
    const finding = examine(source, kind)
    const { data, parsed } = finding
    const diagnostics = explain(finding)
    return data === undefined || hasErrors(diagnostics)
      ? { parsed, diagnostics }
      : { value: convert(data), diagnostics }
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

export type Loader = ReturnType<typeof createLoaderWith>

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

/** What ajv, the rules and the full parser find, in the order in which they can tell. */
const examine = (source: Source, kind: Kind): Finding => {
  const parsed = source.parsed?.() ?? parse(source)
  const facts = { ...kind, text: source.text, parsed }
  if (parsed.data === undefined) return { ...facts, data: undefined, breaches: [], violations: [] }
  const data = dropEmpty(parsed.data, (path) => {
    // there is no value, not even a pair of quotes
    const { line, column, endLine, endColumn } = parsed.place(path, 'value')
    return line === endLine && column === endColumn && Object.keys(schemaAt(kind.schema, path)).length > 0
  })
  const violations = fileRules[kind.name].flatMap((rule) => rule(data, parsed.whole))
  return { ...facts, data, breaches: kind.findBreaches(data), violations }
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
