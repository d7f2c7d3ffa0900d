import { type ContentFolder, isLeftAlone } from '../content/layout.ts'
import type { Profile } from '../content/member.ts'
import { isDeviceName } from '../content/username.ts'
import { type ChangedPath, readChanges, type Tree } from '../files/git.ts'
import { hasErrors, UserError } from '../problems/diagnostic.ts'
import { amount } from '../text/amounts.ts'
import { groupBy } from '../text/groups.ts'
import { quote } from '../text/printable.ts'
import { memberFile, type Side } from './sides.ts'

/**
 * Whose a change is. `own`: all of it lies in folders of members who had its author for an
 * owner before. `new`: it is one new member, who has its author for the only owner. `mixed`:
 * anything else, which a person has to look at.
 */
export type Verdict = {
  readonly kind: 'own' | 'new' | 'mixed'
  /** Usernames, sorted. */
  readonly members: readonly string[]
  /** Why it is not `own` or `new`; none if it is. */
  readonly reasons: readonly string[]
}

type Members = ReadonlyMap<string, { readonly profile: Profile }>

type VerdictOptions = {
  /** The numeric id of the author's account at the forge. */
  readonly author: string
  readonly base: Side
  readonly head: Side
  /** Members of the base whose profiles are valid, whatever their shots are; by username. */
  readonly before: Members
  /** The valid members of the head. */
  readonly after: Members
}

/** Bytes that the files of one change may add. */
const mostGrowth = 10 * 1024 ** 2

/** Reads `--author`. */
export const parseAuthor = (text: string): string => {
  if (/^[1-9][0-9]{0,19}$/.test(text)) return text
  throw new UserError(
    `--author takes the number of an account at the forge, not ${quote(text)}`,
    {
      hint: 'gh api users/NAME --jq .id prints it; in a workflow it is github.event.pull_request.user.id',
    },
  )
}

/** Judges all that changed in the repository since the base. */
export const judge = (options: VerdictOptions): Verdict => {
  const { tree, tools, keys } = options.base
  if (tree === undefined) {
    throw new UserError(
      '--author needs a revision of the repository as the base, not a folder',
      {
        hint: 'write --base main, or --base HEAD^1 in the checkout of a pull request',
      },
    )
  }
  const changes = readChanges(tree)
  const owners = changes.map(({ path }) => ownerOf(path, tree.prefix, tools.content))
  const members = [...new Set(owners.filter((username) => username !== undefined))].sort()
  const added = members.filter((username) => !keys.has(username))
  const reasons = [
    ...changes.filter((_, at) => owners[at] === undefined).map(isNobodys),
    ...problemsOf(changes, tree),
    ...problemsOfMembers(members, added, options),
  ]
  const right = added.length > 0 ? 'new' : 'own'
  return {
    kind: reasons.length > 0 ? 'mixed' : right,
    members,
    reasons: reasons.slice(0, mostReasons),
  }
}

const mostReasons = 20

/** The member to whom a path belongs, if it is one that Shotpress reads. */
const ownerOf = (path: string, prefix: string, content: ContentFolder) => {
  const below = path.slice(prefix.length)
  // what is hidden may be for git, such as .gitattributes
  const isHidden = below.split('/').some(isLeftAlone)
  if (!path.startsWith(prefix) || path.includes('\ufffd') || isHidden) return undefined
  return memberFile(below, content)?.username
}

const isNobodys = ({ path }: ChangedPath) => `${quote(path)} is no file of a member`

/** What is wrong with changes, whoever makes them. */
function* problemsOf(changes: readonly ChangedPath[], tree: Tree): Generator<string> {
  if (changes.length === 0) yield 'nothing changes'
  for (const { path, modes } of changes) {
    if (modes.includes('?')) yield `${quote(path)} is not committed`
    else if (!modes.every((mode) => mode === '100644' || mode === '000000'))
      yield `${quote(path)} is no plain file: ${modes.join(' becomes ')}`
  }
  for (const path of cramped(changes, tree))
    yield `${quote(path)} has a name that not every system can hold beside the others`
  const growth = changes.reduce((sum, { sizes: [before, after] }) => sum + after - before, 0)
  if (growth > mostGrowth)
    yield `it adds ${amount(growth, 'byte')}, more than ${amount(mostGrowth, 'byte')}`
}

/** Files that are left and can't be checked out everywhere: clones of all others would break. */
const cramped = (
  changes: readonly ChangedPath[],
  { files, prefix }: Tree,
): readonly string[] => {
  const gone = new Set(changes.map(({ path }) => path))
  const left = changes.filter(({ modes }) => modes[1] !== '000000').map(({ path }) => path)
  const others = files.map(({ path }) => prefix + path).filter((path) => !gone.has(path))
  const spelled = (path: string) => path.normalize().toLowerCase()
  const alike = groupBy(new Set([...left, ...others]), spelled)
  const isPlain = (name: string) => plainName.test(name) && !isDeviceName(name)
  return left.filter(
    (path) => !path.split('/').every(isPlain) || alike.get(spelled(path))?.length !== 1,
  )
}

/** As Windows takes it, and without what turns or hides a text. */
const plainName = /^[^\p{Cc}\p{Cf}<>:"|?*\\]*[^\p{Cc}\p{Cf}<>:"|?*\\ .]$/u

/** Why an account may not change these members, of whom some are new. */
function* problemsOfMembers(
  members: readonly string[],
  added: readonly string[],
  { author, base, head, before, after }: VerdictOptions,
): Generator<string> {
  if (hasErrors(head.diagnostics)) yield 'the content has errors'
  for (const username of members) {
    const old = before.get(username)?.profile
    const now = after.get(username)?.profile
    const name = quote(username)
    if (added.includes(username)) {
      if (now === undefined) yield `${name} has no profile without errors`
      else if (String(now.owners) !== author)
        yield `the owners of ${name} are not just ${author}`
    } else if (old === undefined)
      yield base.keys.get(username) === head.keys.get(username)
        ? `the content of ${name} stays the same`
        : `the profile of ${name} has errors at the base`
    else if (!old.owners.includes(author)) yield `${author} is no owner of ${name}`
    else if (now === undefined) yield `${name} is removed, or has errors`
    else
      for (const key of ['id', 'owners', 'aliases'] as const)
        if (String(old[key]) !== String(now[key])) yield `${name} changes its ${key}`
  }
  if (added.length > 1) yield `${added.length} members are new`
  if (added.length > 0 && members.length > added.length)
    yield 'a member is new, and another one changes'
}
