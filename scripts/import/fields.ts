import * as api from '../api/fields.ts'
import { assetUrl } from '../api/records.ts'
import { sizeLimit } from '../content/layout.ts'
import type { Site } from '../content/site.ts'
import { assetProblem, isWebAddress, parseAddress } from '../content/values/address.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { shotToken } from '../snapshot/compile.ts'
import { type Fields, textOf } from './body.ts'

export type Kind = keyof typeof api.formats

/** A field that the API sends and content holds. */
export type Field = { readonly key: string; readonly kind: Kind; readonly required: boolean }

const required: readonly Kind[] = ['id', 'text that is not blank', 'timestamp', 'asset']

const fieldsIn = (
  table: Readonly<Record<string, { readonly format: Kind }>>,
  elsewhere: readonly string[],
): readonly Field[] =>
  Object.entries(table)
    .filter(([key]) => !elsewhere.includes(key))
    .map(([key, { format: kind }]) => ({
      key,
      kind,
      // without the key the large image is the image, so it is the one asset that may be left out and can't be empty
      required: required.includes(kind) && key !== 'large_image',
    }))

/** What of a profile content counts by itself; a higher figure can be written. */
const totals = ['totalShots', 'Projects']

/** The fields of a profile and of a shot in the order of the API, but those that content holds elsewhere; totals come last. */
export const profileFields = [
  ...fieldsIn(api.userFields, ['username', ...totals]),
  ...fieldsIn(api.userFields, []).filter(({ key }) => totals.includes(key)),
]
export const shotFields = fieldsIn(api.shotFields, ['user_id', 'created_project'])

/** Those of the profile, or of the shot with an id. */
export const fieldsOf = (id?: string) => (id === undefined ? profileFields : shotFields)

/** Values by key as the remote says them; `null` where it says none. */
export type Texts = Readonly<Record<string, string | null>>

export const textsOf = (fields: Fields, of: readonly Field[]): Record<string, string | null> =>
  Object.fromEntries(of.map(({ key }) => [key, textOf(fields, key)]))

/** Values by key as the API says them: lists are joined by commas. */
export type Values = Readonly<Record<string, string>>

/** What a member's values have to fit. */
export type ImportSite = Site & {
  /** What content counts by itself, by the keys of the totals. */
  readonly counts?: Values
}

/** Why content can't say what the remote does, in words that follow a colon; `undefined` if it can. */
export const problemOf = (said: unknown, { kind, required }: Field, site: ImportSite) => {
  if (said === undefined) return required ? 'it is missing' : undefined
  if (typeof said !== 'string') return said === null ? 'it is null' : 'it is no text'
  if (said.includes('\0')) return 'it holds the character U+0000'
  if (!said.isWellFormed()) return 'it holds half a character (a lone surrogate)'
  if (said.length > sizeLimit) return 'it is longer than a file may be'
  const { pattern = '', words } = api.formats[kind]
  const fits = new RegExp(pattern).test(said)
  if (said === '') return fits ? undefined : 'it is empty'
  if (isAsset(kind)) return assetError(said, site)
  if (kind === 'link') return isWebAddress(said) ? undefined : 'it is not an http(s) address'
  if (kind === 'timestamp') return timestampProblem(said)
  if (fits) return undefined
  return kind === 'text that is not blank'
    ? 'it is blank'
    : `it is not ${words.replaceAll('`', '')}`
}

const assetError = (text: string, { portsAllowed }: Site) =>
  parseAddress(text) ? assetProblem(text, portsAllowed) : 'it is not an address'

/** What the remote says, if content can say it. */
export const sayable = (
  text: string | null | undefined,
  field: Field,
  site: ImportSite,
): string | undefined =>
  text == null || problemOf(text, field, site) !== undefined ? undefined : text

/** What a key that is left out stands for; `values` are those of the keys before it. */
export const defaultOf = ({ key, kind }: Field, values: Values, site: ImportSite): string => {
  const counted = site.counts?.[key]
  if (counted !== undefined) return counted
  if (key === 'type_account' || key === 'status') return site.defaults[key]
  if (key === 'large_image') return values.image ?? ''
  if (key === 'token_id') return shotToken(values.id ?? '')
  return kind === 'count' || kind === 'id or none' ? '0' : ''
}

/** A value for each field: the one that is said, else the default. */
export const fill = (
  fields: readonly Field[],
  say: (field: Field) => string | undefined,
  site: ImportSite,
): Values => {
  const values: Record<string, string> = {}
  for (const field of fields) values[field.key] = say(field) ?? defaultOf(field, values, site)
  return values
}

const isAsset = (kind: Kind) => kind.startsWith('asset')

/** An address as both schemes share it. */
export const withoutScheme = (address: string): string => address.replace(/^https?:(?=\/\/)/i, '')

/** A date as `YYYY-MM-DD HH:MM:SS`; `''` if it is none. */
export const momentOf = (date: string | null | undefined): string =>
  date == null || timestampProblem(date) !== undefined ? '' : normalTimestamp(date)

/** Whether a value is published as what the remote says: a moment in whatever form, an address in either scheme. */
export const isSame = (kind: Kind, ours: string, theirs: string, site: Site): boolean => {
  if (ours === theirs) return true
  if (isAsset(kind)) return withoutScheme(assetUrl(ours, 'https', site)) === withoutScheme(theirs)
  const moment = kind.startsWith('timestamp') ? momentOf(ours) : ''
  return moment !== '' && moment === momentOf(theirs)
}
