import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Profile } from '../../scripts/content/member.ts'
import type { Site } from '../../scripts/content/site.ts'
import type { MemberData, Part, View, Work } from '../../scripts/explorer/data/data.ts'
import { memberPage } from '../../scripts/explorer/member-page.ts'
import { hasBrowser, openBrowser, titled } from './browser.ts'

/** Pieces that open, close, hide or turn something, if anything takes them for more than text. */
const pieces = [
  ...[
    '<script>window.hurt=1</script>',
    '<img src=x onerror=window.hurt=1>',
    '"><svg onload=window.hurt=1>',
    "' autofocus onfocus='window.hurt=1",
  ],
  ...[
    '</title>',
    '</style>',
    '</textarea>',
    '</pre>',
    '</dl></main>',
    '<!--',
    '-->',
    ']]>',
    '<![CDATA[',
    '<base href=//x>',
    '<iframe srcdoc=x>',
  ],
  ...[
    '&lt;b&gt;',
    '&#60;b&#62;',
    '&amp;',
    '&',
    '<',
    '>',
    '"',
    "'",
    '`',
    '=',
    '{{1}}',
    'javascript:window.hurt=1',
  ],
  ...[
    '\u202e',
    '\u2066',
    '\u200f',
    '\u2028',
    '\u0000',
    '\u001b[31m',
    '\u0085',
    '\ud800',
    '\ufeff',
    '\ufffe',
    '\r',
    '\n',
    '\t',
    '\f',
  ],
  ...[
    '👩‍👩‍👧',
    'e\u0301\u0301\u0301',
    'ﷺ',
    'İ',
    '🇵🇹',
    'عربي',
    '日本語',
    '%00',
    '%3Cb%3E',
    '../../',
    '\\',
    ' ',
    'a',
  ],
]

/** Text made of pieces, the same for the same number, and another for every other one. */
const hostile = (seed: number): string => {
  let state = seed + 1
  const next = (below: number): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    return (state >>> 0) % below
  }
  return `.${Array.from({ length: 1 + next(5) }, () => pieces[next(pieces.length)]).join('')}${seed}`
}

const site: Site = {
  ...({ baseUrl: 'https://api.example.com', defaults: { type_account: '0', status: '0' } } as Site),
  assets: { https: 'https://cdn.example.com', http: 'http://cdn.example.com' },
}

const view: View = {
  ...{ scheme: 'https', site, allowed: new Set<string>(), path: '/members/ana', version: '1' },
  open: (file, line) => `vscode://file/${encodeURIComponent(file.toWellFormed())}:${line}`,
  links: { home: '/', member: (username) => `/members/${username}`, style: '/s', script: '/j', icon: '/i' },
  curl: (path) => `curl ${path}`,
}

/** A member in whom every value is another text. */
const member = (text: () => string): MemberData => {
  const part = <T>(value: T): Part<T> => ({
    ...{
      file: `content/members/ana/shots/${text().replace('/', '')}`,
      value,
      stale: true,
      lines: { id: 1, title: 2 },
    },
    problems: [
      {
        diagnostic: {
          ...{ severity: 'error', code: 'unknown-key', message: text(), hint: text(), file: text() },
          ...{ line: 3, column: 2, endLine: 3, endColumn: 4, related: [] },
        },
        line: text(),
      },
    ],
  })
  const profile = {
    ...{
      id: text(),
      name: text(),
      location: text(),
      bio: text(),
      twitter: `https://${text()}`,
      website: text(),
    },
    ...{
      skills: [text()],
      avatar: text(),
      cover_image: text(),
      type_account: text(),
      projects: [],
      aliases: [text()],
    },
    ...{ totalFollowers: text(), totalFollowing: text(), Likes: text(), Lists: text(), Listed: text() },
    ...{ totalShots: text(), Projects: text() },
  } satisfies Profile
  const work: Work = {
    ...{ id: text(), title: text(), date: text(), image: text(), large_image: text(), description: text() },
    ...{ tags: [text()], id_project: text(), status: text(), attachment: text(), url_purchased: text() },
    ...{ price_item: text(), token_id: text(), draft: false },
  }
  const body = JSON.stringify({ a: text(), [text()]: [{ b: text() }] })
  const served = { https: body, http: JSON.stringify({ a: text() }) }
  return {
    username: 'ana',
    profile: part(profile),
    works: [part(work)],
    problems: [],
    served: { user: served, shots: undefined },
  }
}

/** Elements, and names of attributes, in the order of the page; and whether any text did something. */
const skeletons = (page: Page, pages: readonly string[]): Promise<readonly string[]> =>
  page.evaluate(
    `${JSON.stringify(pages)}.map((text) => {
      const page = new DOMParser().parseFromString(text, 'text/html')
      return [...page.querySelectorAll('*')].map((one) => one.tagName + ' ' + one.getAttributeNames().join(' ')).join('\\n')
    })`,
  )

/** Values of one page, and pages of a run: 10,000 values and more. */
const pagesAtOnce = 25
const pagesInAll = Number(process.env.HOSTILE_PAGES ?? 225)

describe.skipIf(!hasBrowser)(titled('pages of hostile values'), { timeout: 180_000 }, () => {
  test('have the elements and attributes of every other page, in 10,000 values', async () => {
    const { context } = await openBrowser()
    const page = await context.newPage()
    let count = 0
    const [plain] = await skeletons(page, [
      memberPage(
        member(() => `.plain${count++}`),
        view,
      ),
    ])
    expect(plain).toContain('DL class')
    for (let at = 0; at < pagesInAll; at += pagesAtOnce) {
      const pages = Array.from({ length: pagesAtOnce }, () =>
        memberPage(
          member(() => hostile(count++)),
          view,
        ),
      )
      for (const text of pages)
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      for (const skeleton of await skeletons(page, pages)) expect(skeleton).toBe(plain)
    }
    expect(count).toBeGreaterThan(pagesInAll * 44)
  })
})
