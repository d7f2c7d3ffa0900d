import { compareIds } from '../api/records.ts'
import { type ContentFolder, memberFolder, names } from '../content/layout.ts'
import { findEntry, isPathBelow, readFile } from '../files/folder.ts'
import { jsonIn } from '../text/json.ts'
import { each, fits, isText, optional, type Shape, texts } from '../text/shape.ts'
import { isId } from './body.ts'
import type { Texts } from './fields.ts'

/** What a server gives to ask whether its answer still holds. */
export type Validators = {
  readonly etag?: string | undefined
  readonly modified?: string | undefined
}

/** A picture that was taken along. */
export type KnownPicture = Validators & {
  /** Where the remote has it, and the file here, as its YAML file names it. */
  readonly url: string
  readonly file: string
  /** Of what the remote had, cleaned: a file that has another one is somebody's work. */
  readonly sha256: string
}

/**
 * `members/<u>/import.json`: what the remote said last, so that the next import knows what
 * was changed here since.
 */
export type Base = {
  /**
   * The name that was asked for; another one than the folder's after a rename here. `''` if
   * there was no import.
   */
  username: string
  /** Fields of the profile; a field that is not there was never settled. */
  profile: Texts
  /** Totals that the profile leaves out because content counts them. */
  counted: readonly string[]
  projects: Texts
  /** Every shot that was imported, by id, those too that left the window. */
  shots: Record<string, Texts>
  /** Shots that vanished from the window, and were made drafts because of it. */
  drafted: readonly string[]
  /** The ids of the last window, in its order. */
  window: readonly string[]
  /** The sha256 of each body that this came from: what is kept of other bodies says nothing. */
  bodies: Readonly<Record<string, string | undefined>>
  /** Pictures that were taken along, by the key that names them: `avatar`, `12 image`. */
  pictures?: Readonly<Record<string, KnownPicture>> | undefined
}

/** What a first import starts from. */
const noBase: Base = {
  username: '',
  profile: {},
  counted: [],
  projects: {},
  shots: {},
  drafted: [],
  window: [],
  bodies: {},
}

/** What the remote said last of the profile, or of the shot with an id. */
export const baseAt = ({ profile, shots }: Base, id?: string): Texts | undefined =>
  id === undefined ? profile : shots[id]

/**
 * The text of the file. The same base gives the same text, so git shows what the remote
 * changed.
 */
export const renderBase = (base: Base): string => {
  const next = {
    ...base,
    projects: sorted(base.projects),
    shots: sorted(base.shots),
    drafted: base.drafted.toSorted(compareIds),
  }
  return `${JSON.stringify(next, null, 2)}\n`
}

/**
 * JSON.stringify puts keys that look like small numbers first, so the long ones only have to
 * come in order.
 */
const sorted = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => compareIds(a, b)))

/**
 * The most bytes of a file that are read: an archive of 40,000 shots, or four bodies, each
 * byte of which takes two.
 */
export const readLimit = 80 << 20

export const basePath = (username: string, content: ContentFolder): string =>
  `${memberFolder(username, content)}/${names.imported}`

/** What the last import left in a member's folder, if there is one. */
export const readBase = (folder: ContentFolder, username: string | undefined) => {
  if (username === undefined) return { base: noBase, baseText: undefined, isWrong: false }
  const path = basePath(username, folder)
  const baseText = readFile(folder.path, path, { limit: readLimit })?.toString('utf8')
  const data = jsonIn(baseText?.replace(/^\ufeff/, '') ?? '')
  const isRight = fits(data, shape)
  /** Whether there is something that no import wrote. */
  const isWrong = !isRight && findEntry(folder.path, path) !== undefined
  return { base: isRight ? (data as Base) : noBase, baseText, isWrong }
}

const ofTexts = each((value) => value === null || isText(value))

/** It is read, and may be replaced, so it must lie beside or below its YAML file. */
const isBeside = (file: unknown) =>
  typeof file === 'string' && file.startsWith('./') && isPathBelow(file.slice(2))

const shape: Shape = {
  ...texts('username'),
  profile: ofTexts,
  projects: ofTexts,
  bodies: ofTexts,
  counted: [isText],
  drafted: [isText],
  window: [isText],
  shots: (shots) => fits(shots, each(ofTexts)) && Object.keys(shots as object).every(isId),
  pictures: optional(each({ ...texts('url', 'sha256'), file: isBeside })),
}
