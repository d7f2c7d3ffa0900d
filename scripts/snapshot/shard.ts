import { usernameHash } from '../content/username.ts'
import { UserError } from '../problems/diagnostic.ts'

/** A part of the members: the first of four is `{index: 1, count: 4}`. */
export type Shard = { readonly index: number; readonly count: number }

/** A site has at most so many. */
export const mostShards = 1000

/** The shard that a member belongs to, from 1 to `count`. Its aliases go where it goes. */
export const shardOf = (username: string, count: number): number =>
  1 + (Number.parseInt(usernameHash(username).slice(0, 8), 16) % count)

/** `1/4`, as on the command line. */
export const parseShard = (text: string | undefined): Shard | undefined => {
  if (text === undefined) return undefined
  const [, index, count] = /^([1-9][0-9]{0,3})\/([1-9][0-9]{0,3})$/.exec(text) ?? []
  const shard = { index: Number(index), count: Number(count) }
  if (shard.index <= shard.count && shard.count <= mostShards) return shard
  throw new UserError(`--shard takes I/N, not "${text.slice(0, 40)}"`, {
    hint: `write --shard 1/4 for the first of four; I goes from 1 to N, N to ${mostShards}`,
  })
}
