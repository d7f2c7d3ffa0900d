import fs from 'node:fs'
import { expect, test } from 'vitest'
import { tolerances } from '../../scripts/import/body.ts'
import { messages } from '../../scripts/import/messages.ts'
import { captured } from '../captured.ts'
import { readText, sandbox, withTimes } from '../sandbox.ts'
import { rowsOf } from '../tables.ts'
import { checkOf, contentOf, importFrom, importInto } from './importing.ts'
import { ana, type Legacy, legacyMember, legacyShot } from './legacy.ts'

const small = (): Legacy => ({
  ana: legacyMember('ana', 1, {
    user: { totalShots: '230', Projects: '1', bio: 'Two lines.\nAnd more.' },
    shots: [
      legacyShot(12, 1, {
        title: 'Poster: a draft',
        tags: 'poster,print',
        large_image: 'https://img.example.org/12@2x.png',
      }),
      legacyShot(11, 1, {
        id_project: '7',
        created_project: '2013-05-06 07:08:09',
        price_item: '1.50',
      }),
    ],
  }),
  bo: legacyMember('bo', 2),
})

test('an import into nothing writes what a careful person would, and passes the check', async () => {
  const folder = sandbox()
  const result = await importFrom(small(), folder, { names: ['bo', 'ana'] })
  expect(result.told).toEqual([])
  expect(result.requests).toBe(8)
  const {
    'members/ana/import.json': base,
    'members/bo/import.json': _,
    ...files
  } = contentOf(folder)
  expect(JSON.parse(base!).window).toEqual(['12', '11'])
  expect(files).toEqual({
    'site.yaml': `base_url: https://api.example.com:8443
`,
    'members/ana/profile.yaml': `id: 1
name: ana Example
location: Lisbon
website: https://ana.example.com
bio: |-
  Two lines.
  And more.
skills: [type, print]
avatar: https://img.example.org/ana.png
totalFollowers: 120
totalFollowing: 7
totalShots: 230
Listed: 3
projects:
  - id: 7
    created: 2013-05-06 07:08:09
`,
    'members/ana/shots/poster-a-draft.yaml': `id: 12
title: "Poster: a draft"
date: 2014-01-01 12:00:00
image: https://img.example.org/12.png
large_image: https://img.example.org/12@2x.png
tags: [poster, print]
`,
    'members/ana/shots/shot-11.yaml': `id: 11
title: Shot 11
date: 2014-01-01 11:00:00
image: https://img.example.org/11.png
id_project: 7
price_item: "1.50"
`,
    'members/bo/profile.yaml': `id: 2
name: bo Example
location: Lisbon
website: https://bo.example.com
bio: I draw letters.
skills: [type, print]
avatar: https://img.example.org/bo.png
totalFollowers: 120
totalFollowing: 7
Listed: 3
`,
  })
  expect(await checkOf(folder)).toEqual([])
})

test('files are named after titles, in the order of ids; names that are taken or empty get the id', async () => {
  const expected = rowsOf(`
    Crème brûlée! → creme-brulee
    creme-BRULEE → creme-brulee-2
    NUL → nul-3
    👩‍🚀 → 4
    作品 → 5
    ${'long '.repeat(20)}title → ${'long-'.repeat(12).slice(0, -1)}
    Café №5 → cafe-no5
  `)
  const shots = expected
    .map(([title], index) => legacyShot(index + 1, 1, { title }))
    .reverse()
  const { folder } = await importInto(ana(shots))
  const files = contentOf(folder)
  for (const [index, [, name]] of expected.entries())
    expect(files[`members/ana/shots/${name}.yaml`]).toMatch(
      new RegExp(`^id: ${index + 1}$`, 'm'),
    )
})

test.each(['\n', '\r\n'])(
  'a second import costs two requests a member and changes no byte, with %j for the line ends of import.json',
  async (end) => {
    const folder = sandbox()
    await importFrom(small(), folder)
    const file = `${folder}/content/members/ana/import.json`
    fs.writeFileSync(file, readText(file).replaceAll('\n', end))
    const before = withTimes(`${folder}/content`)
    const { requests, written, told } = await importFrom(small(), folder)
    expect([requests, written, told]).toEqual([4, [], []])
    expect(withTimes(`${folder}/content`)).toEqual(before)
  },
)

const importUsers = (users: string | Uint8Array) => {
  const folder = sandbox({ 'names.txt': users })
  return importFrom(ana(), folder, { names: [], users: `${folder}/names.txt` })
}

test('a file in UTF-16 is refused in one message', async () => {
  const hint = expect.stringContaining('a text file in UTF-8')
  await expect(importUsers(Buffer.from('\ufeffana\n', 'utf16le'))).rejects.toMatchObject({
    hint,
  })
})

test('a list without a name is told by its own name', () =>
  expect(importUsers('# nobody yet\n')).rejects.toThrow('names.txt'))

test('a list with a few lines that are no names is imported but for those', async () => {
  const { told } = await importUsers(`\ufeffana\n${'é'.repeat(100_000)}\n`)
  expect(told).toMatchObject([{ code: 'bad-name', file: 'names.txt', line: 2 }])
})

const page = readText('docs/import.md')

test('docs/import.md explains every message', () => {
  const headings = captured(page, /<a id="(\S+)"><\/a>/g)
  expect(headings).toEqual(
    Object.keys(messages).sort((a, b) => headings.indexOf(a) - headings.indexOf(b)),
  )
})

test.each(Object.keys(tolerances))('docs/import.md names %s', (name) =>
  expect(page).toContain(`\`${name}\``),
)
