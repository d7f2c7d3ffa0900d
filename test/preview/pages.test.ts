import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commitAll } from '../git.ts'
import { ascii, exif, jfif, jpeg, segment } from '../pictures/bytes.ts'
import { until } from '../processes.ts'
import { makeFolder, removeFrom, renameIn, type Tree, writeTree } from '../sandbox.ts'
import { texts } from '../tables.ts'
import { expectStatus, formAt, profile, shot } from './previewing.ts'
import { ana, one, site, startSite, three } from './site.ts'

test('pages are the gallery’s, with the bar, and say that all is served', async () => {
  const { get } = await startSite()
  for (const address of texts(
    '/¦/members/¦/members/ana/¦/members/ana/11/¦/tags/red/¦/search/',
  )) {
    const { status, body, headers } = await get(address)
    expect(status, address).toBe(200)
    expect(body, address).toContain('✓ served')
    expect(body.match(/id="sp-bar"/g), address).toHaveLength(1)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

const broken = { ...site, 'content/site.yaml': 'base_url: x\n' }

/** Names that no member and no work may have; pages show them until they are mended. */
const odd: Tree = {
  'content/site.yaml': `${site['content/site.yaml']}gallery: { logo: ./mark.svg, url: https://g.example/sub, edit: https://github.com/o/r }\n`,
  'content/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'content/members/a b onclick=x/profile.yaml': 'id: 8\nname: Odd\n',
  "content/members/q'r#s?/profile.yaml": 'id: 9\nname: Odd\n',
  [shot('ana', 'odd #50% a?b')]: 'id: x\ntitle: Odd\n',
}

test.each([
  ['', { ...site, ...odd }],
  ['where site.yaml was never right', broken],
])(
  'every link, picture, script and stylesheet leads somewhere, from forms and their views, too %s',
  async (_, tree) => {
    const { get, url } = await startSite(tree)
    const edits = [one, ana].map(formAt)
    const found = new Set([
      '/',
      '/members/ana/11/',
      '/-/changes',
      '/members/nobody/x/',
      ...edits,
    ])
    for (const asked of found) {
      const { status, body, to, headers } = await get(asked)
      // of content that was never right there is no snapshot
      if (!/^\/(?:members\/nobody|api)\//.test(asked)) expect(status, asked).not.toBe(404)
      expect(body, asked).not.toMatch(/\bNaN\b|\[object /)
      const isPage = headers.get('content-type')?.startsWith('text/html')
      if (/\.(?:css|js|svg)$/.test(asked)) expect(isPage, asked).toBe(false)
      const links = [
        ...(isPage ? body : '').matchAll(/\s(?:href|src|data-index)=(?:"(.*?)"|([^\s>]+))/g),
      ]
      for (const link of [
        ...links.map(([, quoted, bare = '']) => quoted ?? bare),
        to ?? asked,
      ]) {
        const plain = link.replaceAll('&amp;', '&').replaceAll('&#39;', "'")
        const { origin, pathname, search } = new URL(plain, url + asked)
        if (origin === url) found.add(pathname + search)
      }
      const told =
        tree === broken
          ? /nothing to show yet.*content\/site\.yaml:1/s
          : /id="sp-view".*href=\/members\/ana\/12/s
      if (edits.includes(asked)) expect(body).toMatch(told)
    }
    expect(found.size).toBeGreaterThan(12)
  },
)

test('an error anywhere is counted on each page, one click away, and shown at its work', async () => {
  const { get, show, page } = await startSite()
  await show({ [one]: 'id: 11\ntitle: Changed\ndate: 2024-02-30\nimage: one.png\n' })
  const address = '/members/ana/!one/'
  const link = `<a href="${address}#sp-problems">1 error</a>`
  for (const other of texts('/¦/members/bo/¦/tags/¦/members/nobody/'))
    expect(await page(other), other).toContain(link)
  const { body, status } = await get(address)
  expect(status).toBe(200)
  expect(body).toContain('<mark>2024-02-30</mark>')
  expect(body).toContain('Changed') // what can be read of it
  expect(await page('/members/ana/')).toMatch(
    /data-work="!one"><a .*?<\/a><em class="sp-flag sp-error">e/,
  )
})

test('a work with an error has a page, also one that was never right; errors come before warnings', async () => {
  const { get, page } = await startSite({
    ...site,
    [shot('bo', 'a-late')]: 'id: 31\ntitle: x\ndate: 2999-01-01\nimage: a.png\n',
    [shot('bo', 'last')]: 'title: Broken\ndate: 1999-01-01\n',
    [shot('bo', 'w3')]: 'id: x\n',
    [shot('alone')]: 'id: 9\ntitle: x\ndate: 2024-01-01\nimage: x.png\n',
  })
  expect(await page('/members/alone/'), 'no profile, no form').not.toContain('>Edit<')
  const body = await page('/members/bo/')
  for (const id of ['!last', '!w3']) expect(body).toContain(`data-work="${id}"`)
  expect(body).toMatch(/sp-problems".*class="sp-bad">error.*class="">warning/)
  expect(await page('/members/bo/!last/')).toContain('Broken')
  await expectStatus(200, get('/members/bo/!w3/'))
})

test('an alias leads to the member, and who is removed is gone', async () => {
  const { get, show, at, page } = await startSite()
  expect(await page('/members/ana-lima/')).toContain('url=/members/ana/')
  expect(await get('/members/ana')).toMatchObject({ status: 302, to: '/members/ana/' })
  removeFrom(at, 'content/members/bo')
  await show({})
  await expectStatus(404, get('/members/bo/'))
})

test('choices are remembered: drafts, and pictures of other sites', async () => {
  const { get, page } = await startSite()
  const closed = await get('/members/ana/')
  for (const shown of [
    'Third',
    'data-choice="strangers=yes">Show pictures',
    '"drafts=no">Hide',
  ])
    expect(closed.body).toContain(shown)
  expect(closed.body).not.toContain('src="https://other.example.org')
  expect(closed.headers.get('content-security-policy')).not.toContain('other.example.org')
  const cookie = 'shotpress-drafts=no; shotpress-strangers=yes'
  const open = await page('/members/ana/', { cookie })
  expect(open).not.toContain('Third')
  expect(open).toContain('"drafts=yes">Show')
  expect(open).toContain('src="https://other.example.org/two.png"')
})

test('a picture beside its file is what would be published, in a draft, too', async () => {
  const { get, show, at, page } = await startSite()
  const photo = jpeg(jfif, segment(0xe1, 'Exif\0\0', exif([ascii(0x013b, 'Ana')])))
  writeTree(at, {
    'content/members/ana/shots/photo.jpg': photo,
    'content/members/ana/shots/cut.jpg': photo.subarray(0, 60),
  })
  const draft = (id: number, image: string) =>
    `id: ${id}\ntitle: Photo\ndate: 2024-01-05\nimage: ${image}\ndraft: true\n`
  await show({
    [shot('ana', 'p')]: draft(15, './photo.jpg'),
    [shot('ana', 'q')]: draft(16, './cut.jpg'),
  })
  const pictureOf = async (id: string) =>
    /<img src="[^"]*(\/pictures\/[^"]*)"/.exec(await page(`/members/ana/${id}/`))![1]!
  const { status, headers, body } = await get(await pictureOf('15'))
  expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(body).toBe(jpeg(jfif).toString('utf8'))
  await expectStatus(404, get(await pictureOf('16')))
  const tile = /<li class="r[^>]*="15"><a [^>]*><img [^>]* width=/
  expect(await page('/members/ana/'), 'its shape, as in the gallery').toMatch(tile)
})

test('a logo that could not be published is not shown', async () => {
  const { get, show } = await startSite({ ...site, ...odd })
  const { headers, body } = await get('/logo.svg')
  expect([headers.get('content-type'), body]).toEqual([
    'image/svg+xml',
    odd['content/mark.svg'],
  ])
  await show({ 'content/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>' })
  await expectStatus(404, get('/logo.svg'))
})

test('What changed lists drafts and broken files, too, key by key', async () => {
  const { show, at, page } = await startSite()
  expect(await page('/-/changes')).toContain('git init makes one')
  commitAll(at)
  await show({
    [one]: 'id: 11\ntitle: Other\ndate: 2024-01-01\nimage: new.png\ntags: [red]\n',
    [shot('ana', 'new')]: 'id: 14\ntitle: New\ndate: 2024-01-04\nimage: four.png\n',
  })
  const body = await page('/-/changes')
  expect(body).toContain('<dt>Title</dt><dd><del>First</del></dd><dd><ins>Other</ins>')
  expect(body).toContain('src="https://cdn.example.com/one.png"')
  expect(body).not.toContain('>bo</a>')
  await show({
    [profile('bo')]: 'id: 2\nname: Bo\nbio: [x\n',
    [three]: `${site[three]}alt: A draft\n`,
    'content/site.yaml': `${site['content/site.yaml']}openapi: true\n`,
  })
  const changes = await page('/-/changes')
  for (const told of texts(
    '>Ana Example</a></h2>¦>Bo</a></h2>¦A draft¦Also: content/site.yaml',
    '<a href="/members/ana/14/">New</a> <small><bdi>content/members/ana/shots/new.yaml',
  ))
    expect(changes).toContain(told)
  expect(changes).toMatch(/<ins>New<\/ins>.*<dt>Shot id<\/dt><dd><ins>14<\/ins>/)
})

test('a page waits for the first build, and tabs hear of each', async () => {
  const { get, show, url } = await startSite(site, { built: false })
  const early = get('/members/ana/')
  const ended = new AbortController()
  const { body } = await fetch(`${url}/-/live`, { signal: ended.signal })
  const heard: string[] = []
  const reader = body!.getReader()
  const listening = (async () => {
    for (;;) heard.push(Buffer.from((await reader.read()).value ?? []).toString())
  })().catch(() => {})
  await show({})
  await until(
    () => heard.join(''),
    (all) => all.match(/event: version/g)?.length === 2,
  )
  await expectStatus(200, early)
  ended.abort()
  await listening
})

test('the editor is opened for files of the content only, by those who have the key', async () => {
  const { post, opened, folder, url } = await startSite()
  const own = { Origin: url, 'Content-Type': 'application/json', 'Shotpress-Edit': 'right' }
  const ask = (data: object, headers: Record<string, string> = own) =>
    post('/-/open', JSON.stringify(data), headers)
  const line = { file: one, line: '2' }
  await expectStatus(200, ask(line))
  expect(opened).toEqual([`${path.join(folder.path, 'members/ana/shots/one.yaml')}:2`])
  fs.symlinkSync(path.dirname(folder.path), `${folder.path}/up`)
  fs.symlinkSync(folder.path, `${folder.path}/link.yaml`)
  const linked = ['content/up/content/site.yaml', 'content/link.yaml', 'content/absent.yaml']
  const outside = texts('content/../package.json¦/etc/passwd¦other/x¦¦content/')
  for (const file of [...outside, ...linked])
    expect([400, 422], file).toContain((await ask({ file, line: '1' })).status)
  for (const Origin of ['https://evil.example', 'null', `${url}.evil.example`])
    await expectStatus(403, ask(line, { ...own, Origin }))
  for (const key of ['', 'wrong'])
    await expectStatus(403, ask(line, { ...own, 'Shotpress-Edit': key }))
  await expectStatus(403, post('/-/open', '{}', {}))
  expect(opened).toHaveLength(1)
})

test('pages of other sites may lead here, and have no work done', async () => {
  const { ask } = await startSite()
  const status = async (path: string, site: string, kind: string) =>
    (await ask(path, { 'Sec-Fetch-Site': site, 'Sec-Fetch-Dest': kind })).status
  for (const site of ['cross-site', 'same-site']) {
    for (const path of texts('/¦/-/changes¦/-/live¦/gallery.css'))
      expect(await status(path, site, 'empty')).toBe(403)
    for (const path of ['/-/changes', '/-/new'])
      expect(await status(path, site, 'document')).toBe(403)
    expect(await status('/members/ana/', site, 'document')).toBe(200)
    expect(await status('/api/username/ana', site, 'empty')).toBe(200)
  }
  expect(await status('/-/new', 'none', 'document')).toBe(200)
})

test.each([
  ['a member', (at: string) => removeFrom(at, 'content/members/ana')],
  ['the content', (at: string) => removeFrom(at, 'content')],
  [
    'a shot that is a folder',
    (at: string) => {
      removeFrom(at, one)
      makeFolder(at, one)
    },
  ],
  [
    'a member that is a link',
    (at: string) => {
      renameIn(at, 'content/members/ana', 'elsewhere')
      fs.symlinkSync(`${at}/elsewhere`, `${at}/content/members/ana`, 'junction')
    },
  ],
])('pages are there while %s is gone or replaced', async (_, disturb) => {
  const { at, get, failures } = await startSite()
  disturb(at)
  for (const address of texts('/¦/members/ana/¦/members/ana/11/¦/tags/¦/members/bo/')) {
    expect([200, 302, 404], address).toContain((await get(address)).status)
  }
  expect(failures).toEqual([])
})
