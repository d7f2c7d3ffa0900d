import { nameForId, proposeId } from '../content/ids.ts'
import { isCopy, stemOf } from '../content/layout.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { groupBy } from '../text/groups.ts'
import { claimOf, shotToken } from './compile.ts'
import type { ClaimKind, Entry, Holding } from './entry.ts'

/** What must be unique over the site, and what is told of two that have the same. */
const codes = {
  member: 'duplicate-member-id',
  shot: 'duplicate-shot-id',
  token: 'duplicate-token',
  name: 'duplicate-name',
} as const satisfies Record<ClaimKind, string>

/** Whether a diagnostic tells of two that have the same. */
export const isClash = (code: string): boolean => Object.values<string>(codes).includes(code)

/** Who is compared with others. */
export type Claiming = Pick<Entry, 'username' | 'claims'>

/**
 * What must be unique over the site, and is not, in the order of the members. `holdingsOf` finds what a member holds; it is
 * asked only for members whose claims collide, and for these claims.
 */
export const findClashes = <T extends Claiming>(
  all: readonly T[],
  holdingsOf: (one: T, repeated: ReadonlySet<string>) => readonly Holding[],
) => {
  const repeated = findRepeated(all)
  if (repeated.size === 0) return []
  const mayHold = (one: T) => claimsOf(one, true).some((claim) => repeated.has(claim))
  const holdings = all.filter(mayHold).flatMap((one) => holdingsOf(one, repeated))
  const groups = groupBy(holdings, ({ kind, text }) => claimOf(kind, text))
  const taken = {
    member: new Set(all.flatMap((one) => idsIn(one, 'member'))),
    shot: new Set(all.flatMap((one) => idsIn(one, 'shot'))),
  }
  return [...groups.values()].flatMap((group) => judge(group, taken))
}

/** What is claimed more than once. */
const findRepeated = (all: readonly Claiming[]): ReadonlySet<string> => {
  const seen = new Set<string>()
  const hasTokens = all.some(({ claims }) => claims.includes(',token '))
  /** Whether it was claimed before. */
  const isRepeated = (claim: string): boolean => {
    if (seen.has(claim)) return true
    seen.add(claim)
    return false
  }
  return new Set(all.flatMap((one) => claimsOf(one, hasTokens).filter(isRepeated)))
}

/** All that is claimed; with the tokens that are made of ids only where they may equal one that a file gives. */
const claimsOf = (one: Claiming, withMade: boolean): readonly string[] => {
  const made = withMade ? idsIn(one, 'shot').map((id) => claimOf('token', shotToken(id))) : []
  return [...one.claims.split(','), ...made]
}

const idsIn = ({ claims }: Claiming, kind: 'member' | 'shot'): readonly string[] =>
  claims
    .split(',')
    .flatMap((one) => (one.startsWith(`${kind} `) ? [one.slice(kind.length + 1)] : []))

/**
 * Who may keep it: a token that is made before one that is written out, a username before an alias; then what
 * doesn't look like a copy of another holder; then who comes first in the order of the files, which is that of holders.
 */
const judge = (
  holders: readonly Holding[],
  taken: Readonly<Record<'member' | 'shot', Set<string>>>,
): readonly Diagnostic[] => {
  const names = new Set(holders.map(({ name }) => name))
  const isLess = ({ kind, made }: Holding) => !made && (kind === 'token' || kind === 'name')
  const looksCopied = ({ name, place }: Holding) => {
    // `poster 2` is also what people call a second poster
    const plain = name.replace(/\s.*|[_-]\d+$/s, '')
    return [name, ...place.file.split('/')].some(isCopy) || (plain !== name && names.has(plain))
  }
  const rankOf = (one: Holding) => 2 * Number(isLess(one)) + Number(looksCopied(one))
  const [first, ...others] = holders.toSorted((a, b) => rankOf(a) - rankOf(b))
  return others.flatMap((one) => {
    const { kind, text, place, made } = one
    // equal ids make equal tokens, and usernames may differ in letter case only: both are reported already
    if (made || first === undefined) return []
    const ids = kind === 'member' || kind === 'shot' ? taken[kind] : undefined
    const free = ids && proposeId(nameForId(place.file), (id) => ids.has(id))
    if (free !== undefined) ids?.add(free)
    // tea.yaml and tea.yml
    const isTwin = stemOf(place.file) === stemOf(first.place.file)
    const copy = isTwin || looksCopied(one) ? place.file : undefined
    const isOthers = first.made && !place.file.startsWith(`${first.place.file}/`)
    const folder = isOthers ? first.name : undefined
    const args = { id: text, token: text, name: text, free, copy, folder }
    return [diagnose(codes[kind], place, args, [{ ...first.place, message: 'it is taken here' }])]
  })
}
