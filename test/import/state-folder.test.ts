import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { namesIn, sandbox, writeTree } from '../sandbox.ts'
import type { Handler } from '../verify/reference-host.ts'
import { contentOf, importFrom, importInto } from './importing.ts'
import { ana, legacyHandler, reply } from './legacy.ts'

const legacy = legacyHandler(ana([1]))

/** A folder with a link at `name` to a folder beside it, which is returned. */
const linkAt = (name: string) => {
  const folder = sandbox({ 'elsewhere/mine.txt': 'mine' })
  const elsewhere = `${folder}/elsewhere`
  const link = `${folder}/${name}`
  fs.mkdirSync(path.dirname(link), { recursive: true })
  fs.symlinkSync(elsewhere, link, 'junction')
  return { folder, elsewhere }
}

test.each(['.shotpress', '.shotpress/import'])(
  'the state folder is refused if %s is a link',
  async (name) => {
    const { folder, elsewhere } = linkAt(name)
    const imported = importFrom(legacy, folder, { names: ['ana'], state: undefined })
    await expect(imported).rejects.toMatchObject({
      message: expect.stringContaining('is a link'),
      hint: expect.stringContaining('follows no link there'),
    })
    expect([fs.readdirSync(elsewhere), contentOf(folder)]).toEqual([['mine.txt'], {}])
  },
)

test('the state folder is .shotpress/import beside the content', async () => {
  const folder = sandbox()
  await importFrom(legacy, folder, { names: ['ana'], state: undefined })
  expect(namesIn(folder, '.shotpress/import').sort()).toEqual(['ana.json'])
})

test.each(['', '{', 'null', '{"https user":{"body":7}}'])(
  'the state folder may hold anything: %j is as good as nothing',
  async (text) => {
    const { folder } = await importInto(legacy)
    writeTree(folder, { 'state/ana.json': text })
    const { codes, written } = await importFrom(legacy, folder)
    expect([codes, written]).toEqual([[], []])
  },
)

/** What the remote says, with tags that hold for whatever it says, as those of some servers do. */
const tagged =
  (bio: string): Handler =>
  (asked) => {
    if (asked.headers['if-none-match'] !== undefined) return reply(304, '', { ETag: '"1"' })
    const answer = legacyHandler(ana([], { bio }))(asked)
    return reply(answer.status, answer.body, { ETag: '"1"' })
  }

test.each([[[]], [['real']]])(
  'the state folder may be planted by anybody, for a member that was imported (%j) or not: it says nothing, and proves nothing',
  async (before) => {
    const { folder: elsewhere } = await importInto(tagged('forged'))
    const { folder } = await importInto(...before.map(tagged))
    const plant = () => {
      const [from, to] = [elsewhere, folder].map((one) => `${one}/state`)
      fs.rmSync(to!, { recursive: true, force: true })
      fs.cpSync(from!, to!, { recursive: true })
    }
    plant()
    await importFrom(tagged('real'), folder, { names: ['ana'] })
    const content = contentOf(folder)
    expect(content['members/ana/profile.yaml']).toContain('bio: real\n')
    plant()
    for (const prove of [false, true]) {
      const { codes } = await importFrom(tagged('real'), folder, { offline: true, prove })
      expect([codes.includes('no-answer'), contentOf(folder)]).toEqual([true, content])
    }
  },
)

test('the state folder may be a link if --state names it', async () => {
  const { folder, elsewhere } = linkAt('state')
  writeTree(folder, { 'content/site.yaml': 'base_url: https://api.example.com\n' })
  await importFrom(legacy, folder, { names: ['ana'] })
  expect(fs.readdirSync(elsewhere).sort()).toEqual(['ana.json', 'mine.txt'])
})
