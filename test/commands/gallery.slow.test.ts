import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { png } from '../pictures/bytes.ts'
import { expectRefusal, runIn, startIn } from '../processes.ts'
import {
  isThere,
  namesIn,
  readText,
  readTree,
  removeFrom,
  sandbox,
  withTimes,
  writeTree,
} from '../sandbox.ts'
import { shotYaml, site } from '../site.ts'

const gallery = (folder: string, flags = '') => runIn(folder, `gallery ${flags}`)

/** What is printed where nothing is wrong. */
const write = (folder: string, flags = '') => {
  const { status, stdout } = gallery(folder, flags)
  expect(status).toBe(0)
  return stdout
}

const withPicture = {
  ...site,
  'content/members/bo/shots/one.yaml': `${shotYaml(21)}alt: A dot\n`.replace(
    /image: .*/,
    'image: ./dot.png',
  ),
  'content/members/bo/shots/dot.png': png(),
}

test('shotpress gallery writes every page, then only what changed, and removes what is gone', () => {
  const folder = sandbox(site)
  expect(write(folder)).toContain('2 members, 3 works')
  const out = `${folder}/gallery`
  expect(Object.keys(readTree(out))).toEqual(
    expect.arrayContaining([
      ...[
        'index.html',
        '404.html',
        'feed.xml',
        'search.js',
        'gallery.css',
        'members/index.html',
      ],
      ...['members/ana/index.html', 'members/ana/11/index.html', 'members/ana/feed.xml'],
    ]),
  )
  const before = withTimes(out)
  expect(write(folder)).toContain(' 0 written, 0 removed')
  expect(withTimes(out)).toEqual(before)

  writeTree(folder, { 'content/members/bo/shots/one.yaml': shotYaml(21, 'Changed') })
  removeFrom(folder, 'content/members/ana/shots/one.yaml')
  writeTree(out, { CNAME: 'gallery.example.com' })
  write(folder)
  expect(isThere(out, 'members/ana/11')).toBe(false)
  expect(readText(`${out}/members/bo/21/index.html`)).toContain('Changed')
  const { CNAME, ...incremental } = readTree(out)
  expect(CNAME).toBe('gallery.example.com')

  write(folder, '--out clean')
  expect(incremental).toEqual(readTree(folder, 'clean'))
  removeFrom(folder, '.shotpress')
  writeTree(out, { 'members/gone/index.html': 'old' })
  expect(write(folder)).toContain(' 0 written, 1 removed')
})

const page = 'members/ana/11/index.html'

test.each<[string, (out: string) => void]>([
  ['a page that is gone', (out) => removeFrom(out, page)],
  ['another text of a page', (out) => forge(`${out}/${page}`)],
  ['another text of a page of all', (out) => forge(`${out}/tags/index.html`)],
  ['another text of the page by which it is known', (out) => forge(`${out}/404.html`)],
  [
    'another picture',
    (out) => forge(path.join(out, 'pictures', namesIn(out, 'pictures')[0]!)),
  ],
  [
    'a stranger beside a work',
    (out) => writeTree(out, { 'members/ana/11/evil.html': '<script>' }),
  ],
  [
    'a stranger beside members',
    (out) => writeTree(out, { 'members/eve/index.html': '<script>' }),
  ],
  [
    'what other sites have',
    (out) => writeTree(out, { 'join/evil.html': '', 'sitemap-1.xml': '' }),
  ],
  [
    'a folder in place of a page',
    (out) => {
      removeFrom(out, page)
      writeTree(out, { [`${page}/evil.html`]: '<script>' })
    },
  ],
  [
    'a link in place of a member',
    (out) => {
      removeFrom(out, 'members/ana')
      fs.symlinkSync(path.dirname(out), `${out}/members/ana`, 'junction')
    },
  ],
  [
    'a link to all members',
    (out) => {
      fs.renameSync(`${out}/members`, `${out}-members`)
      fs.symlinkSync(`${out}-members`, `${out}/members`, 'junction')
    },
  ],
])('shotpress gallery repairs its folder, where no member changed: %s', (_, spoil) => {
  const folder = sandbox(withPicture)
  const out = `${folder}/gallery`
  write(folder)
  const before = readTree(out)
  spoil(out)
  write(folder)
  expect(readTree(out)).toEqual(before)
  expect(write(folder)).toContain(' 0 written, 0 removed')
})

/** Another text of the same length, with the time of the old one. */
const forge = (file: string) => {
  const { atime, mtime } = fs.statSync(file)
  fs.writeFileSync(
    file,
    fs.readFileSync(file).map((byte) => byte ^ 1),
  )
  fs.utimesSync(file, atime, mtime)
}

test('shotpress gallery leaves out members with errors, tells them, and says so', () => {
  const folder = sandbox({
    ...site,
    'content/members/bo/profile.yaml': 'id: 2\nname: Bo\nnmae: x\n',
  })
  expect(gallery(folder)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('left out for their errors: bo'),
    stderr: expect.stringContaining('unknown key "nmae"'),
  })
  expect(isThere(folder, 'gallery/members/bo')).toBe(false)
  expect(isThere(folder, 'gallery/members/ana/index.html')).toBe(true)
})

test('shotpress gallery has members again whose names clashed, once the other one gives way', () => {
  const alias = (id: number, name: string) => `id: ${id}\nname: ${name}\naliases: [x]\n`
  const bo = 'content/members/bo/profile.yaml'
  const folder = sandbox({
    ...site,
    'content/members/ana/profile.yaml': alias(1, 'Ana'),
    [bo]: 'id: 2\nname: Bo\n',
  })
  write(folder)
  writeTree(folder, { [bo]: alias(2, 'Bo') })
  for (const _ of [1, 2]) {
    expect(gallery(folder)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('left out for their errors: ana, bo'),
    })
  }
  expect(isThere(folder, 'gallery/members/ana')).toBe(false)
  writeTree(folder, { [bo]: 'id: 2\nname: Bo\n' })
  write(folder)
  write(folder, '--out clean')
  expect(readTree(folder, 'gallery')).toEqual(readTree(folder, 'clean'))
})

test('shotpress gallery shows drafts where it is asked to, and no other time', () => {
  const draft = `${shotYaml(31, 'Secret')}draft: true\n`
  const folder = sandbox({ ...site, 'content/members/ana/shots/draft.yaml': draft })
  for (const flags of ['', '--drafts', '']) {
    write(folder, flags)
    const pages = JSON.stringify(readTree(folder, 'gallery'))
    expect(pages.includes('Secret')).toBe(flags !== '')
  }
})

test('shotpress gallery has the pictures that lie beside the files, as they are published', () => {
  const folder = sandbox(withPicture)
  for (const _ of [1, 2]) {
    write(folder)
    const [name] = namesIn(folder, 'gallery/pictures')
    expect(name).toMatch(/^[0-9a-f]{32}\.png$/)
    const page = readText(`${folder}/gallery/members/bo/21/index.html`)
    expect(page).toContain(
      `src="../../../pictures/${name}" width=16 height=8 class=plate alt="A dot"`,
    )
  }
  writeTree(folder, { 'content/members/bo/shots/one.yaml': shotYaml(21) })
  removeFrom(folder, 'content/members/bo/shots/dot.png')
  write(folder)
  expect(isThere(folder, 'gallery/pictures')).toBe(false)
})

test('shotpress gallery copies the logo, and goes on with a warning where there is none', () => {
  const folder = sandbox({
    ...site,
    'content/site.yaml': 'base_url: https://api.example.com\ngallery:\n  logo: ./mark.svg\n',
  })
  const missing = { status: 0, stderr: expect.stringContaining('site.yaml:3:9') }
  expect(gallery(folder)).toMatchObject(missing)
  expect(runIn(folder, 'check')).toMatchObject(missing)
  writeTree(folder, { 'content/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' })
  write(folder)
  expect(readText(`${folder}/gallery/index.html`)).toContain('src=logo.svg')
  expect(isThere(folder, 'gallery/logo.svg')).toBe(true)
})

test('shotpress gallery refuses a folder with files of somebody else, and a link to one that is no gallery', () => {
  const folder = sandbox({ ...site, 'home/.profile': '' })
  write(folder)
  writeTree(folder, { 'gallery/_redirects': '/* https://elsewhere.example/' })
  expectRefusal(
    gallery(folder),
    '"gallery" holds something else than a gallery: "_redirects"',
  )
  removeFrom(folder, 'gallery/_redirects')
  writeTree(folder, { 'gallery/CNAME/evil.html': '' })
  expectRefusal(gallery(folder), '"gallery" holds something else than a gallery: "CNAME"')
  removeFrom(folder, 'gallery/CNAME')
  removeFrom(folder, 'gallery/404.html')
  expect(gallery(folder).status).toBe(2)
  removeFrom(folder, 'gallery')
  fs.symlinkSync('home', `${folder}/gallery`, 'junction')
  expect(gallery(folder).status).toBe(2)
  removeFrom(folder, 'home/.profile')
  expectRefusal(gallery(folder), 'is a link to a folder that holds no gallery')
  expect(namesIn(folder, 'home')).toEqual([])
})

test('shotpress gallery that dies at any step leaves what the next run makes whole', async () => {
  const prepared = () => {
    const folder = sandbox(site)
    write(folder)
    writeTree(folder, { 'content/members/ana/shots/two.yaml': shotYaml(12, 'Changed') })
    removeFrom(folder, 'content/members/bo')
    return folder
  }
  const run = async (cwd: string, killAt: number) => {
    const preload = 'test/snapshot/kill-at.mjs'
    const { ended } = startIn(cwd, 'gallery', { preload, env: { KILL_AT: `${killAt}` } })
    return ended
  }
  const whole = prepared()
  const calls = Number(/\d+$/.exec((await run(whole, -1)).stderr)?.[0])
  expect(calls).toBeGreaterThan(20)
  const next = readTree(whole, 'gallery')
  for (let killAt = 3; killAt < calls; killAt += Math.ceil(calls / 8)) {
    const folder = prepared()
    expect((await run(folder, killAt)).status).not.toBe(0)
    write(folder)
    expect(readTree(folder, 'gallery'), `killed at call ${killAt}`).toEqual(next)
    expect(namesIn(folder, '.shotpress/gallery')).toEqual(['state'])
  }
})

test('shotpress gallery --distrust makes every page anew, and changes what differs', () => {
  const folder = sandbox(site)
  write(folder)
  const out = `${folder}/gallery`
  const before = readTree(out)
  expect(write(folder, '--distrust')).toContain(' 0 written, 0 removed')
  forge(`${out}/${page}`)
  expect(write(folder, '--distrust')).toContain(' 1 written, 0 removed')
  expect(readTree(out)).toEqual(before)
})
