import fs from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { png } from '../pictures/bytes.ts'
import { runIn } from '../processes.ts'
import { namesIn, readText, renameIn, type Tree } from '../sandbox.ts'
import { hasBrowser, openBrowser, overflow, titled, violations } from './browser.ts'
import { formAt, profile, shot, startedPreview } from './previewing.ts'
import { ana, one, site, startSite, two } from './site.ts'

const mistakes = {
  [one]: 'id: 11\ntitle: First\ndate: 2024-02-30\nimage: one.png\n',
}

/** What one presses and fills in on a page of the preview. */
const controlsOf = (page: Page) => ({
  button: (name: string | RegExp) => page.getByRole('button', { name }),
  save: page.getByRole('button', { name: 'Save', exact: true }),
  field: (key: string) => page.locator(`#f-${key}`),
  fill: (key: string, text: string) => page.locator(`#f-${key}`).fill(text),
  label: (text: string) => page.getByLabel(text),
  link: (name: string) => page.getByRole('link', { name, exact: true }),
  /** Waits for what a selector finds, a text, or a heading. */
  see: (selector: string) => page.locator(selector).waitFor(),
  read: (text: string) => page.getByText(text).first().waitFor(),
  headed: (name: string) => page.getByRole('heading', { name }).waitFor(),
})

/** A tab of a browser that shows nothing yet, and a site for it. */
const openTab = async (tree: Tree = site, options = {}) => {
  const started = await startSite(tree)
  const { context, asked } = await openBrowser(options)
  const page = await context.newPage()
  const open = (address: string) => page.goto(started.url + address)
  /** Opens the form of a file. */
  const openForm = (file: string) => open(formAt(file))
  /** Waits until the tab is there. */
  const arrive = (address: string) => page.waitForURL(started.url + address)
  const controls = { ...controlsOf(page), open, openForm, arrive }
  return { ...started, ...controls, context, asked, page }
}

/** The same, of a browser that may edit. */
const openEditor: typeof openTab = async (...given) => {
  const opened = await openTab(...given)
  await opened.page.goto(`${opened.url}/#edit=right`)
  return opened
}

describe.skipIf(!hasBrowser)(titled('the preview in a browser'), { timeout: 240_000 }, () => {
  test('has no fault that axe knows, light and dark, from a phone to a desk', async () => {
    const { show, page, open } = await openTab()
    await show(mistakes)
    const own = ['/-/changes', '/-/new?member=ana', ...[ana, two].map(formAt)]
    for (const address of [
      '/members/ana/',
      '/members/ana/!one/',
      '/members/nobody/',
      ...own,
    ]) {
      await open(address)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const width of [320, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          expect(await overflow(page), `${address} at ${width}`).toBeLessThanOrEqual(0)
        }
        expect(await violations(page), `${address} ${colorScheme}`).toEqual([])
      }
    }
  })

  test('follows changes, keeps the place, leads to an alias, and stays offline while it is', async () => {
    const { show, at, context, asked, page, see, open, arrive } = await openTab()
    await open('/members/ana/')
    await see('#sp-bar >> text=served')
    await show({
      [one]: 'id: 11\ntitle: Changed\ndate: 2024-01-01\nimage: one.png\n',
    })
    const marked = (text: string) =>
      page.waitForFunction(
        (text) =>
          document.getAnimations().some(({ effect }) => {
            const { target } = effect as KeyframeEffect
            return target?.closest('#main') && target.textContent?.includes(text)
          }),
        text,
      )
    await marked('Changed')
    await open('/members/ana/12/')
    await see('.author .face')
    await show({ [two]: `${site[two]}tags: [blue]\n` })
    await marked('blue')
    for (const made of ['time >> text=2 January 2024', '.author .face'])
      expect(await page.locator(made).count(), `${made} stays`).toBe(1)
    await open('/members/ana/')
    await page.setViewportSize({ width: 400, height: 300 })
    await page.evaluate('scrollTo(0, 300)')
    const top = () =>
      page.locator('[data-work="12"]').evaluate((work) => work.getBoundingClientRect().top)
    const before = await top()
    await show({ [ana]: `${site[ana]}titel: x\n` })
    await page.locator('#sp-problems').waitFor({ state: 'attached' })
    await expect.poll(top, { message: 'the place on the screen' }).toBeCloseTo(before, -1)
    await show({ [ana]: site[ana]! })
    await show(mistakes)
    await page.locator('#sp-bar >> text=1 error').click()
    await arrive('/members/ana/!one/#sp-problems')
    await see('mark >> text=2024-02-30')
    await show({ [one]: site[one]! })
    await open('/members/ana/')
    renameIn(at, 'content/members/ana', 'content/members/anna')
    await show({ [profile('anna')]: `${site[ana]}`.replace('[', '[ana, ') })
    await arrive('/members/anna/')
    await see('#sp-bar >> text=served')
    const count = asked.length
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(asked.length, 'an idle tab sends nothing').toBe(count)
    await context.setOffline(true)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await see('.sp-offline')
    await context.setOffline(false)
    await page.locator('.sp-offline').waitFor({ state: 'hidden' })
  })

  test('takes somebody who has never seen YAML from nothing to three works, by keyboard and by pictures', async () => {
    const { folder, said, saying } = await startedPreview()
    await saying('#edit=')
    const start = /http:\/\/127\.0\.0\.1:\d+\/#edit=\S+/.exec(said.stdout)![0]
    const { context } = await openBrowser()
    const page = await context.newPage()
    const { button, save, field, fill, label, link, see, headed } = controlsOf(page)
    const check = () => expect(runIn(folder, 'check').status, 'check is green').toBe(0)
    await page.goto(start)
    await link('New').focus()
    await page.keyboard.press('Enter')
    await label('Username').fill('cy')
    await label('Display name').fill('Cy Example')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/members/cy/')
    await headed('Cy Example')
    check()
    await link('New').click()
    await page.waitForURL('**/-/new?member=cy')
    for (const [at, title] of ['One', 'Two', 'Three'].entries()) {
      await page.goto(`${new URL(start).origin}/-/new?member=cy`)
      await label('Title').fill(title)
      await label('Address of the picture').fill(`works/${at}.png`)
      await button('Make this work').click()
      await headed(title)
      check()
    }
    await link('Edit').click()
    // until then, no script hears a button
    await page.waitForURL('**/-/edit?*')
    await field('date').evaluate((input: HTMLInputElement) => {
      input.type = 'text'
    })
    await fill('date', '2024-02-28')
    await fill('title', 'Third ')
    await fill('tags', 'red, blue')
    await see('#sp-view >> role=heading[name="Third"]')
    await save.click()
    await page.waitForURL('**/members/cy/*/')
    await headed('Third')
    const file = `${folder}/content/members/cy/shots/three.yaml`
    const saved = readText(file)
    expect(saved).toMatch(/title: Third\ndate: 2024-02-28\n.*\ntags: \[red, blue\]\n/)
    check()
    await link('Edit').click()
    await page.waitForURL('**/-/edit?*')
    await button('Delete this work').click()
    await page.waitForURL('**/members/cy/')
    expect(fs.existsSync(file)).toBe(false)
    check()
    await page.goto(`${new URL(start).origin}/-/changes`)
    const reloaded = page.waitForEvent('load')
    await button(/^Undo: deleted [^/]+$/).click()
    await reloaded
    expect(readText(file)).toBe(saved)
    await page.goto(new URL(start).origin + formAt(profile('cy')))
    await label('New username').fill('cyan')
    await button('Rename cy').click()
    await page.waitForURL('**/members/cyan/')
    check()
    expect(said.stderr).toBe('')
  })

  test('brings a page once there is something to show, and pictures of others if they are wanted', async () => {
    const { show, page, button, see, read, open } = await openTab({
      ...site,
      'content/site.yaml': 'base_url: x\n',
    })
    await open('/members/ana/12/')
    await read('The page comes by itself.')
    await show({ 'content/site.yaml': site['content/site.yaml']! })
    await see('.author .face')
    await button('Show pictures of other sites').click()
    await page.locator('img[src^="https://other.example.org"]').first().waitFor()
    const choices = button(/^Hide/)
    expect(await choices.allTextContents(), 'no draft').toEqual([
      'Hide pictures of other sites',
    ])
    await open('/members/ana/')
    expect(await choices.count(), 'a draft, too').toBe(2)
  })

  test('takes nothing before its script is there, so nothing is lost', async () => {
    const { url, page, save, field, fill, arrive } = await openEditor()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/-/preview.js', (route) => held.then(() => route.continue()))
    await page.goto(url + formAt(one), { waitUntil: 'commit' })
    await save.waitFor()
    for (const each of [field('title'), save]) expect(await each.isDisabled()).toBe(true)
    release()
    await fill('title', 'Early')
    await page.keyboard.press('Enter')
    await arrive('/members/ana/11/')
  })

  test('says how to get the key to a browser without it, keeps what is typed, and goes on with it', async () => {
    const { url, text, context, page, save, field, fill, see, read, openForm } =
      await openTab()
    await openForm(one)
    await read('open the address with #edit=')
    await see('#sp-view h1 >> text=First')
    await fill('title', 'Later')
    await save.click()
    await see('.sp-said.sp-bad >> text=#edit=')
    expect(text(one)).toBe(site[one])
    const other = await context.newPage()
    await other.goto(url)
    await other.goto(`${url}/#edit=right`)
    await fill('alt', '5')
    await see('#sp-view h1 >> text=Later')
    // what a visitor finds below a work is not what one edits
    expect(await page.locator('.others').count()).toBe(0)
    const [newer] = await Promise.all([
      page.waitForEvent('popup'),
      page.click('#sp-view a[href="/members/ana/"]'),
    ])
    await newer.waitForURL(`${url}/members/ana/`)
    expect(await field('title').inputValue()).toBe('Later')
  })

  test('takes pictures that are chosen, and refuses what is none', async () => {
    const { at, page, save, field, label, see, read, open, openForm, arrive } =
      await openEditor()
    await openForm(one)
    const choose = page.locator('[data-key=image] input[type=file]:enabled')
    await choose.setInputFiles({
      name: 'no.png',
      mimeType: 'image/png',
      buffer: Buffer.from('no picture'),
    })
    await see('.sp-said.sp-bad')
    await choose.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png() })
    await expect.poll(() => field('image').inputValue()).toBe('./one.png')
    const stored = `${at}/content/members/ana/shots/one.png`
    expect(fs.existsSync(stored), 'before it is saved').toBe(false)
    await see('#sp-view img[src*="/pictures/"]')
    await save.click()
    await arrive('/members/ana/11/')
    const wide = () =>
      page.locator('figure img').evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(wide).toBe(16)
    await open('/-/new?member=ana')
    const file = { mimeType: 'image/png', buffer: png() }
    const files = ['night-poster.png', 'day_poster.png'].map((name) => ({ name, ...file }))
    const drop = page.locator('form.sp-do input[type=file]:enabled')
    await label('Title').fill('A title of my own')
    await drop.setInputFiles(files)
    await arrive('/members/ana/')
    for (const title of ['A title of my own', 'Day poster']) await read(title)
    expect(runIn(at, 'check').status).toBe(0)
  })

  test('keeps what is typed over a reload, saves with Ctrl-S, and leads to what is wrong', async () => {
    const viewport = { width: 390, height: 700 }
    const {
      text,
      show,
      page,
      button,
      save,
      field,
      fill,
      label,
      see,
      read,
      openForm,
      arrive,
    } = await openEditor(site, { viewport })
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await openForm(one)
    await save.waitFor()
    expect(
      await save.evaluate((button) => button.getBoundingClientRect().bottom),
      'Save is in sight',
    ).toBeLessThan(700)
    await fill('title', 'Typed')
    await fill('tags', 'red, tea time, #jazz, red')
    const offered = page.locator('#l-tags option')
    expect(await offered.getAttribute('value')).toBe('red, tea time, #jazz, red')
    await page.reload()
    await read('Not saved yet')
    expect(asked).toEqual(['beforeunload'])
    expect(await field('title').inputValue()).toBe('Typed')
    await field('title').press('Control+s')
    await arrive('/members/ana/11/')
    expect(text(one)).toBe(
      `${site[one]}`.replace('First', 'Typed').replace('[red]', '[red, tea-time, jazz]'),
    )
    await openForm(one)
    await page.getByText('More', { exact: true }).click()
    await fill('id', '12')
    await see('#e-id >> text=taken')
    await page.getByText('More', { exact: true }).click()
    await save.click()
    await see('#f-id:focus')
    const forget = button('Forget what I typed')
    await Promise.all([page.waitForEvent('load'), forget.click()])
    expect(await field('id').inputValue()).toBe('11')
    await openForm(ana)
    await fill('location', 'Oslo')
    await label('New username').fill('anna')
    await button('Rename ana').click()
    await read('First save what you typed above')
    await fill('location', '')
    const rows = page.locator('.sp-rows > li:visible')
    await page.getByRole('textbox', { name: 'Project id' }).fill('7')
    expect(await rows.count(), 'one to fill in').toBe(2)
    expect(
      await page.getByRole('textbox', { name: 'Project id' }).count(),
      'labels are heard',
    ).toBe(2)
    await button('Remove').click()
    expect(await rows.count(), 'one empty row').toBe(1)
    await fill('name', 'Ana')
    await save.click()
    await arrive('/members/ana/')
    expect(text(ana), 'an empty row is none').toBe(
      `${site[ana]}`.replace('Ana Example', 'Ana'),
    )
    await openForm(one)
    await fill('date', '')
    await see('#e-date >> text=this is needed, such as 2')
    await Promise.all([page.waitForEvent('load'), forget.click()])
    const wrong = `${site[one]}`.replace('2024-01-01', '2024/01/01')
    await show({ [one]: wrong })
    await openForm(one)
    await button('Write 2024-01-01').click()
    await save.click()
    await arrive('/members/ana/11/')
    expect(text(one)).toBe(site[one])
    expect(await violations(page)).toEqual([])
  })

  test('takes pictures wherever they are dropped, and says which are too large', async () => {
    const { at, page, field, read, headed, openForm } = await openEditor({
      'content/site.yaml': site['content/site.yaml']!,
      [profile('bo')]: 'id: 2\nname: Bo\n',
    })
    const drop = (selector: string, name: string, size: number) =>
      page.evaluate(
        ({ selector, name, size, bytes }) => {
          const data = new DataTransfer()
          data.items.add(
            new File([new Uint8Array(bytes), new Uint8Array(size)], name, {
              type: 'image/png',
            }),
          )
          const event = new DragEvent('drop', {
            dataTransfer: data,
            bubbles: true,
            cancelable: true,
          })
          document.querySelector(selector)!.dispatchEvent(event)
        },
        { selector, name, size, bytes: [...png()] },
      )
    await read('Drop your first pictures')
    await drop('h1', 'huge.png', 27 << 20)
    await read('huge.png: it has 27.0 MiB, and a picture may have 10')
    await drop('h1', 'first-one.png', 0)
    await headed('First one')
    await openForm(shot('bo', 'first-one'))
    await drop('h1', 'other.png', 0)
    await expect.poll(() => field('image').inputValue()).toBe('./first-one-2.png')
    await drop('[data-key=large_image] p', 'other.png', 0)
    await expect.poll(() => field('large_image').inputValue()).toBe('./large-image.png')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/members\/bo\/\d+\/$/)
    expect(namesIn(at, 'content/members/bo/shots')).toEqual([
      'first-one-2.png',
      'first-one.yaml',
      'large-image.png',
    ])
    expect(runIn(at, 'check').stderr).not.toContain('warning')
  })

  test('marks a picture that can’t be loaded, also one that comes later', async () => {
    const { show, page, see, open } = await openTab()
    await page.route(/(?:one|two)\.png$/, (route) => route.abort())
    await open('/members/ana/')
    const words = (place: Element) => getComputedStyle(place, '::after').content
    expect(await page.locator('[data-work="11"] .dead').evaluate(words)).toMatch(
      'can’t be loaded',
    )
    expect(await violations(page)).toEqual([])
    const text = `${site[one]}`
    await show({ [one]: text.replace('one.png', 'mended.png') })
    await see('[data-work="11"] img:not(.dead)')
    await show({ [one]: text.replace('one.png', 'two.png') })
    await see('[data-work="11"] img.dead')
  })

  test('lets somebody choose between what is typed and what came to be on the disk', async () => {
    const { text, show, page, button, save, field, fill, see, openForm, arrive } =
      await openEditor()
    await openForm(one)
    await fill('title', 'Mine')
    const failure = { status: 500, body: 'the terminal says why' }
    await page.route('**/-/do', (route) => route.fulfill(failure), { times: 1 })
    await save.click()
    await see('.sp-bad >> text=the terminal says why')
    await show({ [one]: `${site[one]!}price_item: "5"\n` })
    await page.locator('#sp-conflict th').first().waitFor()
    await field('title').focus()
    await save.waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await see('#sp-conflict button:focus')
    const mine = button('Save mine')
    await fill('title', 'Mine again')
    await mine.hover()
    await page.mouse.down()
    await page.waitForResponse('**/-/check')
    await page.mouse.up()
    await arrive('/members/ana/11/')
    expect(text(one)).toBe(
      `${site[one]!.toString().replace('First', 'Mine again')}price_item: "5"\n`,
    )
  })
})
