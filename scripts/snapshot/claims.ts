import { scanMember } from '../content/read/scan.ts'
import type { Diagnostic, Related } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import {
  type ClaimKind,
  type Compiled,
  claimOf,
  compileMember,
  type Holding,
  shotToken,
  type Tools,
} from './compile.ts'

/** What must be unique over the site, and what is told of two that have the same. */
const codes = {
  member: 'duplicate-member-id',
  shot: 'duplicate-shot-id',
  token: 'duplicate-token',
  name: 'duplicate-name',
} as const satisfies Record<ClaimKind, string>

/** Whether a diagnostic tells of two that have the same. */
export const isClash = (code: string): boolean => Object.values<string>(codes).includes(code)

export type Claiming = Pick<Compiled, 'claims'>

const claimsIn = ({ claims }: Claiming, kind: ClaimKind): readonly string[] =>
  claims.split(',').flatMap((one) => (one.startsWith(`${kind} `) ? [one.slice(kind.length + 1)] : []))

/** All that is claimed; with the tokens that are made of ids only where they may equal one that a file gives. */
const claimsOf = (one: Claiming, withMade: boolean): readonly string[] => {
  const made = withMade ? claimsIn(one, 'shot').map((id) => claimOf('token', shotToken(id))) : []
  return [...one.claims.split(','), ...made]
}

/**
 * What must be unique over the site, and is not, in the order of the members. All but the fresh ones are known to be unlike
 * each other. `holdingsOf` finds what a member holds; it is asked only for members whose claims collide.
 */
export const findClashes = <T extends Claiming>(
  all: readonly T[],
  fresh: readonly T[],
  holdingsOf: (one: T) => readonly Holding[],
): readonly Diagnostic[] => {
  const repeated = findRepeated(all, fresh)
  if (repeated.size === 0) return []
  const groups = new Map<string, Holding[]>()
  for (const one of all.filter((one) => claimsOf(one, true).some((claim) => repeated.has(claim)))) {
    for (const holding of holdingsOf(one)) {
      const claim = claimOf(holding.kind, holding.text)
      if (repeated.has(claim)) groups.set(claim, [...(groups.get(claim) ?? []), holding])
    }
  }
  const freeIdOf = (kind: ClaimKind) => createFreeId(new Set(all.flatMap((one) => claimsIn(one, kind))))
  const freeIds = new Map([
    ['member', freeIdOf('member')],
    ['shot', freeIdOf('shot')],
  ])
  return [...groups.values()].flatMap((group) => judge(group, freeIds))
}

/** What is claimed more than once. */
const findRepeated = (all: readonly Claiming[], fresh: readonly Claiming[]): ReadonlySet<string> => {
  const [seen, repeated] = [new Set<string>(), new Set<string>()]
  if (fresh.length === 0) return repeated
  const haveTokens = (some: readonly Claiming[]) => some.some(({ claims }) => claims.includes(',token '))
  const [hasTokens, freshTokens] = [haveTokens(all), haveTokens(fresh)]
  const isFresh = new Set(fresh)
  const wanted = fresh === all ? undefined : new Set(fresh.flatMap((one) => claimsOf(one, hasTokens)))
  for (const one of all) {
    for (const claim of claimsOf(one, isFresh.has(one) ? hasTokens : freshTokens)) {
      if (wanted?.has(claim) === false) continue
      if (seen.has(claim)) repeated.add(claim)
      seen.add(claim)
    }
  }
  return repeated
}

/**
 * Who may keep it: a token that is made before one that is written out, a username before an alias; then what
 * doesn't look like a copy of another holder; then who comes first in the order of the files, which is that of holders.
 */
const judge = (
  holders: readonly Holding[],
  freeIds: ReadonlyMap<string, ReturnType<typeof createFreeId>>,
): readonly Diagnostic[] => {
  const names = new Set(holders.map(({ name }) => name))
  const isLess = ({ kind, made }: Holding): number => Number(!made && (kind === 'token' || kind === 'name'))
  // `poster 2` is also what people call a second poster
  const plainOf = (name: string): string => name.replace(/[\s_-]\d+$/, '')
  const looksCopied = ({ name }: Holding): number =>
    Number(isCopy(name) || (plainOf(name) !== name && names.has(plainOf(name))))
  const [first, ...others] = holders.toSorted(
    (a, b) => isLess(a) - isLess(b) || looksCopied(a) - looksCopied(b),
  )
  const related: Related = { ...first!.place, message: 'it is taken here' }
  return others.flatMap(({ kind, text, place, made }) => {
    // equal ids make equal tokens, and usernames may differ in letter case only: both are reported already
    if (made) return []
    const free = freeIds.get(kind)?.(text)
    return [diagnose(codes[kind], place, { id: text, token: text, name: text, free }, [related])]
  })
}

/** Whether a name looks like one that a program gave to a copy: `poster - Copy (2)`, `poster (1)`, `Copy of poster`. */
export const isCopy = (name: string): boolean => {
  const original = name.replace(beforeCopy, '').replace(afterCopy, '')
  return original !== name && original !== ''
}

const copyWord = '(?:copy|kopie|copie|copia|cópia|kopia|kopi)'
const beforeCopy = new RegExp(`^${copyWord}(?: ?\\(?\\d+\\)?)? (?:of|von|de|di) `, 'i')
const afterCopy = new RegExp(`(?:[\\s._–—-]+${copyWord}(?:[\\s_-]*\\(?\\d+\\)?)?|\\s*\\(\\d+\\))+$`, 'i')

/** Makes a finder of free ids above a taken one, each of which it names once. It names none of more than 20 digits. */
export const createFreeId = (taken: ReadonlySet<string>): ((id: string) => string | undefined) => {
  let last = 0n
  return (id) => {
    if (id.length > 20) return undefined
    if (BigInt(id) > last) last = BigInt(id)
    do last++
    while (taken.has(String(last)))
    return String(last)
  }
}

/** All that a member holds, by its files as they are now. */
export const findHoldings = (username: string, tools: Tools): readonly Holding[] => {
  const holdings: Holding[] = []
  compileMember(scanMember(username, tools.content), tools, { hold: (one) => holdings.push(one) })
  return holdings
}
