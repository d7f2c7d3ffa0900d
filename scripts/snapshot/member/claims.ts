import { hash } from 'node:crypto'
import { foldUsername } from '../../content/username.ts'
import { claimSize, type StateEntry } from '../state/entry.ts'

/** The token that a shot has if its file gives none: sha1 of `shot:<id>`, in hex. */
export const shotToken = (id: string): string => hash('sha1', `shot:${id}`)

/** The same in hex: what stands for a value that nobody else in the site may have. */
export const claimIn = (sum: string): string => sum.slice(0, claimSize * 2)

/** The same as bytes. */
export const claimOf = (sum: string): Uint8Array => Buffer.from(claimIn(sum), 'hex')

/** What stands for a member's id. */
export const memberClaim = (id: string): Uint8Array => claimOf(hash('sha1', `member:${id}`))

/** What stands for a name at which the API answers, a username or an alias, in whatever letter case. */
export const nameClaim = (name: string): Uint8Array => claimOf(hash('sha1', `name:${foldUsername(name)}`))

/** All claims of a site, sorted. */
export const sortClaims = (entries: Iterable<Pick<StateEntry, 'claims'>>): BigUint64Array => {
  let size = 0
  for (const { claims } of entries) size += claims.length
  const all = new BigUint64Array(size / claimSize)
  const bytes = new Uint8Array(all.buffer)
  let at = 0
  for (const { claims } of entries) {
    bytes.set(claims, at)
    at += claims.length
  }
  return all.sort()
}

/** The claims that are made more than once. */
export const findRepeated = (all: BigUint64Array): ReadonlySet<bigint> => {
  const halves = new Uint32Array(all.buffer)
  const repeated = new Set<bigint>()
  for (let i = 2; i < halves.length; i += 2) {
    if (halves[i] === halves[i - 2] && halves[i + 1] === halves[i - 1]) repeated.add(all[i / 2]!)
  }
  return repeated
}

/** Whether somebody makes a claim. */
export const isClaimed = (all: BigUint64Array, claim: Uint8Array): boolean => {
  const wanted = new BigUint64Array(Uint8Array.from(claim).buffer)[0]!
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return all[low] === wanted
}

/** Whether one of the claims is among the repeated ones. */
export const holdsAny = (claims: Uint8Array, repeated: ReadonlySet<bigint>): boolean => {
  if (repeated.size === 0) return false
  // a copy, because the claims may stand anywhere in memory that they share
  return new BigUint64Array(Uint8Array.from(claims).buffer).some((claim) => repeated.has(claim))
}
