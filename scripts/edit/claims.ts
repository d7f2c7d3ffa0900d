import path from 'node:path'
import { nameForId, proposeId } from '../content/ids.ts'
import { type ContentFolder, memberFolder, names, stemOf } from '../content/layout.ts'
import type { Loader } from '../content/load.ts'
import type { MemberKind } from '../content/read/open.ts'
import { listMembers } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import { isUsername, reserves } from '../content/username.ts'
import { UserError } from '../problems/diagnostic.ts'
import { usernameRule } from '../problems/messages.ts'
import { claimOf, heldIn, shotToken } from '../snapshot/compile.ts'
import { quote } from '../text/printable.ts'
import { suggest } from '../text/suggest.ts'
import { filesIn, shownPath } from './files.ts'
import type { NewValues } from './yaml/change.ts'

/** Who has what nobody else may have: members, by what they claim (see `claimOf`). */
type Claims = ReadonlyMap<string, string>

/** Reads all members' files for what must be unique, as far as they can be read. */
export const readClaims = (content: ContentFolder): Claims => {
  const claims = new Map<string, string>()
  for (const owner of listMembers(content).members) {
    const files = filesIn(owner, content)
    // a folder without a profile may be what is left of a command that was killed
    for (const { kind, text, file } of heldIn(files))
      if (file || files.profile) claims.set(claimOf(kind, text), owner)
  }
  return claims
}

/**
 * An id that nobody has for what a new file holds. The token that is made from a shot's is
 * free too.
 */
export const freeIdFor = (below: string, claims: Claims): string => {
  const isShot = stemOf(path.posix.basename(below)) !== names.profile
  return proposeId(nameForId(below), (id) =>
    isShot
      ? claims.has(claimOf('shot', id)) || claims.has(claimOf('token', shotToken(id)))
      : claims.has(claimOf('member', id)),
  )
}

/** The content as a command finds it before it changes something. */
export type Editing = {
  readonly content: ContentFolder
  readonly site: Site | undefined
  readonly loader: Loader
  readonly claims: Claims
}

/** Refuses a name that can't be a username, and one that is taken or reserved. */
export const requireFreeName = (name: string, { content, site, claims }: Editing): void => {
  if (!isUsername(name)) {
    throw new UserError(`${quote(name)} can't be a username`, { hint: `use ${usernameRule}` })
  }
  const what = `the name ${quote(name)}`
  if (reserves(site?.reserved ?? [])(name))
    throw new UserError(`${what} is reserved in site.yaml`, { answer: true })
  const holder = claims.get(claimOf('name', name))
  if (holder !== undefined)
    throw taken(what, shownPath(content, memberFolder(holder, content)))
}

const taken = (what: string, where: string) =>
  new UserError(`${what} is taken: ${where}`, { answer: true })

/**
 * Refuses an id or a token that somebody has, an alias that somebody has or that is given
 * twice, and a project that the member's profile doesn't list; a profile that can't be read
 * is not asked.
 */
export const requireFree = (
  { kind, username, values }: { kind: MemberKind; username: string; values: NewValues },
  editing: Editing,
): void => {
  const { content, claims } = editing
  const { id = '', aliases = [], token_id, id_project: project = '0' } = values
  if (claims.has(claimOf(kind === 'shot' ? 'shot' : 'member', String(id))))
    throw new UserError(`the id ${id} is taken`, {
      hint: 'leave it out to have a free one made',
      answer: true,
    })
  const token = String(token_id ?? shotToken(String(id)))
  const holder = claims.get(claimOf('token', token))
  if (holder !== undefined)
    throw taken(`the token ${token}`, shownPath(content, memberFolder(holder, content)))
  const held = new Map(claims).set(claimOf('name', username), username)
  for (const alias of [aliases].flat().map(String)) {
    requireFreeName(alias, { ...editing, claims: held })
    held.set(claimOf('name', alias), username)
  }
  if (project === '0') return
  const { profile } = filesIn(username, content)
  const listed = profile?.facts().projects
  if (
    profile === undefined ||
    listed === undefined ||
    listed.some((one) => one.id === project)
  )
    return
  throw new UserError(`${quote(profile.file)} lists no project ${quote(String(project))}`, {
    hint: `add it to its projects first: { id: ${project}, created: 2014-03-01 }`,
  })
}

/** A name that is nobody's is refused. */
export const requireMember = (username: string, content: ContentFolder): void => {
  const { members } = listMembers(content)
  if (members.includes(username)) return
  const near = suggest(username, members)
  const where = `see ${shownPath(content, names.members)}; npx shotpress new member makes one`
  const hint = near ? `did you mean ${near}?` : where
  throw new UserError(`there is no member ${quote(username)}`, { hint })
}
