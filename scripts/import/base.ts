import { compareIds } from '../api/records.ts'
import { names } from '../content/layout.ts'
import { findEntry, readFile } from '../files/folder.ts'
import { sendable } from './fetch.ts'
import type { Texts } from './fields.ts'
import type { KnownPicture } from './pictures.ts'

/** `members/<u>/import.json`: what the remote said last, so that the next import knows what was changed here since. */
export type Base = {
  /** The name that was asked for; another one than the folder's after a rename here. */
  readonly username: string
  /** Fields of the profile; a field that is not there was never settled. */
  readonly profile: Texts
  /** Totals that the profile leaves out because content counts them. */
  readonly counted: readonly string[]
  /** Creation dates of projects by id. */
  readonly projects: Texts
  /** Every shot that was imported, by id, those too that left the window. */
  readonly shots: Readonly<Record<string, Texts>>
  /** Shots that vanished from the window, and were made drafts because of it. */
  readonly drafted: readonly string[]
  /** The ids of the last window, in its order. */
  readonly window: readonly string[]
  /** The sha256 of each body that this came from: what is kept of other bodies says nothing. */
  readonly bodies: Readonly<Record<string, string>>
  /** Pictures that were taken along, by the key that names them: `avatar`, `12 image`. */
  readonly pictures?: Readonly<Record<string, KnownPicture>> | undefined
}

/** The text of the file. The same base gives the same text, so git shows what the remote changed. */
export const renderBase = ({ projects, shots, drafted, bodies, pictures, ...base }: Base): string => {
  const { username, profile, counted, window } = base
  const lists = {
    projects: sorted(projects),
    shots: sorted(shots),
    drafted: drafted.toSorted(compareIds),
    window,
  }
  // in this order
  return `${JSON.stringify({ username, profile, counted, ...lists, bodies, pictures }, null, 2)}\n`
}

/** JSON.stringify puts keys that look like small numbers first, so the long ones only have to come in order. */
const sorted = <T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => compareIds(a, b)))

export const own = <T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined

/** What the remote said last of the profile, or of the shot with an id. */
export const baseAt = (base: Base | undefined, id?: string): Texts | undefined =>
  id === undefined ? base?.profile : own(base?.shots, id)

/** The most bytes of the file that are read: an archive of some 10,000 shots. */
const limit = 16 << 20

/** Path of a member's import.json below the content folder. */
export const basePath = (username: string): string => `${names.members}/${username}/import.json`

/** `wrong` says that there is something that no import wrote. */
export type ReadBase = { readonly base?: Base; readonly text?: string | undefined; readonly wrong: boolean }

/** Reads what the remote said of a member last; nothing if there is no file. */
export const readBase = (content: string, username: string): ReadBase => {
  const path = basePath(username)
  const text = readFile(content, path, { limit })?.toString('utf8')
  if (text === undefined && findEntry(content, path) === undefined) return { wrong: false }
  const base = text === undefined ? undefined : parseBase(text)
  return base === undefined ? { text, wrong: true } : { base, text, wrong: false }
}

const parseBase = (text: string): Base | undefined => {
  try {
    const data: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return isBase(data) ? { ...data, bodies: data.bodies ?? {} } : undefined
  } catch {
    return undefined
  }
}

const isBase = (data: unknown): data is Base => {
  if (!isRecord(data)) return false
  const { username, profile, projects, shots, counted, drafted, window, bodies = {}, pictures = {} } = data
  return (
    typeof username === 'string' &&
    [profile, projects, bodies].every(isTexts) &&
    [counted, drafted, window].every(isList) &&
    isRecord(shots) &&
    Object.entries(shots).every(([id, texts]) => /^[1-9][0-9]*$/.test(id) && isTexts(texts)) &&
    isRecord(pictures) &&
    Object.values(pictures).every(isPicture)
  )
}

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && !Object.hasOwn(data, '__proto__')

const isTexts = (data: unknown): boolean =>
  isRecord(data) && Object.values(data).every((value) => value === null || typeof value === 'string')

const isPicture = (data: unknown): boolean =>
  isRecord(data) &&
  ['url', 'file', 'sha256'].every((key) => typeof data[key] === 'string') &&
  [data.etag, data.modified].every((value) => value === undefined || sendable(value) !== undefined)

const isList = (data: unknown): boolean =>
  Array.isArray(data) && data.every((item) => typeof item === 'string')
