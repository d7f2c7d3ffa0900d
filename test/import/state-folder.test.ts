import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { sandbox, writeTree } from '../sandbox.ts'
import { contentOf, importFrom } from './importing.ts'
import { legacyHandler, legacyMember, shotsOf } from './legacy.ts'

const legacy = legacyHandler({ ana: legacyMember('ana', 1, { shots: shotsOf(1, [1]) }) })

/** A folder with a link at `name` to a folder beside it, which is returned. */
const linkAt = (name: string): { readonly folder: string; readonly elsewhere: string } => {
  const folder = sandbox({ 'elsewhere/mine.txt': 'mine' })
  const elsewhere = path.join(folder, 'elsewhere')
  const link = path.join(folder, name)
  fs.mkdirSync(path.dirname(link), { recursive: true })
  fs.symlinkSync(elsewhere, link, 'junction')
  return { folder, elsewhere }
}

describe('the state folder', () => {
  test.each(['.shotpress', '.shotpress/import'])('is refused if %s is a link', async (name) => {
    const { folder, elsewhere } = linkAt(name)
    const imported = importFrom(legacy, folder, { names: ['ana'], state: undefined })
    await expect(imported).rejects.toMatchObject({
      message: expect.stringContaining('is a link'),
      hint: expect.stringContaining('follows no link there'),
    })
    expect([fs.readdirSync(elsewhere), contentOf(folder)]).toEqual([['mine.txt'], {}])
  })

  test('is .shotpress/import beside the content', async () => {
    const folder = sandbox()
    await importFrom(legacy, folder, { names: ['ana'], state: undefined })
    expect(fs.readdirSync(path.join(folder, '.shotpress/import')).sort()).toEqual(['ana.json'])
  })

  test.each(['content', 'content/members/state'])('is refused if --state names %s', async (name) => {
    const folder = sandbox()
    const imported = importFrom(legacy, folder, { names: ['ana'], state: path.join(folder, name) })
    await expect(imported).rejects.toMatchObject({
      message: expect.stringContaining('in the content folder'),
    })
    expect(fs.readdirSync(folder)).toEqual([])
  })

  test('may be damaged: a tag that no request can carry is not sent', async () => {
    const folder = sandbox()
    await importFrom(legacy, folder, { names: ['ana'] })
    const kept = path.join(folder, 'state/ana.json')
    fs.writeFileSync(kept, fs.readFileSync(kept, 'utf8').replaceAll(/"etag":"../g, '"etag":"\ufffd'))
    const sent: (string | undefined)[] = []
    const { told } = await importFrom((asked) => {
      sent.push(asked.headers['if-none-match'])
      return legacy(asked)
    }, folder)
    expect([told, sent]).toEqual([[], [undefined, undefined]])
  })

  test.each(['', '{', 'null', '[]', '{"remote":1}', '{"https user":null}', '{"https user":{"body":7}}'])(
    'may hold anything: %j is as good as nothing',
    async (text) => {
      const folder = sandbox()
      await importFrom(legacy, folder, { names: ['ana'] })
      writeTree(folder, { 'state/ana.json': text })
      const { codes, written } = await importFrom(legacy, folder)
      expect([codes, written]).toEqual([[], []])
    },
  )

  test('may be a link if --state names it', async () => {
    const { folder, elsewhere } = linkAt('state')
    writeTree(folder, { 'content/site.yaml': 'base_url: https://api.example.com\n' })
    await importFrom(legacy, folder, { names: ['ana'] })
    expect(fs.readdirSync(elsewhere).sort()).toEqual(['ana.json', 'mine.txt'])
  })
})
