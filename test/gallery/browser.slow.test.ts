import path from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { render } from '../../scripts/gallery/render.ts'
import { hasBrowser, openBrowser, overflow, titled, violations } from '../preview/browser.ts'
import { writeTree } from '../sandbox.ts'
import { rowsOf, texts } from '../tables.ts'
import { times } from '../times.ts'
import { allAddresses, galleryOf, hostile, people, writePages } from './gallery.ts'

const tags = ['poster', 'lettering', 'c++']
const works = (count: number) =>
  times(count, (at) => ({
    title: `A work of ${at}`,
    tags,
    description: 'Made in an afternoon.',
    price_item: '24.50 EUR',
    url_purchased: 'https://shop.example.com/x',
    date: `2024-01-${String(28 - (at % 28)).padStart(2, '0')} 00:00:00`,
    id_project: at % 3 === 0 ? '7' : '0',
  }))

const gallery = galleryOf(
  [
    ...people(`
- username: ana
  name: Ana Example
  location: Lisbon, Portugal
  aliases: [old-ana]
  bio: "I draw letters.\\nOften."
  skills: [type, branding]
  website: https://ana.example.com
  avatar: ana.png
  cover_image: c.png
  totalFollowers: '1204'
  projects: [{ id: '7', created: 2019-01-01 00:00:00, title: '' }]
- { username: bo, name: Bo, shots: [{ image: https://elsewhere.example/x.png }] }
- { username: zoe, name: Zoe }
`).map((one, at) => (at === 0 ? { ...one, shots: works(30) } : one)),
    ...Object.values(hostile).map((value, at) => ({
      username: `hostile${at}`,
      name: value,
      location: value,
      bio: value,
      skills: [value],
      shots: [
        { title: value, description: value, price_item: value, tags: [value], alt: value },
      ],
    })),
  ],
  {
    title: 'Letters',
    edit: 'https://github.com/owner/repo',
    licence: 'All works © their makers',
  },
)

const kinds = [
  ...texts('/¦/members/¦/members/ana/¦/members/zoe/¦/members/bo/1031/¦/tags/¦/tags/poster/'),
  ...texts('/skills/¦/skills/type/¦/places/¦/search/¦/join/¦/404.html'),
]

/** The pages as files. */
const folder = writePages(gallery, afterAll)

const open = async (address: string, options: BrowserContextOptions = {}) => {
  const { context } = await openBrowser(options)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('dialog', (dialog) => errors.push(`dialog: ${dialog.message()}`))
  await page.goto(`file://${folder}${address}${address.endsWith('/') ? 'index.html' : ''}`)
  return { page, errors }
}

const workOf = (title: string) => {
  const { member, work } = gallery.index.newest.find(({ work }) => work.title === title)!
  return `/members/${member.username}/${work.id}/`
}

describe.runIf(hasBrowser)(titled('the gallery in Chromium'), () => {
  test.each(['light', 'dark'] as const)(
    'has nothing that axe finds on any kind of page, %s',
    async (colorScheme) => {
      for (const address of [...kinds, workOf('A work of 3')]) {
        const { page } = await open(address, {
          colorScheme,
          viewport: { width: colorScheme === 'dark' ? 390 : 1000, height: 800 },
        })
        expect(await violations(page), address).toEqual([])
      }
    },
  )

  test('never is wider than the screen, whatever strangers write, and nothing of it comes alive', async () => {
    const { page, errors } = await open('/', { viewport: { width: 320, height: 700 } })
    for (const address of allAddresses(gallery).filter((one) => one.endsWith('/'))) {
      if (address.includes('old-')) continue
      await page.goto(`file://${folder}${address}index.html`)
      expect(await overflow(page), address).toBeLessThanOrEqual(0)
    }
    expect(errors).toEqual([])
  })

  test('searches names, skills, tags and titles, without marks on letters, in files too', async () => {
    const { page } = await open('/search/')
    await page.fill('#q', 'ana')
    await page.locator('#results .face').first().waitFor()
    for (const [query, first] of rowsOf(`
      ana → Ana Example
      LISBÓN → Ana Example
      lettering → lettering
      work of 12 → A work of 12
    `)) {
      await page.fill('#q', query)
      await page.waitForFunction(
        (wanted) => document.querySelector('#results .people b')?.textContent === wanted,
        first,
      )
    }
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/members/ana/*/index.html')
    await page.goto(`file://${folder}/search/index.html?q=nobody-has-this`)
    await page.waitForFunction(
      () =>
        document.getElementById('found')!.textContent ===
        'Nothing found for “nobody-has-this”',
    )
    expect(await page.locator('#results .works').count(), 'what there is besides').toBe(1)
    await page.goto(`file://${folder}/404.html`)
    expect(await page.locator('#q:focus').count(), 'no keyboard comes on a phone').toBe(0)
  })

  test('fills in the files of who joins from what is typed', async () => {
    const { page } = await open('/join/')
    await page.fill('#name', 'Zoë "Z" Bell')
    await page.fill('#title', 'Tea: a poster')
    await page.locator('a[href*=tea-a-poster]').waitFor()
    const file = await page.locator('a.buy').first().getAttribute('href')
    const { searchParams } = new URL(file!)
    expect(searchParams.get('filename')).toBe('content/members/Zoe-Z-Bell/profile.yaml')
    expect(searchParams.get('value')).toContain('\nname: "Zoë \\"Z\\" Bell"\n')
  })

  test('draws something for a picture that it must not load', async () => {
    const { page } = await open('/members/bo/')
    const drawn = await page.evaluate(
      () => getComputedStyle(document.querySelector('.works i')!).backgroundImage,
    )
    expect(drawn).toContain('gradient')
  })

  /** Opens it from a server, as far as the page can tell. */
  const openServed = async (address: string, options: BrowserContextOptions = {}) => {
    const { page } = await open('/', options)
    await page.route('http://gallery.test/**', (route) => {
      const { pathname } = new URL(route.request().url())
      return route.fulfill({
        path: path.join(folder, pathname.replace(/\/$/, '/index.html')),
      })
    })
    await page.goto(`http://gallery.test${address}`, { waitUntil: 'load' })
    return page
  }

  test('brings other works of a member below a work, and the member’s face', async () => {
    const page = await openServed(workOf('A work of 4'))
    await page.locator('.others li').first().waitFor()
    const links = page.locator('.others li > a')
    const paths = await links.evaluateAll((all: HTMLAnchorElement[]) =>
      all.map(({ pathname }) => pathname),
    )
    expect(paths).toEqual([5, 7, 8, 10, 11, 13].map((at) => workOf(`A work of ${at}`)))
    expect(await page.locator('.author .face').count()).toBe(1)
    const shape = await page.locator('.others img').first().boundingBox()
    expect(shape!.width / shape!.height).toBeCloseTo(4 / 3, 1)
    expect(await page.locator('time').textContent()).toBe('24 January 2024')
    await links.first().click()
    await page.waitForURL(`**${workOf('A work of 5')}`)
  })

  test('moves nothing when pictures and other works arrive', async () => {
    for (const [address, width] of [
      ['/', 1200],
      ['/members/ana/', 1200],
      [workOf('A work of 1'), 1200],
      [workOf('A work of 1'), 768],
      ['/search/?q=work', 390],
    ] as const) {
      const page = await openServed(address, { viewport: { width, height: 1000 } })
      const shift = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries())
                sum += (entry as unknown as { value: number }).value
            }).observe({ type: 'layout-shift', buffered: true })
            setTimeout(() => resolve(sum), 500)
          }),
      )
      expect(shift, `${address} at ${width}`).toBeLessThan(0.01)
    }
  })

  test('fits at 200 % zoom and from right to left, keeps edges in forced colours, and rests where asked', async () => {
    const { settings } = galleryOf([], { lang: 'ar' })
    writeTree(folder, { 'rtl.html': render('/', { ...gallery, settings }).text })
    for (const [address, viewport] of [
      ['/', { width: 640, height: 400 }],
      ['/rtl.html', { width: 360, height: 700 }],
      [workOf('A work of 1'), { width: 320, height: 256 }],
    ] as const) {
      const { page } = await open(address, {
        viewport,
        forcedColors: 'active',
        reducedMotion: 'reduce',
      })
      const found = await page.evaluate(() => {
        const picture = getComputedStyle(document.querySelector('main img')!)
        const { clientWidth, scrollWidth } = document.documentElement
        return {
          direction: getComputedStyle(document.body).direction,
          wide: scrollWidth - clientWidth,
          edge: picture.borderTopWidth,
          moves: picture.transitionProperty,
        }
      })
      const direction = address === '/rtl.html' ? 'rtl' : 'ltr'
      expect(found, address).toEqual({ direction, wide: 0, edge: '1px', moves: 'all' })
    }
  })
})
