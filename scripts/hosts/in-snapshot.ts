import { routes, servedSiteRoutes, siteRoutesOf } from '../api/routes.ts'
import type { Source } from '../content/load.ts'
import { parse } from '../content/parse/parse.ts'
import type { Site } from '../content/site.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import type { Host, HostFile, SnapshotFacts } from './config/host.ts'
import { hosts } from './hosts.ts'

/** The files that the hosts of site.yaml read from the snapshot; hosts that read the same one have it in common. */
export const hostFiles = (site: Site, usernames: readonly string[]): readonly HostFile[] => {
  const facts = factsOf(site, usernames)
  const files = chosen(site).flatMap(({ files }) => files?.(facts) ?? [])
  return [...new Map(files.map((file) => [file.path, file])).values()]
}

/** The path of `base_url` in front of the routes, without a trailing slash. */
export const basePathOf = ({ baseUrl }: Site): string => new URL(baseUrl).pathname.replace(/\/+$/, '')

/** The figures of a snapshot. */
export type Extent = {
  readonly files: number
  /** Bytes of the largest file. */
  readonly largest: number
  /** Usernames and aliases. */
  readonly names: number
}

/** Which limits of its hosts a snapshot exceeds; the place is the host's name in site.yaml. */
export const hostWarnings = (site: Site, source: Source, extent: Extent): Diagnostic[] => {
  const paths =
    extent.names * routes.length +
    servedSiteRoutes.filter((route) => siteRoutesOf(site).includes(route)).length
  return chosen(site).flatMap(({ name, title, rules, limits = {} }) => {
    const place = parse(source).place(['hosts', site.hosts.indexOf(name)], 'value')
    const over = (what: string, count: number, limit = Number.POSITIVE_INFINITY): Diagnostic[] =>
      count > limit ? [diagnose('host-limit', place, { host: title, what, count, limit })] : []
    return [
      ...over('files', extent.files, limits.files),
      ...over('bytes in the largest file', extent.largest, limits.fileBytes),
      ...over('rules', rules?.(paths) ?? 0, limits.rules),
    ]
  })
}

const chosen = (site: Site): readonly Host[] => hosts.filter(({ name }) => site.hosts.includes(name))

const factsOf = (site: Site, usernames: readonly string[]): SnapshotFacts => ({
  basePath: basePathOf(site),
  precompress: site.precompress,
  siteRoutes: servedSiteRoutes.filter((route) => siteRoutesOf(site).includes(route)),
  usernames,
})
