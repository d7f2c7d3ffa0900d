// The pictures of docs/preview.md and docs/gallery.md, of the example site. Where there is no
// Chromium they stay as they are.
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { args, executablePath } from './chromium.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const target = path.join(project, 'docs/images')
const program = path.join(project, 'scripts/run.cjs')
const preview = 'http://127.0.0.1:3000'

const file = encodeURIComponent('content/members/mira/shots/harbour.yaml')
const pictures = [
  { name: 'preview-member', address: `${preview}/members/mira/`, width: 1200, height: 760 },
  {
    name: 'preview-edit',
    address: `${preview}/-/edit?file=${file}`,
    width: 1200,
    height: 760,
  },
]

/** What stands for pictures of other hosts, which nobody asks. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><rect width="40" height="30" fill="#2a6f97"/><circle cx="29" cy="10" r="5" fill="#f2c14e"/><path d="M0 30 14 12 28 30z" fill="#013a63"/></svg>`

const take = async (
  browser: Browser,
  start: string,
  { name, address, width, height }: (typeof pictures)[number],
) => {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: 'light',
  })
  await context.route(/^https?:(?!\/\/127)/, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: drawing }),
  )
  const page = await context.newPage()
  await page.goto(start)
  await page.goto(address, { waitUntil: 'load' })
  await page.waitForTimeout(500)
  await page.screenshot({ path: path.join(target, `${name}.png`) })
  await context.close()
}

/** Takes all of them anew; how many. */
export const takeScreenshots = async () => {
  if (!fs.existsSync(executablePath)) return 0
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-'))
  fs.cpSync(path.join(project, 'content'), path.join(folder, 'content'), { recursive: true })
  execFileSync(process.execPath, [program, 'gallery'], { cwd: folder })
  const home = pathToFileURL(path.join(folder, 'gallery/index.html')).href
  const gallery = { name: 'gallery-home', address: home, width: 1200, height: 900 }
  const server = spawn(process.execPath, [program, 'preview'], { cwd: folder })
  const browser = await chromium.launch({ executablePath, args: [...args] })
  try {
    const start = await new Promise<string>((resolve, reject) => {
      server.stdout.on('data', (data: Buffer) => {
        const address = /http:\S+#edit=\S+/.exec(String(data))?.[0]
        if (address !== undefined) resolve(address)
      })
      server.once('close', () => reject(new Error('the preview did not start')))
    })
    fs.mkdirSync(target, { recursive: true })
    const work = path.join(folder, 'content/members/mira/shots/harbour.yaml')
    fs.writeFileSync(work, fs.readFileSync(work, 'utf8').replace('\ntags:', '\ntasg:'))
    await new Promise((resolve) => setTimeout(resolve, 2000))
    for (const picture of [gallery, ...pictures]) await take(browser, start, picture)
  } finally {
    await browser.close()
    server.kill()
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return pictures.length + 1
}
