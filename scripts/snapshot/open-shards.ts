import { sumsFile } from '../api/routes.ts'
import { UserError } from '../problems/user-error.ts'
import { hashFile } from './dist/look/audit.ts'
import { readShardFacts, type ShardFacts } from './shard-file.ts'
import { findOwnFolder, overlap, resolveSnapshot } from './state/folders.ts'
import { nameOf } from './state/shard.ts'
import { emptyState, readState, type State } from './state/state.ts'

/** A shard that was built, as a merge finds it. */
export type OpenShard = {
  /** As on the command line. */
  readonly name: string
  /** The build's own folder. */
  readonly own: string
  readonly facts: ShardFacts
  /** Empty if the shard could not be built because members of it clash. */
  readonly state: State
  readonly hasMembers: boolean
}

type ShardNames = { readonly out: string; readonly state: string | undefined }

/** Opens all shards of one N, in their order; refuses what is none, and says which are missing. */
export const openShards = (
  shards: readonly ShardNames[],
  { apart }: { readonly apart: string },
): readonly OpenShard[] => {
  const opened = shards
    .map((shard) => openShard(shard, apart))
    .sort((a, b) => a.facts.shard.index - b.facts.shard.index)
  const first = opened[0]!
  const { count } = first.facts.shard
  for (const [at, { name, facts }] of opened.entries()) {
    const before = opened[at - 1]
    if (facts.shard.count !== count) {
      throw new UserError(
        `"${first.name}" is shard ${nameOf(first.facts.shard)}, and "${name}" is shard ${nameOf(facts.shard)}`,
        { hint: 'build all with the same number of shards' },
      )
    }
    if (before?.facts.shard.index === facts.shard.index) {
      throw new UserError(`"${before.name}" and "${name}" are both shard ${nameOf(facts.shard)}`, {
        hint: 'name each shard once',
      })
    }
    if (facts.epoch !== first.facts.epoch) {
      throw new UserError(`"${first.name}" and "${name}" were built from different sites or programs`, {
        hint: 'build every shard from the same commit',
      })
    }
  }
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter(
    (index) => !opened.some(({ facts }) => facts.shard.index === index),
  )
  if (missing.length === 0) return opened
  const [some, verb] = [missing.slice(0, 10).join(', '), missing.length === 1 ? 'is' : 'are']
  const shown = missing.length > 10 ? `${some} and ${missing.length - 10} more` : some
  throw new UserError(`of ${count} shards, ${shown} ${verb} missing`, {
    hint: `build with --shard ${missing[0]}/${count}, and name its folder`,
  })
}

const openShard = ({ out, state: stateName }: ShardNames, apart: string): OpenShard => {
  const folders = resolveSnapshot({ out, state: stateName })
  if (overlap(folders.out, apart)) {
    throw new UserError(`"${out}" is a shard, and --out is the same folder or overlaps with it`, {
      hint: 'give --out a folder of its own, such as dist',
    })
  }
  const own = findOwnFolder(folders)
  const facts = own === undefined ? undefined : readShardFacts(own)
  if (own === undefined || facts === undefined) {
    throw new UserError(`there is no state of a shard for "${out}"`, {
      hint: 'build it with --shard I/N; --state DIR says where its state is, once for each shard',
    })
  }
  if (facts.sums === '') return { name: out, own, facts, state: emptyState, hasMembers: true }
  const state = readState(own)
  const sums = hashFile(folders.out, sumsFile, Buffer.alloc(1 << 16))
  const digest = sums === undefined ? '' : sums.digest.toString('hex')
  if (state.sums !== facts.sums || state.epoch !== facts.epoch || digest !== facts.sums) {
    throw new UserError(`"${out}" and its state don't belong together`, {
      hint: `build it again with --shard ${nameOf(facts.shard)}`,
    })
  }
  return { name: out, own, facts, state, hasMembers: state.offsets.size > 0 }
}
