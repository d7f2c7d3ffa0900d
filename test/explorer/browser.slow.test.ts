import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { exportPages } from '../../scripts/preview/pages/export-pages.ts'
import { hasBrowser, openBrowser, titled } from './browser.ts'
import { file, mistakes, startSite, variedSite } from './site.ts'

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong, in a line each. */
const violations = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe)
  return page.evaluate(
    `axe.run(document, { preload: false, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' at ' + target + ': ' + failureSummary)))`,
  )
}

const titleOf18 = 'Work 18'
const work = (page: Page, name: string) => page.locator(`[id="file-${name}.yaml"]`)
const eventually = async (what: () => Promise<unknown>): Promise<void> =>
  expect.poll(what, { timeout: 20_000, interval: 50 }).toBe(true)

describe.skipIf(!hasBrowser)(titled('the pages in a browser'), { timeout: 180_000 }, () => {
  test('have no fault that axe knows, light and dark, on a phone and on a desk', async () => {
    const { url, show } = await startSite(variedSite)
    const { context } = await openBrowser()
    const page = await context.newPage()
    const look = async (address: string): Promise<void> => {
      await page.goto(url + address)
      await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect(await violations(page), `${address} ${width} ${colorScheme}`).toEqual([])
        }
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), address).toBe(true)
      }
    }
    for (const address of ['/members/bo', '/members/noor']) await look(address)
    await show(mistakes)
    for (const address of ['/', '/members/ana']) await look(address)
  })

  test('ask nobody but the preview, until a host is allowed, and then that host only', async () => {
    const { url } = await startSite(variedSite)
    const { context, asked } = await openBrowser()
    const page = await context.newPage()
    const others = () =>
      [...new Set(asked.map((one) => new URL(one).origin))].filter((origin) => origin !== url)
    await page.goto(url)
    await page.goto(`${url}/members/ana`)
    await page.waitForTimeout(500)
    expect(others()).toEqual([])
    const answer = page.waitForResponse(
      (response) => response.request().method() === 'GET' && response.url() === `${url}/members/ana`,
    )
    await page.getByRole('button', { name: 'Show images from cdn.example.com' }).click()
    const policy = (await (await answer).headerValue('Content-Security-Policy'))!
    expect(policy).toContain("img-src 'self' http://cdn.example.com;")
    await eventually(async () => asked.includes('http://cdn.example.com/ana.png'))
    expect(others()).toEqual(['http://cdn.example.com'])
    const next = await context.newPage()
    await next.goto(`${url}/members/noor`)
    await eventually(async () => asked.includes('http://cdn.example.com/noor.png'))
    await next.getByRole('button', { name: 'Hide images from cdn.example.com' }).click()
    await next.getByRole('button', { name: 'Show images from cdn.example.com' }).waitFor()
    expect(await next.locator('img').count()).toBe(0)
    expect(others()).toEqual(['http://cdn.example.com'])
  })

  test('can be used by keyboard alone', async () => {
    const { url } = await startSite(variedSite)
    const { context } = await openBrowser()
    const page = await context.newPage()
    await page.goto(url)
    const press = async (key: string, times = 1) => {
      for (let time = 0; time < times; time++) await page.keyboard.press(key)
    }
    const tabTo = async (name: string): Promise<void> => {
      for (let time = 0; time < 100; time++) {
        await press('Tab')
        if (
          (
            (await page.evaluate(
              'document.activeElement === document.body ? "" : document.activeElement.innerText || document.activeElement.id',
            )) as string
          ).includes(name)
        )
          return
      }
      throw new Error(`no way to ${name}`)
    }
    await press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await tabTo('q')
    await page.keyboard.type('example')
    await eventually(async () => (await page.locator('.members li').count()) === 2)
    await tabTo('Ana Example')
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await press('Enter')
    await page.waitForURL('**/members/ana')
    await tabTo('Show images from cdn.example.com')
    await press('Enter')
    await page.getByRole('button', { name: 'Hide images from cdn.example.com' }).waitFor()
    await tabTo(titleOf18)
    await press('Enter')
    expect(await work(page, 'work-18').locator('dl.fields').isVisible()).toBe(true)
    await tabTo('Open lines in VS Code')
    await press('Enter')
    const place = work(page, 'work-18').locator('a.place').first()
    await place.waitFor({ state: 'attached' })
    expect(await place.getAttribute('href')).toMatch(
      /^vscode:\/\/file\/.*\/content\/members\/ana\/shots\/work-18\.yaml:1$/,
    )
  })

  test('show what changes, where it changes, and keep the place of who reads', async () => {
    const { url, show } = await startSite(variedSite)
    const { context } = await openBrowser({ viewport: { width: 1280, height: 600 } })
    const page = await context.newPage()
    await page.goto(`${url}/members/ana`)
    const summary = work(page, 'work-10').locator('summary')
    await summary.click()
    const before = (await summary.boundingBox())!.y
    const staysThere = async (): Promise<void> => {
      expect(await page.evaluate('document.activeElement.closest("li").id')).toBe('file-work-10.yaml')
      expect(Math.abs((await summary.boundingBox())!.y - before)).toBeLessThan(2)
    }
    await show({
      [file.shot('ana', 'work-9')]: 'id: 109\ntitle: Another\ndate: 2020-01-09\nimage: works/9.png\n',
    })
    await page.getByRole('heading', { name: 'Another' }).waitFor()
    expect(await page.locator('#news').textContent()).toContain('Changed: Another')
    expect(await work(page, 'work-9').getAttribute('class')).toContain('changed')
    await staysThere()
    expect(await work(page, 'work-10').locator('details').getAttribute('open')).not.toBeNull()
    // what is wrong stands at its work, over the last good state
    await show(mistakes)
    const wrong = work(page, 'work-18')
    await wrong.getByText('did you mean "title"?').waitFor()
    expect(await wrong.locator('h3').textContent()).toBe(titleOf18)
    expect(await wrong.textContent()).toContain('"2020-02-30" is not a date')
    expect(await wrong.textContent()).toContain('Shown as it was when it was right last.')
    await staysThere()
    await show(variedSite)
    await eventually(async () => (await page.getByText('did you mean').count()) === 0)
  })

  test('find members while somebody types, and keep the field', async () => {
    const { url } = await startSite(variedSite)
    const { context } = await openBrowser()
    const page = await context.newPage()
    await page.goto(url)
    await page.locator('#q').fill('عمان')
    await eventually(async () => (await page.locator('.members b').allTextContents()).join() === 'نور مثال')
    expect(await page.locator('#count').textContent()).toBe('1 of 3 members')
    expect(await page.evaluate('document.activeElement.id')).toBe('q')
    await page.reload()
    expect(await page.locator('.members li').count()).toBe(1)
  })

  test('cost nothing in the background, and catch up when they are seen again', async () => {
    const { url, show } = await startSite(variedSite)
    const { context, asked } = await openBrowser()
    const page = await context.newPage()
    await page.addInitScript(`Object.defineProperty(document, 'hidden', { get: () => window.away === true })`)
    await page.goto(`${url}/members/ana`)
    const questions = () => asked.filter((one) => one.endsWith('/-/live')).length
    await eventually(async () => questions() > 2)
    const turn = (away: boolean) =>
      page.evaluate(`window.away = ${away}; document.dispatchEvent(new Event('visibilitychange'))`)
    await turn(true)
    await page.waitForTimeout(300)
    const before = questions()
    await show({ [file.profile('ana')]: 'id: 1\nname: Ana Newname\n' })
    await page.waitForTimeout(1000)
    expect(questions()).toBe(before)
    await turn(false)
    await page.getByRole('heading', { name: 'Ana Newname' }).waitFor()
  })

  test('follow changes in twenty tabs at once', async () => {
    const { url, show } = await startSite(variedSite)
    const { context } = await openBrowser()
    const tabs = await Promise.all(Array.from({ length: 20 }, () => context.newPage()))
    await Promise.all(tabs.map((tab) => tab.goto(`${url}/members/bo`)))
    await show({ [file.profile('bo')]: 'id: 2\nname: Bo Newname\n' })
    for (const tab of tabs)
      await tab.getByRole('heading', { name: 'Bo Newname' }).waitFor({ timeout: 60_000 })
  })

  test('can be read without a script', async () => {
    const { url } = await startSite(variedSite)
    const { context } = await openBrowser({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(url)
    await page.locator('#q').fill('ana')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('link', { name: 'Ana Example' }).click()
    await work(page, 'work-18').locator('summary').click()
    expect(await work(page, 'work-18').locator('dl.fields').isVisible()).toBe(true)
  })

  test('are the same as files, without drafts, and ask nobody', async () => {
    const { pages, folder } = await startSite(variedSite)
    const target = path.join(folder, 'pages')
    await exportPages(pages, target, {
      images: new Set(['images.example.org']),
      drafts: false,
      onProgress: () => {},
    })
    const { context, asked } = await openBrowser({ viewport: { width: 320, height: 800 } })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(pathToFileURL(path.join(target, 'index.html')).href)
    expect(await violations(page)).toEqual([])
    await page.locator('#q').fill('ana')
    await eventually(async () => (await page.locator('.members li:visible').count()) === 1)
    await page.getByRole('link', { name: 'Ana Example' }).click()
    await page.getByRole('heading', { name: 'After the fifteenth' }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await page.getByText('Unfinished').count()).toBe(0)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.works')).display`)).toBe('grid')
    await eventually(async () => asked.includes('https://images.example.org/ana.jpg'))
    expect(asked.filter((one) => !one.startsWith('file:'))).toEqual(['https://images.example.org/ana.jpg'])
    expect(complaints).toEqual([])
  })
})
