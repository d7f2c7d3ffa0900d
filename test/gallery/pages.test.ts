import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createLoader } from '../../scripts/advice/loader.ts'
import { proposeId } from '../../scripts/content/ids.ts'
import { builtFile } from '../../scripts/files/built.ts'
import { idOf } from '../../scripts/gallery/browser/id.ts'
import { changedLists } from '../../scripts/gallery/changes.ts'
import { linesOf } from '../../scripts/gallery/data.ts'
import { render } from '../../scripts/gallery/render.ts'
import { slugOf } from '../../scripts/gallery/words.ts'
import { captured } from '../captured.ts'
import { rowsOf, texts } from '../tables.ts'
import { times } from '../times.ts'
import { allAddresses, everything, galleryOf, hostile, people } from './gallery.ts'

const works = (count: number, tags: readonly string[] = []) =>
  times(count, (at) => ({
    tags,
    date: `20${String(24 - Math.floor(at / 300)).padStart(2, '0')}-01-01 00:00:00`,
  }))

const withImage = <T>(shot: T, at: number) => ({
  ...shot,
  image: `https://cdn.example.com/${at}.png`,
})

const text = (address: string, gallery: ReturnType<typeof galleryOf>) =>
  render(address, gallery).text

/** The page of a member who is alone in a gallery. */
const pageOf = (someone: Partial<Parameters<typeof galleryOf>[0][number]>) =>
  text('/members/ana/', galleryOf([{ username: 'ana', ...someone }]))

/**
 * Where a link of a page leads, as an address of the gallery; `undefined` for those that lead
 * away.
 */
const targetOf = (href: string, page: string) => {
  const url = new URL(href.replaceAll('&amp;', '&'), `https://gallery.test${page}`)
  return url.host === 'gallery.test' && !href.startsWith('#')
    ? decodeURIComponent(url.pathname)
    : undefined
}

const rich = galleryOf(
  people(`
- username: ana
  name: Ana Example
  location: Lisbon, Portugal
  totalFollowers: '12'
  skills: [type, C++, 日本]
  aliases: [old-ana, Index.html]
  projects: [{ id: '7', created: 2019-01-01 00:00:00, title: City posters }]
  shots:
    - { tags: [Poster, a/b, .., CON], date: 2024-03-02 10:00:00, description: "Drawn\\nby hand" }
    - { tags: [poster, index.html], date: 2023-03-02 10:00:00, id_project: '7' }
    - { tags: [Bücher], date: 2022-03-02 10:00:00, image: https://elsewhere.example/x.png }
- username: bo.2
  name: Bo
  shots: [{ date: 2024-02-01 00:00:00, draft: true }]
- { username: zoe, name: Zoe }
`),
  {
    title: 'Letters',
    url: 'https://gallery.example.com/sub',
    edit: 'https://github.com/o/r',
  },
)

test('each address answers, and every link leads to one of them', () => {
  const pages = everything(rich)
  const addresses = new Set(allAddresses(rich))
  expect(addresses.size).toBe(allAddresses(rich).length)
  for (const [address, page] of pages) {
    if (address !== '/members/old-ana/') expect(text(address, rich), address).toBe(page)
    // no page's file is the folder of another
    expect(address.toLowerCase()).not.toMatch(/index\.html\/$/)
    if (!page.startsWith('<!doctype html>')) continue
    for (const [, , href] of page.matchAll(/(?:href|src|data-index)=("?)([^"\s>]*)\1/g)) {
      const base = address === '/404.html' ? undefined : address
      const target = base && targetOf(href!, base)
      if (target !== undefined) expect(addresses, `${address} → ${href}`).toContain(target)
    }
  }
})

test('what is nowhere is the page that says so', () => {
  for (const address of texts(
    '/members/nobody/¦/members/ana/9/¦/members/ana¦/tags/x/¦/members/~2/¦/x',
  )) {
    expect(render(address, rich)).toMatchObject({
      status: 404,
      text: text('/404.html', rich),
    })
  }
  expect(text('/404.html', rich)).toContain('href=/sub/gallery.css>')
})

test('an alias leads to the page of today', () => {
  const page = everything(rich).get('/members/old-ana/')!
  expect(page).toContain('content="0; url=../ana/"')
  expect(page).toContain(
    'rel="canonical" href="https://gallery.example.com/sub/members/ana/"',
  )
})

test.each(
  rowsOf(`
    Poster → poster
    Bücher → bücher
    Lisbon, Portugal → lisbon-portugal
    c++ → c++
  `),
)('%s is at %s', (word, slug) => expect(slugOf(word)).toBe(slug))

test('no word leads out of its folder, and different words never meet', () => {
  const words = [...texts('..¦.¦/¦a/b¦ab¦a\\b¦nul¦com1.txt¦%2e¦~2¦*¦🙂¦ '), 'a'.repeat(300)]
  const slugs = words.map(slugOf)
  for (const slug of slugs) expect(slug).toMatch(/^(?!\.{1,2}$|nul$)[^/\\%*:?"<>|\s]{1,60}$/)
  expect(new Set(slugs).size).toBe(words.length)
})

test('sixty are on a page, and a tag has at most ten pages', () => {
  const gallery = galleryOf([{ username: 'ana', shots: works(1000, ['x']) }])
  expect(render('/tags/x/~10/', gallery).status).toBe(200)
  expect(render('/tags/x/~11/', gallery).status).toBe(404)
  expect(text('/tags/x/~10/', gallery).match(/<li>/g)).toHaveLength(60)
  const members = galleryOf(times(61, (at) => ({ username: `m${at}` })))
  expect(text('/members/~2/', members).match(/<li>/g)).toHaveLength(1)
})

test('a shared page that says something else after a change is known to', () => {
  const person = {
    username: 'ana',
    name: 'Ana',
    skills: ['type', 'logo'],
    location: 'Lisbon',
  }
  const [first, ...rest] = works(70, ['Poster', 'logo'])
  const others = [
    {
      username: 'bo',
      name: 'Bo',
      skills: ['Type'],
      location: 'lisbon',
      shots: works(3, ['poster', 'ink']),
    },
    { username: 'cy', name: 'Cy', skills: ['ink'], location: 'Rome' },
  ]
  const before = galleryOf([...others, { ...person, shots: [first!, ...rest] }])
  const changed = [
    { ...person, name: 'Zoe' },
    { ...person, location: '', skills: ['logo', 'new'] },
    { ...person, avatar: 'ana.png' },
    { ...person, username: 'anna' },
    { ...person, shots: rest },
    { ...person, shots: [{ ...first!, date: '2026-01-01 00:00:00' }, ...rest] },
    { ...person, shots: [first!, ...rest.slice(1), { title: 'Old', tags: ['logo', 'old'] }] },
    { ...person, shots: [first!, { ...rest[0]!, title: 'Other' }, ...rest.slice(1)] },
  ]
  for (const member of changed) {
    const after = galleryOf([...others, { shots: [first!, ...rest], ...member }])
    const changed = texts('bo¦cy¦ana¦anna').flatMap((username) => {
      const [was, is] = [before, after].map(({ index }) =>
        index.members.filter((one) => one.username === username).flatMap(linesOf),
      )
      return changedLists(was!, is!)
    })
    for (const address of allAddresses(after).filter((one) =>
      /^\/(?:tags|skills|places)\/./.test(one),
    )) {
      const list = address.replace(/~\d+\/$/, '')
      if (!changed.includes(list))
        expect(text(address, after), address).toBe(text(address, before))
    }
    for (const list of ['/skills/ink/', '/tags/ink/']) expect(changed).not.toContain(list)
  }
})

test('the first page shows one work of each member before a second one of anybody', () => {
  const gallery = galleryOf([
    { username: 'ana', shots: works(50) },
    { username: 'bo', shots: [{ date: '2001-01-01 00:00:00', title: 'Old' }] },
  ])
  const shown = captured(text('/', gallery), /href=members\/(\w+)\/\d+\/>/g)
  expect(shown.slice(0, 3)).toEqual(['ana', 'bo', 'ana'])
  expect(shown).toHaveLength(51)
  const offered = text('/search/', gallery).match(/<h2>New<\/h2>.*?<\/ul>/s)![0]
  expect(offered.match(/<li/g)).toHaveLength(4)
})

test('a search finds members with more works first', () => {
  const gallery = galleryOf([{ username: 'ana' }, { username: 'bo', shots: works(1) }])
  expect(text('/search.js', gallery)).toMatch(/@\n\tbo\t.*\n\tana\t/)
})

test('a row of a tag shows works that no row above shows', () => {
  const shots = works(6, ['ink', 'type'])
  const page = text('/tags/', galleryOf([{ username: 'ana', shots: shots.map(withImage) }]))
  const shown = captured(page, /src="([^"]*)"/g)
  expect(new Set(shown).size).toBe(6)
})

test.each(
  rowsOf(`
    / → No work is published yet
    /members/ana/ → has shown no work yet
    /tags/ → There are none yet
  `),
)('%s says so where nothing is', (address, words) =>
  expect(text(address, galleryOf([{ username: 'ana' }]))).toContain(words),
)

test('a member has counts above zero, and the works of a project together', () => {
  const page = text('/members/ana/', rich)
  expect(page).toContain('<b>12</b> followers')
  expect(page).not.toMatch(/<b>0<\/b>/)
  expect(page).toContain('<h2>City posters <small>2019</small></h2>')
  expect(text('/members/zoe/', rich)).not.toMatch(/class=facts|<h2>/)
})

test('pictures are loaded from hosts that the site names, and others are a drawing and a link', () => {
  const page = text('/members/ana/1003/', rich)
  expect(page).not.toMatch(/src="https:\/\/elsewhere/)
  expect(page).toContain('href="https://elsewhere.example/x.png"')
  expect(page).toContain("img-src 'self' https://cdn.example.com/\"")
  const { settings } = galleryOf([], { images: ['elsewhere.example'] })
  expect(text('/members/ana/1003/', { ...rich, settings })).toContain(
    'src="https://elsewhere.example/x.png"',
  )
})

const own = (name: string) => `https://api.example.com/pictures/${name.repeat(32)}.png`

test('a tile has the shape of its picture, and the first one comes before all others', () => {
  const shapes = [
    [600, 900, false],
    [1600, 900, true],
    [500, 1000, false],
    [2400, 500, false],
    [10, 10, false],
  ] as const
  const looks = new Map(
    shapes.map(([width, height, hasAlpha], at) => [
      own(`${at}`),
      { width, height, hasAlpha },
    ]),
  )
  const shots = shapes.map((_, at) => ({
    image: own(`${at}`),
    date: `2024-01-0${9 - at} 00:00:00`,
  }))
  const page = pageOf({ shots, looks })
  const classes = captured(page, /<li class="([^"]*)"/g)
  expect(classes).toEqual(texts('r-20¦r29¦r-35¦r78¦r0 mat'))
  expect(page.match(/fetchpriority=high/g)).toHaveLength(1)
  expect(page.match(/loading=lazy/g)).toHaveLength(4)
  expect(page).toContain(
    `/pictures/${'1'.repeat(32)}.png" width=1600 height=900 class=plate alt loading=lazy>`,
  )
  const rules = text('/gallery.css', rich)
  for (const name of classes) expect(rules).toContain(`.${name.split(' ')[0]}{--r:`)
})

test('cards show no GIF and nothing that is small', () => {
  const tell = (image: string, size: number) => {
    const looks = new Map([[image, { width: size, height: size, hasAlpha: false }]])
    const said = { url: 'https://g.example' }
    const shots = [{ image, alt: 'A poster' }]
    return text('/members/ana/1001/', galleryOf([{ username: 'ana', shots, looks }], said))
  }
  expect(tell(own('a'), 800)).toMatch(
    /property=og:image content="[^"]*"><meta name=twitter:card/,
  )
  expect(tell(own('a'), 800)).toContain('property=og:image:alt content="A poster"')
  expect(tell(own('a'), 64)).not.toContain('og:image')
  expect(tell('https://cdn.example.com/a.gif', 800)).not.toContain('og:image')
})

test('a long text of a member is told once, its end where somebody wants it', () => {
  const bio = times(60, (at) => `word${at}`).join(' ')
  const page = pageOf({ bio })
  expect(page.match(/<details class=bio>.*?<\/details>/)![0]).toContain(`<span>${bio}</span>`)
  expect(pageOf({ bio: 'Short' })).toContain('<p class=bio>Short</p>')
})

test('what strangers write is never markup, on any page, in data or in a feed, and leaves pages small', () => {
  const fields = Object.values(hostile)
  const gallery = galleryOf(
    fields.map((value, at) => {
      const picture = `https://cdn.example.com/${value}`
      const link = `https://x.example/${value}`
      const shot = { title: value, description: value, price_item: value, tags: [value] }
      return {
        username: `m${at}`,
        name: value,
        location: value,
        bio: value,
        skills: [value],
        website: link,
        cover_image: picture,
        avatar: picture,
        shots: [{ ...shot, image: picture, url_purchased: link }],
      }
    }),
    { title: hostile.script, description: hostile.attribute, licence: hostile.script },
  )
  for (const [address, page] of everything(gallery)) {
    if (/\.(?:js|css)$/.test(address)) continue
    expect(page, address).not.toMatch(
      /<script>|<img src=x|\sonmouseover="|onerror=alert\(1\)>/,
    )
    expect(page, address).not.toMatch(/[\0\u001b\u202e\u2028]/)
    expect(page.length, address).toBeLessThan(40_000)
    for (const data of captured(page, /ld\+json>(.*?)<\/script>/g))
      expect(() => JSON.parse(data)).not.toThrow()
  }
  expect(text('/search.js', gallery)).not.toMatch(/<\/script|\u202e|\u2028/)
})

const joining = (edit: string) => {
  const gallery = galleryOf([{ username: 'ana', id: '24', shots: works(3) }], { edit })
  const link = (address: string, name: RegExp) => {
    const href = [
      ...text(address, gallery).matchAll(/href="(https:[^"]*)"[^>]*>([^<]*)</g),
    ].find(([, , words]) => name.test(words!))![1]!
    return new URL(href.replaceAll('&amp;', '&'))
  }
  return {
    profile: link('/join/', /profile/),
    work: link('/join/', /Write the work/),
  }
}

test('joining leads to the page for a new file, with the text that it takes', () => {
  const { profile, work } = joining('https://github.com/owner/repo')
  expect(profile.origin + profile.pathname).toBe('https://github.com/owner/repo/new/main')
  expect(profile.searchParams.get('filename')).toBe('content/members/YOUR-NAME/profile.yaml')
  expect(work.searchParams.get('filename')).toBe(
    'content/members/YOUR-NAME/shots/WORK-NAME.yaml',
  )
  const loader = createLoader()
  const read = (url: URL, blanks: Readonly<Record<string, string>>) => ({
    file: 'x.yaml',
    text: Object.entries(blanks).reduce(
      (yaml, [key, value]) => yaml.replace(new RegExp(`^${key}:$`, 'm'), `${key}: ${value}`),
      url.searchParams.get('value')!,
    ),
  })
  const member = loader.loadProfile(read(profile, { id: '7', name: 'Kim' }), undefined)
  expect(member).toMatchObject({ value: { id: '7', name: 'Kim' }, diagnostics: [] })
  const blanks = {
    id: '1004',
    title: 'First',
    date: '2026-01-31',
    image: 'https://x.example/a.png',
  }
  const shot = loader.loadShot(read(work, blanks), undefined)
  expect(shot).toMatchObject({ value: { title: 'First' }, diagnostics: [] })
})

test.each(texts('ana¦Ana¦ana/tea-poster¦zoë/x'))(
  'the id of %s is the one that the program proposes',
  async (name) => expect(await idOf(name)).toBe(proposeId(name, () => false)),
)

test.each(
  rowsOf(`
    https://github.com/o/r/tree/dev/a/content → https://github.com/o/r/new/dev?filename=a%2Fcontent%2F
    https://codeberg.org/o/r → https://codeberg.org/o/r/_new/main/?filename=content%2F
    https://codeberg.org/o/r/src/branch/dev/src/a → https://codeberg.org/o/r/_new/dev/?filename=src%2Fa%2F
    https://gitlab.com/g/h/r/-/tree/dev → https://gitlab.com/g/h/r/-/new/dev?file_name=content%2F
    https://gitlab.com/g/h/r → https://gitlab.com/g/h/r/-/new/main?file_name=content%2F
  `),
)('joining a site at %s leads there, and nothing is wrong with it', (edit, start) => {
  expect(joining(edit).profile.href).toContain(start)
  const site = `base_url: https://api.example.com\ngallery: { edit: "${edit}" }\n`
  expect(createLoader().loadSite({ file: 'site.yaml', text: site }).diagnostics).toEqual([])
})

test('feeds tell the dates of the content, and each work’s picture and words', () => {
  const feed = text('/feed.xml', rich)
  for (const part of [
    '<updated>2024-03-02T10:00:00Z</updated>',
    '<id>https://api.example.com/members/ana/1001/</id>',
    '<link href="https://gallery.example.com/sub/members/ana/1001/"/>',
    'alt=&quot;Work 1001&quot;',
    '&lt;p&gt;Drawn by hand&lt;/p&gt;',
  ])
    expect(feed).toContain(part)
  expect(text('/members/zoe/feed.xml', rich)).toContain(
    '<updated>0001-01-01T00:00:00Z</updated>',
  )
})

test('the sitemap has the address of every page that is not another’s, where its own is known', () => {
  const listed = captured(text('/sitemap.xml', rich), /<loc>(.*?)<\/loc>/g)
  const pages = allAddresses(rich).filter(
    (one) => /\/$/.test(one) && !/search|old-ana/.test(one),
  )
  expect(listed.toSorted()).toEqual(
    pages.map((one) => encodeURI(`https://gallery.example.com/sub${one}`)).toSorted(),
  )
  expect(render('/sitemap.xml', galleryOf([])).status).toBe(404)
})

test('above 50,000 addresses the sitemap lists several', () => {
  const many = times(9, (at) => ({ username: `m${at}`, shots: works(6000) }))
  const gallery = galleryOf(many, { url: 'https://g.example' })
  expect(text('/sitemap.xml', gallery).match(/<loc>.*?<\/loc>/g)).toEqual([
    '<loc>https://g.example/sitemap-1.xml</loc>',
    '<loc>https://g.example/sitemap-2.xml</loc>',
  ])
  const count = (number: number) =>
    text(`/sitemap-${number}.xml`, gallery).match(/<loc>/g)!.length
  expect(count(1)).toBe(50_000)
  expect(count(2)).toBeGreaterThan(4_000)
})

test('a page has at most 40 KB and 3,000 elements, one of a work some 1,600 bytes', () => {
  const words = times(8, (at) => `word-${at}-of-a-length`)
  const crowd = times(120, (at) => ({
    username: `member-${at}`,
    name: 'A Name of Some Length',
    location: 'Lisbon, Portugal',
    skills: words,
    shots: works(at === 0 ? 500 : 20, words),
  }))
  for (const [address, page] of everything(galleryOf(crowd))) {
    if (!page.startsWith('<!doctype html>')) continue
    // there may be 200,000 works
    const most = /\/\d+\/$/.test(address) ? 1800 : 40_000
    expect(Buffer.byteLength(page), address).toBeLessThan(most)
    expect(page.match(/<[a-z]/g)!.length, address).toBeLessThan(3000)
  }
})

test('the script has 8 KB, the stylesheet 6, as they are sent', () => {
  expect(gzipSync(builtFile('scripts/gallery/script.ts')).length).toBeLessThan(8 * 1024)
  expect(gzipSync(builtFile('scripts/gallery/gallery.css')).length).toBeLessThan(6 * 1024)
})
