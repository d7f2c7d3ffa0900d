import { placeIn } from './place-in.ts'
import type { Rule } from './prove/compare-field.ts'
import { proveMember } from './prove/prove-member.ts'
import { count, countComparison, createTally, type Tally } from './prove/tally.ts'
import type { Comparison } from './prove/verdict.ts'
import { readApiMember } from './read-api-member.ts'
import { addressOf, atAddress, folderOf, type Run, type Told } from './run-context.ts'
import { diagnose } from './tell/messages.ts'
import { readBase } from './write/base-file.ts'
import { type MemberFiles, readMember } from './write/read-member.ts'

export type ProveOptions = {
  readonly strict: boolean
  readonly onProgress: (done: number, total: number) => void
}

/** Rules that say the same of every body, so that one example is enough. */
const told: readonly Rule[] = [
  'number-for-string',
  'missing-as-empty',
  'asset-scheme',
  'timestamp-form',
  'renamed-here',
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
  if (username === undefined) {
    return [...problems, diagnose('not-imported', atAddress(addressOf(name, 'user', run)), { name })]
  }
  const { member: files, diagnostics } = readMember(username, run.found)
  const proof =
    files &&
    proveMember(
      {
        name,
        username,
        base: readBase(run.found.content.path, username).base,
        https: api.theirs,
        http: api.http,
      },
      run,
    )
  if (files === undefined || proof === undefined) return [...problems, ...diagnostics]
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
    if (told.includes(rule!)) {
      if (proving.seen.has(rule!)) return []
      proving.seen.add(rule!)
    }
    return [diagnose('equal-by-rule', place, { what, legacy, ours, rule: rule! })]
  }
  if (verdict === 'edited') {
    return [diagnose('edited', place, { what, legacy, ours }, proving.strict ? 'error' : 'warning')]
  }
  return [diagnose('different', place, { what, legacy, ours })]
}
