import type { Profile, Shot } from '../content/member.ts'
import type { Data } from '../content/parse/data.ts'
import type { Base } from './base.ts'
import { defaultOf, type Field, fill, isSame, type Kind, sayable, type Texts } from './fields.ts'
import type { Sides } from './run.ts'
import { judge, type ThreeWays, type Verdict } from './verdict.ts'

/** Keys to set in a file, or to take out where the value is `undefined`. */
export type Changes = Record<string, Data | undefined>

/** What to change in the files of a member, or to write as new ones, and what the next import starts from. */
export type MemberPlan = {
  readonly profile: Changes
  readonly shots: Map<string, Changes>
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
  const changes = plan.shots.get(id) ?? {}
  return key in changes ? changes[key] : mine?.shots.get(id)?.said[key]
}

/**
 * Merges a profile or a shot field by field, and tells conflicts. `changes` is what the file lacks, without what equals
 * the default; `base` is what the next import starts from: a value in conflict keeps its old base.
 */
export const mergeFields = (
  fields: readonly Field[],
  { base, mine, remote }: ThreeWays<Profile | Shot | undefined, Texts>,
  { site, run, find }: Pick<Sides, 'site' | 'run' | 'find'>,
  id?: string,
): { readonly changes: Changes; readonly base: Base['profile'] } => {
  // the remote says what it said last, as nearly always: whatever was changed here stays
  if (mine && base && fields.every(({ key }) => base[key] === (remote[key] ?? null)))
    return { changes: {}, base: pick(base, fields) }
  const said = mine as Readonly<Record<string, unknown>> | undefined
  const before = base && sayable(fields, base, site)
  const now = sayable(fields, remote, site)
  const values = fill(fields, ({ key }) => said?.[key]?.toString(), site)
  const verdictOn = ({ key, kind }: Field): Verdict => {
    if (said === undefined) return 'theirs'
    const old = base?.[key] === undefined ? undefined : before?.[key]
    const ways = { base: old, mine: values[key] ?? '', remote: now[key] ?? '' }
    const verdict = judge(ways, run.side, (a, b) => isSame(kind, a, b, site))
    if (verdict === 'conflict') find('conflict', { id, key }, { key, ...ways })
    return verdict
  }
  const next: Record<string, string> = {}
  const nextBase: Base['profile'] = {}
  const changes: Changes = {}
  for (const field of fields) {
    const { key, kind } = field
    const verdict = verdictOn(field)
    Object.assign(nextBase, pick(verdict === 'conflict' ? base : remote, [field]))
    const value = (verdict === 'theirs' ? now : values)[key] ?? ''
    next[key] = value
    const isDefault = !field.required && value === defaultOf(field, next, site)
    // without the key the large image is the image: once that changes, the key is needed
    const isNeeded = !isDefault && said?.[key] === undefined
    if (verdict === 'theirs' || isNeeded) changes[key] = isDefault ? undefined : toData(value, kind)
  }
  return { changes, base: nextBase }
}

const toData = (value: string, kind: Kind): Data => (kind === 'words' ? value.split(',') : value)

/** The texts of these fields, of those that are there. */
const pick = (texts: Texts = {}, fields: readonly Field[]): Base['profile'] =>
  Object.fromEntries(
    fields.flatMap(({ key }) => {
      const text = texts[key]
      return text === undefined ? [] : [[key, text]]
    }),
  )
