import { type Entries, fewFresh } from '../state/entries.ts'
import { namesOf, StoredEntry } from '../state/entry.ts'
import { sameBytes } from '../state/fingerprint.ts'
import { slotPath, slots } from '../state/slots.ts'
import type { State } from '../state/state.ts'

/** A line of SHA256SUMS that gets another digest. */
export type NewLine = { readonly path: string; readonly digest: Buffer }

/**
 * The lines in which the list of these entries differs from that of the state. `undefined` if lines come or go, or if
 * so many differ that a whole new list costs no more.
 */
export const findNewLines = (
  { fresh, length }: Entries,
  { memory, offsets }: State,
): readonly NewLine[] | undefined => {
  // the same members, if each of the fresh ones was there before
  if (offsets.size !== length || fresh.length > fewFresh) return undefined
  const lines: NewLine[] = []
  for (const entry of fresh) {
    const offset = offsets.get(entry.username)
    if (offset === undefined) return undefined
    const before = new StoredEntry(memory, offset)
    if (namesOf(before).join('/') !== namesOf(entry).join('/')) return undefined
    for (const [number, slot] of slots.entries()) {
      const [digest, old] = [entry.digests[number], before.digests[number]]
      if (sameBytes(digest, old)) continue
      if (digest === undefined || old === undefined) return undefined
      for (const name of namesOf(entry)) lines.push({ path: slotPath(slot, name), digest })
    }
  }
  return lines
}

/** Puts new digests into a list, which is sorted by path; says whether it has all of the paths. */
export const putLines = (list: Buffer, lines: readonly NewLine[]): boolean => {
  let at = 0
  for (const { path, digest } of lines.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    at = list.indexOf(`  ${path}\n`, at)
    if (at < digestLength) return false
    list.write(digest.toString('hex'), at - digestLength, 'latin1')
  }
  return true
}

/** Hex digits of a sha256. */
const digestLength = 64
