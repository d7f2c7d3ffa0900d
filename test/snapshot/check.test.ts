import fs from 'node:fs'
import path from 'node:path'
import { expect, it, test } from 'vitest'
import type { CheckResult } from '../../scripts/snapshot/check.ts'
import { resolveContent } from '../../scripts/snapshot/folders.ts'
import { readText, readTree, sandbox, type Texts, writeTree } from '../sandbox.ts'
import { site } from '../site.ts'
import { buildIn, built, checkIn, linesOf } from './building.ts'
import { edits } from './edits.ts'
import { createRandom } from './random.ts'

it('a check after a build takes its word for all members, unless it is to look at all', async () => {
  const folder = await built()
  const members = 2
  expect(await checkIn(folder)).toMatchObject({ members, compiled: 0, diagnostics: [] })
  expect(await checkIn(folder, { all: true })).toMatchObject({
    members,
    compiled: members,
    diagnostics: [],
  })
})

it('a check looks at a member again whose bytes have changed, though size and time have not', async () => {
  const folder = await built()
  const [file] = profiles(folder)
  const { atime, mtime } = fs.statSync(file!)
  const text = readText(file!)
  fs.writeFileSync(file!, text.replace(/^id: ./m, 'id: x'))
  fs.utimesSync(file!, atime, mtime)
  const { diagnostics, compiled } = await checkIn(folder)
  expect(compiled).toBe(1)
  expect(diagnostics).toMatchObject([{ code: 'bad-id' }])
})

it('a check says what else is wrong with files that are no UTF-8', async () => {
  const folder = await built()
  const [profile] = profiles(folder)
  const shot = `${path.dirname(profile!)}/shots/latin.yaml`
  fs.writeFileSync(
    shot,
    'id: 900\ntitle: café\ndate: 2014-02-30\nimage: ./gone.png\n',
    'latin1',
  )
  fs.appendFileSync(profile!, 'location: Málaga\ncolour: red\n', 'latin1')
  fs.appendFileSync(`${folder}/content/site.yaml`, 'colour: grün\n', 'latin1')
  const { diagnostics } = await checkIn(folder)
  expect(linesOf(folder, diagnostics)).toEqual([
    'content/members/ana/profile.yaml:4:12-4:13 not-utf8',
    'content/members/ana/profile.yaml:5:1-5:7 unknown-key',
    'content/members/ana/shots/latin.yaml:2:11-2:12 not-utf8',
    'content/members/ana/shots/latin.yaml:3:7-3:17 bad-timestamp',
    'content/members/ana/shots/latin.yaml:4:8-4:18 picture-missing',
    'content/site.yaml:2:1-2:7 unknown-key',
    'content/site.yaml:2:11-2:12 not-utf8',
  ])
})

it.each([1, 2, 3, 4])(
  'a check says with the state what it says without, and writes nothing: sequence %i',
  async (seed) => {
    const folder = await built()
    const random = createRandom(seed)
    for (let step = 0; step < 8; step++) {
      random.pick(edits).apply(folder, random)
      if (random.below(3) === 0) breakOne(folder, random)
      const before = readTree(folder)
      const quick = await checkIn(folder)
      const whole = await checkIn(folder, { all: true })
      const apart = { compiled: 0, asLeft: undefined, last: undefined, state: undefined }
      expect({ ...quick, ...apart }).toEqual({ ...whole, ...apart })
      expect(readTree(folder)).toEqual(before)
      if (whole.diagnostics.length === 0 && random.below(2) === 0) await buildIn(folder)
    }
  },
)

const profiles = (folder: string) => {
  const members = `${folder}/content/members`
  return fs
    .readdirSync(members)
    .sort()
    .map((name) => `${members}/${name}/profile.yaml`)
    .filter((file) => fs.existsSync(file))
}

const breakOne = (folder: string, random: ReturnType<typeof createRandom>) => {
  const files = profiles(folder)
  if (files.length > 0) fs.appendFileSync(random.pick(files), 'unknown: 1\n')
}

const [ana, bo] = [
  'content/members/ana/shots/one.yaml',
  'content/members/bo/shots/one.yaml',
] as const

/**
 * Checks a small site, and again and again with what the check before has kept; says how many
 * members were compiled, and the codes.
 */
const checking = async () => {
  const folder = sandbox(site)
  let last: CheckResult | undefined
  return async (changes: Texts, touched?: readonly string[]) => {
    writeTree(folder, changes)
    last = await checkIn(folder, { last: last?.state, touched: touched && new Set(touched) })
    const { compiled, diagnostics } = last
    return [compiled, ...diagnostics.map(({ code }) => code)].join(' ')
  }
}

test('a check after another one looks at what was touched alone', async () => {
  const again = await checking()
  expect(await again({})).toBe('2')
  expect(await again({ [ana]: 'id: 11\n' }, ['ana'])).toMatch(/^1 /)
  expect(await again({ [ana]: site[ana] }, ['ana'])).toBe('1')
  expect(await again({}, [])).toBe('0')
})

test('what is wrong with a member, or between two, is told each time until it is gone', async () => {
  const again = await checking()
  expect(await again({ [bo]: site[ana] })).toBe('2 duplicate-shot-id')
  expect(await again({}, [])).toBe('0 duplicate-shot-id')
  const told = await again({ [ana]: 'id: 11\n' }, ['ana'])
  expect(told).toContain('missing-key')
  expect(told).toContain('duplicate-shot-id')
  expect(await again({}, [])).toContain('missing-key')
  expect(await again({ [ana]: site[ana], [bo]: site[bo] }, ['ana', 'bo'])).toBe('2')
})

test('a change of site.yaml has every member looked at', async () => {
  const again = await checking()
  await again({})
  const site = 'base_url: https://x.example\n'
  const told = await again({ 'content/site.yaml': `${site}hosts: [x]\n` })
  expect(told).toBe('2 unknown-host')
  expect(await again({ 'content/site.yaml': site }, [])).toBe('2')
})

test.each([
  ['<script>alert(1)</script>', 'it holds a script'],
  ['<g onload="alert(1)"/>', 'it holds an attribute of an event'],
  [
    '<style>path { fill: url("\\2f\\2f elsewhere.example/x") }</style>',
    'it holds an address of another host',
  ],
  ['<水:script xmlns:水="http://www.w3.org/2000/svg">1</水:script>', 'it holds a script'],
  ['<a href="&#x0000000006a;avascript:1"/>', 'it holds a script'],
  ['<a href="java&Tab;script:1"/>', 'it declares entities'],
  ['<!DOCTYPE svg [<!ATTLIST svg onload CDATA "1">]>', 'it declares entities'],
  ['<g xmlns="http://www.w3.org/1999/xhtml"/>', 'it holds a page'],
  ...[
    ...['<image href="\\\\elsewhere.example"/>', '<image href="https:elsewhere.example"/>'],
    ...[
      '<g xml:base="https://elsewhere.example"/>',
      '<style>a { fill: url(\\/\\/x.example) }</style>',
    ],
    ...[
      '<set attributeName="href" to="//x.example"/>',
      '<style>a { fill: image-set("https://x.example") }</style>',
    ],
  ].map((inside) => [inside, 'it holds an address of another host']),
])('a logo that would run or load something is an error: %s', async (inside, is) => {
  const svg = (text: string) => `<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`
  const folder = sandbox({
    ...site,
    'content/site.yaml': `${site['content/site.yaml']}gallery: { logo: ./logo.svg }\n`,
    'content/logo.svg': svg('<path id="once" fill="url(#a)" d="M0 0"/><use href="#once"/>'),
  })
  expect(await checkIn(folder)).toMatchObject({ diagnostics: [] })
  writeTree(folder, { 'content/logo.svg': svg(inside) })
  expect(await checkIn(folder)).toMatchObject({
    diagnostics: [{ code: 'bad-gallery', message: expect.stringContaining(is) }],
  })
})

test.each([
  '.',
  'content/members',
  'content/members/bo/shots',
  'content/site.yaml',
  'contents',
])('%s in place of the content folder is told the right one', (name) => {
  const folder = sandbox(site)
  const hint = `name the one that was meant: --content "${path.join(folder, 'content')}"`
  expect(() => resolveContent(path.join(folder, name))).toThrow(
    expect.objectContaining({ hint }),
  )
})
