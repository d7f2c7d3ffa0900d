import { renderRoute } from '../api/records.ts'
import { routes, type Variant, variants } from '../api/routes.ts'
import { readMember } from '../content/read/open.ts'
import { compileMember } from '../snapshot/compile.ts'
import { quote } from '../text/printable.ts'
import type { Remote } from './body.ts'
import { type Comparison, compareRecord, compareShots, type Facts, missing } from './compare.ts'
import { mergeMember } from './merge.ts'
import { fieldAt } from './messages.ts'
import { comparePictures } from './pictures.ts'
import type { Sides } from './run.ts'
import { count } from './tally.ts'

/** Compares what a build would publish of a member with what the remote says, field by field, and tells what differs. */
export const proveMember = async (sides: Sides): Promise<undefined> => {
  const { run, name, username, remote, http, mine, find } = sides
  const { found, notes } = run
  const plan = mergeMember(sides)
  /** What an import would tell, which is not what a proof does. */
  const told = sides.findings.splice(0)
  if (mine === undefined)
    return plan === undefined ? tellLostMember(sides) : find('not-imported', {}, { name })
  const { member, diagnostics } = compileMember(readMember(username, found), found)
  if (member === undefined) return notes.add(diagnostics)
  const shows = await comparePictures(sides)
  for (const scheme of found.site.schemes) {
    const said = scheme === 'https' ? remote : http
    const [user, shots] = routes.map((route) =>
      JSON.parse(renderRoute(route, scheme, member, found.site)),
    )
    const facts: Facts = { ...sides, scheme, plan, shows, told }
    tellUnseen(said, scheme, sides)
    if (said.user) tellDifferences(compareRecord(said.user, user, facts), scheme, sides)
    if (said.shots) tellDifferences(compareShots(said as Remote, shots.Shots, facts), scheme, sides)
  }
}

/** The bodies of a scheme, and how many fields they have; the order of the shots is one. */
const bodiesOf = ({ user, shots }: Remote) =>
  [
    { part: 'user', what: 'the profile', fields: user.size },
    { part: 'shots', what: 'the shots', fields: shots.reduce((sum, { size }) => sum + size, 1) },
  ] as const

/** Tells of a member whom content can't hold. */
const tellLostMember = ({ run: { tally }, name, remote, find }: Sides): undefined => {
  const rule = 'member-not-imported'
  for (const scheme of variants)
    for (const { fields } of bodiesOf(remote)) count(tally[scheme], rule, fields)
  const args = { what: `the member ${quote(name)}`, remote: 'there', ours: 'not there', rule }
  return find('lost-by-rule', {}, args, { isError: true })
}

/** Tells of bodies that were not seen. */
const tellUnseen = (said: Partial<Remote>, scheme: Variant, sides: Sides): void => {
  const { run, name, remote, http, find } = sides
  const unseen = bodiesOf(remote).filter(({ part }) => said[part] === undefined)
  for (const { fields } of unseen) count(run.tally[scheme], 'unproven', fields)
  const [first] = unseen
  if (first === undefined || run.httpsOnly) return
  const what = `${unseen.map(({ what }) => what).join(' and ')} of ${name} over http`
  find('unproven', { at: first.part, scheme }, { what, problem: String(http.problem) })
}

/** Tells what is not equal. */
const tellDifferences = (
  compared: readonly Comparison[],
  scheme: Variant,
  { run: { tally, notes, strict }, find }: Sides,
): void => {
  for (const { result, about, fields = 1, ...values } of compared) {
    count(tally[scheme], result, fields)
    // told once a run, however many records have it
    const field = `${about.id === undefined} ${about.key ?? values.what}`
    if (result === 'equal' || (result === 'unknown-field' && !notes.isFirst(field))) continue
    const what = (values.what ?? fieldAt(about)) + (scheme === 'http' ? ' over http' : '')
    const args = { ...values, what, rule: result, problem: 'its picture could not be fetched' }
    const isPlain = result === 'unproven' || result === 'different' || result === 'edited'
    const isError = strict || missing.includes(result)
    find(isPlain ? result : 'lost-by-rule', about, args, { isError })
  }
}
