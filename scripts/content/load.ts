import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { toProfile, toShot } from './member.ts'
import type { Data } from './parse/data.ts'
import { maxParts } from './parse/document.ts'
import { type Parsed, parse, parseFully, type Source } from './parse/parse.ts'
import type { Tree } from './parse/tree.ts'
import { fileRules, type Violation } from './rules.ts'
import type { SiteFacts } from './salvage.ts'
import {
  type Breach,
  createJudgeData,
  createValidator,
  type Odd,
  readSchema,
  type SchemaName,
  type Subschema,
} from './schema.ts'
import { toSite } from './site.ts'
import { createJudge, type HostName, type Judge } from './values/formats.ts'

/** What became of a source: a value (with warnings at most), or the reasons why there is none. */
export type Loaded<T> =
  | {
      readonly value: T
      readonly diagnostics: readonly Diagnostic[]
      readonly parsed?: never
    }
  /** Includes what was parsed, so that it is not parsed again. */
  | {
      readonly value?: never
      readonly diagnostics: readonly Diagnostic[]
      readonly parsed: Parsed
    }

/** A file that doesn't surely fit: what it says, and what is wrong with that. */
export type Finding = Kind & {
  readonly text: string
  readonly parsed: Parsed
  /**
   * What was parsed, without the keys that have no value; `undefined` where nothing of it can
   * be read.
   */
  readonly data: Data | undefined
  /** Texts that are right by their form, and not what people mean. */
  readonly odd: readonly Odd[]
  readonly breaches: readonly Breach[]
  readonly violations: readonly Violation[]
}

type LoaderOptions = {
  readonly hostNames: readonly HostName[]
  /** `YYYY-MM-DD`: dates after it have not come yet. */
  readonly today?: string
  /** Makes what says what is wrong with files of one kind, in words, and what to write instead. */
  readonly createExplain: () => (finding: Finding) => readonly Diagnostic[]
}

/** Cheap: schemas are compiled when the first file needs them. */
export const createLoaderWith = ({
  hostNames,
  today = new Date().toISOString(),
  createExplain,
}: LoaderOptions) => {
  // a talk or a show may be announced
  const latest = `${new Date(Date.parse(today.slice(0, 10)) + announced).toISOString().slice(0, 10)} 99`
  const strict = createJudge(hostNames, { portsAllowed: false, latest })
  const withPorts = createJudge(hostNames, { portsAllowed: true, latest })
  const createLoad = <T>(name: SchemaName, convert: (data: Data) => T) => {
    const strictKind = { ...createKind(name, strict), explain: createExplain() }
    const kindWithPorts = { ...createKind(name, withPorts), explain: createExplain() }
    /** Without a site, ports in assets are let be. */
    return (source: Source, site?: SiteFacts): Loaded<T> => {
      const parsed = source.parsed ?? parse(source)
      const kind = site?.portsAllowed === false ? strictKind : kindWithPorts
      const found = examine(source, kind, parsed)
      // of what can't be read, there is something to tell
      if (found === undefined) return { value: convert(parsed.data!), diagnostics: [] }
      const diagnostics = kind.explain(found)
      return found.data === undefined || hasErrors(diagnostics)
        ? { parsed: found.parsed, diagnostics }
        : { value: convert(found.data), diagnostics }
    }
  }
  return {
    loadSite: createLoad('site', toSite),
    loadProfile: createLoad('profile', toProfile),
    loadShot: createLoad('shot', toShot),
  }
}

export type Loader = ReturnType<typeof createLoaderWith>

/** How far ahead a date may lie, in milliseconds: a year. */
const announced = 366 * 86_400_000

type Kind = ReturnType<typeof createKind>

const createKind = (name: SchemaName, judge: Judge) => {
  const schema = readSchema(name)
  return {
    ...judge,
    name,
    schema,
    judgeData: createJudgeData(judge),
    findBreaches: createValidator(schema, judge),
  }
}

/** What there is to tell of a file: nothing of nearly all. */
const examine = (source: Source, kind: Kind, read: Parsed): Finding | undefined => {
  const rules = fileRules[kind.name]
  const { text } = source
  const isSound = read.data !== undefined && read.problems.length === 0
  const first = judge(read, kind)
  const isMeant = isSound && !read.mayBeCut && first.fits && first.odd.length === 0
  if (isMeant && rules.every((rule) => rule(read.data!, true).length === 0)) return undefined
  // what a large one may cost is bounded there
  const parsed = isSound && text.length > maxParts ? parseFully(source) : read
  const judged = parsed === read ? first : judge(parsed, kind)
  const { odd } = judged
  const { data: said } = parsed
  // the spreads come last, as that takes Node 20 a tenth of the time
  if (said === undefined)
    return { text, parsed, data: said, odd, breaches: [], violations: [], ...kind }
  const fits = parsed.problems.length === 0 && judged.fits
  // to find the places of what is empty, the text is read once more
  const data = fits ? said : dropEmpty(parsed.tree()!, kind.schema)
  const violations = rules.flatMap((rule) => rule(data, parsed.whole))
  const breaches = fits ? [] : kind.findBreaches(data)
  return { text, parsed, data, odd, breaches, violations, ...kind }
}

const judge = ({ data }: Parsed, { schema, judgeData }: Kind) =>
  data === undefined ? { fits: false, odd: [] } : judgeData(data, schema)

/**
 * Data without the keys that have no value, not even a pair of quotes, at any depth: the same
 * as leaving them out.
 */
const dropEmpty = (
  { data, keys, values = [] }: Tree,
  { items, properties = {} }: Subschema,
): Data => {
  if (typeof data === 'string') return data
  if (keys === undefined) return values.map((item) => dropEmpty(item, items ?? {}))
  return Object.fromEntries(
    values.flatMap((value, at) => {
      const key = String(keys[at]!.data)
      const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
      const isNothing = schema !== undefined && value.data === '' && value.from === value.to
      return isNothing ? [] : [[key, dropEmpty(value, schema ?? {})]]
    }),
  )
}
