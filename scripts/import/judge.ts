import { compareIds } from '../api/records.ts'
import { baseAt } from './base.ts'
import { type Fields, shown } from './body.ts'
import {
  defaultOf,
  type Field,
  fieldsOf,
  type ImportSite,
  isSame,
  problemOf,
  type Texts,
} from './fields.ts'
import type { Changes, ImportOptions, Sides } from './run.ts'

/** A value as the remote said it last, as content says it, and as the remote says it now. */
type ThreeWays = {
  readonly base: string | undefined
  readonly mine: string
  readonly remote: string
  readonly same: (a: string, b: string) => boolean
  /** Whether its file is new. */
  readonly isNew?: boolean
  /** Whether it is a total that nobody here changed, or on which both sides agree. */
  readonly isAgreed?: boolean
  /** Whether it is a total, and content holds more. */
  readonly isTooLow?: boolean
  /** Whether the remote says what it said last, to the letter. */
  readonly isKnown?: boolean
}

type Verdict = 'ours' | 'theirs' | 'conflict'

/**
 * Which side a value follows: "How changes meet" in docs/import.md, a case each. The first
 * that fits counts.
 */
const cases: readonly (readonly [Verdict, (ways: ThreeWays) => boolean | undefined])[] = [
  ['theirs', ({ isNew }) => isNew],
  ['theirs', ({ isAgreed }) => isAgreed],
  ['ours', ({ same, mine, remote }) => same(mine, remote)],
  // there was no import, so nobody knows who changed it
  ['conflict', ({ base }) => base === undefined],
  // untouched here
  ['theirs', ({ same, mine, base = '' }) => same(mine, base)],
  ['conflict', ({ isTooLow }) => isTooLow],
  // untouched at the remote
  ['ours', ({ same, base = '', remote, isKnown }) => isKnown || same(base, remote)],
  // changed on both sides
  ['conflict', () => true],
]

/** A conflict follows neither side until one settles it. */
export const judge = (ways: ThreeWays, side: ImportOptions['side']): Verdict => {
  const [verdict = 'conflict'] = cases.find(([, fits]) => fits(ways)) ?? []
  return verdict === 'conflict' ? (side ?? verdict) : verdict
}

/**
 * Merges a profile, or the shot with an id, field by field, and tells conflicts. `changes` is
 * what the file lacks, without what equals the default; `settled` is what the next import
 * starts from: a value in conflict keeps its old base; `counted` are the totals that are left
 * out.
 */
export const mergeFields = (said: Texts, sides: Sides, id?: string) => {
  const { site, run, find } = sides
  const merged = createFill(site)
  const changes: Changes = {}
  const settled: Record<string, string | null> = {}
  const counted: string[] = []
  for (const { field, my, last, text, total, ...ways } of waysOf(said, sides, id)) {
    const { key, kind, required } = field
    const { base, mine, remote } = ways
    const verdict = judge(ways, run.side)
    const isConflict = verdict === 'conflict'
    if (isConflict) find('conflict', { id, key }, { base, mine, remote: text ?? remote })
    const known = isConflict ? last : text
    if (known !== undefined) settled[key] = known
    const isTheirs = verdict === 'theirs'
    const value = isTheirs ? remote : mine
    // the default, until the value is known
    const fallback = merged(field)
    const isDefault = value === fallback && !required
    merged(field, value)
    // without the key the large image is the image: once that changes, the key is needed
    const isNeeded = !isDefault && my === undefined
    const data = kind === 'words' ? value.split(',') : value
    if (isTheirs || isNeeded) changes[key] = isDefault ? undefined : data
    const isLeftOut = isDefault && (isTheirs || (my === undefined && value === remote))
    if (isLeftOut && total !== '') counted.push(key)
  }
  return { changes, settled, counted }
}

/**
 * What the three say of each field; where they say nothing, or what content can't say, it is
 * the default.
 */
function* waysOf(said: Texts, { base, mine, site, find }: Sides, id?: string) {
  const held = mine.files.get(id)?.said
  const old = baseAt(base, id)
  const before = createFill(site)
  const here = createFill(site)
  const now = createFill(site)
  for (const field of fieldsOf(id)) {
    const { key, kind } = field
    const my = held?.[key]
    const last = old?.[key]
    const text = said[key]
    const total = site.counts?.[key] ?? ''
    const theirs = sayable(text, field, site)
    const isBelow = theirs && compareIds(theirs, total) < 0
    if (isBelow) find('total-below-content', { key }, { remote: theirs, counted: total })
    // a total that an import left out, and that nobody here wrote since
    const isLeft = my === undefined && base.counted.includes(key)
    const known = before(field, isLeft ? undefined : sayable(last, field, site))
    const value = here(field, my)
    yield {
      field,
      my,
      last,
      text,
      total,
      base: last === undefined ? undefined : known,
      mine: value,
      remote: now(field, isBelow ? undefined : theirs),
      same: (a: string, b: string) => isSame(kind, a, b, site),
      isNew: held === undefined,
      isAgreed: total !== '' && my !== undefined && [last, text].includes(my),
      isTooLow: compareIds(value, total) < 0,
      isKnown: text === last,
    }
  }
}

/**
 * Makes what gives one field after another its value: the text that is said, else the
 * default, which may be an earlier value.
 */
const createFill = (site: ImportSite) => {
  const values: Record<string, string> = {}
  return (field: Field, said = defaultOf(field, values, site)) => {
    values[field.key] = said
    return said
  }
}

/** What the remote says, if content can say it. */
const sayable = (text: string | null | undefined, field: Field, site: ImportSite) =>
  text == null || problemOf(text, field, site) !== undefined ? undefined : text

/** How a message shows a value that can't be kept, and why where the value alone doesn't say it. */
export const refused = (fields: Fields, key: string, problem: string) => {
  const value = shown(fields.get(key))
  return { value, why: problem === `it is ${value}` ? '' : `: ${problem}` }
}

/**
 * Tells what can't be kept of a profile, or of a shot with an id; says whether it lacks what
 * content needs, which is told alone.
 */
export const tellProblems = (fields: Fields, { site, find }: Sides, id?: string): boolean => {
  const problems = fieldsOf(id).flatMap((field) => {
    const problem = problemOf(fields.get(field.key), field, site)
    return problem === undefined ? [] : [{ ...field, problem }]
  })
  const lacking = problems.filter(({ required }) => required)
  const [first] = lacking
  // what has no id may be anything
  const told = first?.key === 'id' ? [first] : lacking
  for (const { key, problem } of first ? told : problems) {
    const about = { id, key }
    const args = refused(fields, key, problem)
    if (!first) find('not-kept', about, { ...args, instead: 'it is left out' })
    else if (id === undefined)
      find('member-not-imported', { ...about, at: 'https user' }, args)
    else find('shot-not-imported', { ...about, at: 'https shots' }, args)
  }
  return first !== undefined
}
