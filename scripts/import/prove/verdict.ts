import type { Variant } from '../../api/routes.ts'
import type { About } from '../merge/finding.ts'
import type { Rule } from './compare-field.ts'
import type { Loss } from './losses.ts'

/** What a comparison came to. */
export type Verdict = 'equal' | 'rule' | 'edited' | 'different'

/** A field that is not simply equal, or another difference from the API, such as a missing shot. */
export type Comparison = {
  readonly verdict: Verdict
  /** Why it is equal, or what is lost. */
  readonly rule?: Rule | Loss | undefined
  readonly variant: Variant
  readonly about: About
  readonly what: string
  readonly legacy: string
  readonly ours: string
  /** How many fields it stands for. */
  readonly fields: number
}
