import { shotsLimit } from '../api/latest.ts'
import { noTimestamp, type ShotRecord } from '../api/records.ts'
import { renderRoute } from '../api/render.ts'
import { routes, type Variant, variants } from '../api/routes.ts'
import { scanMember } from '../content/read/scan.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { compileMember } from '../snapshot/compile.ts'
import { grouped } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import { own } from './base.ts'
import { type Fields, type Remote, shown, textOf } from './body.ts'
import type { Mine } from './content.ts'
import {
  defaultOf,
  type Field,
  isAsset,
  profileFields,
  shotFields,
  type Texts,
  totals,
  withoutScheme,
} from './fields.ts'
import type { Json } from './json.ts'
import { addressOf, type Known, placeIn, type Run, readSides, type Subject } from './member.ts'
import { type Merge, mergeMember } from './merge.ts'
import { strayShot } from './merge-shots.ts'
import { type About, besideShots, type ImportCode, type Told, tell } from './messages.ts'
import { comparePictures, nameOf, type Shows, type Where } from './pictures.ts'

/** What an import tells because content can't say what the remote does. */
export const losses = [
  'not-kept',
  'total-below-content',
  'shot-not-imported',
  'shot-elsewhere',
  'member-not-imported',
  'other-order',
  'more-than-15',
  'scheme-differs',
  'unknown-field',
] as const satisfies readonly ImportCode[]

export type Loss = (typeof losses)[number]

/** Without these the member or shot is not published at all, so they always fail. */
const missing: readonly string[] = ['shot-not-imported', 'shot-elsewhere', 'member-not-imported']

/** What a comparison came to. */
type Verdict = 'equal' | 'edited' | 'different' | 'unproven' | Loss

/** A field, or another difference such as a missing shot. */
type Comparison = {
  readonly verdict: Verdict
  readonly about: About
  readonly what: string
  readonly remote: string
  readonly ours: string
  /** How many fields it stands for. */
  readonly fields: number
}

/** Numbers of fields by scheme and verdict: what the certificate is made of. */
export type Tally = Readonly<Record<Variant, Map<string, number>>>

export const createTally = (): Tally => ({ https: new Map(), http: new Map() })

const count = (tally: Tally, scheme: Variant, [line, fields]: readonly [string, number]): void => {
  tally[scheme].set(line, (tally[scheme].get(line) ?? 0) + fields)
}

/** The table for people. */
export const table = (tally: Tally): string => {
  const row = (label: string, lines: readonly string[]): readonly string[] => [
    label.padEnd('lost by a rule'.length),
    ...variants.map((scheme) =>
      grouped(lines.reduce((sum, line) => sum + (tally[scheme].get(line) ?? 0), 0)).padStart(10),
    ),
  ]
  const rows = [
    ['fields        ', ...variants.map((scheme) => scheme.padStart(10))],
    row('equal', ['equal']),
    row('lost by a rule', losses),
    row('edited here', ['edited']),
    row('different', ['different']),
    row('unproven', ['unproven']),
  ]
  return rows.map((cells) => `${cells.join('')}\n`).join('')
}

/** Compares what a build would publish of a member with what the remote says, field by field. */
export const proveMember = async (
  subject: Subject,
  run: Run,
  { strict, tally }: { readonly strict: boolean; readonly tally: Tally },
): Promise<readonly Told[]> => {
  const { known, told } = await readSides(subject, run)
  if (known === undefined) return told
  const { name, username, remote, http, mine, unseen } = known
  const { found } = run
  const asError = (one: Told): Told => ({ ...one, severity: 'error' })
  const merge = mergeMember(known)
  const url = addressOf(name, 'user', run)
  if (mine === undefined) {
    if (merge.plan !== undefined) return [tell('not-imported', url, { name })]
    const size = [remote.user, ...remote.shots].reduce((sum, fields) => sum + fields.size, 0)
    for (const scheme of variants) count(tally, scheme, ['member-not-imported', size])
    const args = { what: `the member ${quote(name)}`, remote: 'there', ours: 'not there' }
    return [asError(tell('lost-by-rule', url, { ...args, rule: 'member-not-imported' }))]
  }
  const { member, diagnostics } = compileMember(scanMember(username, found.content), found)
  if (member === undefined) return diagnostics
  const shows = await comparePictures(known)
  const result: Told[] = []
  for (const scheme of found.site.schemes) {
    const said = scheme === 'https' ? remote : http
    const [user, shots] = routes.map((route) => JSON.parse(renderRoute(route, scheme, member, found.site)))
    const facts: Facts = { ...known, scheme, mine, merge, shows }
    const compared = [
      ...(said.user ? compareRecord(said.user, user, facts) : []),
      ...(said.shots ? compareShots(said, shots.Shots, facts) : []),
    ]
    for (const { verdict, about, fields, ...values } of compared) {
      count(tally, scheme, [verdict, fields])
      // told once a run, however many records have it
      const field = about.key === undefined ? values.what : `${about.part} ${about.key}`
      if (verdict === 'equal' || (verdict === 'unknown-field' && !run.notes.isNew(field))) continue
      const args = { ...values, what: values.what + (scheme === 'http' ? ' over http' : '') }
      const place = placeIn(about, known)
      if (verdict === 'unproven') {
        result.push(tell('unproven', place, { ...args, problem: 'its picture could not be fetched' }))
        continue
      }
      const one =
        verdict === 'different' || verdict === 'edited'
          ? tell(verdict, place, args)
          : tell('lost-by-rule', place, { ...args, rule: verdict })
      result.push(strict || missing.includes(verdict) ? asError(one) : one)
    }
    const missed =
      (said.user ? 0 : remote.user.size) +
      (said.shots ? 0 : remote.shots.reduce((sum, { size }) => sum + size, 1))
    if (missed > 0) count(tally, scheme, ['unproven', missed])
    if (missed > 0 && !run.httpsOnly) {
      const place = addressOf(name, 'user', { ...run, scheme: 'http' })
      result.push(tell('unproven', place, { what: `what ${name} has over http`, problem: unseen! }))
    }
  }
  return result
}

type Facts = Known & {
  readonly scheme: Variant
  readonly mine: Mine
  /** What an import would do, and tell. */
  readonly merge: Merge
  /** What pictures of the content show, by the names of their keys. */
  readonly shows: ReadonlyMap<string, Shows>
}

type Published = Readonly<Record<string, string>>

/** Compares every field of a record, those too that only one of the two has. A shot has an id. */
const compareRecord = (said: Fields, ours: Published, facts: Facts, id?: string): readonly Comparison[] =>
  [...new Set([...said.keys(), ...Object.keys(ours)])].map((key) => {
    const about: About = id === undefined ? { part: 'profile', key } : { part: 'shot', id, key }
    const value = own(ours, key)
    return {
      verdict: value === undefined ? 'unknown-field' : verdictOn(said, ours, facts, { key, id }),
      about,
      what: `${key.slice(0, 60)}${id === undefined ? '' : ` of shot ${id}`}`,
      ...{ remote: shown(said.get(key)), ours: value ?? 'missing', fields: 1 },
    }
  })

const verdictOn = (said: Fields, record: Published, facts: Facts, where: Where): Verdict => {
  const { site, mine, shows } = facts
  const { key, id } = where
  const [value, text, ours] = [said.get(key), textOf(said, key), record[key]!]
  const field = (id === undefined ? profileFields : shotFields).find((one) => one.key === key)
  const isTotal = id === undefined && (totals as readonly string[]).includes(key)
  const isCounted = isTotal && mine.profile[key as (typeof totals)[number]] === undefined
  const fallback = field === undefined || isCounted ? ours : defaultOf(field, record, site)
  if (isEqual([value, text], ours, { kind: field?.kind ?? 'timestamp or none', fallback })) return 'equal'
  const https = httpsOf(facts, where)
  const show = shows.get(nameOf(where))
  if (show !== undefined && text !== null && withoutScheme(text) === withoutScheme(https)) return show
  const isEdited = () => isOld(said, record, facts, where)
  return lossOf(where, [ours, fallback, https], facts) ?? (isEdited() ? 'edited' : 'different')
}

/** What the remote says of a field over https. */
const httpsOf = ({ remote }: Facts, { key, id }: Where): string => {
  const fields = id === undefined ? remote.user : remote.shots.find((shot) => textOf(shot, 'id') === id)
  return (fields && textOf(fields, key)) ?? ''
}

/** Whether the remote says what it said at the last import, so that a difference was made here. */
const isOld = (
  said: Fields,
  ours: Published,
  { base, name, username }: Facts,
  { key, id }: Where,
): boolean => {
  const text = textOf(said, key)
  const shared = (address: string | null) => address && withoutScheme(address)
  const isSame = (texts: Texts | undefined, one: string): boolean => {
    const old = own(texts, one)
    return old !== undefined && shared(old) === shared(text)
  }
  // the old name of a member that was renamed here answers with the name of today
  if (id === undefined) return key === 'username' ? name !== username : isSame(base?.profile, key)
  const shot = own(base?.shots, id)
  if (key === 'user_id') return isSame(base?.profile, 'id')
  if (key !== 'created_project') return isSame(shot, key)
  const project = textOf(said, 'id_project') ?? ''
  if (shot?.id_project === project && ours.id_project !== project) return true
  return shot !== undefined && text !== null && isSame(base?.projects, project)
}

type Equality = { readonly kind: Field['kind']; readonly fallback: string }

/** Whether both say the same value: a number its digits, a moment in whatever form, an address in either scheme. */
const isEqual = (
  [value, text]: readonly [Json | undefined, string | null],
  ours: string,
  { kind, fallback }: Equality,
): boolean => {
  if (text === null) return value === undefined && ours === fallback
  if (text === ours) return true
  if (isAsset(kind)) return text !== '' && withoutScheme(text) === withoutScheme(ours)
  const isMoment = kind.startsWith('timestamp') && timestampProblem(text) === undefined
  return isMoment && ours !== noTimestamp && normalTimestamp(text) === ours
}

/** Whether the import tells something of a member, a shot or a field. */
const tells = ({ merge }: Facts, code: ImportCode, isMeant: (about: About) => boolean = () => true) =>
  merge.findings.some((one) => one.code === code && isMeant(one.about))

/** The loss that explains a difference: the value is as the import, which tells the loss, has left it. */
const lossOf = (
  { key, id }: Where,
  [ours, fallback, https]: readonly [string, string, string],
  facts: Facts,
): Loss | undefined => {
  if (facts.merge.plan === undefined) return 'member-not-imported'
  // one that is listed twice was imported once
  const isRefused = (about: About) => about.id === id && about.key !== 'id'
  if (id !== undefined && tells(facts, 'shot-not-imported', isRefused)) return 'shot-not-imported'
  const isField = (about: About) => about.id === id && about.key === key
  // a shot loses its project because of the project's date
  const isCause = (about: About) =>
    isField(about) || (about.id === id && key === 'id_project' && about.key === 'created_project')
  for (const code of ['not-kept', 'total-below-content'] as const)
    if (ours === fallback && tells(facts, code, isCause)) return code
  const isKept = facts.scheme === 'http' && withoutScheme(https) === withoutScheme(ours)
  return isKept && tells(facts, 'scheme-differs', isField) ? 'scheme-differs' : undefined
}

/** Compares the shots of two bodies by id, then which ones are there, then their order. */
const compareShots = (
  { shots = [], strays = [], others = new Map() }: Partial<Remote>,
  ours: readonly ShotRecord[],
  facts: Facts,
): readonly Comparison[] => {
  const { base } = facts
  const byOurId = new Map(ours.map((shot) => [shot.id, shot]))
  const common = new Map<string, Fields>()
  const idOf = (fields: Fields): string => textOf(fields, 'id') ?? ''
  for (const fields of shots) {
    const id = idOf(fields)
    if (byOurId.has(id) && !common.has(id)) common.set(id, fields)
  }
  const whole = (id: string, verdict: Verdict, fields = 0): Comparison => ({
    ...{ verdict, about: { part: 'shot', id }, fields: Math.max(1, fields) },
    what: id === '' ? 'a shot without an id' : `shot ${id}`,
    ...(fields === 0 ? { remote: 'not there', ours: 'there' } : { remote: 'there', ours: 'not there' }),
  })
  const beside = (verdict: Verdict, what: string, value: Json): Comparison => ({
    ...{ verdict, about: { part: 'shots' }, what, remote: shown(value), ours: 'missing', fields: 1 },
  })
  const shared = [...common].flatMap(([id, fields]) => compareRecord(fields, byOurId.get(id)!, facts, id))
  const extra = ours.flatMap(({ id }) => (common.has(id) ? [] : [id]))
  /** Somebody here made a shot, or published one again that had vanished. */
  const isOwn = (id: string): boolean =>
    base !== undefined && (!Object.hasOwn(base.shots, id) || base.drafted.includes(id))
  const isEdited = shared.some(({ verdict }) => verdict === 'edited') || extra.some(isOwn)
  const isLong = shots.length > shotsLimit
  const missing = shots
    .filter((fields) => common.get(idOf(fields)) !== fields)
    .map((fields) => {
      const id = idOf(fields)
      const verdict = common.has(id) ? 'shot-not-imported' : whyMissing(id, { ...facts, isLong, isEdited })
      return whole(id, verdict, fields.size)
    })
  const missed = [...missing, ...strays.map((value) => beside('shot-not-imported', strayShot, value))]
  /** Why the snapshot lists a shot that the remote doesn't: it is of somebody here, or another one made room for it. */
  const whyListed = (id: string): Verdict => {
    if (isOwn(id)) return 'edited'
    if (facts.merge.plan === undefined) return 'member-not-imported'
    if (base?.window.includes(id)) return 'different'
    const made = [...shared, ...missed].find(({ verdict }) => makingRoom.includes(verdict))
    return made?.verdict ?? 'different'
  }
  const order = ours.map(({ id }) => id).filter((id) => common.has(id))
  const sent = [...common.keys()]
  // with the same dates, another order is not that of the API
  const date = shared.find(({ about, verdict }) => about.key === 'date' && verdict !== 'equal')
  const isInOrder = order.every((id, index) => id === sent[index])
  return [
    ...shared,
    ...missed,
    ...extra.map((id) => whole(id, whyListed(id))),
    {
      verdict: isInOrder ? 'equal' : (date?.verdict ?? 'other-order'),
      ...{ about: { part: 'shots' }, what: 'the order of the shots' },
      ...{ remote: sent.join(','), ours: order.join(','), fields: 1 },
    },
    ...Array.from(others, ([key, value]) => beside('unknown-field', besideShots(key), value)),
  ]
}

/** Verdicts on shots for which the snapshot may list an older one. */
const makingRoom: readonly Verdict[] = ['edited', 'shot-not-imported', 'shot-elsewhere', 'other-order']

/** Why the snapshot doesn't list a shot: others come before it, or it was made a draft, removed, or not imported. */
const whyMissing = (
  id: string,
  facts: Facts & { readonly isLong: boolean; readonly isEdited: boolean },
): Verdict => {
  const { base, mine, merge, isLong, isEdited } = facts
  const isPublished = mine.shots.get(id)?.draft === false
  if (isPublished && isLong) return 'more-than-15'
  const isKnown = base?.window.includes(id) && Object.hasOwn(base.shots, id)
  if (isKnown && (isEdited || !isPublished)) return 'edited'
  if (isPublished && tells(facts, 'other-order')) return 'other-order'
  for (const code of ['shot-elsewhere', 'shot-not-imported'] as const)
    if (tells(facts, code, (about) => about.id === id)) return code
  return merge.plan === undefined ? 'member-not-imported' : 'different'
}
