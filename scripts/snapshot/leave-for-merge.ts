import { createReader } from '../content/read/read-file.ts'
import { scanMember } from '../content/read/scan.ts'
import type { Tools } from './member/compile.ts'
import { findHoldings } from './member/holdings.ts'
import {
  type HoldingsLine,
  holdingsLines,
  readHoldingsLines,
  readShardFacts,
  type ShardFacts,
  writeShardFile,
} from './shard-file.ts'
import type { Entries } from './state/entries.ts'

export type ShardBuild = Omit<ShardFacts, 'content'> & { readonly tools: Tools; readonly entries: Entries }

/** Leaves in a build's own folder what the merge has to know of a shard besides its state. */
export const leaveForMerge = (own: string, { tools, entries, ...rest }: ShardBuild): void => {
  const facts: ShardFacts = { ...rest, content: tools.content.name }
  const before = readShardFacts(own)
  if (before !== undefined && before.sums !== '' && JSON.stringify(before) === JSON.stringify(facts)) return
  // where they stand is below the content folder: a merge may call it something else
  const content = { ...tools.content, name: '.' }
  const inside = { ...tools, content, read: createReader(content) }
  writeShardFile(own, facts, linesFor(entries, { old: readHoldingsLines(own), tools: inside }))
}

/** A member's lines as they were, if its content was the same. Both are in the order of the members. */
function* linesFor(
  entries: Entries,
  { old, tools }: { readonly old: Iterator<HoldingsLine>; readonly tools: Tools },
): Generator<string> {
  const kept = new Map<string, string[]>()
  for (let next = old.next(); !next.done; next = old.next()) {
    const { username, key, line } = next.value
    const lines = kept.get(`${username} ${key}`)
    if (lines === undefined) kept.set(`${username} ${key}`, [line])
    else lines.push(line)
  }
  for (const { username, contentKey } of entries) {
    const key = contentKey.toString('hex')
    const lines = kept.get(`${username} ${key}`)
    if (lines !== undefined) yield* lines
    else {
      const holdings = findHoldings(scanMember(username, tools.content), tools, { quick: true })
      yield* holdingsLines({ username, key }, holdings.map(inContent))
    }
  }
}

const inContent = <T extends { readonly place: { readonly file: string } }>(holding: T): T => ({
  ...holding,
  place: { ...holding.place, file: holding.place.file.replace(/^\.\//, '') },
})
