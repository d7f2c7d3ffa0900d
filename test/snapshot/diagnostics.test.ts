import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../scripts/problems/diagnostic.ts'
import { onTheFly } from '../fixtures/on-the-fly.ts'
import { isLinux, isPosix } from '../posix.ts'
import { readJson, sandbox, type Tree } from '../sandbox.ts'
import { anaAlone, profileYaml, shotYaml, site, siteYaml } from '../site.ts'
import { rowsOf, texts } from '../tables.ts'
import { below, checkIn, linesOf } from './building.ts'

const fixtures = path.resolve('test/fixtures/diagnostics')

/** Checks `content` of a folder; files are named as if it were the current one. */
const diagnose = async (folder: string): Promise<readonly Diagnostic[]> => {
  const { diagnostics } = await checkIn(folder)
  const named = <T extends { readonly file: string }>(one: T) => ({
    ...one,
    file: below(folder, one.file),
  })
  return diagnostics.map(({ related = [], ...rest }) => ({
    ...named(rest),
    related: related.map(named),
  }))
}

describe('a site that is wrong in one way is told so, at the place', () => {
  it.each(fs.readdirSync(fixtures))('%s', async (code) => {
    const folder = `${fixtures}/${code}`
    const expected = readJson(`${folder}/expected.json`)
    expect(await diagnose(folder)).toMatchObject(expected)
  })

  for (const [code, { make, expected, system }] of Object.entries(onTheFly)) {
    const runs = system === undefined || (system === 'linux' ? isLinux : isPosix)
    it.runIf(runs)(runs ? code : `${code} (skipped: this system can't hold it)`, async () => {
      const folder = sandbox(anaAlone)
      make(`${folder}/content`)
      const { diagnostics } = await checkIn(folder)
      expect(linesOf(path.join(folder, 'content/members'), diagnostics)).toEqual(expected)
    })
  }
})

/** What is told of a tree: `profile.yaml:3 unknown-key`. */
const toldOf = async (tree: Tree) =>
  (await diagnose(sandbox(tree))).map(
    ({ code, file, line }) => `${path.basename(file)}:${line} ${code}`,
  )

it('rules across members count drafts, and files in which something else is wrong', async () => {
  const told = await toldOf({
    ...site,
    'content/members/bo/shots/draft.yaml': `${shotYaml(11)}draft: true\n`,
    'content/members/bo/shots/wrong.yaml': `${shotYaml(12)}statsu: 1\n`,
  })
  expect(told).toEqual([
    ...['draft.yaml:1 duplicate-shot-id', 'wrong.yaml:1 duplicate-shot-id'],
    'wrong.yaml:5 unknown-key',
  ])
})

it('rules across members hold a token that is written out against those that are made', async () => {
  const folder = sandbox({
    ...site,
    'content/members/ana/shots/one.yaml': `${shotYaml(11)}token_id: ${hash('sha1', 'shot:21')}\n`,
    'content/members/ana/shots/two.yaml': `${shotYaml(12)}token_id: ${'ab'.repeat(20)}\n`,
  })
  const [conflict, ...others] = await diagnose(folder)
  expect(others).toEqual([])
  expect(conflict).toMatchObject({
    code: 'duplicate-token',
    file: 'content/members/ana/shots/one.yaml',
    line: 5,
  })
  expect(conflict!.related).toMatchObject([
    { line: 1, column: 5, file: 'content/members/bo/shots/one.yaml' },
  ])
})

describe('rules between a profile and its shots', () => {
  const told = (profile: string, ...shots: string[]) =>
    toldOf({
      'content/site.yaml': siteYaml,
      'content/members/ana/profile.yaml': profileYaml(1) + profile,
      ...Object.fromEntries(
        shots.map((shot, at) => [`content/members/ana/shots/${at}.yaml`, shot]),
      ),
    })
  const projects = 'projects:\n  - { id: 7, created: 2014-03-02 }\n'

  it('hold where something else is wrong', async () =>
    expect(
      await told(
        `totalShots: 1\nProjects: 0\nboi: x\n${projects}`,
        shotYaml(11),
        `${shotYaml(12)}statsu: 1\n`,
      ),
    ).toEqual(
      texts(
        'profile.yaml:3 count-too-low¦profile.yaml:4 count-too-low¦profile.yaml:5 unknown-key',
        '1.yaml:5 unknown-key',
      ),
    ))

  it.each(
    rowsOf(`
      project:⏎  - { id: 7, created: 2014-03-02 }⏎ → profile.yaml:3 unknown-key
      projects:⏎  - { id: 07, created: 2014-03-02 }⏎ → profile.yaml:4 bad-id
      projects:⏎  - { Id: 7, created: 2014-03-02 }⏎ → profile.yaml:4 unknown-key
      Projects: 1⏎projects:⏎  - { id: 7, created: 2014-03-02 }⏎  - { id: 7, created: 2014-03-03 }⏎ → profile.yaml:6 duplicate-project
    `),
  )('make up nothing where the projects are not clear: %j', async (profile, expected) =>
    expect(await told(profile, `${shotYaml(11)}id_project: 7\n`)).toEqual([expected]),
  )

  it('count no shot that may be meant for a draft', async () => {
    expect(await told('totalShots: 0\n', `${shotYaml(11)}draft: yes\n`)).toEqual([
      '0.yaml:5 bad-draft',
    ])
    expect(await told('totalShots: 0\n', `${shotYaml(11)}draft: true\n"\n`)).toEqual([
      '0.yaml:6 yaml-syntax',
    ])
  })
})

describe('what site.yaml says of members', () => {
  const told = (site: string, image: string) =>
    toldOf({
      'content/site.yaml': site,
      'content/members/ana/profile.yaml': `${profileYaml(1)}aliases: [Root, www]\n`,
      'content/members/ana/shots/one.yaml': shotYaml(11).replace(
        /image: .*/,
        `image: ${image}`,
      ),
    })
  const port = 'https://a.example.com:8443/x.png'

  it('holds where something else of it is wrong', async () => {
    const reserved = 'reserved: [x y, root]\n'
    const expected = [
      'profile.yaml:3 reserved-name',
      'one.yaml:4 bad-asset',
      'site.yaml:2 bad-word',
    ]
    expect(await told(siteYaml + reserved, port)).toEqual(expected)
    expect(await told(`${siteYaml}${reserved}bas: "x\n`, port)).toEqual([
      'profile.yaml:3 reserved-name',
      ...['site.yaml:2 bad-word', 'site.yaml:3 yaml-syntax'],
    ])
  })

  it.each([
    'asets: { https: https://a.example.com:8443, http: http://a.example.com:8080 }\n',
    'assets: { https: https://a.example.com:8443 }\nreserved: root\n',
  ])('makes up nothing where it is not clear: %j', async (site) =>
    expect(
      (await told(siteYaml + site, port)).filter((one) => !one.startsWith('site.yaml')),
    ).toEqual([]),
  )
})
