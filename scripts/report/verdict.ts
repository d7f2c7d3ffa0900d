import { type Groups, inMember, isLeftAlone, memberFolder } from '../content/layout.ts'
import type { Profile } from '../content/member.ts'
import { isDeviceName } from '../content/username.ts'
import type { ChangedPath } from '../files/git.ts'
import { UserError } from '../problems/diagnostic.ts'
import { amount } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import { isRead } from './sides.ts'

/**
 * Whose a change is. `own`: all of it lies in folders of members who had its author for an owner before. `new`: it is one
 * new member, who has its author for the only owner. `mixed`: anything else, which a person has to look at.
 */
export type Verdict = {
  readonly kind: 'own' | 'new' | 'mixed'
  /** Usernames, sorted. */
  readonly members: readonly string[]
  /** Why it is not `own` or `new`; none if it is. */
  readonly reasons: readonly string[]
}

export type VerdictOptions = {
  /** How members are grouped at the base. */
  readonly groups?: Groups | undefined
  /** The numeric id of the author's account at the forge. */
  readonly author: string
  /** All that changed in the repository. */
  readonly changes: readonly ChangedPath[]
  /** The files of the content at the base, from its folder on. */
  readonly files: readonly { readonly path: string }[]
  /** The content folder's path in the repository, empty or with `/` at its end. */
  readonly prefix: string
  /** By username, valid members only. */
  readonly before: ReadonlyMap<string, { readonly profile: Profile }>
  readonly after: ReadonlyMap<string, { readonly profile: Profile }>
  /** Whether the base has a file in the folder of a member. */
  readonly isKnown: (username: string) => boolean
  readonly hasErrors: boolean
}

/** Bytes that the files of one change may add. */
const mostGrowth = 10 * 1024 ** 2

/** Reads `--author`. */
export const parseAuthor = (text: string): string => {
  if (/^[1-9][0-9]{0,19}$/.test(text)) return text
  throw new UserError(`--author takes the number of an account at the forge, not ${quote(text)}`, {
    hint: 'gh api users/NAME --jq .id prints it; in a workflow it is github.event.pull_request.user.id',
  })
}

export const judge = (options: VerdictOptions): Verdict => {
  const { changes, isKnown } = options
  const usernames = changes.flatMap((change) => ownerOf(change, options) ?? [])
  const members = [...new Set(usernames)].sort()
  const isNew = members.some((username) => !isKnown(username))
  const reasons = [...reasonsAgainst(members, options)]
  const right = isNew ? 'new' : 'own'
  return {
    kind: reasons.length > 0 ? 'mixed' : right,
    members,
    reasons: reasons.slice(0, mostReasons),
  }
}

const mostReasons = 20

function* reasonsAgainst(members: readonly string[], options: VerdictOptions): Generator<string> {
  const { changes, isKnown, hasErrors } = options
  if (hasErrors) yield 'the content has errors'
  if (changes.length === 0) yield 'nothing changes'
  for (const change of changes) {
    if (ownerOf(change, options) === undefined) yield `${quote(change.path)} is no file of a member`
    const problem = modeProblem(change)
    if (problem !== undefined) yield `${quote(change.path)} ${problem}`
  }
  for (const path of cramped(options))
    yield `${quote(path)} has a name that not every system can hold beside the others`
  const growth = changes.reduce((sum, { sizes: [before, after] }) => sum + after - before, 0)
  if (growth > mostGrowth)
    yield `it adds ${amount(growth, 'byte')}, more than ${amount(mostGrowth, 'byte')}`
  const added = members.filter((username) => !isKnown(username))
  const others = members.filter(isKnown)
  for (const username of others) yield* takenProblems(username, options)
  for (const username of added) yield* newProblems(username, options)
  if (added.length > 1) yield `${added.length} members are new`
  if (added.length > 0 && others.length > 0) yield 'a member is new, and another one changes'
}

/** The member to whom a path belongs, if it is one that Shotpress reads. */
const ownerOf = (
  { path }: ChangedPath,
  { prefix, groups = 0 }: VerdictOptions,
): string | undefined => {
  if (!path.startsWith(prefix) || path.includes('\ufffd')) return undefined
  const { username, rest } = inMember(path.slice(prefix.length), { groups })
  // in another group it would be nobody's
  const isThere = path === `${prefix}${memberFolder(username, { groups })}/${rest}`
  // what is hidden may be for git, such as .gitattributes
  const isHidden = [username, ...rest.split('/')].some(isLeftAlone)
  return username !== '' && isThere && !isHidden && isRead(rest) ? username : undefined
}

/** Files that are left and can't be checked out everywhere: clones of all others would break. */
const cramped = ({ changes, files, prefix }: VerdictOptions): readonly string[] => {
  const gone = new Set(changes.map(({ path }) => path))
  const left = changes.filter(({ modes }) => modes[1] !== '000000').map(({ path }) => path)
  const others = files.map(({ path }) => prefix + path).filter((path) => !gone.has(path))
  const spelled = (path: string): string => path.normalize().toLowerCase()
  const counts = new Map<string, number>()
  for (const path of new Set([...left, ...others]))
    counts.set(spelled(path), 1 + (counts.get(spelled(path)) ?? 0))
  const isPlain = (name: string): boolean => plainName.test(name) && !isDeviceName(name)
  return left.filter((path) => !path.split('/').every(isPlain) || counts.get(spelled(path)) !== 1)
}

/** As Windows takes it, and without what turns or hides a text. */
const plainName = /^[^\p{Cc}\p{Cf}<>:"|?*\\]*[^\p{Cc}\p{Cf}<>:"|?*\\ .]$/u

const modeProblem = ({ modes }: ChangedPath): string | undefined => {
  if (modes.includes('?')) return 'is not committed'
  const isPlain = (mode: string): boolean => mode === '100644' || mode === '000000'
  return modes.every(isPlain) ? undefined : `is no plain file: ${modes.join(' becomes ')}`
}

/** Why an account may not change a member who is there. */
const takenProblems = (
  username: string,
  { author, before, after }: VerdictOptions,
): readonly string[] => {
  const old = before.get(username)?.profile
  const now = after.get(username)?.profile
  const name = quote(username)
  if (old === undefined) return [`the profile of ${name} has errors at the base`]
  if (!old.owners.includes(author)) return [`${author} is no owner of ${name}`]
  if (now === undefined) return [`${name} is removed, or has errors`]
  const keys = ['id', 'owners', 'aliases'] as const
  return keys
    .filter((key) => String(old[key]) !== String(now[key]))
    .map((key) => `${name} changes its ${key}`)
}

const newProblems = (username: string, { author, after }: VerdictOptions): readonly string[] => {
  const owners = after.get(username)?.profile.owners
  if (owners === undefined) return [`${quote(username)} has no profile without errors`]
  return owners.length === 1 && owners[0] === author
    ? []
    : [`the owners of ${quote(username)} are not just ${author}`]
}
