import path from 'node:path'
import { expect, test } from 'vitest'
import { expectRefusal, runIn } from './processes.ts'
import { namesIn, readText, readTree, sandbox } from './sandbox.ts'

const answers = {
  'base-url': 'https://api.example.com',
  host: 'cloudflare',
  name: 'Example Member',
}

const init = (folder: string, changed: Readonly<Record<string, string | undefined>> = {}) => {
  const flags = Object.entries({ ...answers, ...changed }).map(([name, value]) =>
    value === undefined ? '' : `--${name} '${value}'`,
  )
  return runIn(folder, `init site ${flags.join(' ')}`)
}

test('init writes what examples/own-site holds, but for the place that the program comes from', () => {
  const folder = sandbox()
  const { status, stdout, stderr } = init(folder)
  expect(status).toBe(0)
  expect(stderr.replace(/.*publish\.yml .*\n.*\n$/, 'what publishes')).toBe(
    '\nnext:\n  cd site\n  npm install\n  npm run preview\n\nwhat publishes',
  )
  const { 'package.json': written, ...tree } = readTree(folder, 'site')
  const { 'package.json': expected, ...example } = readTree('examples/own-site')
  expect(tree).toEqual(example)
  expect(JSON.parse(written!)).toEqual({
    ...JSON.parse(expected!),
    dependencies: { shotpress: expect.stringMatching(/^file:/) },
  })
  const files = ['package.json', ...Object.keys(tree)].map((file) => path.join('site', file))
  expect(stdout.trimEnd().split('\n').sort()).toEqual(files.sort())
})

test.each(['cloudflare', 'netlify', 'bucket', 'server', 'github-pages', 'nginx', 'lighttpd'])(
  'init writes a workflow and content that is right for %s',
  (host) => {
    const folder = sandbox()
    expect(init(folder, { host, name: 'Zoë: "the" #1' })).toMatchObject({ status: 0 })
    const site = `${folder}/site`
    const { '.github/workflows/publish.yml': publishing } = readTree(site)
    expect(publishing).toBe(
      readText(`examples/publish/${/^(?:nginx|lighttpd)$/.test(host) ? 'server' : host}.yml`),
    )
    expect(runIn(site, 'check')).toMatchObject({ status: 0 })
    expect(namesIn(site, 'content/members')).toEqual(['zoe-the-1'])
  },
)

test.each([
  ['gitlab', 'caddy', ['.gitlab-ci.yml']],
  ['forgejo', 'netlify', ['check', 'monitor', 'publish']],
  [undefined, 'gitlab-pages', ['.gitlab-ci.yml']],
  [undefined, 'codeberg-pages', ['check', 'monitor', 'publish']],
])(
  'init writes for --forge %s and --host %s what that forge reads, and nothing for another',
  (forge, host, files) => {
    const folder = sandbox()
    const { status, stdout, stderr } = init(folder, { host, forge })
    expect(status).toBe(0)
    const written = files.map((file) =>
      file.startsWith('.') ? `site/${file}` : `site/.forgejo/workflows/${file}.yml`,
    )
    expect(stdout.match(/.*\.yml$/gm)!.sort()).toEqual(written)
    const [publishing] = written.toReversed()
    expect(stderr).toContain(`${publishing!.slice('site/'.length)} publishes the site.`)
    expect(readTree(folder)['site/README.md']).toContain(
      `\`${publishing!.slice('site/'.length)}\``,
    )
  },
)

test("init takes Forgejo's actions from Forgejo, and its jobs need no sudo", () => {
  const folder = sandbox()
  expect(init(folder, { host: 'server', forge: 'forgejo' })).toMatchObject({ status: 0 })
  const text = readTree(folder)['site/.forgejo/workflows/publish.yml']!
  const github = readText('examples/publish/server.yml')
  const uses = (text: string) => text.match(/uses: .*/g)!
  expect(uses(text)).toEqual(
    uses(github).map((one) => one.replace('actions/', 'https://data.forgejo.org/actions/')),
  )
  expect(text).toContain('    runs-on: docker\n    container: { image: node:24 }\n')
  expect(text).not.toMatch(/sudo|ubuntu|\.github/)
})

test.each([
  [
    'an address without a scheme',
    { 'base-url': 'api.example.com' },
    'it does not begin with https:// or',
  ],
  ['an unknown host', { host: 'geocities' }, 'choose one of cloudflare'],
  ['an unknown forge', { forge: 'gogs' }, 'choose one of github, gitlab, forgejo'],
  [
    'a host of another forge',
    { host: 'github-pages', forge: 'gitlab' },
    'only GitHub publishes to github-pages\n  hint: write --forge github',
  ],
  [
    'a name of which no username can be made',
    { name: '山田' },
    'no username can be made from "山田"',
  ],
  ['a username that is none', { username: '../x' }, "can't be a username"],
  ['an unknown flag', { hots: 'x' }, 'did you mean --host?'],
  [
    'nothing, with nobody to ask',
    { 'base-url': undefined },
    '--base-url is missing\n  hint: write',
  ],
])('init refuses %s, and writes nothing', (_, changed, words) => {
  const folder = sandbox()
  expectRefusal(init(folder, changed), words)
  expect(readTree(folder)).toEqual({})
})

test('init overwrites nothing: a folder that holds more than what git makes is refused', () => {
  const folder = sandbox({ 'site/notes.txt': 'mine' })
  expectRefusal(init(folder), '"notes.txt"')
  expect(readTree(folder)).toEqual({ 'site/notes.txt': 'mine' })
  expect(init(sandbox({ 'site/.git/HEAD': '' }))).toMatchObject({ status: 0 })
})
