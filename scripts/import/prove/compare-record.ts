import type { Variant } from '../../api/routes.ts'
import type { BaseFields } from '../merge/base.ts'
import { withoutScheme } from '../merge/compare-schemes.ts'
import type { About } from '../merge/finding.ts'
import { shown } from '../merge/listed-shots.ts'
import { type Fields, saidOf } from '../read/said.ts'
import type { Field } from '../values/fields.ts'
import { problemOf } from '../values/keep-text.ts'
import { equality } from './compare-field.ts'
import type { Comparison, Verdict } from './verdict.ts'

export type RecordFacts = {
  readonly variant: Variant
  readonly fields: readonly Field[]
  readonly about: { readonly part: 'profile' } | { readonly part: 'shot'; readonly id: string }
  /** What the API said last, to tell an edit here from a change there. */
  readonly base: BaseFields | undefined
  /** What keys that are left out stand for. */
  readonly fallbacks: Readonly<Record<string, string>>
  /** Totals that content counts. */
  readonly counted: readonly string[]
  readonly isAlias: boolean
  readonly portsAllowed: boolean
  /** Verdicts on fields that content holds in another place, if they are not equal. */
  readonly derived: (key: string) => Verdict
}

/** Compares every field of a user or a shot, those too that only one of the two has. */
export const compareRecord = (
  legacy: Fields,
  ours: Readonly<Record<string, string>>,
  facts: RecordFacts,
): readonly Comparison[] =>
  [...new Set([...legacy.keys(), ...Object.keys(ours)])].map((key): Comparison => {
    const said = saidOf(legacy, key)
    const value = Object.hasOwn(ours, key) ? ours[key] : undefined
    const field = facts.fields.find((one) => one.key === key)
    const shot = facts.about.part === 'shot' ? ` of shot ${facts.about.id}` : ''
    const compared = {
      variant: facts.variant,
      about: { ...facts.about, key } as About,
      what: `${key.slice(0, 60)}${shot}${facts.variant === 'http' ? ' over http' : ''}`,
      legacy: shown(said),
      ours: value ?? 'missing',
      fields: 1,
    }
    if (value === undefined) return { ...compared, verdict: 'different' }
    const found = equality(said, value, {
      kind: field?.kind ?? 'derived',
      counted: facts.counted.includes(key),
      isAlias: facts.isAlias && key === 'username',
    })
    if (found === 'same') return { ...compared, verdict: 'equal' }
    if (found !== undefined) return { ...compared, verdict: 'rule', rule: found }
    return {
      ...compared,
      verdict:
        field === undefined
          ? facts.derived(key)
          : editedOrNot(field, { said: said.text ?? null, value }, facts),
    }
  })

/** An edit is what differs although the API says the same as at the last import, and content could have said it. */
const editedOrNot = (
  field: Field,
  { said, value }: { readonly said: string | null; readonly value: string },
  { base, fallbacks, portsAllowed, variant }: RecordFacts,
): Verdict => {
  if (base === undefined || !Object.hasOwn(base, field.key)) return 'different'
  const old = base[field.key]!
  const shared = (text: string | null) =>
    variant === 'http' && field.kind === 'asset' && text !== null ? withoutScheme(text) : text
  if (shared(old) !== shared(said)) return 'different'
  const couldBeSaid =
    said !== null && problemOf({ kind: 'text', text: said }, field, { portsAllowed }) === undefined
  return couldBeSaid || value !== (fallbacks[field.key] ?? '') ? 'edited' : 'different'
}
