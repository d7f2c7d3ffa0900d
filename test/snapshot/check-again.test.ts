import { expect, test } from 'vitest'
import type { CheckResult } from '../../scripts/snapshot/check.ts'
import { sandbox, writeTree } from '../sandbox.ts'
import { site } from '../site.ts'
import { checkIn } from './building.ts'

const [ana, bo] = ['content/members/ana/shots/one.yaml', 'content/members/bo/shots/one.yaml'] as const

/** Checks a small site, and again and again with what the check before has kept. */
const checking = async () => {
  const folder = sandbox(site)
  let last: CheckResult | undefined
  return async (changes: Readonly<Record<string, string>>, touched?: readonly string[]) => {
    writeTree(folder, changes)
    last = await checkIn(folder, { last: last?.keep(), touched: touched && new Set(touched) })
    const { compiled, diagnostics } = last
    return { compiled, codes: diagnostics.map(({ code }) => code) }
  }
}

test('a check after another one looks at what was touched alone', async () => {
  const again = await checking()
  expect(await again({})).toEqual({ compiled: 2, codes: [] })
  expect(await again({ [ana]: 'id: 11\n' }, ['ana'])).toMatchObject({ compiled: 1 })
  expect(await again({ [ana]: site[ana] }, ['ana'])).toEqual({ compiled: 1, codes: [] })
  expect(await again({}, [])).toEqual({ compiled: 0, codes: [] })
})

test('what is wrong with a member, or between two, is told each time until it is gone', async () => {
  const again = await checking()
  const clash = { codes: ['duplicate-shot-id'] }
  expect(await again({ [bo]: site[ana] })).toMatchObject(clash)
  expect(await again({}, [])).toMatchObject(clash)
  expect(await again({ [ana]: 'id: 11\n' }, ['ana'])).toMatchObject({
    codes: expect.arrayContaining(['missing-key', 'duplicate-shot-id']),
  })
  expect(await again({}, [])).toMatchObject({ codes: expect.arrayContaining(['missing-key']) })
  expect(await again({ [ana]: site[ana], [bo]: site[bo] }, ['ana', 'bo'])).toMatchObject({ codes: [] })
})

test('a change of site.yaml has every member looked at', async () => {
  const again = await checking()
  await again({})
  const { codes } = await again({ 'content/site.yaml': 'base_url: https://x.example\nhosts: [x]\n' })
  expect(codes).toEqual(['unknown-host'])
  expect(await again({ 'content/site.yaml': 'base_url: https://x.example\n' }, [])).toEqual({
    compiled: 2,
    codes: [],
  })
})

test('a site.yaml that has another ending is told once, by its name', async () => {
  const folder = sandbox()
  const { 'content/site.yaml': text, ...members } = site
  writeTree(folder, { ...members, 'content/site.yaml.txt': text })
  const { diagnostics } = await checkIn(folder)
  expect(diagnostics.map(({ code }) => code)).toEqual(['wrong-ending'])
})
