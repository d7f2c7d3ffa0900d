import type { Profile, Shot } from '../content/member.ts'
import type { Data } from '../content/parse/data.ts'
import type { Base } from './base.ts'
import { type Fields, shown } from './body.ts'
import {
  defaultOf,
  type Field,
  fieldsOf,
  fill,
  isSame,
  problemsIn,
  sayable,
  shotFields,
  statedFields,
  type Texts,
} from './fields.ts'
import { type About, fieldAt } from './messages.ts'
import type { ImportOptions, Sides } from './run.ts'

/** Keys to set in a file, or to take out where the value is `undefined`. */
export type Changes = Record<string, Data | undefined>

/** What to change in a file, or to write as a new one. */
type FilePlan = {
  readonly changes: Changes
  /** Says in the base of the next import that it is done. Until then that one tries again. */
  readonly settle: (next: Base) => void
}

/** What to do with the files of a member; `base` is what the next import starts from, whatever becomes of them. */
export type MemberPlan = {
  readonly profile: FilePlan
  readonly shots: Map<string, FilePlan>
  /** What the base says of the profile once that is settled. */
  readonly stated: Pick<Base, 'profile' | 'counted' | 'projects'>
  readonly base: Base
}

export type Merging = Sides & { readonly plan: MemberPlan }

/** A file to write: its path below the content folder, what it says now if it is there, and what it will say. */
export type FileChange = {
  readonly path: string
  readonly before: string | Buffer | undefined
  readonly after: string | Buffer
}

/** What a shot's file will say at a key. */
export const planned = (id: string, key: 'draft' | 'id_project', { plan, mine }: Merging) => {
  const { changes = {} } = plan.shots.get(id) ?? {}
  return key in changes ? changes[key] : mine?.shots.get(id)?.said[key]
}

/** A value as the remote said it last, as content says it, and as the remote says it now. */
type ThreeWays = {
  readonly base: string | undefined
  readonly mine: string
  readonly remote: string
}

/** Which side a value follows: the rows of "How changes meet" in docs/import.md. A conflict follows none until it is settled. */
export const judge = (
  { base, mine, remote }: ThreeWays,
  side: ImportOptions['side'],
  same = (a: string, b: string) => a === b,
) => {
  if (same(mine, remote)) return 'ours'
  // without a base nobody knows who changed it
  if (base === undefined) return side ?? 'conflict'
  if (same(mine, base)) return 'theirs'
  return same(base, remote) ? 'ours' : (side ?? 'conflict')
}

/**
 * Merges a profile or a shot field by field, and tells conflicts. `changes` is what the file lacks, without what equals
 * the default; `base` is what the next import starts from: a value in conflict keeps its old base.
 */
export const mergeFields = (
  ways: {
    readonly base: Texts | undefined
    readonly mine: Profile | Shot | undefined
    readonly remote: Texts
  },
  { site, run, find }: Sides,
  id?: string,
) => {
  const fields = id === undefined ? statedFields : shotFields
  const said = ways.mine as Readonly<Record<string, unknown>> | undefined
  const before = sayable(fields, ways.base ?? {}, site)
  const here = fill(fields, ({ key }) => said?.[key]?.toString(), site)
  const now = sayable(fields, ways.remote, site)
  const next: Record<string, string> = {}
  const base: Record<string, string | null> = {}
  const changes: Changes = {}
  const verdictOn = ({ key, kind }: Field) => {
    if (said === undefined) return 'theirs'
    const old = ways.base?.[key] === undefined ? undefined : before[key]
    const three = { base: old, mine: here[key] ?? '', remote: now[key] ?? '' }
    const verdict = judge(three, run.side, (one, other) => isSame(kind, one, other, site))
    if (verdict === 'conflict') find('conflict', { id, key }, { key, ...three })
    return verdict
  }
  for (const field of fields) {
    const { key, kind } = field
    const verdict = verdictOn(field)
    const text = (verdict === 'conflict' ? ways.base : ways.remote)?.[key]
    if (text !== undefined) base[key] = text
    const value = (verdict === 'theirs' ? now : here)[key] ?? ''
    next[key] = value
    const isDefault = !field.required && value === defaultOf(field, next, site)
    // without the key the large image is the image: once that changes, the key is needed
    const isNeeded = !isDefault && said?.[key] === undefined
    const data = kind === 'words' ? value.split(',') : value
    if (verdict === 'theirs' || isNeeded) changes[key] = isDefault ? undefined : data
  }
  return { changes, base }
}

/** How a message shows a value that can't be kept, and why where the value alone doesn't say it. */
export const refused = (
  fields: Fields,
  about: About & { readonly key: string },
  problem: string,
) => {
  const value = shown(fields.get(about.key))
  return { what: fieldAt(about), value, why: problem === `it is ${value}` ? '' : `: ${problem}` }
}

/** Tells what can't be kept of a profile, or of a shot with an id; says whether it lacks what content needs, which is told alone. */
export const tellProblems = (fields: Fields, { site, find }: Sides, id?: string): boolean => {
  const problems = problemsIn(fields, fieldsOf(id), site)
  const refusal = problems.find(({ field }) => field.required)
  const told = refusal ? problems.filter(({ field }) => field.required) : problems
  // what has no id may be anything
  for (const { field, problem } of refusal?.field.key === 'id' ? [refusal] : told) {
    const about = { id, key: field.key }
    const args = refused(fields, about, problem)
    if (!refusal) find('not-kept', about, { ...args, instead: 'it is left out' })
    else if (id === undefined) find('member-not-imported', { at: 'user' }, args)
    else find('shot-not-imported', { ...about, at: 'shots' }, args)
  }
  return refusal !== undefined
}
