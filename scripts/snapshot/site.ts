import { hash } from 'node:crypto'
import { createLoader } from '../content/load.ts'
import { createReader } from '../content/read/read-file.ts'
import { type ContentFolder, findSite, listMembers } from '../content/read/scan.ts'
import type { HostName } from '../content/values/formats.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'
import { createTools, type Tools } from './compile.ts'
import { epochOf } from './state.ts'

/** The site as a whole: what is known before any member is looked at. */
export type OpenSite = {
  readonly tools: Tools
  readonly hostNames: readonly HostName[]
  /** The shard whose members these are; absent for all members. */
  readonly shard: Shard | undefined
  /** Of the program and the site; empty if the site is wrong. */
  readonly epoch: string
  /** In the order of the paths. */
  readonly members: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads site.yaml and lists the members. */
export const openSite = (
  content: ContentFolder,
  { hostNames, shard }: Pick<OpenSite, 'hostNames'> & Partial<Pick<OpenSite, 'shard'>>,
): OpenSite => {
  const listed = inShard(listMembers(content), shard)
  const loader = createLoader({ hostNames })
  const { name, diagnostics } = findSite(content, listed.diagnostics)
  const read = name === undefined ? undefined : createReader(content)(name)
  const source = read?.source ?? read?.legible
  const loaded = source && loader.loadSite(source)
  const site = read?.source && loaded?.value
  return {
    tools: createTools({ content, site, source, loader }),
    ...{ hostNames, shard },
    epoch: site === undefined ? '' : epochOf(site),
    members: listed.members,
    diagnostics: [
      ...diagnostics,
      ...(read?.diagnostic ? [read.diagnostic] : []),
      ...(loaded?.diagnostics ?? []),
      ...listed.diagnostics,
    ],
  }
}

/** The members of a shard, which may be none. */
const inShard = (listed: ReturnType<typeof listMembers>, shard: Shard | undefined): typeof listed =>
  shard === undefined
    ? listed
    : {
        members: listed.members.filter((username) => shardOf(username, shard.count) === shard.index),
        diagnostics: listed.diagnostics.filter(({ code }) => code !== 'no-members'),
      }

/** A part of the members: the first of four is `{index: 1, count: 4}`. */
export type Shard = { readonly index: number; readonly count: number }

/** The shard that a member belongs to, from 1 to `count`. Its aliases go where it goes. */
export const shardOf = (username: string, count: number): number =>
  1 + (Number.parseInt(hash('sha1', username.toLowerCase()).slice(0, 8), 16) % count)

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

const mostShards = 1000
