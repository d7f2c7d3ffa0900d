import fs from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { inCi } from '../posix.ts'
import { args, executablePath } from './chromium.ts'

/** Where it is missing these tests are skipped, and say so; in CI it has to be there. */
export const hasBrowser = inCi || fs.existsSync(executablePath)

/** The title of the browser's tests. */
export const titled = (title: string) =>
  hasBrowser ? title : `${title} (skipped: apt-get install chromium)`

/** One for all tests of a file: its start takes longer than most of them. */
let browser: Promise<Browser> | undefined
afterAll(async () => (await browser)?.close())

/** A browser as somebody new has it, closed when the test ends. Nothing it asks for leaves this machine. */
export const openBrowser = async (options: BrowserContextOptions = {}) => {
  browser ??= chromium.launch({ executablePath, args: [...args] })
  const context = await (await browser).newContext(options)
  onTestFinished(() => context.close())
  const asked: string[] = []
  await context.route('**', (route) => {
    const { protocol, hostname } = new URL(route.request().url())
    asked.push(route.request().url())
    if (['localhost', '127.0.0.1'].includes(hostname) || protocol === 'file:')
      return route.continue()
    return route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>',
    })
  })
  return { context, asked }
}

const axe = fs.readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** What axe finds wrong in a page, in a line each. */
export const violations = async (page: Page) => {
  await page.evaluate(axe)
  return page.evaluate(
    `axe.run(document, { preload: false, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' at ' + target + ': ' + failureSummary)))`,
  )
}

/** By how many pixels a page is wider than the screen. */
export const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')
