import { expect, test } from 'vitest'
import { createLoader } from '../../scripts/advice/loader.ts'
import { fixProblems, fixText } from '../../scripts/edit/fix.ts'
import { type Diagnostic, fileStart } from '../../scripts/problems/diagnostic.ts'
import { readTree, sandbox } from '../sandbox.ts'

const loader = createLoader({ hostNames: [] })
const { loadProfile, loadShot, loadSite } = loader

const good = {
  shot: { id: '1', title: 'Tea', date: '2014-03-02', image: 'a.png' },
  profile: { id: '1', name: 'Ana' },
  site: { base_url: 'https://api.example.com' },
} as const

/** What `check --fix` would write for the first problem of a file that has this below, or in place of, what is right. */
const fixOf = (kind: keyof typeof good, typed: string): string | undefined => {
  const others = Object.entries(good[kind]).filter(([key]) => !typed.startsWith(`${key}:`))
  const text = `${[...others.map(([key, value]) => `${key}: ${value}`), typed].join('\n')}\n`
  const load = { shot: loadShot, profile: loadProfile, site: loadSite }[kind]
  const [first] = load({ file: 'x.yaml', text }, undefined).diagnostics
  expect(first, typed).toBeDefined()
  return first!.fix
}

test.each([
  ['shot', 'https://example.com/tea.png'],
  ['shot', 'large_image:\n//cdn.example.com/x.png'],
  ['shot', 'foo = bar'],
  ['shot', 'alt:# x'],
  ['shot', 'alt:a: b'],
  ['shot', 'price (EUR): 30'],
  ['shot', 'title: Tea: 1 # x'],
  ['shot', 'tags: "+1, -1"'],
  ['shot', 'tags: a, !!!, b'],
  ['shot', 'tags: <b>, c'],
  ['shot', 'tags: Win 3. edition, x'],
  ['shot', 'draft: true or false'],
  ['profile', 'Likes: minus 3'],
  ['profile', 'Likes: –12'],
  ['profile', 'Likes: 1²'],
  ['profile', 'Likes: 12٣'],
  ['profile', 'Likes: 12 - 13'],
  ['profile', 'Likes: 12 (old 15)'],
  ['profile', 'Likes: 12 million'],
  ['profile', 'Likes: less than 12'],
  ['profile', 'Likes: 10.000'],
  ['profile', 'Likes: 50%'],
  ['site', 'openapi: public'],
  ['site', 'members: hidden'],
] as const)('of a %s, %j may mean more than one thing, so nothing is written', (kind, typed) => {
  expect(fixOf(kind, typed)).toBe(undefined)
})

test.each([
  ['shot', 'title:Tea', 'title: Tea'],
  ['shot', 'title: Tea: a "sketch"', '"Tea: a \\"sketch\\""'],
  ['shot', '// later, perhaps', '# later, perhaps'],
  ['shot', 'tags: C#, F#', '[C#, F#]'],
  ['shot', 'url_purchased: en.example.org/Tea_(drink)', 'https://en.example.org/Tea_(drink)'],
  ['shot', 'url_purchased: (a.example/x)', 'https://a.example/x'],
  ['profile', 'Likes: 10,000', '10000'],
  ['profile', 'Likes: No. 12', '12'],
  ['profile', 'Likes: 12 likes', '12'],
  ['site', 'openapi: yes', 'true'],
] as const)('of a %s, %j becomes %j', (kind, typed, fix) => {
  expect(fixOf(kind, typed)).toBe(fix)
})

test('the one fix of one problem leaves the others as they are', () => {
  const text = 'id: 1,\ntitle: Tea # c\ndate: 05.05.2025\nimage: a.png\n'
  const { diagnostics } = loadShot({ file: 'x.yaml', text }, undefined)
  expect(fixText(text, diagnostics.slice(1))).toEqual({
    text: text.replace('05.05.2025', '2025-05-05'),
    fixes: [{ line: 3, before: '05.05.2025', after: '2025-05-05' }],
  })
  expect(fixText(text, [])).toBeUndefined()
})

test.each([
  ['../mine', 'members/ana/shots/mine.yaml'],
  ['notes', '../mine'],
])('a forged state moves nothing into the content or out of it: %s to %s', (from, fix) => {
  const folder = sandbox({ 'content/notes': 'ours', mine: 'theirs' })
  const before = readTree(folder)
  const at = { file: `content/${from}`, ...fileStart }
  const forged: Diagnostic = { ...at, severity: 'warning', code: 'stray-yaml', message: '', fix }
  const content = { path: `${folder}/content`, name: 'content' }
  expect(fixProblems([forged], { content, loader })).toEqual([])
  expect(readTree(folder)).toEqual(before)
})
