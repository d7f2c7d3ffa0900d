import { describe, expect, test } from 'vitest'
import type { Profile, Shot } from '../../../scripts/content/member.ts'
import { checkCounts, checkShot, locate } from '../../../scripts/content/rules.ts'

const profile = (over: Partial<Profile>): Profile =>
  ({ projects: [], totalShots: undefined, Projects: undefined, ...over }) as Profile
const shot = (id_project: string): Shot => ({ id_project }) as Shot

const projects = ['7', '1234', '99999999999999999999'].map((id) => ({ id, created: '2014-03-02 00:00:00' }))

describe('the project of a shot', () => {
  test('is one of its member, or none', () => {
    for (const id of ['0', '7', '99999999999999999999']) {
      expect(checkShot(shot(id), profile({ projects }))).toEqual([])
    }
    expect(checkShot(shot('0'), profile({}))).toEqual([])
  })

  test('is wrong otherwise, with the nearest one suggested', () => {
    const at = { code: 'unknown-project', path: ['id_project'], of: 'value' }
    expect(checkShot(shot('1243'), profile({ projects }))).toEqual([
      { ...at, args: { id: '1243', suggestion: '1234' } },
    ])
    expect(checkShot(shot('8'), profile({ projects }))).toMatchObject([
      { ...at, args: { id: '8', suggestion: undefined } },
    ])
  })
})

describe('a count', () => {
  test('is left to be counted, or covers what the content holds', () => {
    expect(checkCounts(profile({}), 3)).toEqual([])
    for (const totalShots of ['3', '230', '99999999999999999999']) {
      expect(checkCounts(profile({ totalShots }), 3)).toEqual([])
    }
    expect(checkCounts(profile({ totalShots: '0', Projects: '3', projects }), 0)).toEqual([])
  })

  test('is wrong below that', () => {
    expect(checkCounts(profile({ totalShots: '9', Projects: '2', projects }), 10)).toEqual([
      {
        code: 'count-too-low',
        args: { key: 'totalShots', value: '9', counted: 10 },
        path: ['totalShots'],
        of: 'value',
      },
      {
        code: 'count-too-low',
        args: { key: 'Projects', value: '2', counted: 3 },
        path: ['Projects'],
        of: 'value',
      },
    ])
  })
})

test('a place is found again in the source', () => {
  const source = { file: 'profile.yaml', text: '# Ana\nid: 42\nprojects: [{ id: 7 }]\n' }
  const stretch = (line: number, column: number, endColumn: number) => ({
    file: 'profile.yaml',
    line,
    column,
    endLine: line,
    endColumn,
  })
  expect(locate(source, ['id'], 'value')).toEqual(stretch(2, 5, 7))
  expect(locate(source, ['id'], 'key')).toEqual(stretch(2, 1, 3))
  expect(locate(source, ['projects', 0, 'id'], 'value')).toEqual(stretch(3, 18, 19))
  expect(locate(source, [], 'mapping')).toEqual(stretch(2, 1, 3))
  expect(locate(source, ['projects', 0], 'mapping')).toEqual(stretch(3, 12, 21))
})
