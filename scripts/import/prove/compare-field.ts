import { noTimestamp } from '../../api/records.ts'
import { normalTimestamp, timestampProblem } from '../../content/values/timestamp.ts'
import { withoutScheme } from '../merge/compare-schemes.ts'
import type { Said } from '../read/said.ts'
import type { Kind } from '../values/fields.ts'

/** Why two values count as equal although they are not the same text. */
export const rules = {
  'number-for-string': 'the API sends a number, the snapshot the same digits as text',
  'null-as-empty': 'the API sends null, the snapshot an empty text, 0 or no date',
  'missing-as-default': 'the API leaves the field out, the snapshot sends its default',
  'empty-as-zero': 'the API sends an empty count, the snapshot 0',
  'asset-scheme': 'the address is the same but for its scheme, which is that of the request',
  'timestamp-form': 'the same moment, which the snapshot writes YYYY-MM-DD HH:MM:SS',
  'total-below-content': 'the API counts fewer than the content holds',
  'renamed-here': 'the member has another name here, and the old one is an alias',
} as const

export type Rule = keyof typeof rules

export type FieldFacts = {
  readonly kind: Kind | 'derived'
  /** What the snapshot sends if content leaves the key out. */
  readonly fallback: string
  /** Whether content counts this total. */
  readonly counted: boolean
  readonly isAlias: boolean
}

/** The rule by which a field is equal; `'same'` if no rule is needed, `undefined` if it is not equal. */
export const equality = (said: Said, ours: string, facts: FieldFacts): Rule | 'same' | undefined => {
  const { kind, fallback, counted, isAlias } = facts
  const isZero = ours === '0' && ['count', 'total', 'project'].includes(kind)
  if (said.text === undefined) {
    if (said.kind === 'missing') return ours === fallback ? 'missing-as-default' : undefined
    return said.kind === 'null' && (isZero || ours === '' || ours === noTimestamp)
      ? 'null-as-empty'
      : undefined
  }
  const { text } = said
  if (text === ours) return said.kind === 'number' ? 'number-for-string' : 'same'
  if (text === '' && isZero) return 'empty-as-zero'
  if (kind === 'asset' && text !== '' && withoutScheme(text) === withoutScheme(ours)) return 'asset-scheme'
  const isTime = kind === 'timestamp' || kind === 'derived'
  if (isTime && isMoment(text) && isMoment(ours) && normalTimestamp(text) === ours) return 'timestamp-form'
  if (counted && isLess(text, ours)) return 'total-below-content'
  return isAlias ? 'renamed-here' : undefined
}

const isMoment = (text: string): boolean => timestampProblem(text) === undefined

const isLess = (a: string, b: string): boolean =>
  /^\d+$/.test(a) && (a.length < b.length || (a.length === b.length && a < b))
