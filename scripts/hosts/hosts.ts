import type { Output } from '../api/output.ts'
import { siteRoutesOf } from '../api/routes.ts'
import type { Path } from '../content/parse/data.ts'
import type { Site } from '../content/site.ts'
import { byPath } from '../content/username.ts'
import { pathOf } from '../content/values/address.ts'
import type { HostName } from '../content/values/formats.ts'
import type { Diagnostic, Place } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { apache, htaccess } from './apache.ts'
import { caddy } from './caddy.ts'
import { cloudflare, cloudflareR2 } from './cloudflare.ts'
import { cloudfront } from './cloudfront.ts'
import { fastly } from './fastly.ts'
import { firebase } from './firebase.ts'
import { type Ability, abilities, type Extent, type Host, type HostFacts } from './host.ts'
import { lighttpd } from './lighttpd.ts'
import { netlify } from './netlify.ts'
import { nginx } from './nginx.ts'
import { serve } from './serve.ts'
import { vercel } from './vercel.ts'

// Start here: the table of hosts, and what is made of it for the build and for `npx shotpress
// host`. host.ts says what a host is; what their configs share is in rules.ts (the routes, as
// engines need them) and lines.ts (the text). A new host is a file, a line here, a section in
// docs/hosting/ and a test.

/** What the pages of a forge can't do with an API. */
const forgePages = abilities.filter((ability) => ability !== 'https')

/** Every host that the project knows, in the order in which they are listed. */
export const hosts: readonly Host[] = [
  nginx,
  caddy,
  apache,
  htaccess,
  lighttpd,
  cloudflare,
  cloudflareR2,
  cloudfront,
  fastly,
  netlify,
  firebase,
  vercel,
  serve,
  // without a config of ours, since nothing could be tested; docs/hosting/managed.md says
  // what they cannot do
  {
    name: 'github-pages',
    title: 'GitHub Pages',
    no: forgePages,
  },
  {
    name: 'gitlab-pages',
    title: 'GitLab Pages',
    no: forgePages.filter((ability) => ability !== 'path'),
  },
  {
    name: 'codeberg-pages',
    title: 'Codeberg Pages',
    no: forgePages,
  },
  {
    name: 's3-website',
    title: 'Amazon S3 website endpoint',
    no: ['https', 'path', '405', 'OPTIONS', 'hides'],
    part: ['headers'],
  },
  {
    name: 'google-cloud',
    title: 'Google Cloud load balancer with Cloud Storage',
    no: ['405'],
    part: ['OPTIONS'],
  },
  {
    name: 'azure-front-door',
    title: 'Azure Front Door with Blob storage',
    no: ['404', '405'],
    part: ['OPTIONS'],
  },
  {
    name: 'bunny',
    title: 'bunny.net',
    part: ['http', '404'],
  },
  {
    name: 'render',
    title: 'Render static sites',
    no: ['http', '404', '405', 'OPTIONS', 'hides'],
  },
  {
    name: 'azure-static-web-apps',
    title: 'Azure Static Web Apps',
    support: 'impossible',
    no: abilities,
    cannot: [
      'serve any path below /api: it is reserved for functions, so static files there are never served',
    ],
  },
]

/**
 * What site.yaml may name: hosts that read files of their own from the snapshot; of the
 * others, what to do instead.
 */
export const hostNames: readonly HostName[] = hosts.map(({ name, files, config, cannot }) => {
  if (files) return { name }
  if (config) return { name, instead: `npx shotpress host ${name} prints what it needs` }
  const what = 'docs/hosting/managed.md says what to set there, and what it cannot do'
  return { name, instead: cannot ? `that host can't ${cannot.join(', or ')}` : what }
})

/** The path of `base_url` in front of the routes, without a trailing slash. */
export const basePathOf = ({ baseUrl }: Site): string => pathOf(new URL(baseUrl))

/** What of a site is in the files and configs of every host. */
export const hostFacts = (site: Site, usernames: readonly string[] = []): HostFacts => ({
  authority: new URL(site.baseUrl).host,
  basePath: basePathOf(site),
  precompress: site.precompress,
  hasHttp: site.schemes.includes('http'),
  siteRoutes: siteRoutesOf(site),
  usernames,
})

/**
 * The files that the hosts of site.yaml read from the snapshot; hosts that read the same one
 * have it in common.
 */
export const hostOutput: Output = {
  name: 'hosts',
  routes: [],
  ofSite: ({ site, members }) => {
    const names = members().flatMap(({ username, aliases }) => [username, ...aliases])
    const facts = hostFacts(site, names.sort(byPath))
    const files = chosen(site).flatMap((host) => host.files?.(facts) ?? [])
    const texts = new Map(files.map(({ path, text }) => [path, text]))
    return Array.from(texts, ([path, text]) => ({ paths: [path], bytes: () => text }))
  },
}

/**
 * Which limits of its hosts a snapshot exceeds. `siteAt` finds the host's name in site.yaml
 * by its path.
 */
export const hostWarnings = (
  site: Site,
  siteAt: (path: Path) => Place,
  extent: Extent,
): readonly Diagnostic[] =>
  chosen(site).flatMap(({ name, title: host, limits = () => [] }) => {
    const place = siteAt(['hosts', site.hosts.indexOf(name)])
    return limits(extent, siteRoutesOf(site))
      .filter(([, count, limit]) => count > limit)
      .map(([what, count, limit]) =>
        diagnose('host-limit', place, { host, what, count, limit }),
      )
  })

const chosen = (site: Site): readonly Host[] =>
  hosts.filter(({ name }) => site.hosts.includes(name))

/** Every host, a line each, with what it can do; in 80 columns. */
export const listHosts = (): string => {
  const rows = hosts.map(({ name, support = 'documented', no = [], part = [] }) => {
    const can = (ability: Ability): string =>
      (no.includes(ability) && 'no') || (part.includes(ability) && 'part') || 'yes'
    return [name, support, ...abilities.map(can)]
  })
  const table = [['host', 'config', ...abilities], ...rows]
  const widthOf = (column: number) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0))
  const lines = table.map((row) => row.map((cell, i) => cell.padEnd(widthOf(i))).join(' '))
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}
