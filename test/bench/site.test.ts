import { expect, test } from 'vitest'
import { site, writeSite } from '../../bench/site.ts'
import { sandbox } from '../sandbox.ts'
import { checkIn } from '../snapshot/building.ts'

const siteOf = (seed: number) => Array.from(site({ members: 300, shots: 20, seed }))
const files = siteOf(1)
const shots = files.filter(({ path }) => path.includes('/shots/'))

test('a synthetic site is decided by its seed', () => {
  expect(siteOf(1)).toEqual(files)
  expect(siteOf(2)).not.toEqual(files)
})

test('a synthetic site is valid content, with every path and every id once', async () => {
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length)
  const folder = sandbox()
  writeSite(`${folder}/content`, files)
  expect(await checkIn(folder)).toMatchObject({ diagnostics: [], members: 300 })
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
