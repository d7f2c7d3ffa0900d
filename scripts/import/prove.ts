import path from 'node:path'
import { assetUrl } from '../api/assets.ts'
import { shotsLimit } from '../api/latest.ts'
import { noTimestamp, type ShotRecord } from '../api/records.ts'
import { renderRoute } from '../api/render.ts'
import { routes, type Variant, variants } from '../api/routes.ts'
import { scanMember } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { readPicture } from '../pictures/picture.ts'
import { compileMember, shotToken } from '../snapshot/compile.ts'
import { grouped } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import { type Base, isLess, own, readBase } from './base.ts'
import { type Fields, type Said, saidOf, shown, textOf } from './body.ts'
import { type Mine, readMine } from './content.ts'
import {
  canSay,
  type Field,
  isAsset,
  profileFields,
  shotFields,
  type Texts,
  totals,
  withoutScheme,
} from './fields.ts'
import {
  addressOf,
  badBase,
  folderOf,
  mergeInput,
  placeIn,
  type Run,
  readRemote,
  type Subject,
} from './member.ts'
import { type Merge, mergeMember } from './merge-member.ts'
import { strayShot } from './merge-shots.ts'
import { type About, besideShots, type ImportCode, type Told, tell } from './messages.ts'
import { findHeld, pictureKeys, readStored, slotOf, withAddresses } from './pictures.ts'
import { digestOf } from './store.ts'

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
  readonly scheme: Variant
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

export type ProveOptions = { readonly strict: boolean; readonly tally: Tally }

/** Compares what a build would publish of a member with what the remote says, field by field. */
export const proveMember = async (
  subject: Subject,
  run: Run,
  { strict, tally }: ProveOptions,
): Promise<readonly Told[]> => {
  const { name } = subject
  const { found, httpsOnly } = run
  const { remote, http, unseen, told } = readRemote(subject, run)
  if (remote === undefined) return told
  const username = folderOf(name, run)
  const { base, wrong = false } = username === undefined ? {} : readBase(found.content.path, username)
  if (wrong) return [...told, badBase(username!, run)]
  const { mine, diagnostics } = username === undefined ? { diagnostics: [] } : readMine(username, found)
  const withUrls = mine && withAddresses(mine, base)
  const { held } = await findHeld(remote, { base, site: found.site, ask: undefined })
  const site = { ...found.site, held }
  const about = {
    asked: name,
    username: username ?? name,
    base,
    mine: withUrls,
    remote,
    http,
    bodies: {},
    site,
  }
  const merge = mergeMember(mergeInput(about, run))
  const url = addressOf(name, 'user', run)
  if (username === undefined) {
    if (merge.plan !== undefined) return [...told, tell('not-imported', url, { name })]
    const size = [remote.user, ...remote.shots].reduce((sum, fields) => sum + fields.size, 0)
    for (const scheme of variants) count(tally, scheme, ['member-not-imported', size])
    const args = { what: `the member ${quote(name)}`, remote: 'there', ours: 'not there' }
    return [...told, asError(tell('lost-by-rule', url, { ...args, rule: 'member-not-imported' }))]
  }
  const { member } = compileMember(scanMember(username, found.content), found)
  if (mine === undefined || member === undefined) return [...told, ...diagnostics]
  const pictures = await comparePictures(remote, { mine, base, run })
  const result = [...told]
  for (const scheme of found.site.schemes) {
    const said = scheme === 'https' ? remote : http
    const [user, shots] = routes.map((route) => JSON.parse(renderRoute(route, scheme, member, found.site)))
    const facts: Facts = { scheme, mine, base, merge, remote, pictures, site: found.site }
    const isAlias = name !== username
    const compared = [
      ...(said.user ? compareProfile(said.user, user, { ...facts, isAlias }) : []),
      ...(said.shots ? compareShots({ ...said, shots: said.shots }, shots.Shots, facts) : []),
    ]
    const missed =
      (said.user ? 0 : remote.user.size) +
      (said.shots ? 0 : remote.shots.reduce((sum, { size }) => sum + size, 1))
    for (const one of compared) {
      const { verdict, what, remote, ours } = one
      count(tally, scheme, [verdict, one.fields])
      if (verdict === 'equal' || (verdict === 'unknown-field' && !run.notes.isNew(fieldOf(one)))) continue
      const place = placeIn(one.about, { name, mine, run })
      const args = { what, remote, ours }
      if (verdict === 'unproven') {
        result.push(tell('unproven', place, { what, problem: 'its picture could not be fetched' }))
      } else if (verdict === 'different' || verdict === 'edited') {
        const one = tell(verdict, place, args)
        result.push(strict ? asError(one) : one)
      } else {
        const one = tell('lost-by-rule', place, { ...args, rule: verdict })
        result.push(strict || missing.includes(verdict) ? asError(one) : one)
      }
    }
    if (missed > 0) count(tally, scheme, ['unproven', missed])
    if (missed > 0 && !httpsOnly) {
      const place = addressOf(name, 'user', { ...run, scheme: 'http' })
      result.push(tell('unproven', place, { what: `what ${name} has over http`, problem: unseen! }))
    }
  }
  return result
}

type Proving = { readonly mine: Mine; readonly base: Base | undefined; readonly run: Run }

/**
 * What the remote's pictures show beside those that lie in the content: the same is published, or not. One that
 * somebody put in the place of the remote's is not looked at.
 */
const comparePictures = async (
  { user, shots }: Pick<Facts['remote'], 'user' | 'shots'>,
  { mine, base, run: { found, ask } }: Proving,
): Promise<ReadonlyMap<string, Verdict>> => {
  const verdicts = new Map<string, Verdict>()
  const compare = async (fields: Fields, [key, value, id]: readonly [string, unknown, string?]) => {
    const [slot, url] = [slotOf(key, id), textOf(fields, key)]
    if (typeof value !== 'string' || !value.startsWith('./') || !/^(?:https?:)?\/\//i.test(url ?? '')) return
    const yaml = id === undefined ? mine.files.profile.path : mine.files.shots.get(id)!.path
    const bytes = readStored(found.content.path, path.posix.join(path.posix.dirname(yaml), value))
    const ours = bytes && readPicture(bytes)
    if (ours === undefined || 'problem' in ours) return
    // without the key the large image is the image
    const known = own(base?.pictures, slot) ?? own(base?.pictures, slotOf('image', id))
    const isKnown = known?.url === url && known?.file === value && known?.sha256 === digestOf(bytes!)
    if (ask === undefined) verdicts.set(slot, isKnown ? 'equal' : 'unproven')
    else {
      const { picture } = await ask(url!)
      if (picture === undefined) verdicts.set(slot, 'unproven')
      else if (picture.published.equals(ours.published)) verdicts.set(slot, 'equal')
      else if (isKnown) verdicts.set(slot, 'different')
    }
  }
  for (const key of Object.keys(pictureKeys.profile) as ('avatar' | 'cover_image')[]) {
    await compare(user, [key, mine.profile[key]])
  }
  for (const fields of shots) {
    const shot = mine.shots.get(textOf(fields, 'id') ?? '')
    if (shot === undefined) continue
    await compare(fields, ['image', shot.image, shot.id])
    await compare(fields, ['large_image', shot.large_image ?? shot.image, shot.id])
  }
  return verdicts
}

/** Told once a run, however many records have it. */
const fieldOf = ({ about, what }: Comparison): string =>
  about.key === undefined ? what : `${about.part} ${about.key}`

const asError = (told: Told): Told => ({ ...told, severity: 'error' })

type Facts = {
  readonly scheme: Variant
  readonly mine: Mine
  readonly base: Base | undefined
  /** What an import would do, and tell. */
  readonly merge: Merge
  /** What https says. */
  readonly remote: { readonly user: Fields; readonly shots: readonly Fields[] }
  /** What pictures of the content show, by the key that names them. */
  readonly pictures: ReadonlyMap<string, Verdict>
  readonly site: Site
}

/** What of a record the rules need to know. */
type RecordFacts = Facts & {
  readonly about: About
  readonly fields: readonly Field[]
  /** What the remote said last. */
  readonly known: Texts | undefined
  /** What keys that are left out stand for. */
  readonly fallbacks: Readonly<Record<string, string>>
  /** The same record over https. */
  readonly https: Fields | undefined
  /** Verdict on a field that content holds elsewhere, if it is not equal. */
  readonly elsewhere: (key: string) => Verdict
}

type Record_ = Readonly<Record<string, string>>

const compareProfile = (said: Fields, ours: Record_, facts: Facts & { readonly isAlias: boolean }) => {
  const { mine, base, site, isAlias } = facts
  const counted = totals.filter((key) => mine.profile[key] === undefined)
  return compareRecord(said, ours, {
    ...facts,
    about: { part: 'profile' },
    fields: profileFields,
    known: base?.profile,
    fallbacks: {
      ...Object.fromEntries(profileFields.map(({ key, kind }) => [key, kind === 'count' ? '0' : ''])),
      type_account: site.defaults.type_account,
      ...Object.fromEntries(counted.map((key) => [key, ours[key]!])),
    },
    https: facts.remote.user,
    // the old name of a member that was renamed here answers with the name of today
    elsewhere: () => (isAlias ? 'edited' : 'different'),
  })
}

const compareShot = (said: Fields, ours: ShotRecord, facts: Facts) => {
  const { base, site, scheme, remote } = facts
  const { id } = ours
  const known = own(base?.shots, id)
  const [project, created] = [textOf(said, 'id_project') ?? '', textOf(said, 'created_project')]
  return compareRecord(said, ours, {
    ...facts,
    about: { part: 'shot', id },
    fields: shotFields,
    known,
    fallbacks: {
      id_project: '0',
      status: site.defaults.status,
      token_id: shotToken(id),
      large_image: ours.image || assetUrl('', scheme, site),
    },
    https: remote.shots.find((one) => textOf(one, 'id') === id),
    elsewhere: (key) => {
      if (key !== 'created_project' || known === undefined) return 'different'
      const isMoved = /^(?:0|[1-9][0-9]*)$/.test(project) && known.id_project === project
      if (isMoved && ours.id_project !== project) return 'edited'
      return created !== null && own(base?.projects, project) === created ? 'edited' : 'different'
    },
  })
}

/** Compares every field of a record, those too that only one of the two has. */
const compareRecord = (remote: Fields, ours: Record_, facts: RecordFacts): readonly Comparison[] =>
  [...new Set([...remote.keys(), ...Object.keys(ours)])].map((key) => {
    const { about, scheme } = facts
    const said = saidOf(remote, key)
    const value = own(ours, key)
    const of = about.part === 'shot' ? ` of shot ${about.id}` : ''
    return {
      verdict: value === undefined ? 'unknown-field' : verdictOn(key, [said, value], facts),
      ...{ scheme, about: { ...about, key }, what: `${key.slice(0, 60)}${of}${overHttp(scheme)}` },
      ...{ remote: shown(said), ours: value ?? 'missing', fields: 1 },
    }
  })

const overHttp = (scheme: Variant): string => (scheme === 'http' ? ' over http' : '')

const verdictOn = (key: string, [said, ours]: readonly [Said, string], facts: RecordFacts): Verdict => {
  const { fields, fallbacks, known, scheme, site } = facts
  const field = fields.find((one) => one.key === key)
  const fallback = field === undefined ? ours : (fallbacks[key] ?? '')
  if (isEqual(said, ours, { kind: field?.kind ?? 'timestamp or none', fallback })) return 'equal'
  const shows = facts.pictures.get(slotOf(key, facts.about.id))
  const isSameAddress =
    said.text !== undefined &&
    withoutScheme(said.text) === withoutScheme(textOf(facts.https ?? new Map(), key) ?? '')
  if (shows !== undefined && isSameAddress) return shows
  if (field === undefined) {
    const verdict = facts.elsewhere(key)
    return verdict === 'different' ? (lossOf(key, ours, { ...facts, fallback }) ?? verdict) : verdict
  }
  // an edit is what differs although the remote says the same as at the last import, and content could say it
  const shared = (text: string | null | undefined) =>
    scheme === 'http' && isAsset(field.kind) && text != null ? withoutScheme(text) : text
  const text = said.text ?? null
  const isOld = own(known, key) !== undefined && shared(known![key]) === shared(text)
  const isEdited = isOld && (ours !== fallback || canSay(text, field, site))
  const isBelow = (totals as readonly string[]).includes(key) && ours === fallback && isLess(text ?? '', ours)
  if (isBelow && /^\d+$/.test(text ?? '')) return 'total-below-content'
  return isEdited ? 'edited' : (lossOf(key, ours, { ...facts, fallback }) ?? 'different')
}

type Equality = { readonly kind: Field['kind']; readonly fallback: string }

/** Whether both say the same value: a number its digits, a moment in whatever form, an address in either scheme. */
const isEqual = (said: Said, ours: string, { kind, fallback }: Equality): boolean => {
  if (said.text === undefined) return said.kind === 'missing' && ours === fallback
  const { text } = said
  if (text === ours) return true
  if (isAsset(kind)) return text !== '' && withoutScheme(text) === withoutScheme(ours)
  const isMoment = kind.startsWith('timestamp') && timestampProblem(text) === undefined
  return isMoment && ours !== noTimestamp && normalTimestamp(text) === ours
}

/** The loss that explains a difference: the value is as the import, which tells the loss, has left it. */
const lossOf = (
  key: string,
  ours: string,
  { merge, about, fallback, scheme, https }: RecordFacts & { readonly fallback: string },
): Loss | undefined => {
  if (merge.plan === undefined) return 'member-not-imported'
  const told = (code: ImportCode, one = key): boolean =>
    merge.findings.some(
      (finding) => finding.code === code && finding.about.id === about.id && finding.about.key === one,
    )
  // one that is listed twice was imported once
  const isRefused = merge.findings.some(
    (one) => one.code === 'shot-not-imported' && one.about.id === about.id && one.about.key !== 'id',
  )
  if (isRefused && about.part === 'shot') return 'shot-not-imported'
  // a shot loses its project because of the project's date
  const isProject = key === 'id_project' && told('not-kept', 'created_project')
  if (ours === fallback && (told('not-kept') || isProject)) return 'not-kept'
  const kept = scheme === 'http' && told('scheme-differs') ? https?.get(key)?.text : undefined
  return kept !== undefined && withoutScheme(kept) === withoutScheme(ours) ? 'scheme-differs' : undefined
}

/** What a body lists. */
type Listed = {
  readonly shots: readonly Fields[]
  readonly strays?: readonly Said[]
  readonly others?: Fields
}

/** Compares the shots of two bodies by id, then which ones are there, then their order. */
const compareShots = (
  { shots, strays = [], others = new Map() }: Listed,
  ours: readonly ShotRecord[],
  facts: Facts,
): readonly Comparison[] => {
  const { scheme } = facts
  const byOurId = new Map(ours.map((shot) => [shot.id, shot]))
  const common = new Map<string, Fields>()
  const idOf = (fields: Fields): string => textOf(fields, 'id') ?? ''
  for (const fields of shots) {
    const id = idOf(fields)
    if (byOurId.has(id) && !common.has(id)) common.set(id, fields)
  }
  const whole = (id: string, verdict: Verdict, fields: number): Comparison => ({
    ...{
      verdict,
      scheme,
      about: { part: 'shot', id },
      what: `${id === '' ? 'a shot without an id' : `shot ${id}`}${overHttp(scheme)}`,
      fields,
    },
    ...(byOurId.has(id) && !common.has(id)
      ? { remote: 'not there', ours: 'there' }
      : { remote: 'there', ours: 'not there' }),
  })
  const shared = [...common].flatMap(([id, fields]) => compareShot(fields, byOurId.get(id)!, facts))
  const extra = ours.flatMap(({ id }) => (common.has(id) ? [] : [id]))
  const isEdited = shared.some(wasEdited) || extra.some((id) => isOwn(id, facts))
  const present = [
    ...shared,
    ...shots.flatMap((fields): readonly Comparison[] => {
      const id = idOf(fields)
      if (common.get(id) === fields) return []
      const isLong = shots.length > shotsLimit
      const verdict = common.has(id) ? 'shot-not-imported' : whyMissing(id, { ...facts, isLong, isEdited })
      return [whole(id, verdict, fields.size)]
    }),
    ...strays.map((said): Comparison => {
      const verdict = {
        verdict: 'shot-not-imported',
        scheme,
        about: { part: 'shots' },
        what: strayShot,
      } as const
      return { ...verdict, remote: shown(said), ours: 'missing', fields: 1 }
    }),
  ]
  const added = extra.map((id) => whole(id, whyListed(id, present, facts), 1))
  const order = ours.map(({ id }) => id).filter((id) => common.has(id))
  const sent = [...common.keys()]
  const unknown = Array.from(others, ([key, said]): Comparison => {
    const about = { scheme, about: { part: 'shots' }, what: besideShots(key) } as const
    return { verdict: 'unknown-field', ...about, remote: shown(said), ours: 'missing', fields: 1 }
  })
  return [
    ...present,
    ...added,
    {
      verdict: order.every((id, index) => id === sent[index]) ? 'equal' : whyOrdered(shared),
      ...{ scheme, about: { part: 'shots' }, what: `the order of the shots${overHttp(scheme)}` },
      ...{ remote: sent.join(','), ours: order.join(','), fields: 1 },
    },
    ...unknown,
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

/** With the same dates, another order is not that of the interface. */
const whyOrdered = (shared: readonly Comparison[]): Verdict => {
  const dates = shared.filter(
    ({ about, verdict }) => about.key === 'date' && ['edited', 'different'].includes(verdict),
  )
  if (dates.length === 0) return 'other-order'
  return shared.some(wasEdited) ? 'edited' : 'different'
}
