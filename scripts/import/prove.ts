import { deriveShots, deriveUser } from '../api/records.ts'
import { routes, type Variant, variants } from '../api/routes.ts'
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
  isGone,
  missing,
  type Result,
} from './compare.ts'
import { mergeMember } from './merge.ts'
import { fieldAt } from './messages.ts'
import type { Sides } from './run.ts'

/** Numbers of fields by scheme and result. */
type Tally = Readonly<Record<Variant, Map<Result, number>>>

export const createTally = (): Tally => ({ https: new Map(), http: new Map() })

const count = (tally: Tally[Variant], result: Result, fields: number) => {
  tally.set(result, (tally.get(result) ?? 0) + fields)
}

/** The lines of the table at the end of a proof; one is for all losses. */
const lost = 'lost by a rule'
const kinds = ['equal', lost, 'edited', 'different', 'unproven'] as const

const kindOf = (result: Result) => kinds.find((kind) => kind === result) ?? lost

/** The table at the end of a proof. */
export const table = (tally: Tally): string => {
  const rows = kinds.map((kind) => {
    const sums = variants.map((scheme) => {
      const fitting = [...tally[scheme]].filter(([result]) => kindOf(result) === kind)
      return grouped(fitting.reduce((sum, [, fields]) => sum + fields, 0))
    })
    return [kind === 'edited' ? 'edited here' : kind, ...sums]
  })
  const lines = [['fields', ...variants], ...rows].map(([label = '', ...cells]) =>
    [label.padEnd(14), ...cells.map((cell) => cell.padStart(10)), '\n'].join(''),
  )
  return lines.join('')
}

/**
 * Compares what a build would publish of a member with what the remote says, field by field,
 * and tells what differs.
 */
export const proveMember = async (sides: Sides, tally: Tally): Promise<undefined> => {
  const { run, name, username, remote, http, mine, find } = sides
  const { found, notes } = run
  const isImported = mergeMember(sides)
  /** What an import would tell, which is not what a proof does. */
  const told = notes.takeFindings()
  /** How many fields each body has; the order of the shots is one. */
  const sizes = {
    user: remote.user.size,
    shots: remote.shots.reduce((sum, { size }) => sum + size, 1),
  }
  const isThere = mine.files.has(undefined)
  if (!isThere && isImported) return find('not-imported', {}, { name })
  if (!isThere) {
    const rule = 'member-not-imported'
    for (const scheme of variants) count(tally[scheme], rule, sizes.user + sizes.shots)
    const args = { what: `the member ${quote(name)}`, ...isGone, rule }
    return find('lost-by-rule', {}, args, { isError: true })
  }
  const { member, diagnostics } = compileMember(readMember(username, found), found)
  if (member === undefined) return notes.add(diagnostics)
  for (const scheme of found.site.schemes) {
    const said: Partial<Remote> = scheme === 'https' ? remote : http
    const unseen = routes
      .map((route) => route.name)
      .filter((part) => said[part] === undefined)
    for (const part of unseen) count(tally[scheme], 'unproven', sizes[part])
    const [first] = unseen
    if (first && !run.httpsOnly) {
      const what = `${unseen.map((part) => words[part]).join(' and ')} of ${name} over http`
      find('unproven', { at: `${scheme} ${first}` }, { what, problem: String(http.problem) })
    }
    const facts = { ...sides, scheme, isImported, told }
    const built = deriveUser(member, scheme, found.site)
    const { Shots } = deriveShots(member, scheme, found.site)
    const compared = [
      ...(said.user ? await compareRecord({ said: said.user, built, facts }) : []),
      ...(said.shots ? await compareShots(said as Remote, Shots, facts) : []),
    ]
    tellDifferences(compared, facts, tally[scheme])
  }
}

const words = { user: 'the profile', shots: 'the shots' }

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
    const args = {
      ...values,
      what,
      rule: result,
      problem: 'its picture could not be fetched',
    }
    const isError = strict || missing.includes(result)
    find(kindOf(result) === lost ? 'lost-by-rule' : result, about, args, { isError })
  }
}
