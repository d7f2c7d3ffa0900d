import { createLoader } from '../content/load.ts'
import { createReader } from '../content/read/read-file.ts'
import { createOpenFolder } from '../content/read/read-folder.ts'
import { type ContentFolder, findSite, listMembers, withoutNearSite } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import type { Source } from '../content/source.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Tools } from './member/compile.ts'
import { epochOf } from './state/epoch.ts'
import { type Shard, shardOf } from './state/shard.ts'
import { startThreads, type Threads, threadCount } from './work/threads.ts'

/** The site as a whole: what is known before any member is looked at. */
export type OpenSite = {
  readonly tools: Tools
  /** Ended once the members are checked; if it doesn't come to that, by whoever opened the site. */
  readonly threads: Threads
  readonly hostNames: readonly string[]
  /** site.yaml, if it can be read. */
  readonly source: Source | undefined
  /** Of the program and the site; empty if the site is wrong. */
  readonly epoch: string
  /** In the order of the paths. */
  readonly members: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads site.yaml and lists the members. Threads that are worth their start for so many begin to start; they are
 * ended if anything can't be read.
 */
export const openSite = (content: ContentFolder, options: OpenSiteOptions): OpenSite => {
  const listed = inShard(listMembers(content), options.shard)
  const threads = startThreads(options.touched === undefined ? threadCount(listed.members.length) : 0)
  try {
    return readSite(content, { ...options, listed, threads })
  } catch (error) {
    threads.end()
    throw error
  }
}

export type OpenSiteOptions = {
  readonly hostNames: readonly string[]
  /** Members that may have changed, if that is known. */
  readonly touched?: ReadonlySet<string> | undefined
  /** Absent for all members. */
  readonly shard?: Shard | undefined
}

/** The members of a shard, which may be none. */
const inShard = (listed: ReturnType<typeof listMembers>, shard: Shard | undefined): typeof listed =>
  shard === undefined
    ? listed
    : {
        members: listed.members.filter((username) => shardOf(username, shard.count) === shard.index),
        diagnostics: listed.diagnostics.filter(({ code }) => code !== 'no-members'),
      }

type Opening = OpenSiteOptions & {
  readonly listed: ReturnType<typeof listMembers>
  readonly threads: Threads
}

const readSite = (content: ContentFolder, { hostNames, listed, threads }: Opening): OpenSite => {
  const loader = createLoader({ hostNames })
  const { name, diagnostics } = findSite(content)
  const read =
    name === undefined
      ? undefined
      : createReader(content.path)(`${content.path}/${name}`, `${content.name}/${name}`)
  const loaded = read?.source && loader.loadSite(read.source)
  const site: Site | undefined = loaded?.value
  return {
    tools: { content, site, openFolder: createOpenFolder(content), loader },
    threads,
    hostNames,
    source: read?.source,
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
