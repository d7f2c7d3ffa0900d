import { scanMember } from '../../content/read/scan.ts'
import type { Diagnostic, Place, Related } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import type { StateEntry } from '../state/entry.ts'
import {
  claimOf,
  findRepeated,
  findRepeatedBy,
  holdsAny,
  isClaimed,
  memberClaim,
  shotToken,
  sortClaims,
} from './claims.ts'
import type { Tools } from './compile.ts'
import { originalOf, unnumbered } from './copies.ts'
import { createFreeId, type FreeId } from './free-id.ts'
import { claimFor, findHoldings, type Holding } from './holdings.ts'

/**
 * What must be unique over the site, and is not. If the others are known to be unlike each other, only what the `fresh`
 * entries claim is compared. Only the files of members whose claims collide are read again.
 */
export const findConflicts = (
  entries: Iterable<StateEntry>,
  tools: Tools,
  { fresh }: { readonly fresh?: Iterable<StateEntry> | undefined } = {},
): Diagnostic[] => {
  const repeated = fresh === undefined ? findRepeated(sortClaims(entries)) : findRepeatedBy(fresh, entries)
  if (repeated.size === 0) return []
  const holdings: Holding[] = []
  for (const { username, claims } of entries) {
    if (!holdsAny(claims, repeated)) continue
    const scan = scanMember(username, tools.content)
    for (const holding of findHoldings(scan, tools))
      if (isHeldTwice(holding, repeated)) holdings.push(holding)
  }
  return judgeHoldings(holdings, sortClaims(entries))
}

/** Whether what stands for it is claimed more than once. */
export const isHeldTwice = (holding: Holding, repeated: ReadonlySet<bigint>): boolean =>
  holdsAny(claimFor(holding), repeated)

/** What is wrong with holdings of the whole site, of which some may be equal; `all` are its claims. */
export const judgeHoldings = (
  holdings: readonly Holding[],
  all: ReturnType<typeof sortClaims>,
): Diagnostic[] => {
  const groups = new Map<string, Holding[]>()
  for (const holding of holdings) {
    const key = `${holding.code} ${holding.value}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [holding])
    else group.push(holding)
  }
  const freeIds: FreeIds = {
    'duplicate-member-id': createFreeId((id) => isClaimed(all, memberClaim(id))),
    'duplicate-shot-id': createFreeId((id) => isClaimed(all, claimOf(shotToken(id)))),
  }
  return [...groups.values()].flatMap((group) => judge(group, freeIds))
}

type FreeIds = { readonly [C in Holding['code']]?: FreeId }

/**
 * Who may keep it: a token that is made before one that is written out, a username before an alias; then what
 * doesn't look like a copy of another holder; then who comes first in the order of the files.
 */
const judge = (holders: readonly Holding[], freeIds: FreeIds): Diagnostic[] => {
  const all = new Set(holders.map(({ name }) => name))
  const [first, ...others] = holders.toSorted(
    (a, b) => rank(a) - rank(b) || copyRank(a, all) - copyRank(b, all) || compare(a.place, b.place),
  )
  const related: Related = { ...first!.place, message: 'it is taken here' }
  return others.flatMap(({ code, text, place, made }) => {
    // equal ids make equal tokens, and usernames may differ in letter case only: both are reported already
    if (made) return []
    const free = freeIds[code]?.(text)
    return [diagnose(code, place, { id: text, token: text, name: text, free }, [related])]
  })
}

const rank = ({ code, made }: Holding): number =>
  made || code === 'duplicate-member-id' || code === 'duplicate-shot-id' ? 0 : 1

const copyRank = ({ name }: Holding, all: ReadonlySet<string>): number => {
  const plain = unnumbered(name)
  return originalOf(name) !== undefined || (plain !== name && all.has(plain)) ? 1 : 0
}

const compare = (a: Place, b: Place): number =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1
