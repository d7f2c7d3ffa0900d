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

type Claiming = Pick<StateEntry, 'claims'>

/** All claims of a site, sorted. */
export const sortClaims = (entries: Iterable<Claiming>): BigUint64Array => {
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

/** The same if only some entries, which are among all, can have made a claim that is made already. */
export const findRepeatedBy = (some: Iterable<Claiming>, all: Iterable<Claiming>): ReadonlySet<bigint> => {
  const counts = new Map([...sortClaims(some)].map((claim) => [claim, 0]))
  // by their first bytes, nearly all others are told apart
  const starts = new Uint8Array(1 << 16)
  for (const { claims } of some) {
    for (let at = 0; at < claims.length; at += claimSize) starts[startOf(claims, at)] = 1
  }
  for (const { claims } of all) {
    for (let at = 0; at < claims.length; at += claimSize) {
      if (starts[startOf(claims, at)] === 0) continue
      const claim = claimAt(claims, at)
      const count = counts.get(claim)
      if (count !== undefined) counts.set(claim, count + 1)
    }
  }
  return new Set([...counts].flatMap(([claim, count]) => (count > 1 ? claim : [])))
}

const startOf = (claims: Uint8Array, at: number): number => claims[at]! | (claims[at + 1]! << 8)

/** From a copy, because the claims may stand anywhere in memory that they share. */
const claimAt = (claims: Uint8Array, at: number): bigint =>
  new BigUint64Array(Uint8Array.from(claims.subarray(at, at + claimSize)).buffer)[0]!

/** Whether somebody makes a claim. */
export const isClaimed = (all: BigUint64Array, claim: Uint8Array): boolean => {
  const wanted = claimAt(claim, 0)
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
