import { byPath } from '../content/username.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { findRepeated, holdsAny, sortClaims } from './member/claims.ts'
import { isHeldTwice, judgeHoldings } from './member/conflicts.ts'
import { claimFor, type Holding } from './member/holdings.ts'
import type { OpenShard } from './open-shards.ts'
import { parseHoldings, readHoldingsLines } from './shard-file.ts'
import { StoredEntry } from './state/entry.ts'

/** What must be unique over all shards, and is not: what a check of the whole content says, at the same places. */
export const findClashes = (shards: readonly OpenShard[]): readonly Diagnostic[] => {
  const all = sortClaims(shards.flatMap(claimsIn))
  const repeated = findRepeated(all)
  if (repeated.size === 0) return []
  const found: { readonly username: string; readonly holding: Holding }[] = []
  for (const shard of shards) {
    const { own, facts, state } = shard
    for (const line of readHoldingsLines(own)) {
      const at = state.offsets.get(line.username)
      if (at !== undefined && !holdsAny(new StoredEntry(state.memory, at).claims, repeated)) continue
      for (const holding of parseHoldings(line)) {
        if (!isHeldTwice(holding, repeated)) continue
        const place = { ...holding.place, file: `${facts.content}/${holding.place.file}` }
        found.push({ username: line.username, holding: { ...holding, place } })
      }
    }
  }
  // in the order of a check, which names free ids one after the other
  found.sort((a, b) => (a.username === b.username ? 0 : byPath(a.username, b.username)))
  return judgeHoldings(
    found.map(({ holding }) => holding),
    all,
  )
}

const claimsIn = ({ own, facts, state }: OpenShard): readonly { readonly claims: Uint8Array }[] =>
  facts.sums === ''
    ? [...readHoldingsLines(own)].map((line) => ({
        claims: Buffer.concat(parseHoldings(line).filter(isClaimed).map(claimFor)),
      }))
    : [...state.offsets.values()].map((at) => new StoredEntry(state.memory, at))

/** A token that is made of an id has the same claim. */
const isClaimed = ({ code, made }: Holding): boolean => !(code === 'duplicate-token' && made)
