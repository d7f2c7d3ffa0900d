import type { Variant } from '../../api/routes.ts'
import type { BaseFields } from '../merge/base.ts'
import { withoutScheme } from '../merge/compare-schemes.ts'
import type { About } from '../merge/finding.ts'
import { shown } from '../merge/listed-shots.ts'
import { type Fields, saidOf } from '../read/said.ts'
import type { Field } from '../values/fields.ts'
import { problemOf } from '../values/keep-text.ts'
import { equality } from './compare-field.ts'
import type { Loss } from './losses.ts'
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
  /** What an import would tell of a field. */
  readonly lossesOf: (key: string) => ReadonlySet<Loss>
  /** The same record over https. */
  readonly https: Fields | undefined
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
    if (value === undefined) return { ...compared, verdict: 'rule', rule: 'unknown-field' }
    const found = equality(said, value, {
      kind: field?.kind ?? 'derived',
      fallback: fallbackOf(key, value, facts),
      counted: facts.counted.includes(key),
      isAlias: facts.isAlias && key === 'username',
    })
    if (found === 'same') return { ...compared, verdict: 'equal' }
    if (found !== undefined) return { ...compared, verdict: 'rule', rule: found }
    const verdict =
      field === undefined ? facts.derived(key) : editedOrNot(field, { said: said.text ?? null, value }, facts)
    const loss = verdict === 'different' ? lossOf(key, value, facts) : undefined
    return { ...compared, ...(loss === undefined ? { verdict } : { verdict: 'rule', rule: loss }) }
  })

/** What the snapshot sends if content leaves the key out; what is derived has no key. */
const fallbackOf = (key: string, value: string, { fields, fallbacks }: RecordFacts): string =>
  fields.some((one) => one.key === key) ? (fallbacks[key] ?? '') : value

/** The loss that explains a difference: the value is as the import, which tells the loss, has left it. */
const lossOf = (key: string, value: string, facts: RecordFacts): Loss | undefined => {
  const { lossesOf, https, variant } = facts
  const told = lossesOf(key)
  for (const loss of ['shot-not-imported', 'member-not-imported'] as const) if (told.has(loss)) return loss
  const isLeftOut = value === fallbackOf(key, value, facts)
  // a shot loses its project because of the project's date
  const isProject = key === 'id_project' && lossesOf('created_project').has('not-kept')
  if (isLeftOut && (told.has('not-kept') || isProject)) return 'not-kept'
  const kept = variant === 'http' && told.has('scheme-differs') ? https?.get(key)?.text : undefined
  return kept !== undefined && withoutScheme(kept) === withoutScheme(value) ? 'scheme-differs' : undefined
}

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
