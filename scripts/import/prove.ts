import { shotsLimit } from '../api/latest.ts'
import { noTimestamp, type ShotRecord } from '../api/records.ts'
import { renderRoute } from '../api/render.ts'
import { routes, type Variant, variants } from '../api/routes.ts'
import { scanMember } from '../content/read/scan.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { compileMember } from '../snapshot/compile.ts'
import { grouped } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import { isLess, own } from './base.ts'
import { type Fields, type Remote, shown, textOf } from './body.ts'
import type { Mine } from './content.ts'
import {
  canSay,
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

/** What an import tells because content can't say what the remote does; each is a line of the table. */
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

/** The table for people; losses that did not occur are left out. */
export const table = (tally: Tally): string => {
  const lost = losses.filter((line) => variants.some((scheme) => tally[scheme].has(line)))
  const row = (label: string, lines: readonly string[]): readonly string[] => [
    label,
    ...variants.map((scheme) =>
      grouped(lines.reduce((sum, line) => sum + (tally[scheme].get(line) ?? 0), 0)),
    ),
  ]
  const rows = [
    ['fields', ...variants],
    row('equal', ['equal']),
    row('lost by a rule', lost),
    ...lost.map((loss) => row(`  ${loss}`, [loss])),
    row('edited here', ['edited']),
    row('different', ['different']),
    row('unproven', ['unproven']),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  return rows
    .map(([label, ...figures]) => {
      const cells = figures.map((figure, index) => figure.padStart(widths[index + 1]!))
      return `${[label!.padEnd(widths[0]!), ...cells].join('   ')}\n`
    })
    .join('')
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
  if (known.isNew) {
    if (merge.plan !== undefined) return [tell('not-imported', url, { name })]
    const size = [remote.user, ...remote.shots].reduce((sum, fields) => sum + fields.size, 0)
    for (const scheme of variants) count(tally, scheme, ['member-not-imported', size])
    const args = { what: `the member ${quote(name)}`, remote: 'there', ours: 'not there' }
    return [asError(tell('lost-by-rule', url, { ...args, rule: 'member-not-imported' }))]
  }
  const { member, diagnostics } = compileMember(scanMember(username, found.content), found)
  if (mine === undefined || member === undefined) return diagnostics
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
  const { scheme, site, mine, remote, shows } = facts
  const { key, id } = where
  const [value, text, ours] = [said.get(key), textOf(said, key), record[key]!]
  const field = (id === undefined ? profileFields : shotFields).find((one) => one.key === key)
  const isTotal = id === undefined && (totals as readonly string[]).includes(key)
  const isCounted = isTotal && mine.profile[key as (typeof totals)[number]] === undefined
  const fallback = field === undefined || isCounted ? ours : defaultOf(field, record, site)
  if (isEqual([value, text], ours, { kind: field?.kind ?? 'timestamp or none', fallback })) return 'equal'
  const https = id === undefined ? remote.user : remote.shots.find((fields) => textOf(fields, 'id') === id)
  const seen = https === undefined ? null : textOf(https, key)
  const show = shows.get(nameOf(where))
  if (show !== undefined && text !== null && withoutScheme(text) === withoutScheme(seen ?? '')) return show
  // an edit is what differs although the remote says the same as at the last import, and content could say it
  const shared = (text: string | null) =>
    scheme === 'http' && field && isAsset(field.kind) && text !== null ? withoutScheme(text) : text
  const old = baseOf(said, record, facts, where)
  const isOld = old === 'any' || (old !== undefined && shared(old.text) === shared(text))
  const isEdited = isOld && (field === undefined || ours !== fallback || canSay(text, field, site))
  const isBelow = isTotal && ours === fallback && isLess(text ?? '', ours)
  if (isBelow && /^\d+$/.test(text ?? '')) return 'total-below-content'
  if (isEdited) return 'edited'
  return lossOf(where, [ours, fallback, seen], facts) ?? 'different'
}

/** What the remote said last of a field; `any` if whatever it says, the difference was made here. */
const baseOf = (
  said: Fields,
  ours: Published,
  { base, name, username }: Facts,
  { key, id }: Where,
): { readonly text: string | null } | 'any' | undefined => {
  const old = (texts: Texts | undefined, key: string) => {
    const text = own(texts, key)
    return text === undefined ? undefined : { text }
  }
  if (id === undefined) {
    // the old name of a member that was renamed here answers with the name of today
    if (key === 'username') return name === username ? undefined : 'any'
    return old(base?.profile, key)
  }
  const known = own(base?.shots, id)
  if (key === 'user_id') return old(base?.profile, 'id')
  if (key !== 'created_project') return old(known, key)
  const project = textOf(said, 'id_project') ?? ''
  const isNamed = /^(?:0|[1-9][0-9]*)$/.test(project)
  if (isNamed && known?.id_project === project && ours.id_project !== project) return 'any'
  return known === undefined || textOf(said, key) === null ? undefined : old(base?.projects, project)
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

/** The loss that explains a difference: the value is as the import, which tells the loss, has left it. */
const lossOf = (
  { key, id }: Where,
  [ours, fallback, https]: readonly [string, string, string | null],
  { merge, scheme }: Facts,
): Loss | undefined => {
  if (merge.plan === undefined) return 'member-not-imported'
  const tells = (code: ImportCode, isMeant: (key: string | undefined) => boolean): boolean =>
    merge.findings.some((one) => one.code === code && one.about.id === id && isMeant(one.about.key))
  // one that is listed twice was imported once
  if (id !== undefined && tells('shot-not-imported', (one) => one !== 'id')) return 'shot-not-imported'
  // a shot loses its project because of the project's date
  const isCause = (one?: string) => one === key || (key === 'id_project' && one === 'created_project')
  if (ours === fallback && tells('not-kept', isCause)) return 'not-kept'
  const isKept = scheme === 'http' && https !== null && withoutScheme(https) === withoutScheme(ours)
  return isKept && tells('scheme-differs', (one) => one === key) ? 'scheme-differs' : undefined
}

/** Compares the shots of two bodies by id, then which ones are there, then their order. */
const compareShots = (
  { shots = [], strays = [], others = new Map() }: Partial<Remote>,
  ours: readonly ShotRecord[],
  facts: Facts,
): readonly Comparison[] => {
  const byOurId = new Map(ours.map((shot) => [shot.id, shot]))
  const common = new Map<string, Fields>()
  const idOf = (fields: Fields): string => textOf(fields, 'id') ?? ''
  for (const fields of shots) {
    const id = idOf(fields)
    if (byOurId.has(id) && !common.has(id)) common.set(id, fields)
  }
  const whole = (id: string, verdict: Verdict, fields: number): Comparison => ({
    ...{ verdict, about: { part: 'shot', id }, fields },
    what: id === '' ? 'a shot without an id' : `shot ${id}`,
    ...(byOurId.has(id) && !common.has(id)
      ? { remote: 'not there', ours: 'there' }
      : { remote: 'there', ours: 'not there' }),
  })
  const beside = (verdict: Verdict, what: string, value: Json): Comparison => ({
    ...{ verdict, about: { part: 'shots' }, what, remote: shown(value), ours: 'missing', fields: 1 },
  })
  const shared = [...common].flatMap(([id, fields]) => compareRecord(fields, byOurId.get(id)!, facts, id))
  const extra = ours.flatMap(({ id }) => (common.has(id) ? [] : [id]))
  const isEdited = shared.some(wasEdited) || extra.some((id) => isOwn(id, facts))
  const isLong = shots.length > shotsLimit
  const present = [
    ...shared,
    ...shots.flatMap((fields) => {
      const id = idOf(fields)
      if (common.get(id) === fields) return []
      const verdict = common.has(id) ? 'shot-not-imported' : whyMissing(id, { ...facts, isLong, isEdited })
      return [whole(id, verdict, fields.size)]
    }),
    ...strays.map((value) => beside('shot-not-imported', strayShot, value)),
  ]
  const order = ours.map(({ id }) => id).filter((id) => common.has(id))
  const sent = [...common.keys()]
  return [
    ...present,
    ...extra.map((id) => whole(id, whyListed(id, present, facts), 1)),
    {
      verdict: order.every((id, index) => id === sent[index]) ? 'equal' : whyOrdered(shared),
      ...{ about: { part: 'shots' }, what: 'the order of the shots' },
      ...{ remote: sent.join(','), ours: order.join(','), fields: 1 },
    },
    ...Array.from(others, ([key, value]) => beside('unknown-field', besideShots(key), value)),
  ]
}

const wasEdited = ({ verdict }: Comparison): boolean => verdict === 'edited'

/** Whether somebody here made a shot, or published one again that had vanished. */
const isOwn = (id: string, { base }: Facts): boolean =>
  base !== undefined && (!Object.hasOwn(base.shots, id) || base.drafted.includes(id))

const tellsOf = ({ merge }: Facts, code: ImportCode, id?: string): boolean =>
  merge.findings.some((one) => one.code === code && (id === undefined || one.about.id === id))

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
  if (isPublished && tellsOf(facts, 'other-order')) return 'other-order'
  for (const code of ['shot-elsewhere', 'shot-not-imported'] as const)
    if (tellsOf(facts, code, id)) return code
  return merge.plan === undefined ? 'member-not-imported' : 'different'
}

/** Losses for which the snapshot doesn't list a shot, but perhaps an older one. */
const makingRoom: readonly string[] = ['shot-not-imported', 'shot-elsewhere', 'other-order']

/** Why the snapshot lists a shot that the remote doesn't: it is of somebody here, or another one made room for it. */
const whyListed = (id: string, others: readonly Comparison[], facts: Facts): Verdict => {
  if (isOwn(id, facts)) return 'edited'
  if (facts.merge.plan === undefined) return 'member-not-imported'
  if (facts.base?.window.includes(id)) return 'different'
  if (others.some(wasEdited)) return 'edited'
  return others.find(({ verdict }) => makingRoom.includes(verdict))?.verdict ?? 'different'
}

/** With the same dates, another order is not that of the API. */
const whyOrdered = (shared: readonly Comparison[]): Verdict => {
  const dates = shared.filter(
    ({ about, verdict }) => about.key === 'date' && ['edited', 'different'].includes(verdict),
  )
  if (dates.length === 0) return 'other-order'
  return shared.some(wasEdited) ? 'edited' : 'different'
}
