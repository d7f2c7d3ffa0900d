import { compareIds } from '../api/records.ts'
import { names } from '../content/layout.ts'
import { findEntry, readFile } from '../files/folder.ts'
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
  readonly bodies: Readonly<Record<string, string | undefined>>
  /** Pictures that were taken along, by the key that names them: `avatar`, `12 image`. */
  readonly pictures?: Readonly<Record<string, KnownPicture>> | undefined
}

/** The text of the file. The same base gives the same text, so git shows what the remote changed. */
export const renderBase = (base: Base): string => {
  const { username, profile, counted, window, bodies, pictures } = base
  const [projects, shots] = [sorted(base.projects), sorted(base.shots)]
  const drafted = base.drafted.toSorted(compareIds)
  // in this order
  const data = { username, profile, counted, projects, shots, drafted, window, bodies, pictures }
  return `${JSON.stringify(data, null, 2)}\n`
}

/** JSON.stringify puts keys that look like small numbers first, so the long ones only have to come in order. */
const sorted = <T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => compareIds(a, b)))

/** What the remote said last of the profile, or of the shot with an id. */
export const baseAt = (base: Base | undefined, id?: string): Texts | undefined =>
  id === undefined ? base?.profile : base?.shots[id]

/** The most bytes of the file that are read: an archive of some 10,000 shots. */
export const baseLimit = 16 << 20

/** Path of a member's import.json below the content folder. */
export const basePath = (username: string): string => `${names.members}/${username}/import.json`

/** Reads what the remote said of a member last; nothing if there is no file. */
export const readBase = (content: string, username: string) => {
  const path = basePath(username)
  const text = readFile(content, path, { limit: baseLimit })?.toString('utf8')
  const base = text === undefined ? undefined : parseBase(text)
  /** There is something that no import wrote. */
  const isWrong = base === undefined && findEntry(content, path) !== undefined
  return { base, text, isWrong }
}

const parseBase = (text: string): Base | undefined => {
  try {
    const data: unknown = { bodies: {}, ...JSON.parse(text.replace(/^\ufeff/, '')) }
    return isBase(data) ? data : undefined
  } catch {
    return undefined
  }
}

const isBase = (data: unknown): data is Base => {
  if (!isRecord(data)) return false
  const { username, profile, projects, shots, counted, drafted, window, bodies, pictures = {} } = data
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

const isTexts = (data: unknown): data is Texts =>
  isRecord(data) && Object.values(data).every((value) => value === null || typeof value === 'string')

const isPicture = (data: unknown): boolean =>
  isTexts(data) && ['url', 'file', 'sha256'].every((key) => typeof data[key] === 'string')

const isList = (data: unknown): boolean =>
  Array.isArray(data) && data.every((item) => typeof item === 'string')
