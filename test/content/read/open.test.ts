import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createLoader } from '../../../scripts/advice/loader.ts'
import { sizeLimit } from '../../../scripts/content/layout.ts'
import { readMember } from '../../../scripts/content/read/open.ts'
import { createReader } from '../../../scripts/content/read/read-file.ts'
import { sandbox, writeTree } from '../../sandbox.ts'

const right = 'id: 1001\ntitle: Poster\ndate: 2014-03-02\nimage: a.png\n'

/** A member with these shots; counts what is read. */
const memberOf = (shots: Readonly<Record<string, string | Buffer>>) => {
  const folder = sandbox({ 'content/members/ana/profile.yaml': 'id: 1\nname: Ana\n' })
  const content = { path: `${folder}/content`, name: 'content' }
  const at = `${content.path}/members/ana/shots`
  fs.mkdirSync(at)
  for (const [name, bytes] of Object.entries(shots)) writeTree(at, { [name]: bytes })
  const asked: string[] = []
  const opening = {
    content,
    loader: createLoader(),
    read: (below: string) => {
      asked.push(path.basename(below))
      return createReader(content)(below)
    },
  }
  return {
    at,
    asked,
    open: () => readMember('ana', opening),
  }
}

test('each file says what became of it, whatever it holds', () => {
  const { open } = memberOf({
    '1-right.yaml': right,
    '2-wrong.yaml': 'id: 1002\ntitle: \ndraft: true\n',
    '3-syntax.yaml': 'id: 1003\ntitle: "Poster\n',
    '4-latin.yaml': Buffer.from(`${right}description: caf\xe9\n`, 'latin1'),
    '5-large.yaml': 'a'.repeat(sizeLimit + 1),
    '6-empty.yaml': '',
  })
  const told = open().shots.map((file) => {
    const { value, diagnostics } = file.loaded()
    const { id, draft } = file.facts()
    return [value?.title, id, draft, diagnostics.map(({ code }) => code).join(' ')]
  })
  expect(told).toEqual([
    ['Poster', '1001', false, ''],
    [undefined, '1002', true, 'missing-key missing-key missing-key'],
    [undefined, '1003', true, 'yaml-syntax'],
    [undefined, '1001', false, 'not-utf8'],
    [undefined, undefined, true, 'too-large'],
    [undefined, undefined, false, 'empty-file'],
  ])
})

test('a file is read when somebody asks what it says, and once', () => {
  const { asked, open } = memberOf({ 'one.yaml': right })
  const { profile, shots } = open()
  expect(asked).toEqual([])
  for (const file of [...shots, ...shots])
    for (const ask of ['facts', 'loaded', 'parsed'] as const) file[ask]()
  expect(asked).toEqual(['one.yaml'])
  expect(profile?.loaded().value?.name).toBe('Ana')
  expect(asked).toEqual(['one.yaml', 'profile.yaml'])
})
