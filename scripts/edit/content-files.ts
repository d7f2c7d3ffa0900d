import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { names, sizeLimit } from '../content/layout.ts'
import { type Salvageable, salvageProfile, salvageShot } from '../content/member.ts'
import { parse } from '../content/parse/parse.ts'
import { quickParse } from '../content/parse/quick.ts'
import { type ContentFolder, findSite, listMembers, scanMember } from '../content/read/scan.ts'
import { readSchema, type SchemaName } from '../content/schema.ts'
import { foldUsername } from '../content/username.ts'
import { readFile } from '../files/open.ts'
import { removeLeftBehind } from '../files/remove.ts'
import { replaceFile } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { shotToken } from '../snapshot/compile.ts'
import { quote } from '../text/printable.ts'
import { changeKeys, type NewValues } from './change.ts'

/** A file of the content that Shotpress reads. */
export type ContentFile = {
  readonly kind: SchemaName
  /** Its path below the content folder, with `/`. */
  readonly below: string
}

/** All of them: site.yaml, then each member's. */
export const listContentFiles = (content: ContentFolder): readonly ContentFile[] => {
  const { name } = findSite(content)
  const site: ContentFile[] = name === undefined ? [] : [{ kind: 'site', below: name }]
  return [...site, ...listMembers(content).members.flatMap((username) => listMemberFiles(username, content))]
}

/** A member's profile and shots. */
export const listMemberFiles = (username: string, content: ContentFolder): readonly ContentFile[] => {
  const { profile, shots } = scanMember(username, content)
  const folder = `${names.members}/${username}`
  return [
    ...(profile === undefined ? [] : [{ kind: 'profile', below: `${folder}/${profile}` } as const]),
    ...shots.map((shot) => ({ kind: 'shot', below: `${folder}/${names.shots}/${shot}` }) as const),
  ]
}

/** Removes what killed commands left half written beside these members' files; says the paths below the content folder. */
export const removeHalfWritten = (content: ContentFolder, members: Iterable<string>): readonly string[] =>
  ['.', ...Array.from(members, (username) => `${names.members}/${username}`)]
    .flatMap((folder) => (folder === '.' ? folder : [folder, `${folder}/${names.shots}`]))
    .flatMap((folder) => removeLeftBehind(content.path, folder).map((name) => path.posix.join(folder, name)))

/** What diagnostics call a file: the `--content` value, `/`, the path inside. */
export const shownPath = (content: ContentFolder, below: string): string => `${content.name}/${below}`

/** Why a file has no text. */
export const unreadable = 'it is no UTF-8 text of at most 1 MiB'

/** The text of a file with its byte order mark, if it has one; `undefined` if it is no UTF-8 text of at most 1 MiB. */
export const readText = (content: ContentFolder, below: string): string | undefined => {
  const bytes = readFile(content.path, below, { limit: sizeLimit })
  // toString drops no mark, a decoder would
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

export const readData = (text: string | undefined = ''): Salvageable => {
  const plain = text.replace(/^\ufeff/, '')
  const data = quickParse(plain)
  return data === undefined ? parse({ file: '', text: plain }) : { data, whole: true }
}

/** Sets or takes out keys of a file, or fails in words; all else in it stays as it is. */
export const editFile = (content: ContentFolder, { kind, below }: ContentFile, values: NewValues): void => {
  const text = readText(content, below)
  const edited = text === undefined ? { refused: unreadable } : changeKeys(text, values, readSchema(kind))
  if (edited.refused !== undefined) {
    throw new UserError(`${shownPath(content, below)} can't be edited: ${edited.refused}`, {
      hint: 'edit it by hand, or look at what npm run check says',
    })
  }
  if (edited.text !== text) replaceFile(content.path, below, edited.text, { durable: true })
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

/** The ids, tokens and names that are taken on the site, and by how many files. */
export type Taken = {
  readonly members: ReadonlyMap<string, number>
  readonly shots: ReadonlyMap<string, number>
  /** Tokens that shots write out. */
  readonly tokens: ReadonlyMap<string, number>
  /** Usernames and aliases, in lower case: what diagnostics call the file that has it. */
  readonly names: ReadonlyMap<string, string>
}

/** What a profile or a shot claims for itself, as far as its file can be read. */
type Claim = ContentFile & {
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
      const data = readData(readText(content, file.below))
      return { ...file, owner, ...(file.kind === 'profile' ? salvageProfile(data) : salvageShot(data)) }
    }),
  )

/** Reads all of the content for what is taken. A broken file counts as far as it can be read. */
export const findTaken = (content: ContentFolder): Taken => {
  const claims = readClaims(content, listMembers(content).members)
  const profiles = claims.filter(({ kind }) => kind === 'profile')
  const shots = claims.filter(({ kind }) => kind === 'shot')
  const count = (values: readonly (string | undefined)[]): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>()
    for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
    return counts
  }
  return {
    members: count(profiles.map(({ id }) => id)),
    shots: count(shots.map(({ id }) => id)),
    tokens: count(shots.map(({ token_id }) => token_id)),
    names: new Map(
      profiles.flatMap(({ owner, aliases = [], below }) =>
        // a name that is none is empty
        [owner, ...aliases.filter(Boolean)].map((name) => {
          return [foldUsername(name), shownPath(content, below)] as const
        }),
      ),
    ),
  }
}

/** The next free id: one above the highest. Ids of more than 15 digits, which nobody chose by hand, don't count. */
export const nextMemberId = ({ members }: Taken): string => nextId(members, () => true)

/** The same for shots; the token that is made from it is free too. */
export const nextShotId = ({ shots, tokens }: Taken): string =>
  nextId(shots, (id) => !tokens.has(shotToken(id)))

const nextId = (ids: ReadonlyMap<string, number>, isFree: (id: string) => boolean): string => {
  const short = [...ids.keys()].filter(({ length }) => length <= 15).map(Number)
  let id = BigInt(short.reduce((most, one) => Math.max(most, one), 0)) + 1n
  while (ids.has(String(id)) || !isFree(String(id))) id++
  return String(id)
}
