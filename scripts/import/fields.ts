import * as api from '../api/fields.ts'
import { assetUrl } from '../api/records.ts'
import { sizeLimit } from '../content/layout.ts'
import type { Profile, Shot } from '../content/member.ts'
import type { Data } from '../content/parse/data.ts'
import type { Site } from '../content/site.ts'
import { assetProblem, isPlainAddress, isWebAddress, parseAddress } from '../content/values/address.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { shotToken } from '../snapshot/compile.ts'
import { type Fields, textOf } from './body.ts'
import type { Sides } from './member.ts'
import type { About } from './messages.ts'

export type Kind = keyof typeof api.formats

/** A field that the API sends and content holds. */
export type Field = { readonly key: string; readonly kind: Kind; readonly required: boolean }

const required: readonly Kind[] = ['id', 'text that is not blank', 'timestamp', 'asset']

type Table = Readonly<Record<string, { readonly format: Kind }>>

const fieldsIn = (table: Table, elsewhere: readonly string[]): readonly Field[] =>
  Object.entries(table).flatMap(([key, { format: kind }]) => {
    // without the key the large image is the image, so it is the one asset that may be left out and can't be empty
    const field = { key, kind, required: required.includes(kind) && key !== 'large_image' }
    return elsewhere.includes(key) ? [] : [field]
  })

/** The fields of a profile and of a shot in the order of the API, but those that content holds elsewhere. */
export const profileFields = fieldsIn(api.userFields, ['username'])
export const shotFields = fieldsIn(api.shotFields, ['user_id', 'created_project'])

/** Those of a profile but for the totals, which content counts. */
export const statedFields = profileFields.filter(({ key }) => key !== 'totalShots' && key !== 'Projects')

/** Values by key as the API says them: lists are joined by commas. */
export type Values = Readonly<Record<string, string>>

/** The same as the remote says them; `null` where it says none. */
export type Texts = Readonly<Record<string, string | null>>

export const textsOf = (fields: Fields, of: readonly Field[]): Texts =>
  Object.fromEntries(of.map(({ key }) => [key, textOf(fields, key)]))

/** The site, and addresses that content can't say but needn't, as their pictures lie in it. */
export type ImportSite = Site & { readonly held?: ReadonlySet<string> }

/** Why content can't say what the remote does, in words that follow a colon; `undefined` if it can. */
const problemOf = (said: unknown, { kind, required }: Field, site: ImportSite): string | undefined => {
  if (said === undefined) return required ? 'it is missing' : undefined
  if (typeof said !== 'string') return said === null ? 'it is null' : 'it is no text'
  if (said.includes('\0')) return 'it holds the character U+0000'
  if (!said.isWellFormed()) return 'it holds half a character (a lone surrogate)'
  if (said.length > sizeLimit) return 'it is longer than a file may be'
  return problems[kind](said, site)
}

/** Whether content can say a text. */
export const canSay = (text: string | null | undefined, field: Field, site: ImportSite): text is string =>
  text != null && problemOf(text, field, site) === undefined

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
  const odd = text.split(',').find((word) => word === '' || /\s/.test(word))
  if (text === '' || odd === undefined) return undefined
  return odd === '' ? 'a word in it is empty' : 'a word in it holds white space'
}

const problems: Readonly<Record<Kind, (text: string, site: ImportSite) => string | undefined>> = {
  id: matching(/^[1-9][0-9]*$/, 'it is not a whole number from 1 up'),
  'text that is not blank': matching(/\S/, 'it is blank'),
  ...{ text: () => undefined, username: () => undefined },
  link: (text) => (text === '' || isWebAddress(text) ? undefined : 'it is not an http(s) address'),
  words,
  asset,
  'asset or none': (text, site) => (text === '' ? undefined : asset(text, site)),
  ...{ count, code: count, 'id or none': count },
  ...{ timestamp: timestampProblem, 'timestamp or none': timestampProblem },
  token: matching(/^[0-9a-f]{40}$/, 'it is not 40 characters of 0-9 and a-f'),
}

/** Fields that content can't hold as the remote says them, and why. */
export const problemsIn = (body: Fields, fields: readonly Field[], site: ImportSite) =>
  fields.flatMap((field) => {
    const problem = problemOf(body.get(field.key), field, site)
    return problem === undefined ? [] : [{ field, problem }]
  })

/** What a key that is left out stands for; `values` are those of the keys before it. Totals have no fixed default. */
export const defaultOf = ({ key, kind }: Field, values: Values, site: Site): string => {
  if (key === 'type_account' || key === 'status') return site.defaults[key]
  if (key === 'large_image') return values.image ?? ''
  if (key === 'token_id') return shotToken(values.id!)
  return kind === 'count' || kind === 'id or none' ? '0' : ''
}

/** A value for each field: the one that is said, else the default. */
const fill = (fields: readonly Field[], say: (field: Field) => string | undefined, site: Site): Values => {
  const values: Record<string, string> = {}
  for (const field of fields) values[field.key] = say(field) ?? defaultOf(field, values, site)
  return values
}

/** Texts as content can say them; of the others, and where there is none, the default. */
export const sayable = (fields: readonly Field[], texts: Texts, site: ImportSite): Values =>
  fill(fields, (field) => (canSay(texts[field.key], field, site) ? texts[field.key]! : undefined), site)

/** A profile or a shot of the content as the API would say it, totals aside. */
const valuesOf = (fields: readonly Field[], said: Profile | Shot, site: Site): Values =>
  fill(fields, ({ key }) => (said as Readonly<Record<string, unknown>>)[key]?.toString(), site)

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

/** Keys to set in a file, or to take out where the value is `undefined`. */
export type Changes = Readonly<Record<string, Data | undefined>>

/** What to do where both sides changed a value: tell it, or let one side win. */
export type Side = 'ours' | 'theirs' | undefined

/** A value as the remote said it last, as content says it, and as the remote says it now. */
type ThreeWays<T, B = T> = { readonly base: B | undefined; readonly mine: T; readonly remote: B }

/**
 * Whether content takes over the remote's value: it does where nobody changed it here, and doesn't where only that
 * happened. `undefined` is a conflict.
 */
export const follows = <T>(
  { base, mine, remote }: ThreeWays<T>,
  side: Side,
  same: (a: T, b: T) => boolean,
): boolean | undefined => {
  if (same(mine, remote)) return false
  if (base !== undefined && same(mine, base)) return true
  if (base !== undefined && same(base, remote)) return false
  return side && side === 'theirs'
}

/**
 * Merges a profile or a shot field by field, and tells conflicts. `changes` is what the file lacks, without what equals
 * the default; `base` is what the next import starts from: a value in conflict keeps its old base.
 */
export const mergeFields = (
  fields: readonly Field[],
  { base, mine: said, remote }: ThreeWays<Profile | Shot | undefined, Texts>,
  { about, site, run, find }: Pick<Sides, 'site' | 'run' | 'find'> & { readonly about: About },
): { readonly changes: Changes; readonly base: Texts } => {
  // the remote says what it said last, as nearly always: whatever was changed here stays
  if (said && base && fields.every(({ key }) => base[key] === (remote[key] ?? null)))
    return { changes: {}, base: Object.fromEntries(fields.map(({ key }) => [key, base[key]!])) }
  const [before, now] = [base && sayable(fields, base, site), sayable(fields, remote, site)]
  if (said === undefined) return { changes: toChanges(fields, now, now, site), base: remote }
  const values = valuesOf(fields, said, site)
  const changed: Record<string, string> = {}
  const nextBase: Record<string, string | null> = {}
  for (const { key, kind } of fields) {
    const [mine, their] = [values[key]!, now[key]!]
    const old = base?.[key] === undefined ? undefined : before![key]!
    const same = (a: string, b: string) => isSame(kind, a, b, site)
    const isTheirs = follows({ base: old, mine, remote: their }, run.side, same)
    if (isTheirs) changed[key] = their
    if (isTheirs !== undefined) nextBase[key] = remote[key] ?? null
    else {
      find('conflict', { ...about, key }, { key, base: old, mine, remote: their })
      if (old !== undefined) nextBase[key] = base![key]!
    }
  }
  // without the key the large image is the image: once that changes, the key is needed
  if ('image' in changed && (said as Shot).large_image === undefined) changed.large_image ??= values.image!
  return { changes: toChanges(fields, changed, { ...values, ...changed }, site), base: nextBase }
}

/** Changed values as content writes them: what equals the default is left out. `all` are those that will stand there. */
const toChanges = (fields: readonly Field[], changed: Values, all: Values, site: Site): Changes => {
  const changes: Record<string, Data | undefined> = {}
  for (const field of fields) {
    const value = changed[field.key]
    if (value === undefined) continue
    const isDefault = !field.required && value === defaultOf(field, all, site)
    changes[field.key] = isDefault ? undefined : field.kind === 'words' ? value.split(',') : value
  }
  return changes
}
