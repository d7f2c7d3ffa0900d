import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { chunk, end, header, signature } from '../pictures/bytes.ts'
import { sandbox } from '../sandbox.ts'
import { profileYaml, siteYaml } from '../site.ts'
import { buildIn } from '../snapshot/building.ts'
import type { Handler } from '../verify/reference-host.ts'
import { contentOf, importFrom } from './importing.ts'
import { legacyMember, legacyShot, reply } from './legacy.ts'

/** A picture whose published bytes are others than its own. */
const picture = (pixels: string): Buffer =>
  Buffer.concat([signature, header, chunk('tEXt', 'Comment\0tea'), chunk('IDAT', pixels), end])

const shot = 'id: 11\ntitle: Tea\ndate: 2014-03-02\nimage: ./tea.png\n'

const tree = {
  'content/site.yaml': siteYaml,
  'content/members/ana/profile.yaml': `${profileYaml(1)}avatar: ./ana.png\n`,
  'content/members/ana/ana.png': picture('ana'),
  'content/members/ana/shots/tea.yaml': shot,
  'content/members/ana/shots/tea.png': picture('tea'),
}

/** Serves the snapshot of a folder, with its pictures. */
const servedFrom =
  (folder: string, asked: string[] = []): Handler =>
  ({ scheme, target }) => {
    asked.push(target)
    const below = target.startsWith('/pictures/')
      ? target
      : `${scheme === 'http' ? '/http' : ''}${target}/index.json`
    const file = path.join(folder, 'dist', below)
    return fs.existsSync(file) ? reply(200, fs.readFileSync(file)) : reply(404, '{}')
  }

const built = async (files: Readonly<Record<string, string | Buffer>> = {}): Promise<string> => {
  const folder = sandbox({ ...tree, ...files })
  expect((await buildIn(folder)).written).toBeGreaterThan(0)
  return folder
}

const files = (folder: string) => {
  const { 'members/ana/import.json': _, ...others } = contentOf(folder)
  return others
}

describe.each([false, true])('from the snapshot of the same content, with --pictures %s', (pictures) => {
  test('a picture that is published at the very address is no conflict, is not fetched, and stays', async () => {
    const folder = await built()
    const asked: string[] = []
    const before = files(folder)
    for (const _ of [1, 2]) {
      const { codes } = await importFrom(servedFrom(folder, asked), folder, { names: ['ana'], pictures })
      expect(codes).toEqual([])
      expect(files(folder)).toEqual(before)
    }
    expect(asked.filter((target) => target.startsWith('/pictures/'))).toEqual([])
    expect((await importFrom(servedFrom(folder), folder, { prove: true })).codes).toEqual([])
  })

  test('a picture that was replaced here since it was published stays', async () => {
    const folder = await built()
    await importFrom(servedFrom(folder), folder, { names: ['ana'], pictures })
    const later = await built({ 'content/members/ana/shots/tea.png': picture('later') })
    const before = files(folder)
    expect((await importFrom(servedFrom(later), folder, { pictures })).codes).toEqual([])
    expect(files(folder)).toEqual(before)
  })
})

test('a site that took its pictures along is the same when it is imported from itself', async () => {
  const folder = sandbox({ 'content/site.yaml': siteYaml })
  const image = picture('old')
  const legacy = { ana: legacyMember('ana', 1, { user: { totalShots: '1' }, shots: [legacyShot(1, 1)] }) }
  await importFrom(legacy, folder, {
    names: ['ana'],
    pictures: true,
    pictureHandler: () => reply(200, image),
  })
  await buildIn(folder)
  const before = files(folder)
  expect(before['members/ana/shots/shot-1.yaml']).toContain('image: ./shot-1.png\n')
  for (const pictures of [false, true, false]) {
    const { codes } = await importFrom(servedFrom(folder), folder, { pictures })
    expect(codes).toEqual([])
    expect(files(folder)).toEqual(before)
  }
  expect((await importFrom(servedFrom(folder), folder, { prove: true })).codes).toEqual([])
})
