import { createLoader } from '../advice/loader.ts'
import type { ContentFolder } from '../content/layout.ts'
import { createReader } from '../content/read/read-file.ts'
import { findSite, listMembers } from '../content/read/scan.ts'
import { createTools } from './compile.ts'
import { type Shard, shardOf } from './shard.ts'
import { epochOf } from './state.ts'

/** The site as a whole: what is known before any member is looked at. */
export type OpenSite = ReturnType<typeof openSite>

/** Reads site.yaml and lists the members of a shard, or all, in the order of the paths. */
export const openSite = (
  content: ContentFolder,
  { shard }: { readonly shard?: Shard | undefined } = {},
) => {
  const isOwn = (username: string): boolean =>
    shard === undefined || shardOf(username, shard.count) === shard.index
  const loader = createLoader()
  const { name } = findSite(content)
  const read = name === undefined ? undefined : createReader(content)(name)
  const source = read?.source ?? read?.legible
  const loaded = source && loader.loadSite(source)
  const site = read?.source && loaded?.value
  const tools = createTools({ content, site, source, loader })
  const listed = listMembers(tools.content)
  // something else may explain why there is none
  const { diagnostics } = findSite(content, listed.diagnostics)
  return {
    tools,
    shard,
    /** Of the program and the site; empty if the site is wrong. */
    epoch: site === undefined ? '' : epochOf(site),
    members: listed.members.filter(isOwn),
    diagnostics: [
      ...diagnostics,
      ...(read?.diagnostic ? [read.diagnostic] : []),
      ...(loaded?.diagnostics ?? []),
      // a shard may be without members
      ...listed.diagnostics.filter(
        ({ code }) => shard === undefined || code !== 'no-members',
      ),
    ],
  }
}
