import { expect, test } from 'vitest'
import { routes, siteRoutes } from '../../scripts/api/routes.ts'
import { createLoader } from '../../scripts/content/load.ts'
import { type Extent, hostNames, hosts, hostWarnings } from '../../scripts/hosts/hosts.ts'
import { netlify } from '../../scripts/hosts/netlify.ts'
import { hostFacts } from './options.ts'

const source = {
  file: 'content/site.yaml',
  text: 'base_url: https://api.example.com\nhosts: [htaccess, cloudflare, netlify]\n',
}
const site = createLoader({ hostNames }).loadSite(source).value!

const warnings = (extent: Partial<Extent>) =>
  hostWarnings(site, source, { files: 1, largest: 1, names: 1, ...extent }).map(
    ({ code, message, line, column }) => `${line}:${column} ${code}: ${message}`,
  )

test('the build is silent as long as every chosen host takes the snapshot', () => {
  expect(warnings({ files: 20_000, largest: 25 * 1024 * 1024, names: 4_999 })).toEqual([])
})

test.each<[Partial<Extent>, string]>([
  [{ files: 20_001 }, '2:19 host-limit: 20001 files are more than Cloudflare'],
  [{ largest: 26_214_401 }, '2:19 host-limit: 26214401 bytes in the largest file are more than Cloudflare'],
  [{ names: 5_000 }, '2:31 host-limit: 10002 rules are more than Netlify takes (10000)'],
])('the build warns at the name of a host that takes less: %j', (extent, warning) => {
  expect(warnings(extent)).toEqual([expect.stringContaining(warning)])
})

test.each([0, 1, 3])('Netlify has as many rules for %i names as the build counts', (count) => {
  const usernames = ['ana', 'ben', 'eve'].slice(0, count)
  const files = netlify.files!(hostFacts({ siteRoutes, usernames }))
  const rules = files.find(({ path }) => path === '_redirects')!.text.match(/^[^#\n].*/gm)
  expect(rules).toHaveLength(netlify.rules!(count * routes.length, siteRoutes))
})

test('whoever has a limit on rules counts them', () => {
  const limited = hosts.filter(({ limits }) => limits?.rules !== undefined)
  expect(limited.map(({ name }) => name)).toEqual(['netlify'])
  for (const { rules } of limited) expect(rules).toBeDefined()
})

const others = hosts.filter(({ files }) => files === undefined)

test.each(others)('a host that reads nothing from the snapshot is told so in site.yaml: $name', (host) => {
  const text = `base_url: https://api.example.com\nhosts: [${host.name}]\n`
  const { diagnostics } = createLoader({ hostNames }).loadSite({ file: 'site.yaml', text })
  const [{ code, message, hint } = { code: '', message: '', hint: '' }] = diagnostics
  expect([code, message]).toEqual([
    'unknown-host',
    expect.stringContaining(`"${host.name}" reads no files from the snapshot`),
  ])
  expect(hint).toMatch(/^leave it out of hosts: /)
  const prints = hint!.includes(`npm run host -- ${host.name} `)
  expect(prints).toBe(host.config !== undefined)
})
