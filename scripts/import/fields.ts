import { assetUrl } from '../api/assets.ts'
import * as api from '../api/fields.ts'
import { sizeLimit } from '../content/layout.ts'
import type { Profile, Shot } from '../content/member.ts'
import type { Data } from '../content/parse/data.ts'
import type { Site } from '../content/site.ts'
import { assetProblem, isPlainAddress, isWebAddress, parseAddress } from '../content/values/address.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { shotToken } from '../snapshot/compile.ts'
import { own } from './base.ts'
import { type Fields, textOf } from './body.ts'
import type { Json } from './json.ts'
import { type About, type Finding, find } from './messages.ts'

export type Kind = keyof typeof api.formats

/** A field that the API sends and content holds. */
export type Field = { readonly key: string; readonly kind: Kind; readonly required: boolean }

/** Without the key the large image is the image, so it is the one asset that may be left out and can't be empty. */
const required: readonly Kind[] = ['id', 'text that is not blank', 'timestamp', 'asset']

const fieldsIn = (
  table: Readonly<Record<string, { readonly format: Kind }>>,
  elsewhere: readonly string[],
): readonly Field[] =>
  Object.entries(table)
    .filter(([key]) => !elsewhere.includes(key))
    .map(([key, { format }]) => ({
      key,
      kind: format,
      required: required.includes(format) && key !== 'large_image',
    }))

/** The fields of a profile and of a shot in the order of the API, but those that content holds elsewhere. */
export const profileFields = fieldsIn(api.userFields, ['username'])
export const shotFields = fieldsIn(api.shotFields, ['user_id', 'created_project'])

/** Content counts these. */
export const totals = ['totalShots', 'Projects'] as const

/** Values by key as the API says them: lists are joined by commas. */
export type Values = Readonly<Record<string, string>>

/** The same as the remote says them; `null` where it says none. */
export type Texts = Readonly<Record<string, string | null>>

export const textsOf = (fields: Fields, of: readonly Field[]): Texts =>
  Object.fromEntries(of.map(({ key }) => [key, textOf(fields, key)]))

/** The site, and addresses that content can't say but needn't, as their pictures lie in it. */
export type ImportSite = Site & { readonly held?: ReadonlySet<string> }

/** Why content can't say what the remote does, in words that follow a colon; `undefined` if it can. */
const problemOf = (said: Json | undefined, text: string | null, field: Field, site: ImportSite) => {
  if (said === undefined) return field.required ? 'it is missing' : undefined
  if (text === null) return said === null ? 'it is null' : 'it is no text'
  if (text.includes('\0')) return 'it holds the character U+0000'
  if (!text.isWellFormed()) return 'it holds half a character (a lone surrogate)'
  if (text.length > sizeLimit) return 'it is longer than a file may be'
  return problems[field.kind](text, site)
}

/** Whether content can say a text. */
export const canSay = (text: string | null, field: Field, site: ImportSite): text is string =>
  text !== null && problemOf(text, text, field, site) === undefined

const matching =
  (form: RegExp, problem: string) =>
  (text: string): string | undefined =>
    form.test(text) ? undefined : text === '' ? 'it is empty' : problem

const count = matching(/^(?:0|[1-9][0-9]*)$/, 'it is not a whole number from 0 up')

const asset = (text: string, { portsAllowed, held }: ImportSite): string | undefined => {
  if (text === '') return 'it is empty'
  if (isPlainAddress(text) || held?.has(text)) return undefined
  return parseAddress(text) === undefined ? 'it is not an address' : assetProblem(text, portsAllowed)
}

const words = (text: string): string | undefined => {
  if (text === '') return undefined
  const odd = text.split(',').find((word) => word === '' || /\s/.test(word))
  if (odd === undefined) return undefined
  return odd === '' ? 'a word in it is empty' : 'a word in it holds white space'
}

const problems: Readonly<Record<Kind, (text: string, site: ImportSite) => string | undefined>> = {
  id: matching(/^[1-9][0-9]*$/, 'it is not a whole number from 1 up'),
  'text that is not blank': matching(/\S/, 'it is blank'),
  text: () => undefined,
  username: () => undefined,
  link: (text) => (text === '' || isWebAddress(text) ? undefined : 'it is not an http(s) address'),
  words,
  asset,
  'asset or none': (text, site) => (text === '' ? undefined : asset(text, site)),
  ...{ count, code: count, 'id or none': count },
  timestamp: timestampProblem,
  'timestamp or none': timestampProblem,
  token: matching(/^[0-9a-f]{40}$/, 'it is not 40 characters of 0-9 and a-f'),
}

/** Fields that content can't hold as the remote says them, and why. */
export const problemsIn = (body: Fields, fields: readonly Field[], site: ImportSite) =>
  fields.flatMap((field) => {
    const problem = problemOf(body.get(field.key), textOf(body, field.key), field, site)
    return problem === undefined ? [] : [{ field, problem }]
  })

/** What a key that is left out stands for; `values` are those of the keys before it. Totals have no fixed default. */
export const defaultOf = ({ key, kind }: Field, values: Values, site: Site): string => {
  if (key === 'type_account' || key === 'status') return site.defaults[key]
  if (key === 'large_image') return values.image ?? ''
  if (key === 'token_id') return shotToken(values.id!)
  return kind === 'count' || kind === 'id or none' ? '0' : ''
}

/** Texts as content can say them; of the others, and where there is none, the default. */
export const sayable = (fields: readonly Field[], texts: Texts, site: ImportSite): Values => {
  const said: Record<string, string> = {}
  for (const field of fields) {
    const text = texts[field.key] ?? null
    said[field.key] = canSay(text, field, site) ? text : defaultOf(field, said, site)
  }
  return said
}

export const isAsset = (kind: Kind): boolean => kind.startsWith('asset')

/** Whether two values are published as the same. */
export const isSame = (kind: Kind, a: string, b: string, site: Site): boolean => {
  if (a === b) return true
  if (a === '' || b === '') return false
  if (isAsset(kind)) return assetUrl(a, 'https', site) === assetUrl(b, 'https', site)
  return kind === 'timestamp' && normalTimestamp(a) === normalTimestamp(b)
}

/** An address as both schemes share it. */
export const withoutScheme = (address: string): string => address.replace(/^https?:(?=\/\/)/i, '')

/** A profile of the content as the API would say it, totals aside. */
export const profileValues = (profile: Profile, site: Site): Values => {
  const { totalShots, Projects, projects, aliases, skills, ...texts } = profile
  const type_account = texts.type_account ?? site.defaults.type_account
  return { ...texts, skills: skills.join(','), type_account }
}

/** A shot of the content as the API would say it. */
export const shotValues = (shot: Shot, site: Site): Values => {
  const { draft, tags, alt, ...rest } = shot
  return {
    ...rest,
    tags: tags.join(','),
    large_image: rest.large_image ?? rest.image,
    status: rest.status ?? site.defaults.status,
    token_id: rest.token_id ?? shotToken(rest.id),
  }
}

/** Keys to set in a file, or to take out where the value is `undefined`. */
export type Changes = Readonly<Record<string, Data | undefined>>

/** Changed values as content writes them: what equals the default is left out. `all` are those that will stand there. */
export const toChanges = (
  fields: readonly Field[],
  { changed, all }: { readonly changed: Values; readonly all: Values },
  site: Site,
): Changes => {
  const changes: Record<string, Data | undefined> = {}
  for (const field of fields) {
    const value = changed[field.key]
    if (value === undefined) continue
    const isDefault = !field.required && value === defaultOf(field, all, site)
    changes[field.key] = isDefault ? undefined : field.kind === 'words' ? value.split(',') : value
  }
  return changes
}

/** What to do where both sides changed a value: tell it, or let one side win. */
export type Side = 'ours' | 'theirs' | undefined

type ThreeWays = { readonly base: Texts | undefined; readonly mine: Values; readonly remote: Texts }

/**
 * Merges field by field: a value that nobody changed here follows the remote; one that was changed only here stays.
 * `changed` has the values that must be written, `base` what the next import starts from: a value in conflict keeps its old
 * base.
 */
export const mergeFields = (
  fields: readonly Field[],
  { base, mine, remote }: ThreeWays,
  { about, site, side }: { readonly about: About; readonly site: ImportSite; readonly side: Side },
): { readonly changed: Values; readonly base: Texts; readonly findings: readonly Finding[] } => {
  // the remote says what it said last: whatever was changed here stays
  if (base !== undefined && fields.every(({ key }) => base[key] === (remote[key] ?? null))) {
    return { changed: {}, base: Object.fromEntries(fields.map(({ key }) => [key, base[key]!])), findings: [] }
  }
  const [before, now] = [base && sayable(fields, base, site), sayable(fields, remote, site)]
  const changed: Record<string, string> = {}
  const nextBase: Record<string, string | null> = {}
  const findings: Finding[] = []
  for (const { key, kind } of fields) {
    const same = (a: string, b: string) => isSame(kind, a, b, site)
    const [my, their] = [mine[key]!, now[key]!]
    const old = own(base, key) === undefined ? undefined : before![key]!
    const settled = same(my, their) || (old !== undefined && (same(my, old) || same(old, their)))
    if (!settled && side === undefined) {
      findings.push(find('conflict', { ...about, key }, { key, base: old, mine: my, remote: their }))
      if (old !== undefined) nextBase[key] = base![key]!
      continue
    }
    nextBase[key] = remote[key] ?? null
    const follows = settled ? old !== undefined && same(my, old) : side === 'theirs'
    if (follows && !same(my, their)) changed[key] = their
  }
  return { changed, base: nextBase, findings }
}
