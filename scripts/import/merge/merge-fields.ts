import { type Fields, type Said, saidOf } from '../read/said.ts'
import type { Field } from '../values/fields.ts'
import { problemOf } from '../values/keep-text.ts'
import { defaultOf, type SiteValues, sameValue, type Values } from '../values/site-values.ts'
import type { BaseFields } from './base.ts'

/** What to do where both sides changed a value: report it, or let one side win. */
export type Side = 'ours' | 'theirs' | undefined

export type Conflict = {
  readonly key: string
  /** `undefined` if there is no base. */
  readonly base: string | undefined
  readonly mine: string
  readonly theirs: string
}

export type MergedFields = {
  /** Values that must be written. */
  readonly changes: Values
  /** What the next import starts from. A value in conflict keeps its old base. */
  readonly base: BaseFields
  readonly conflicts: readonly Conflict[]
}

export type Sides = {
  readonly base: BaseFields | undefined
  readonly mine: Values
  /** As the API says it: text, or `null` where it says none. */
  readonly theirs: BaseFields
}

/** Merges field by field: a value that nobody changed here follows the API; one that was changed only here stays. */
export const mergeFields = (
  fields: readonly Field[],
  { base, mine, theirs }: Sides,
  { side, ...values }: SiteValues & { readonly side: Side },
): MergedFields => {
  // the API says what it said last: whatever was changed here stays
  if (base !== undefined && fields.every(({ key }) => base[key] === (theirs[key] ?? null))) {
    return { changes: {}, base: pick(base, fields), conflicts: [] }
  }
  const before = base && sayable(fields, base, values)
  const now = sayable(fields, theirs, values)
  const changes: Record<string, string> = {}
  const nextBase: Record<string, string | null> = {}
  const conflicts: Conflict[] = []
  for (const { key, kind } of fields) {
    const same = (a: string, b: string) => sameValue(kind, a, b, values)
    const [my, their] = [mine[key]!, now[key]!]
    const old = base !== undefined && Object.hasOwn(base, key) ? before![key]! : undefined
    const settled = same(my, their) || (old !== undefined && (same(my, old) || same(old, their)))
    if (!settled && side === undefined) {
      conflicts.push({ key, base: old, mine: my, theirs: their })
      if (old !== undefined) nextBase[key] = base![key]!
      continue
    }
    nextBase[key] = theirs[key] ?? null
    const follows = settled ? old !== undefined && same(my, old) : side === 'theirs'
    if (follows && !same(my, their)) changes[key] = their
  }
  return { changes, base: nextBase, conflicts }
}

export const pick = (texts: BaseFields, fields: readonly Field[]): BaseFields =>
  Object.fromEntries(fields.map(({ key }) => [key, texts[key]!]))

/**
 * Values that content can say; of the others, and of those that the API doesn't say, the default. The fields that others
 * take their default from, `id` and `image`, come before them in the interface.
 */
export const sayable = (fields: readonly Field[], texts: BaseFields, values: SiteValues): Values => {
  const said: Record<string, string> = {}
  for (const field of fields) {
    const text = texts[field.key] ?? null
    const isSayable = text !== null && problemOf({ kind: 'text', text }, field, values.site) === undefined
    said[field.key] = isSayable ? text : defaultOf(field.key, field.kind, said, values)
  }
  return said
}

/** A field that content can't hold as the API says it. */
export type Problem = {
  readonly key: string
  readonly said: Said
  readonly problem: string
  readonly required: boolean
}

/** What of the fields of a body can't be kept. */
export const problemsOf = (
  fields: readonly Field[],
  body: Fields,
  site: { readonly portsAllowed: boolean },
): readonly Problem[] => {
  const problems: Problem[] = []
  for (const field of fields) {
    const { key, required = false } = field
    const said = saidOf(body, key)
    const problem = problemOf(said, field, site)
    if (problem !== undefined) problems.push({ key, said, problem, required })
  }
  return problems
}
