// The pictures of docs/preview.md, of the example site. Where there is no Chromium they stay as they are.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { args, executablePath } from './chromium.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const target = path.join(project, 'docs/images')
const url = 'http://localhost:3000'

type Picture = {
  readonly name: string
  readonly address: string
  readonly width: number
  readonly height: number
  readonly colorScheme?: 'dark'
  readonly act?: (page: Page) => Promise<unknown>
}

const pictures: readonly Picture[] = [
  { name: 'members', address: '/', width: 1100, height: 720 },
  {
    ...{ name: 'member', address: '/members/ana', width: 1280, height: 900 },
    act: (page) => page.evaluate('scrollTo(0, 330)'),
  },
  { name: 'phone', address: '/members/haruka', width: 390, height: 780, colorScheme: 'dark' },
]

/** Taken after a mistake was made in a work. */
const mistake: Picture = {
  ...{ name: 'error', address: '/members/mira', width: 1100, height: 720 },
  act: async (page) => {
    await page.getByText('did you mean').waitFor()
    await page.evaluate(`document.getElementById('works').scrollIntoView()`)
    await page.locator('.changed').waitFor({ state: 'detached' })
  },
}

const take = async (
  browser: Browser,
  { name, address, width, height, act, colorScheme = undefined }: Picture,
) => {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: colorScheme ?? 'light',
  })
  const page = await context.newPage()
  await page.goto(url + address)
  await act?.(page)
  await page.screenshot({ path: path.join(target, `preview-${name}.png`) })
  await context.close()
}

/** Takes all of them anew; how many. */
export const takeScreenshots = async (): Promise<number> => {
  if (!fs.existsSync(executablePath)) return 0
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-'))
  fs.cpSync(path.join(project, 'content'), path.join(folder, 'content'), { recursive: true })
  // a folder that can't be: the certificate is not kept, and no path of this machine is in a picture
  const env = { ...process.env, XDG_STATE_HOME: '/dev/null', LOCALAPPDATA: '', HOME: '/dev/null' }
  const preview = spawn(process.execPath, [path.join(project, 'scripts/run.cjs'), 'preview'], {
    cwd: folder,
    env,
  })
  const browser = await chromium.launch({ executablePath, args: [...args] })
  try {
    await new Promise<void>((resolve, reject) => {
      preview.stdout.on('data', (data: Buffer) => {
        if (data.includes('Ctrl-C')) resolve()
      })
      preview.once('close', () => reject(new Error('the preview did not start')))
    })
    fs.mkdirSync(target, { recursive: true })
    for (const picture of pictures) await take(browser, picture)
    const work = path.join(folder, 'content/members/mira/shots/harbour.yaml')
    fs.writeFileSync(work, fs.readFileSync(work, 'utf8').replace('\ntags:', '\ntasg:'))
    await take(browser, mistake)
  } finally {
    await browser.close()
    preview.kill()
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return pictures.length + 1
}
