import { expect, test } from 'vitest'
import { site } from '../../bench/site.ts'
import { createLoader } from '../../scripts/advice/loader.ts'

const files = Array.from(site({ members: 300, shots: 20, seed: 1 }))
const shots = files.filter(({ path }) => path.includes('/shots/'))

test('a synthetic site is decided by its seed', () => {
  expect(Array.from(site({ members: 300, shots: 20, seed: 1 }))).toEqual(files)
  expect(Array.from(site({ members: 300, shots: 20, seed: 2 }))).not.toEqual(files)
})

test('a synthetic site is valid content', () => {
  const loader = createLoader({ hostNames: [] })
  const problems = files.flatMap(({ path, text }) => {
    const source = { file: path, text }
    if (path === 'site.yaml') return loader.loadSite(source).diagnostics
    if (path.includes('/shots/')) return loader.loadShot(source, undefined).diagnostics
    return loader.loadProfile(source, undefined).diagnostics
  })
  expect(problems).toEqual([])
})

test('a synthetic site gives every path and every id once', () => {
  const ids = (text: string) => /^id: (\d+)$/m.exec(text)![1]!
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length)
  expect(new Set(shots.map(({ text }) => ids(text))).size).toBe(shots.length)
})

test('a synthetic site has members without shots, members with three times the average, and the average', () => {
  const members = files.filter(({ path }) => path.endsWith('/profile.yaml'))
  const counts = members.map(({ path }) => {
    const folder = path.replace('profile.yaml', 'shots/')
    return shots.filter((shot) => shot.path.startsWith(folder)).length
  })
  expect(counts).toContain(0)
  expect(Math.max(...counts)).toBe(60)
  expect(Math.round(shots.length / members.length / 2)).toBe(10)
})
