import { expect, test } from 'vitest'
import { createLoader } from '../../scripts/advice/loader.ts'
import { fixProblems, fixText } from '../../scripts/edit/fix.ts'
import { type Diagnostic, fileStart } from '../../scripts/problems/diagnostic.ts'
import { readTree, sandbox } from '../sandbox.ts'
import { readTable, rowsOf } from '../tables.ts'

const { loadProfile, loadShot, loadSite } = createLoader()

const good = {
  shot: { id: '1', title: 'Tea', date: '2014-03-02', image: 'a.png' },
  profile: { id: '1', name: 'Ana' },
  site: { base_url: 'https://api.example.com' },
} as const

test.each(readTable('test/edit/fixes.txt'))(
  'in a %s, %j is fixed where it has one meaning: %s',
  (kind, typed, fix) => {
    const others = Object.entries(good[kind as 'shot']).filter(
      ([key]) => !typed.startsWith(`${key}:`),
    )
    const lines = others.map(([key, value]) => `${key}: ${value}\n`)
    const text = `${lines.join('')}${typed}\n`
    const load = { shot: loadShot, profile: loadProfile, site: loadSite }[kind as 'shot']
    const [first] = load({ file: 'x.yaml', text }, undefined).diagnostics
    expect(first).toMatchObject({ code: expect.any(String) })
    expect(first?.fix).toBe(fix)
  },
)

test('the one fix of one problem leaves the others as they are', () => {
  const text = 'id: 1,\ntitle: Tea # c\ndate: 05.05.2025\nimage: a.png\n'
  const { diagnostics } = loadShot({ file: 'x.yaml', text }, undefined)
  expect(fixText(text, diagnostics.slice(1))).toEqual({
    text: text.replace('05.05.2025', '2025-05-05'),
    fixes: [{ line: 3, before: '05.05.2025', after: '2025-05-05' }],
  })
  expect(fixText(text, [])).toBeUndefined()
})

test.each(
  rowsOf(`
    ../mine → members/ana/shots/mine.yaml
    notes → ../mine
  `),
)('a forged state moves nothing into the content or out of it: %s to %s', (from, fix) => {
  const folder = sandbox({ 'content/notes': 'ours', mine: 'theirs' })
  const before = readTree(folder)
  const at = { file: `content/${from}`, ...fileStart }
  const forged: Diagnostic = {
    ...at,
    severity: 'warning',
    code: 'stray-yaml',
    message: '',
    fix,
  }
  const content = { path: `${folder}/content`, name: 'content' }
  expect(fixProblems([forged], content)).toEqual([])
  expect(readTree(folder)).toEqual(before)
})
