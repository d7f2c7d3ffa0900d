import { renderRoute, type ShotRecord, shotsLimit } from '../api/records.ts'
import { routes, type Variant, variants } from '../api/routes.ts'
import { readMember } from '../content/read/open.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { compileMember } from '../snapshot/compile.ts'
import { grouped } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import { byId, type Fields, type Remote, shown, textOf } from './body.ts'
import { baseAt } from './content.ts'
import {
  defaultOf,
  isAlike,
  type Kind,
  profileFields,
  shotFields,
  withoutScheme,
} from './fields.ts'
import { type MemberPlan, mergeMember, strayShot } from './merge.ts'
import { type About, type Finding, fieldAt, type ImportCode } from './messages.ts'
import { comparePictures, nameOf, saidAt } from './pictures.ts'
import type { Sides } from './run.ts'

/** Losses of a whole member or shot, which always fail. */
const missing: readonly string[] = ['shot-not-imported', 'shot-elsewhere', 'member-not-imported']

/** What a comparison came to; a loss has the name of what the import tells of it. */
type Verdict = 'equal' | ImportCode

/** A field, or another difference such as a missing shot. */
type Comparison = {
  readonly verdict: Verdict
  readonly about: About
  /** Default: what it is about. */
  readonly what?: string
  readonly remote: string
  readonly ours: string
  /** How many fields it stands for. Default: 1. */
  readonly fields?: number
}

/** Numbers of fields by scheme and verdict. */
type Tally = Readonly<Record<Variant, Map<string, number>>>

export const createTally = (): Tally => ({ https: new Map(), http: new Map() })

const count = (lines: Tally[Variant], verdict: Verdict, fields: number): void => {
  lines.set(verdict, (lines.get(verdict) ?? 0) + fields)
}

export const table = (tally: Tally): string => {
  const cell = (label: string, scheme: Variant): string => {
    const counts = [...tally[scheme]].map(([verdict, fields]) =>
      labelOf(verdict) === label ? fields : 0,
    )
    return label === 'fields' ? scheme : grouped(counts.reduce((sum, one) => sum + one, 0))
  }
  return ['fields', 'equal', lost, 'edited here', 'different', 'unproven']
    .map((label) => [
      label.padEnd(14),
      ...variants.map((scheme) => cell(label, scheme).padStart(10)),
    ])
    .map((cells) => `${cells.join('')}\n`)
    .join('')
}

const lost = 'lost by a rule'

const labelOf = (verdict: string): string => {
  if (verdict === 'edited') return 'edited here'
  return ['equal', 'different', 'unproven'].includes(verdict) ? verdict : lost
}

/** Compares what a build would publish of a member with what the remote says, field by field, and tells what differs. */
export const proveMember = async (sides: Sides): Promise<undefined> => {
  const { run, name, username, remote, http, mine, find } = sides
  const { found, notes, tally, strict } = run
  const plan = mergeMember(sides)
  /** What an import would tell, which is not what a proof does. */
  const told = sides.findings.splice(0)
  /** The bodies of a scheme, and how many fields they have; the order of the shots is one. */
  const bodies = [
    { part: 'user', what: 'the profile', fields: remote.user.size },
    {
      part: 'shots',
      what: 'the shots',
      fields: remote.shots.reduce((sum, { size }) => sum + size, 1),
    },
  ] as const
  if (mine === undefined) {
    if (plan !== undefined) return find('not-imported', {}, { name })
    const rule = 'member-not-imported'
    for (const scheme of variants)
      for (const { fields } of bodies) count(tally[scheme], rule, fields)
    const args = { what: `the member ${quote(name)}`, remote: 'there', ours: 'not there', rule }
    return find('lost-by-rule', {}, args, { isError: true })
  }
  const { member, diagnostics } = compileMember(readMember(username, found), found)
  if (member === undefined) return notes.add(diagnostics)
  const shows = await comparePictures(sides)
  for (const scheme of found.site.schemes) {
    const said = scheme === 'https' ? remote : http
    const [user, shots] = routes.map((route) =>
      JSON.parse(renderRoute(route, scheme, member, found.site)),
    )
    const facts: Facts = { ...sides, scheme, plan, shows, told }
    const compared = [
      ...(said.user ? compareRecord(said.user, user, facts) : []),
      ...(said.shots ? compareShots(said as Remote, shots.Shots, facts) : []),
    ]
    const unseen = bodies.filter(({ part }) => said[part] === undefined)
    for (const { fields } of unseen) count(tally[scheme], 'unproven', fields)
    if (unseen[0] !== undefined && !run.httpsOnly) {
      const what = `${unseen.map(({ what }) => what).join(' and ')} of ${name} over http`
      find('unproven', { at: unseen[0].part, scheme }, { what, problem: http.problem! })
    }
    for (const { verdict, about, fields = 1, ...values } of compared) {
      count(tally[scheme], verdict, fields)
      // told once a run, however many records have it
      const field = `${about.id === undefined} ${about.key ?? values.what}`
      if (verdict === 'equal' || (verdict === 'unknown-field' && !notes.isFirst(field))) continue
      const what = (values.what ?? fieldAt(about)) + (scheme === 'http' ? ' over http' : '')
      const args = { ...values, what, rule: verdict, problem: 'its picture could not be fetched' }
      const isPlain = verdict === 'unproven' || verdict === 'different' || verdict === 'edited'
      const isError = strict || missing.includes(verdict)
      find(isPlain ? verdict : 'lost-by-rule', about, args, { isError })
    }
  }
}

type Facts = Sides & {
  readonly scheme: Variant
  readonly plan: MemberPlan | undefined
  readonly told: readonly Finding[]
  readonly shows: Awaited<ReturnType<typeof comparePictures>>
}

/** Compares every field of a profile, or of the shot with an id, those too that only one of the two has. */
const compareRecord = (
  said: Fields,
  record: Readonly<Record<string, string>>,
  facts: Facts,
  id?: string,
): readonly Comparison[] => {
  const { site, mine, shows, plan, scheme, remote, base, name, username } = facts
  const https = id === undefined ? remote.user : byId(remote.shots).get(id)
  const fields = id === undefined ? profileFields : shotFields
  const ours = new Map(Object.entries(record))
  const told = facts.told.filter(({ about }) => about.id === id)
  const plain = (text: string | null) => text && withoutScheme(text)
  /** Whether the remote says what it said at the last import, so that a difference was made here. */
  const isOld = (key: string): boolean => {
    const text = textOf(said, key)
    const wasSaid = (old: string | null | undefined) =>
      old !== undefined && plain(old) === plain(text)
    // the old name of a member that was renamed here answers with the name of today
    if (key === 'username') return name !== username
    if (key === 'user_id') return wasSaid(base?.profile.id)
    const before = baseAt(base, id)
    if (key !== 'created_project') return wasSaid(before?.[key])
    const project = textOf(said, 'id_project') ?? ''
    if (before?.id_project === project && record.id_project !== project) return true
    const dates = new Map(Object.entries(base?.projects ?? {}))
    return before !== undefined && text !== null && wasSaid(dates.get(project))
  }
  const verdictOn = (key: string): Verdict => {
    const [our, text] = [ours.get(key), textOf(said, key)]
    if (our === undefined) return 'unknown-field'
    const field = fields.find((one) => one.key === key)
    const isLeftOut = saidAt({ key, id }, mine) === undefined
    const fallback = field === undefined || isLeftOut ? our : defaultOf(field, record, site)
    const isMissing = !said.has(key) && our === fallback
    if (text === null ? isMissing : isEqual(field?.kind ?? 'timestamp or none', text, our))
      return 'equal'
    const shared = plain((https && textOf(https, key)) ?? '')
    const show = shows.get(nameOf({ key, id }))
    if (show !== undefined && text !== null && plain(text) === shared) return show
    // a loss explains a difference if the value is as the import, which tells the loss, has left it
    if (plan === undefined) return 'member-not-imported'
    // one that is listed twice was imported once
    if (told.some(({ code, about }) => code === 'shot-not-imported' && about.key !== 'id'))
      return 'shot-not-imported'
    const loss = told.find(({ code, about }) => {
      if (code === 'scheme-differs')
        return about.key === key && scheme === 'http' && shared === plain(our)
      // a shot loses its project because of the project's date
      const isCause = about.key === key || (key === 'id_project' && about.key === 'created_project')
      return isCause && our === fallback && (code === 'not-kept' || code === 'total-below-content')
    })
    return loss?.code ?? (isOld(key) ? 'edited' : 'different')
  }
  return [...new Set([...said.keys(), ...ours.keys()])].map((key) => ({
    verdict: verdictOn(key),
    about: { id, key: key.slice(0, 60) },
    remote: shown(said.get(key)),
    ours: ours.get(key) ?? 'missing',
  }))
}

/** Whether both say the same value: a moment in whatever form, an address in either scheme. */
const isEqual = (kind: Kind, text: string, ours: string): boolean => {
  if (isAlike(kind, text, ours)) return true
  const isMoment = kind.startsWith('timestamp') && timestampProblem(text) === undefined
  return isMoment && normalTimestamp(text) === ours
}

/** Compares the shots of two bodies by id, then which ones are there, then their order. */
const compareShots = (
  { shots, strays, others }: Remote,
  records: readonly ShotRecord[],
  facts: Facts,
): readonly Comparison[] => {
  const { base, mine, plan, told } = facts
  const ours = new Map(records.map((record) => [record.id, record]))
  const order = records.map(({ id }) => id)
  const common = new Map([...byId(shots)].filter(([id]) => ours.has(id)))
  const compared = [...common].flatMap(([id, fields]) =>
    compareRecord(fields, ours.get(id)!, facts, id),
  )
  const extra = order.filter((id) => !common.has(id))
  /** Somebody here made a shot, or published one again that had vanished. */
  const isOwn = (id: string): boolean =>
    base !== undefined && (!Object.hasOwn(base.shots, id) || base.drafted.includes(id))
  const isEdited = compared.some(({ verdict }) => verdict === 'edited') || extra.some(isOwn)
  /** Why the snapshot doesn't list a shot: others come before it, or it was made a draft, removed, or not imported. */
  const whyMissing = (id: string): Verdict => {
    if (common.has(id)) return 'shot-not-imported'
    const isPublished = mine?.shots.get(id)?.said.draft === false
    if (isPublished && shots.length > shotsLimit) return 'more-than-15'
    const isKnown = base?.window.includes(id) && Object.hasOwn(base.shots, id)
    if (isKnown && (isEdited || !isPublished)) return 'edited'
    if (isPublished && told.some(({ code }) => code === 'other-order')) return 'other-order'
    const loss = told.find(({ code, about }) => about.id === id && missing.includes(code))
    return loss?.code ?? (plan === undefined ? 'member-not-imported' : 'different')
  }
  for (const fields of shots) {
    const id = textOf(fields, 'id') ?? ''
    const values = { remote: 'there', ours: 'not there', fields: Math.max(1, fields.size) }
    if (common.get(id) !== fields)
      compared.push({ verdict: whyMissing(id), about: { id }, ...values })
  }
  const about = { at: 'shots' } as const
  const beside = (verdict: Verdict, what: string, value: unknown): void => {
    compared.push({ verdict, about, what, remote: shown(value), ours: 'missing' })
  }
  for (const value of strays) beside('shot-not-imported', strayShot, value)
  /** Why the snapshot lists a shot that the remote doesn't: it is of somebody here, or another one made room for it. */
  const makingRoom: readonly Verdict[] = [
    'edited',
    'shot-not-imported',
    'shot-elsewhere',
    'other-order',
  ]
  const made = compared.find(({ verdict }) => makingRoom.includes(verdict))
  const whyListed = (id: string): Verdict => {
    if (isOwn(id)) return 'edited'
    if (plan === undefined) return 'member-not-imported'
    return base?.window.includes(id) ? 'different' : (made?.verdict ?? 'different')
  }
  for (const id of extra)
    compared.push({ verdict: whyListed(id), about: { id }, remote: 'not there', ours: 'there' })
  // with the same dates, another order is not that of the API
  const date = compared.find(({ about, verdict }) => about.key === 'date' && verdict !== 'equal')
  const sent = [...common.keys()].join(',')
  const sorted = order.filter((id) => common.has(id)).join(',')
  const verdict = sent === sorted ? 'equal' : (date?.verdict ?? 'other-order')
  compared.push({ verdict, about, what: 'the order of the shots', remote: sent, ours: sorted })
  for (const [key, value] of others)
    beside('unknown-field', `"${key.slice(0, 60)}" beside the shots`, value)
  return compared
}
