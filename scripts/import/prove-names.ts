import { quote } from '../text/printable.ts'
import { compareSchemes } from './merge/compare-schemes.ts'
import { mergeMember } from './merge/merge-member.ts'
import { placeIn } from './place-in.ts'
import type { Rule } from './prove/compare-field.ts'
import { type Loss, losses, lossesIn } from './prove/losses.ts'
import { proveMember } from './prove/prove-member.ts'
import { count, countComparison, createTally, type Tally } from './prove/tally.ts'
import type { Comparison } from './prove/verdict.ts'
import { type ApiMember, readApiMember } from './read-api-member.ts'
import type { Said } from './read-legacy.ts'
import { addressOf, atAddress, badBase, folderOf, mergeInput, type Run, type Told } from './run-context.ts'
import { diagnose } from './tell/messages.ts'
import { readBase } from './write/base-file.ts'
import { type MemberFiles, readMember } from './write/read-member.ts'

export type ProveOptions = {
  readonly strict: boolean
  readonly onProgress: (done: number, total: number) => void
}

/** Rules that say the same of every body, so that one example is enough. */
const toldOnce: readonly (Rule | Loss)[] = [
  'number-for-string',
  'missing-as-default',
  'asset-scheme',
  'timestamp-form',
  'renamed-here',
  'unknown-field',
]

/** Compares what a build would publish of these members with what the API says, field by field. */
export const proveNames = (
  names: readonly string[],
  run: Run,
  { strict, onProgress }: ProveOptions,
): { readonly told: Told; readonly tally: Tally } => {
  const tally = createTally()
  const seen = new Set<string>()
  const all: Told[number][] = []
  for (const [index, name] of names.entries()) {
    for (const diagnostic of proveName(name, run, { strict, tally, seen })) all.push(diagnostic)
    onProgress(index + 1, names.length)
  }
  return { told: all, tally }
}

type Proving = { readonly strict: boolean; readonly tally: Tally; readonly seen: Set<string> }

const proveName = (name: string, run: Run, proving: Proving): Told => {
  const { api, told: problems } = readApiMember(name, run)
  if (api === undefined) return problems
  const username = folderOf(name, run)
  if (username === undefined) return [...problems, ...proveAbsent(name, { api, run, proving })]
  const { member: files, diagnostics } = readMember(username, run.found)
  const { base, wrong } = readBase(run.found.content.path, username)
  if (wrong) return [...problems, badBase(username, run)]
  const { theirs: https, http } = api
  const sides = { asked: name, username, base, mine: files?.mine, theirs: https, bodies: {} }
  const findings = [...mergeMember(mergeInput(sides, run)).findings, ...compareSchemes(https, http)]
  if (files === undefined) return [...problems, ...diagnostics]
  const published = new Set([...files.mine.shots.values()].filter(({ draft }) => !draft).map(({ id }) => id))
  const proof = proveMember({ name, username, base, https, http, published, losses: lossesIn(findings) }, run)
  if (proof === undefined) return [...problems, ...diagnostics]
  const { tally, seen } = proving
  const result: Told[number][] = [...problems]
  for (const comparison of proof.comparisons) {
    countComparison(tally, comparison)
    if (comparison.verdict === 'equal') continue
    for (const diagnostic of tell(comparison, { name, files, run, proving })) result.push(diagnostic)
  }
  if (proof.unseen > 0) {
    count(tally, 'http', 'unproven', proof.unseen)
    const problem = api.unseen ?? 'it was not seen'
    if (run.httpWanted && !seen.has(problem)) {
      seen.add(problem)
      result.push(
        diagnose('unproven', atAddress(addressOf(name, 'user', run).replace(/^https/, 'http')), {
          what: `what ${name} has over http`,
          problem,
        }),
      )
    }
  }
  return result
}

/** A member that is not in the content: to be imported first, or one that content can't hold. */
const proveAbsent = (
  name: string,
  { api, run, proving }: { readonly api: ApiMember; readonly run: Run; readonly proving: Proving },
): Told => {
  const place = atAddress(addressOf(name, 'user', run))
  const sides = {
    asked: name,
    username: name,
    base: undefined,
    mine: undefined,
    theirs: api.theirs,
    bodies: {},
  }
  if (mergeMember(mergeInput(sides, run)).plan !== undefined)
    return [diagnose('not-imported', place, { name })]
  const rule = 'member-not-imported'
  const sizeOf = ({ user, shots }: Said): number =>
    [user, ...(shots ?? [])].reduce((sum, fields) => sum + (fields?.size ?? 0), 0)
  count(proving.tally, 'https', rule, sizeOf(api.theirs))
  count(proving.tally, 'http', rule, sizeOf(api.http))
  const args = { what: `the member ${quote(name)}`, legacy: 'there', ours: 'not there', rule }
  return [diagnose('lost-by-rule', place, args, proving.strict ? 'error' : 'warning')]
}

type Telling = {
  readonly name: string
  readonly files: MemberFiles
  readonly run: Run
  readonly proving: Proving
}

const tell = (comparison: Comparison, { name, files, run, proving }: Telling): Told => {
  const { verdict, rule, about, what, legacy, ours } = comparison
  const place = placeIn(about, { name, files, run })
  if (verdict === 'rule') {
    if (toldOnce.includes(rule!)) {
      if (proving.seen.has(rule!)) return []
      proving.seen.add(rule!)
    }
    const args = { what, legacy, ours, rule: rule! }
    return Object.hasOwn(losses, rule!)
      ? [diagnose('lost-by-rule', place, args, proving.strict ? 'error' : 'warning')]
      : [diagnose('equal-by-rule', place, args)]
  }
  if (verdict === 'edited') {
    return [diagnose('edited', place, { what, legacy, ours }, proving.strict ? 'error' : 'warning')]
  }
  return [diagnose('different', place, { what, legacy, ours })]
}
