import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { createLoader } from '../../scripts/advice/loader.ts'
import { siteRoutes, usernamePattern } from '../../scripts/api/routes.ts'
import type { Path } from '../../scripts/content/parse/data.ts'
import { parse } from '../../scripts/content/parse/parse.ts'
import { caddy } from '../../scripts/hosts/caddy.ts'
import {
  type Ability,
  type Extent,
  type HostOptions,
  overHttp,
} from '../../scripts/hosts/host.ts'
import { hosts, hostWarnings } from '../../scripts/hosts/hosts.ts'
import { netlify } from '../../scripts/hosts/netlify.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { pathRules } from '../../scripts/hosts/rules.ts'
import { UserError } from '../../scripts/problems/diagnostic.ts'
import { captured } from '../captured.ts'
import { hostFacts, hostOptions } from './options.ts'
import { proofs } from './proofs.ts'

// What is true of configs and files as texts; what engines make of them is in the tests that
// run them.

/** The sections of both pages by heading. */
const sections = new Map(
  ['servers', 'managed']
    .flatMap((page) =>
      readFileSync(`docs/hosting/${page}.md`, 'utf8').split(/^## /m).slice(1),
    )
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
)

test.each(hosts)('what is said of $name is what was done, as in proofs.ts', (host) => {
  const { name, support, config, files } = host
  const isMade = config !== undefined || files !== undefined
  expect([isMade, support === 'impossible' ? undefined : support]).toEqual([
    proofs.has(name),
    proofs.get(name),
  ])
})

/** How the docs speak of what a column of the list is about. */
const subjects = {
  https: /https/,
  http: /plain http|by scheme|http variant/,
  path: /slash|path/,
  404: /404/,
  405: /405|by method|refuses? methods|TRACE/,
  OPTIONS: /OPTIONS|by method/,
  headers: /header|\bHSTS\b/,
  hides: /hide|under its own name/,
}

test.each(hosts.filter(({ support }) => support !== 'impossible'))(
  'the docs say what $name can not do, or only in part',
  ({ name, no = [], part = [] }) => {
    const phrases = sections.get(name)?.match(/^- .*(?:\n {2}.*)*/gm) ?? []
    const told = (one: Ability) => phrases.some((phrase) => subjects[one].test(phrase))
    expect([...no, ...part].filter((one) => !told(one))).toEqual([])
  },
)

const none = { files: 0, largest: 0, names: 0 }
const sizes = /\d+ (?:GB|MB|MiB) (?:a file|an object)/

test.each(hosts)('the docs have a section on $name, which says what it cannot do', (host) => {
  const { cannot = [], limits } = host
  const section = sections.get(host.name)
  expect(section).toMatch(/^- /m)
  for (const phrase of cannot) expect(section).toContain(`\n- ${phrase}\n`)
  for (const [what, , limit] of limits?.(none, siteRoutes) ?? [])
    expect(section).toMatch(what.startsWith('bytes') ? sizes : limit.toLocaleString('en'))
})

test.each(hosts.filter(({ config, files }) => config ?? files))(
  'the files for $name say it, too',
  (host) => {
    for (const hasHttp of [true, false]) {
      const texts = [
        ...(host.config === undefined ? [] : [host.config(hostOptions({ hasHttp }))]),
        ...(host.files?.(hostFacts({ hasHttp })) ?? []).map(({ text }) => text),
      ].filter((text) => /^(?:#|\/\/)/.test(text))
      for (const text of texts) {
        for (const phrase of host.cannot!) expect(text).toContain(` - ${phrase}\n`)
        expect(text.includes(`Clients over http get ${overHttp(host)}.`)).toBe(!hasHttp)
        if (!hasHttp) expect(text).not.toMatch(/http variant; don't|HSTS off/)
      }
    }
  },
)

const username = fc.stringMatching(new RegExp(`^${usernamePattern}$`))
const basePath = fc
  .webPath()
  .map((path) => new URL(`https://h${path}`).pathname.replace(/\/+$/, ''))

it('names in generated files are found below any path of base_url, which is read as plain text', () =>
  fc.assert(
    fc.property(basePath, basePath, username, (path, other, name) => {
      const route = new RegExp(pathRules(path)[0]!.pattern)
      expect(route.exec(`${path}/api/username/${name}/shots/`)?.[1]).toBe(
        `/api/username/${name}/shots`,
      )
      expect(route.test(`${other}/api/username/${name}`)).toBe(path === other)
    }),
  ))

test('a Caddyfile that can not hold a path is not written', () =>
  expect(() => caddy.config!(hostOptions({ root: '/srv/`\\' }))).toThrow(UserError))

const variables = (options: Partial<HostOptions>) =>
  captured(nginx.config!(hostOptions(options)), /^(?:map|geo) .*(\$\w+) \{$/gm)

test.each([
  ['names that differ in a sign', { name: 'api-example.com' }, { name: 'api.example.com' }],
  ['the path of base_url', { basePath: '/v1' }, { basePath: '/v2' }],
])('sites of one nginx share no variable: %s', (_, one, other) => {
  const first = variables(one)
  const second = variables(other)
  expect(first.length).toBeGreaterThan(6)
  expect(first.filter((name) => second.includes(name))).toEqual([])
})

const siteSource = {
  file: 'content/site.yaml',
  text: 'base_url: https://api.example.com\nhosts: [htaccess, cloudflare, netlify]\n',
}
const site = createLoader().loadSite(siteSource).value!
const siteAt = (path: Path) => parse(siteSource).place(path, 'value')

const warnings = (extent: Partial<Extent>) =>
  hostWarnings(site, siteAt, { files: 1, largest: 1, names: 1, ...extent }).map(
    ({ code, message, line, column }) => `${line}:${column} ${code}: ${message}`,
  )

test('the build is silent as long as every chosen host takes the snapshot', () =>
  expect(warnings({ files: 20_000, largest: 25 * 1024 * 1024, names: 4_998 })).toEqual([]))

test.each([
  [{ files: 20_001 }, '2:19 host-limit: 20001 files are more than Cloudflare'],
  [
    { largest: 26_214_401 },
    '2:19 host-limit: 26214401 bytes in the largest file are more than Cloudflare',
  ],
  [{ names: 4_999 }, '2:31 host-limit: 10002 rules are more than Netlify takes (10000)'],
])('the build warns at the name of a host that takes less: %j', (extent, warning) =>
  expect(warnings(extent)).toEqual([expect.stringContaining(warning)]),
)

test.each([0, 1, 3])(
  'Netlify has as many rules for %i names as the build counts',
  (count) => {
    const usernames = ['ana', 'ben', 'eve'].slice(0, count)
    const files = netlify.files!(hostFacts({ siteRoutes, usernames }))
    const rules = files.find(({ path }) => path === '_redirects')!.text.match(/^[^#\n].*/gm)
    expect(netlify.limits!({ ...none, names: count }, siteRoutes)).toEqual([
      ['rules', rules!.length, 10_000],
    ])
  },
)

const others = hosts.filter(({ files }) => files === undefined)

test.each(others)('what to do for $name instead is said in site.yaml', (host) => {
  const text = `base_url: https://api.example.com\nhosts: [${host.name}]\n`
  const { diagnostics } = createLoader().loadSite({ file: 'site.yaml', text })
  const hint = expect.stringContaining('leave it out of hosts: ')
  expect(diagnostics).toMatchObject([{ code: 'unknown-host', hint }])
  const prints = diagnostics[0]!.hint!.includes(`npx shotpress host ${host.name} `)
  expect(prints).toBe(host.config !== undefined)
})
