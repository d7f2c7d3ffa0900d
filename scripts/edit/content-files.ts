import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { names, sizeLimit } from '../content/layout.ts'
import { type ContentFolder, findSite, listMembers, scanMember } from '../content/read/scan.ts'
import type { SchemaName } from '../content/schema.ts'
import { readFile } from '../files/open.ts'
import { UserError } from '../problems/user-error.ts'
import { quote } from '../text/printable.ts'

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
const listMemberFiles = (username: string, content: ContentFolder): readonly ContentFile[] => {
  const { profile, shots } = scanMember(username, content)
  const folder = `${names.members}/${username}`
  return [
    ...(profile === undefined ? [] : [{ kind: 'profile', below: `${folder}/${profile}` } as const]),
    ...shots.map((shot) => ({ kind: 'shot', below: `${folder}/${names.shots}/${shot}` }) as const),
  ]
}

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

/** The file that a path on the command line names, as it is seen from the working folder. */
export const findContentFile = (content: ContentFolder, file: string): ContentFile => {
  const below = path.relative(content.path, path.resolve(file)).replaceAll(path.sep, '/')
  const found = below.startsWith('../')
    ? undefined
    : listAround(content, below).find((one) => one.below === below)
  if (found !== undefined) return found
  throw new UserError(`${quote(file)} is no file of the content folder "${content.name}"`, {
    hint: `name a profile or a shot, such as ${content.name}/members/ana/shots/poster.yaml`,
  })
}

const listAround = (content: ContentFolder, below: string): readonly ContentFile[] => {
  const [first, username] = below.split('/')
  if (first !== names.members || username === undefined) return listContentFiles(content).slice(0, 1)
  return listMembers(content).members.includes(username) ? listMemberFiles(username, content) : []
}
