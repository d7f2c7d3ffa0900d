import * as api from '../api/fields.ts'
import { assetUrl } from '../api/records.ts'
import { sizeLimit } from '../content/layout.ts'
import type { Site } from '../content/site.ts'
import { assetProblem, isWebAddress, parseAddress } from '../content/values/address.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { shotToken } from '../snapshot/compile.ts'
import { type Fields, textOf } from './body.ts'

type Kind = keyof typeof api.formats

/** A field that the API sends and content holds. */
export type Field = { readonly key: string; readonly kind: Kind; readonly required: boolean }

const required: readonly Kind[] = ['id', 'text that is not blank', 'timestamp', 'asset']

const fieldsIn = (table: Readonly<Record<string, api.Field>>): readonly Field[] =>
  Object.entries(table).map(([key, { format: kind }]) => ({
    key,
    kind,
    // without the key the large image is the image, so it is the one asset that may be left
    // out and can't be empty
    required: required.includes(kind) && key !== 'large_image',
  }))

// content holds these elsewhere, or counts them by itself; a higher total can be written, and
// comes last
const { username, totalShots, Projects, ...ofProfile } = api.userFields
const { user_id, created_project, ...ofShot } = api.shotFields
const profileFields = fieldsIn({ ...ofProfile, totalShots, Projects })
const shotFields = fieldsIn(ofShot)

/** The fields of the profile, or of the shot with an id, in the order of the API. */
export const fieldsOf = (id?: string) => (id === undefined ? profileFields : shotFields)

/** Values by key as the remote says them; `null` where it says none. */
export type Texts = Readonly<Record<string, string | null>>

/** What the remote says of the profile, or of the shot with an id. */
export const textsOf = (fields: Fields, id?: string): Record<string, string | null> =>
  Object.fromEntries(fieldsOf(id).map(({ key }) => [key, textOf(fields, key)]))

/** Values by key as the API says them: lists are joined by commas. */
export type Values = Readonly<Record<string, string | undefined>>

/** What a member's values have to fit. */
export type ImportSite = Site & {
  /** What content counts by itself, by the keys of the totals. */
  readonly counts?: Values
}

/**
 * Why content can't say what the remote does, in words that follow a colon; `undefined` if it
 * can.
 */
export const problemOf = (said: unknown, { kind, required }: Field, site: ImportSite) => {
  if (said === undefined) return required ? 'it is missing' : undefined
  if (typeof said !== 'string') return said === null ? 'it is null' : 'it is no text'
  if (said.includes('\0')) return 'it holds the character U+0000'
  if (!said.isWellFormed()) return 'it holds half a character (a lone surrogate)'
  if (said.length > sizeLimit) return 'it is longer than a file may be'
  const { pattern = '', words } = api.formats[kind]
  const fits = new RegExp(pattern).test(said)
  if (said === '') return fits ? undefined : 'it is empty'
  if (isAsset(kind))
    return parseAddress(said) ? assetProblem(said, site.portsAllowed) : 'it is not an address'
  if (kind === 'link') return isWebAddress(said) ? undefined : 'it is not an http(s) address'
  if (kind === 'timestamp') return timestampProblem(said)
  if (fits) return undefined
  return kind === 'text that is not blank'
    ? 'it is blank'
    : `it is not ${words.replaceAll('`', '')}`
}

/** What a key that is left out stands for; `values` are those of the keys before it. */
export const defaultOf = ({ key, kind }: Field, values: Values, site: ImportSite): string => {
  const counted = site.counts?.[key]
  if (counted !== undefined) return counted
  if (key === 'type_account' || key === 'status') return site.defaults[key]
  if (key === 'large_image') return values.image ?? ''
  if (key === 'token_id') return shotToken(values.id ?? '')
  return kind === 'count' || kind === 'id or none' ? '0' : ''
}

const isAsset = (kind: Kind) => kind.startsWith('asset')

/** An address as both schemes share it. */
export const withoutScheme = (address: string | null): string | undefined =>
  address?.replace(/^https?:(?=\/\/)/i, '')

/** A date as `YYYY-MM-DD HH:MM:SS`; `''` if it is none. */
export const momentOf = (date: string | null | undefined): string =>
  date == null || timestampProblem(date) !== undefined ? '' : normalTimestamp(date)

/**
 * Whether a value is published as what the remote says: a moment in whatever form, an address
 * in either scheme.
 */
export const isSame = (kind: Kind, ours: string, theirs: string, site: Site): boolean => {
  if (ours === theirs) return true
  if (isAsset(kind))
    return withoutScheme(assetUrl(ours, 'https', site)) === withoutScheme(theirs)
  const moment = kind.startsWith('timestamp') ? momentOf(ours) : ''
  return moment !== '' && moment === momentOf(theirs)
}
