import { type Variant, variants } from '../../api/routes.ts'
import { grouped } from '../../text/amounts.ts'
import { type Rule, rules } from './compare-field.ts'
import { type Loss, losses } from './losses.ts'
import type { Comparison } from './verdict.ts'

/** Numbers of fields by scheme: what the certificate is made of. */
export type Tally = Readonly<Record<Variant, Map<Line, number>>>

/** A line of the table. */
export type Line = 'equal' | Rule | Loss | 'edited' | 'different' | 'unproven'

export const createTally = (): Tally => ({ https: new Map(), http: new Map() })

export const count = (tally: Tally, variant: Variant, line: Line, fields: number): void => {
  tally[variant].set(line, (tally[variant].get(line) ?? 0) + fields)
}

export const countComparison = (tally: Tally, { variant, verdict, rule, fields }: Comparison): void =>
  count(tally, variant, verdict === 'rule' ? rule! : verdict, fields)

/** The table for people; rules that did not apply are left out. */
export const table = (tally: Tally): string => {
  const isMet = (line: Line) => variants.some((variant) => tally[variant].has(line))
  const met = (Object.keys(rules) as Rule[]).filter(isMet)
  const lost = (Object.keys(losses) as Loss[]).filter(isMet)
  const row = (label: string, lines: readonly Line[]): readonly string[] => [
    label,
    ...variants.map((variant) =>
      grouped(lines.reduce((sum, line) => sum + (tally[variant].get(line) ?? 0), 0)),
    ),
  ]
  const rows = [
    ['fields', ...variants],
    row('equal', ['equal']),
    row('equal by a rule', met),
    ...met.map((rule) => row(`  ${rule}`, [rule])),
    row('lost by a rule', lost),
    ...lost.map((loss) => row(`  ${loss}`, [loss])),
    row('edited here', ['edited']),
    row('different', ['different']),
    row('unproven', ['unproven']),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  return rows
    .map(([label, ...figures]) =>
      [
        label!.padEnd(widths[0]!),
        ...figures.map((figure, index) => figure.padStart(widths[index + 1]!)),
      ].join('   '),
    )
    .map((line) => `${line}\n`)
    .join('')
}
