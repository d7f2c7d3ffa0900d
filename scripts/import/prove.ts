import { deriveShots, deriveUser } from '../api/records.ts'
import { type Variant, variants } from '../api/routes.ts'
import { readMember } from '../content/read/open.ts'
import { compileMember } from '../snapshot/compile.ts'
import { grouped } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import type { Remote } from './body.ts'
import {
  type Comparison,
  compareRecord,
  compareShots,
  type Facts,
  missing,
  type Result,
} from './compare.ts'
import { mergeMember } from './merge.ts'
import { fieldAt } from './messages.ts'
import { comparePictures } from './pictures.ts'
import type { Sides } from './run.ts'

/** Numbers of fields by scheme and result. */
type Tally = Readonly<Record<Variant, Map<Result, number>>>

export const createTally = (): Tally => ({ https: new Map(), http: new Map() })

const count = (tally: Tally[Variant], result: Result, fields: number) => {
  tally.set(result, (tally.get(result) ?? 0) + fields)
}

/** The table at the end of a proof. */
export const table = (tally: Tally): string => {
  const line = (label: string, cellOf: (scheme: Variant) => string) =>
    `${label.padEnd(14)}${variants.map((scheme) => cellOf(scheme).padStart(10)).join('')}\n`
  const lines = ['equal', lost, 'edited', 'different', 'unproven'].map((kind) =>
    line(kind === 'edited' ? 'edited here' : kind, (scheme) => {
      const fitting = [...tally[scheme]].filter(
        ([result]) => (isLoss(result) ? lost : result) === kind,
      )
      return grouped(fitting.reduce((sum, [, fields]) => sum + fields, 0))
    }),
  )
  return line('fields', (scheme) => scheme) + lines.join('')
}

const lost = 'lost by a rule'

const isLoss = (result: Result) => !['equal', 'edited', 'different', 'unproven'].includes(result)

/** Compares what a build would publish of a member with what the remote says, field by field, and tells what differs. */
export const proveMember = async (sides: Sides, tally: Tally): Promise<void> => {
  const { run, name, username, remote, http, mine, find } = sides
  const { found, notes } = run
  const isImported = mergeMember(sides)
  /** What an import would tell, which is not what a proof does. */
  const told = run.notes.takeFindings()
  /** How many fields each body has; the order of the shots is one. */
  const sizes = {
    user: remote.user.size,
    shots: remote.shots.reduce((sum, { size }) => sum + size, 1),
  }
  if (!mine && isImported) return find('not-imported', {}, { name })
  if (!mine) {
    const rule = 'member-not-imported'
    for (const scheme of variants) count(tally[scheme], rule, sizes.user + sizes.shots)
    const args = { what: `the member ${quote(name)}`, remote: 'there', ours: 'not there', rule }
    return find('lost-by-rule', {}, args, { isError: true })
  }
  const { member, diagnostics } = compileMember(readMember(username, found), found)
  if (member === undefined) return notes.add(diagnostics)
  const shows = await comparePictures(sides)
  for (const scheme of found.site.schemes) {
    const said: Partial<Remote> = scheme === 'https' ? remote : http
    const facts: Facts = { ...sides, scheme, isImported, shows, told }
    const unseen = (['user', 'shots'] as const).filter((part) => said[part] === undefined)
    for (const part of unseen) count(tally[scheme], 'unproven', sizes[part])
    const [first] = unseen
    if (first && !run.httpsOnly) {
      const what = unseen
        .map((part) => (part === 'user' ? 'the profile' : 'the shots'))
        .join(' and ')
      const args = { what: `${what} of ${name} over http`, problem: String(http.problem) }
      find('unproven', { at: first, scheme }, args)
    }
    const { Shots } = deriveShots(member, scheme, found.site)
    tellDifferences(
      [
        ...(said.user
          ? compareRecord(said.user, deriveUser(member, scheme, found.site), facts)
          : []),
        ...(said.shots ? compareShots(said as Remote, Shots, facts) : []),
      ],
      facts,
      tally[scheme],
    )
  }
}

/** Tells what is not equal. */
const tellDifferences = (
  compared: readonly Comparison[],
  { run: { notes, strict }, find, scheme }: Facts,
  tally: Tally[Variant],
) => {
  for (const { result, about, fields = 1, ...values } of compared) {
    count(tally, result, fields)
    // told once a run, however many records have it
    const field = `${about.id === undefined} ${about.key ?? values.what}`
    if (result === 'equal' || (result === 'unknown-field' && !notes.isFirst(field))) continue
    const what = (values.what ?? fieldAt(about)) + (scheme === 'http' ? ' over http' : '')
    const args = { ...values, what, rule: result, problem: 'its picture could not be fetched' }
    const isError = strict || missing.includes(result)
    find(isLoss(result) ? 'lost-by-rule' : result, about, args, { isError })
  }
}
