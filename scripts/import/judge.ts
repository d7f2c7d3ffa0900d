import { compareIds } from '../api/records.ts'
import { baseAt } from './base.ts'
import { type Fields, shown } from './body.ts'
import { heldAt, saidAt } from './content.ts'
import {
  defaultOf,
  type Field,
  fieldsOf,
  fill,
  isSame,
  problemOf,
  sayable,
  type Texts,
} from './fields.ts'
import { type About, fieldAt } from './messages.ts'
import type { Changes, ImportOptions, Sides } from './run.ts'

/** A value as the remote said it last, as content says it, and as the remote says it now. */
type ThreeWays = {
  readonly base: string | undefined
  readonly mine: string
  readonly remote: string
  /** Whether the remote says what it said last, to the letter. */
  readonly isKnown?: boolean
}

/** Which side a value follows: the rows of "How changes meet" in docs/import.md. A conflict follows none until it is settled. */
export const judge = (
  { base, mine, remote, isKnown }: ThreeWays,
  side: ImportOptions['side'],
  same = (a: string, b: string) => a === b,
) => {
  if (same(mine, remote)) return 'ours'
  // without a base nobody knows who changed it
  if (base === undefined) return side ?? 'conflict'
  if (same(mine, base)) return 'theirs'
  return isKnown || same(base, remote) ? 'ours' : (side ?? 'conflict')
}

/**
 * Merges a profile, or the shot with an id, field by field, and tells conflicts. `changes` is what the file lacks, without
 * what equals the default; `settled` is what the next import starts from: a value in conflict keeps its old base.
 */
export const mergeFields = (said: Texts, sides: Sides, id?: string) => {
  const { base, mine, plan, site, find } = sides
  const { counts = {} } = site
  const old = baseAt(base, id)
  const next: Record<string, string> = {}
  const settled: Record<string, string | null> = {}
  const changes: Changes = {}
  for (const { field, isFree, ...ways } of waysOf(said, sides, id)) {
    const { key, kind } = field
    const my = saidAt(mine, { key, id })
    const verdict = isFree ? 'theirs' : verdictOn(field, ways, sides)
    const values = { ...ways, remote: said[key] ?? ways.remote }
    if (verdict === 'conflict') find('conflict', { id, key }, { key, ...values })
    const text = (verdict === 'conflict' ? old : said)?.[key]
    if (text !== undefined) settled[key] = text
    const isTheirs = verdict === 'theirs'
    const value = isTheirs ? ways.remote : ways.mine
    next[key] = value
    const isDefault = !field.required && value === defaultOf(field, next, site)
    // without the key the large image is the image: once that changes, the key is needed
    const isNeeded = !isDefault && my === undefined
    const data = kind === 'words' ? value.split(',') : value
    if (isTheirs || isNeeded) changes[key] = isDefault ? undefined : data
    const isLeft = isDefault && (isTheirs || (my === undefined && value === ways.remote))
    if (isLeft && key in counts) plan.stated.counted.push(key)
  }
  return { changes, settled }
}

/** What the three say of each field; where they say nothing, or what content can't say, it is the default. */
const waysOf = (said: Texts, sides: Sides, id?: string) => {
  const { base, mine, site } = sides
  const { counts = {} } = site
  const old = baseAt(base, id)
  // totals that an import left out, and that nobody here wrote since
  const left = base.counted.filter((key) => saidAt(mine, { key }) === undefined)
  const fillWith = (say: (field: Field) => string | undefined) => fill(fieldsOf(id), say, site)
  const here = fillWith(({ key }) => saidAt(mine, { key, id })?.toString())
  const now = fillWith((field) => notBelow(field.key, sayable(said[field.key], field, site), sides))
  const before = fillWith((field) =>
    left.includes(field.key) ? undefined : sayable(old?.[field.key], field, site),
  )
  return fieldsOf(id).map((field) => {
    const { key } = field
    const my = saidAt(mine, { key, id })
    const last = old?.[key]
    return {
      field,
      base: last === undefined ? undefined : before[key],
      mine: here[key] ?? '',
      remote: now[key] ?? '',
      isKnown: said[key] === last,
      // a total that nobody here touched, or on which both sides agree, is left out once content holds as many
      isFree:
        !heldAt(mine, id) || (key in counts && my !== undefined && [last, said[key]].includes(my)),
    }
  })
}

const verdictOn = ({ key, kind }: Field, ways: ThreeWays, { site, run }: Sides) => {
  const verdict = judge(ways, run.side, (a, b) => isSame(kind, a, b, site))
  // a total that was changed here can't stay once content holds more
  const isTooLow = verdict === 'ours' && compareIds(ways.mine, site.counts?.[key] ?? '') < 0
  return isTooLow ? (run.side ?? 'conflict') : verdict
}

/** A value of the remote, but for a total below what content holds, which is told: that can't be written. */
const notBelow = (key: string, text: string | undefined, { site, find }: Sides) => {
  const counted = site.counts?.[key]
  if (!text || !counted || compareIds(text, counted) >= 0) return text
  find('total-below-content', { key }, { key, remote: text, counted })
  return undefined
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
  const problems = fieldsOf(id).flatMap(({ key, ...field }) => {
    const problem = problemOf(fields.get(key), { key, ...field }, site)
    return problem === undefined ? [] : [{ key, problem, required: field.required }]
  })
  const lacking = problems.filter(({ required }) => required)
  const isRefused = lacking.length > 0
  // what has no id may be anything
  const told = lacking[0]?.key === 'id' ? lacking.slice(0, 1) : lacking
  for (const { key, problem } of isRefused ? told : problems) {
    const about = { id, key }
    const args = refused(fields, about, problem)
    if (!isRefused) find('not-kept', about, { ...args, instead: 'it is left out' })
    else if (id === undefined) find('member-not-imported', { at: 'user' }, args)
    else find('shot-not-imported', { ...about, at: 'shots' }, args)
  }
  return isRefused
}
