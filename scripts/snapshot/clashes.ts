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
 * What must be unique over the site, and is not, in the order of the members. `holdingsOf`
 * finds what a member holds; it is asked only for members whose claims collide, and for these
 * claims.
 */
export const findClashes = <T extends Claiming>(
  all: readonly T[],
  holdingsOf: (one: T, repeated: ReadonlySet<string>) => readonly Holding[],
) => {
  const { taken, repeated } = compareClaims(all)
  if (repeated.size === 0) return []
  const mayHold = (one: T) => claimsOf(one, true).some((claim) => repeated.has(claim))
  const holdings = all.filter(mayHold).flatMap((one) => holdingsOf(one, repeated))
  const groups = groupBy(holdings, ({ kind, text }) => claimOf(kind, text))
  return [...groups.values()].flatMap((group) => judge(group, taken))
}

/** What is claimed, and what of that more than once. */
const compareClaims = (all: readonly Claiming[]) => {
  const taken = new Set<string>()
  const repeated = new Set<string>()
  const hasTokens = all.some(({ claims }) => claims.includes(',token '))
  for (const one of all)
    for (const claim of claimsOf(one, hasTokens)) {
      if (taken.has(claim)) repeated.add(claim)
      taken.add(claim)
    }
  return { taken, repeated }
}

/**
 * All that is claimed; with the tokens that are made of ids only where they may equal one
 * that a file gives.
 */
const claimsOf = ({ claims }: Claiming, withMade: boolean): readonly string[] => {
  const given = claims.split(',')
  if (!withMade) return given
  const shot = claimOf('shot', '')
  const shots = given.filter((claim) => claim.startsWith(shot))
  const made = shots.map((claim) => claimOf('token', shotToken(claim.slice(shot.length))))
  return [...given, ...made]
}

/**
 * Who may keep it: a token that is made before one that is written out, a username before an
 * alias; then what doesn't look like a copy of another holder; then who comes first in the
 * order of the files, which is that of holders.
 */
const judge = (holders: readonly Holding[], taken: Set<string>): readonly Diagnostic[] => {
  const names = new Set(holders.map(({ name }) => name))
  const isLess = ({ kind, made }: Holding) => !made && (kind === 'token' || kind === 'name')
  const looksCopied = ({ name, place }: Holding) => {
    // `poster 2` is also what people call a second poster
    const plain = name.replace(/\s.*|[_-]\d+$/s, '')
    const isNumbered = plain !== name && names.has(plain)
    return isNumbered || [name, ...place.file.split('/')].some(isCopy)
  }
  const rankOf = (one: Holding) => 2 * Number(isLess(one)) + Number(looksCopied(one))
  const [first, ...others] = holders.toSorted((a, b) => rankOf(a) - rankOf(b))
  return others.flatMap((one) => {
    const { kind, text, place, made } = one
    // equal ids make equal tokens, and usernames may differ in letter case only: both are
    // reported already
    if (made || first === undefined) return []
    const isId = kind === 'member' || kind === 'shot'
    const isTaken = (id: string) => taken.has(claimOf(kind, id))
    const free = isId ? proposeId(nameForId(place.file), isTaken) : undefined
    if (free !== undefined) taken.add(claimOf(kind, free))
    // tea.yaml and tea.yml
    const isTwin = stemOf(place.file) === stemOf(first.place.file)
    const copy = isTwin || looksCopied(one) ? place.file : undefined
    const isOthers = first.made && !place.file.startsWith(`${first.place.file}/`)
    const folder = isOthers ? first.name : undefined
    const args = { id: text, token: text, name: text, free, copy, folder }
    const holder = { ...first.place, message: 'it is taken here' }
    return [diagnose(codes[kind], place, args, [holder])]
  })
}
