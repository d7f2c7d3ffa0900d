import { type Variant, variants } from '../api/routes.ts'
import { grouped } from '../text/amounts.ts'
import type { ImportCode } from './messages.ts'

/** What a comparison came to; a loss has the name of what the import tells of it. */
export type Result = 'equal' | ImportCode

/** Numbers of fields by scheme and result. */
export type Tally = Readonly<Record<Variant, Map<Result, number>>>

export const createTally = (): Tally => ({ https: new Map(), http: new Map() })

export const count = (lines: Tally[Variant], result: Result, fields: number): void => {
  lines.set(result, (lines.get(result) ?? 0) + fields)
}

/** The table at the end of a proof. */
export const table = (tally: Tally): string => {
  const cell = (label: string, scheme: Variant): string => {
    const counts = [...tally[scheme]].map(([result, fields]) =>
      labelOf(result) === label ? fields : 0,
    )
    return label === 'fields' ? scheme : grouped(counts.reduce((sum, one) => sum + one, 0))
  }
  return ['fields', 'equal', lost, 'edited here', 'different', 'unproven']
    .map((label) => {
      const cells = variants.map((scheme) => cell(label, scheme).padStart(10))
      return `${label.padEnd(14)}${cells.join('')}\n`
    })
    .join('')
}

const lost = 'lost by a rule'

const labelOf = (result: Result): string => {
  if (result === 'edited') return 'edited here'
  return ['equal', 'different', 'unproven'].includes(result) ? result : lost
}
