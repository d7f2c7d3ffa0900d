import { randomBytes } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { captured } from '../captured.ts'
import { commitAll } from '../git.ts'
import { bytes, chunk, deflated, end, signature, u32 } from '../pictures/bytes.ts'
import { hasBrowser, openBrowser, titled } from '../preview/browser.ts'
import { runIn } from '../processes.ts'
import { readText, sandbox, type Tree, writeTree } from '../sandbox.ts'
import { site } from '../site.ts'
import { times } from '../times.ts'

/** A grey picture of noise, which tells where it was made. */
const noise = (side: number) => {
  const rows = times(side, () => bytes([0], randomBytes(side)))
  return bytes(
    signature,
    chunk('IHDR', u32(side), u32(side), [8, 0, 0, 0, 0]),
    chunk('tEXt', 'Comment\0made in a secret place'),
    chunk('IDAT', deflated(bytes(...rows))),
    end,
  )
}

const shots = (count: number, side: number) =>
  Object.fromEntries(
    times(count, (at) => [
      [
        `content/members/bo/shots/${at}.yaml`,
        `id: ${500 + at}\ntitle: Tea\ndate: 2014-03-02\nimage: ./${at}.png\n`,
      ],
      [`content/members/bo/shots/${at}.png`, noise(side)],
    ]).flat(),
  )

/** The page of a change, and the picture's alternative texts in it. */
const pageOf = (before: Tree, after: Tree) => {
  const folder = sandbox({ ...site, ...before })
  commitAll(folder)
  writeTree(folder, after)
  const line = 'report --base HEAD --format html --output report.html'
  expect(runIn(folder, line)).toMatchObject({ status: 0 })
  const file = `${folder}/report.html`
  const text = readText(file)
  expect(Buffer.byteLength(text)).toBeLessThan(5_000_000)
  return { file, text, shown: captured(text, /<img alt="(\w+)"/g) }
}

const avatar = {
  'content/members/bo/profile.yaml': 'id: 2\nname: Bo Example\navatar: ./me.png\n',
  'content/members/bo/me.png': noise(20),
}

test('pictures that are new or change are in the page, as they are published', () => {
  const { text, shown } = pageOf({ ...shots(2, 20) }, { ...shots(1, 30), ...avatar })
  expect(shown).toEqual(['new', 'before', 'after'])
  for (const base64 of captured(text, /base64,([^"]*)"/g))
    expect(Buffer.from(base64, 'base64').includes('secret')).toBe(false)
})

test('a picture that moves is none that comes', () => {
  const pictures = shots(1, 20)
  const moved = {
    'content/members/bo/shots/moved.png': pictures['content/members/bo/shots/0.png']!,
  }
  const yaml = String(pictures['content/members/bo/shots/0.yaml']).replace('./0', './moved')
  const { shown } = pageOf(pictures, { ...moved, 'content/members/bo/shots/0.yaml': yaml })
  expect(shown).toEqual([])
})

test('of what does not fit name and size are told, the larger first', () => {
  const large = shots(1, 1900)
  const { text, shown } = pageOf({}, { ...shots(12, 600), ...large })
  expect(shown.length).toBeGreaterThan(5)
  expect(shown.length).toBeLessThan(12)
  expect(text).toMatch(/bo\/shots\/0\.png<\/bdi>, 3,6\d\d,\d{3} bytes/)
})

test.runIf(hasBrowser)(
  titled('a page of 40 pictures opens from a file, and asks for nothing'),
  async () => {
    const { file, shown } = pageOf(shots(40, 150), shots(40, 150))
    expect(shown).toHaveLength(80)
    const { context, asked } = await openBrowser()
    const page = await context.newPage()
    const url = pathToFileURL(file).href
    await page.goto(url)
    const widths = await page
      .locator('img')
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth))
    expect(new Set(widths)).toEqual(new Set([150]))
    expect(asked.filter((address) => !address.startsWith('data:'))).toEqual([url])
  },
)
