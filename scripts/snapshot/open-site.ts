import { createLoader } from '../content/load.ts'
import { createReader } from '../content/read/read-file.ts'
import { type ContentFolder, findSite, listMembers, withoutNearSite } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { createTools, type Tools } from './member/compile.ts'
import { epochOf } from './state/epoch.ts'
import { type Shard, shardOf } from './state/shard.ts'

/** The site as a whole: what is known before any member is looked at. */
export type OpenSite = {
  readonly tools: Tools
  readonly hostNames: readonly string[]
  /** Of the program and the site; empty if the site is wrong. */
  readonly epoch: string
  /** In the order of the paths. */
  readonly members: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

export type OpenSiteOptions = {
  readonly hostNames: readonly string[]
  /** Absent for all members. */
  readonly shard?: Shard | undefined
}

/** Reads site.yaml and lists the members. */
export const openSite = (content: ContentFolder, { hostNames, shard }: OpenSiteOptions): OpenSite => {
  const listed = inShard(listMembers(content), shard)
  const loader = createLoader({ hostNames })
  const { name, diagnostics } = findSite(content)
  const read = name === undefined ? undefined : createReader(content)(name)
  const loaded = read?.source && loader.loadSite(read.source)
  const site: Site | undefined = loaded?.value
  return {
    tools: createTools({ content, site, source: read?.source, loader }),
    hostNames,
    epoch: site === undefined ? '' : epochOf(site),
    members: listed.members,
    diagnostics: [
      ...withoutNearSite(content, { site: diagnostics, others: listed.diagnostics }),
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
