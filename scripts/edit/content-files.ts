import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { names, sizeLimit } from '../content/layout.ts'
import { type Salvageable, salvageProfile, salvageShot } from '../content/member.ts'
import { withoutMark } from '../content/read/read-file.ts'
import { type ContentFolder, findSite, listMembers, scanMember } from '../content/read/scan.ts'
import type { SchemaName } from '../content/schema.ts'
import { foldUsername } from '../content/username.ts'
import { readFile } from '../files/folder.ts'
import { removeLeftBehind, replaceFile } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { shotToken } from '../snapshot/compile.ts'
import { quote } from '../text/printable.ts'
import { changeKeys, type NewValues, readData, type Tidied, tidy } from './change.ts'

/** A file of a member. */
export type MemberFile = {
  readonly kind: MemberKind
  /** Its path below the content folder, with `/`. */
  readonly below: string
}
export type MemberKind = Exclude<SchemaName, 'site'>

/** A file of the content that Shotpress reads. */
export type ContentFile = MemberFile | { readonly kind: 'site'; readonly below: string }

/** All of them: site.yaml, then each member's. */
export const listContentFiles = (content: ContentFolder): readonly ContentFile[] => {
  const { name } = findSite(content)
  const site: ContentFile[] = name === undefined ? [] : [{ kind: 'site', below: name }]
  return [...site, ...listMembers(content).members.flatMap((username) => listMemberFiles(username, content))]
}

/** A member's profile and shots. */
export const listMemberFiles = (username: string, content: ContentFolder): readonly MemberFile[] => {
  const { profile, shots } = scanMember(username, content)
  const folder = `${names.members}/${username}`
  return [
    ...(profile === undefined ? [] : [{ kind: 'profile', below: `${folder}/${profile}` } as const]),
    ...shots.map((shot) => ({ kind: 'shot', below: `${folder}/${names.shots}/${shot}` }) as const),
  ]
}

/** The path of a member's profile below the content folder, also of one that is not there yet. */
export const profileOf = (username: string, content: ContentFolder): string =>
  `${names.members}/${username}/${scanMember(username, content).profile ?? `${names.profile}.yaml`}`

/** Removes what killed commands left half written beside these members' files; says the paths below the content folder. */
export const removeHalfWritten = (content: ContentFolder, members: Iterable<string>): readonly string[] =>
  ['.', ...Array.from(members, (username) => `${names.members}/${username}`)]
    .flatMap((folder) => (folder === '.' ? folder : [folder, `${folder}/${names.shots}`]))
    .flatMap((folder) => removeLeftBehind(content.path, folder).map((name) => path.posix.join(folder, name)))

/** What diagnostics call a file: the `--content` value, `/`, the path inside. */
export const shownPath = (content: ContentFolder, below: string): string => `${content.name}/${below}`

/** Why a file has no text. */
export const unreadable = 'it is no UTF-8 text of at most 1 MiB'

/** The text of a file without its byte order mark; `undefined` if it is no UTF-8 text of at most 1 MiB. */
export const readText = (content: ContentFolder, below: string): string | undefined => {
  const bytes = readFile(content.path, below, { limit: sizeLimit })
  return bytes !== undefined && isUtf8(bytes) ? withoutMark(bytes.toString('utf8')) : undefined
}

/** Gives a file another text; a byte order mark that it begins with stays. */
export const replaceText = (content: ContentFolder, below: string, text: string): void => {
  const before = readFile(content.path, below, { limit: sizeLimit })
  const mark = before?.toString('utf8', 0, 3) === '\ufeff' ? '\ufeff' : ''
  replaceFile(content.path, below, mark + text, { durable: true })
}

/** What a file says, as far as it can be read; nothing, if it is no text. */
export const dataIn = (content: ContentFolder, below: string): Salvageable =>
  readData(readText(content, below))

/** Sets or takes out keys of a file, or fails in words; all else in it stays as it is. */
export const editFile = (content: ContentFolder, { kind, below }: ContentFile, values: NewValues): void => {
  const text = readText(content, below)
  const edited = text === undefined ? { refused: unreadable } : changeKeys(text, values, kind)
  if (edited.refused !== undefined) {
    throw new UserError(`${shownPath(content, below)} can't be edited: ${edited.refused}`, {
      hint: 'edit it by hand, or look at what npm run check says',
    })
  }
  if (edited.text !== text) replaceText(content, below, edited.text)
}

/** What tidying makes of a file, as it was `before`; nothing is written. */
export const tidyFile = (
  content: ContentFolder,
  file: ContentFile,
): Tidied & { readonly before?: string } => {
  const before = readText(content, file.below)
  if (before === undefined) return { refused: unreadable }
  return { before, ...tidy(before, file.kind, shownPath(content, file.below)) }
}

/** The file that a path on the command line names, as it is seen from the working folder. */
export const findContentFile = (content: ContentFolder, file: string): ContentFile => {
  const below = path.relative(content.path, path.resolve(file)).replaceAll(path.sep, '/')
  const files = listContentFiles(content)
  const found = files.find((one) => one.below === below)
  if (found !== undefined) return found
  const sample =
    files.find(({ kind }) => kind === 'shot')?.below ?? `${names.members}/<username>/profile.yaml`
  throw new UserError(`${quote(file)} is no file of the content folder "${content.name}"`, {
    hint: `name a profile or a shot that is there, such as ${content.name}/${sample}`,
  })
}

/** The ids, tokens and names that are taken on the site. */
export type Taken = {
  /** Ids, and how many files have each. */
  readonly ids: Readonly<Record<MemberKind, ReadonlyMap<string, number>>>
  /** Tokens that shots write out, and how many shots do. */
  readonly tokens: ReadonlyMap<string, number>
  /** Usernames and aliases, in lower case: what diagnostics call the file that has it. */
  readonly names: ReadonlyMap<string, string>
}

/** What a profile or a shot claims for itself, as far as its file can be read. */
type Claim = MemberFile & {
  /** The member's folder. */
  readonly owner: string
  readonly id?: string | undefined
  readonly aliases?: readonly string[] | undefined
  readonly token_id?: string | undefined
}

/** Reads members' files for what must be unique. */
export const readClaims = (content: ContentFolder, members: readonly string[]): readonly Claim[] =>
  members.flatMap((owner) =>
    listMemberFiles(owner, content).map((file) => {
      const data = dataIn(content, file.below)
      return { ...file, owner, ...(file.kind === 'profile' ? salvageProfile(data) : salvageShot(data)) }
    }),
  )

/** Reads all of the content for what is taken. A broken file counts as far as it can be read. */
export const findTaken = (content: ContentFolder): Taken => {
  const ids = { profile: new Map<string, number>(), shot: new Map<string, number>() }
  const [tokens, taken] = [new Map<string, number>(), new Map<string, string>()]
  const count = (counts: Map<string, number>, value: string | undefined): void => {
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  for (const claim of readClaims(content, listMembers(content).members)) {
    const { kind, owner, below, id, aliases = [], token_id } = claim
    count(ids[kind], id)
    count(tokens, token_id)
    if (kind === 'shot') continue
    // a name that is none is empty
    for (const name of [owner, ...aliases].filter(Boolean))
      taken.set(foldUsername(name), shownPath(content, below))
  }
  return { ids, tokens, names: taken }
}

/**
 * The next free id: one above the highest. Ids of more than 15 digits, which nobody chose by hand, don't count. The token
 * that is made from a shot's is free too.
 */
export const nextId = (kind: MemberKind, { ids, tokens }: Taken): string => {
  let number = 1
  for (const id of ids[kind].keys()) if (id.length <= 15) number = Math.max(number, Number(id) + 1)
  const isTaken = (id: string): boolean => ids[kind].has(id) || (kind === 'shot' && tokens.has(shotToken(id)))
  while (isTaken(String(number))) number++
  return String(number)
}
