import { hash } from 'node:crypto'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import type { ImportOptions } from '../../scripts/import/run.ts'
import { chunk, end, header, signature } from '../pictures/bytes.ts'
import { sandbox, writeTree } from '../sandbox.ts'
import { profileYaml, siteYaml } from '../site.ts'
import { buildIn } from '../snapshot/building.ts'
import { texts } from '../tables.ts'
import type { Handler } from '../verify/reference-host.ts'
import { contentOf, expectCodes, importFrom } from './importing.ts'
import { ana, legacyShot, reply } from './legacy.ts'

/** A picture of its own for each number, perhaps with words of its author. */
const picture = (number: number, author?: string) => {
  const personal = author === undefined ? [] : [chunk('tEXt', `Author\0${author}`)]
  return Buffer.concat([
    signature,
    header,
    ...personal,
    chunk('IDAT', `pixels ${number}`),
    end,
  ])
}

const urlOf = (name: string) => `https://img.example.org/${name}.png`

const site = (shots = [legacyShot(2, 1, { large_image: urlOf('big') }), legacyShot(1, 1)]) =>
  ana(shots)

/** Pictures by path, with a tag each; anything else is a page. */
const pictures =
  (files: Readonly<Record<string, Uint8Array>>, asked: string[] = []): Handler =>
  ({ target, headers }) => {
    const tag = `"${hash('sha1', files[target] ?? '')}"`
    const isKnown = headers['if-none-match'] === tag
    asked.push(`${target} ${isKnown ? 304 : 200}`)
    if (files[target] === undefined) return reply(200, '<!doctype html><title>Gone</title>')
    return isKnown ? reply(304, '', { ETag: tag }) : reply(200, files[target], { ETag: tag })
  }

const all = {
  '/ana.png': picture(1, 'made by ana'),
  '/1.png': picture(2),
  '/2.png': picture(3),
  '/big.png': picture(4),
}

const allAgain = texts('/1.png 304¦/2.png 304¦/ana.png 304¦/big.png 304')

const take = (
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
  legacy = site(),
  { asked = [], ...options }: Partial<ImportOptions> & { readonly asked?: string[] } = {},
) =>
  importFrom(legacy, folder, {
    pictures: true,
    pictureHandler: pictures(files, asked),
    ...options,
  })

const bytesOf = (folder: string, file: string) =>
  fs.readFileSync(`${folder}/content/members/ana/${file}`)

test('pictures are stored beside the files that name them, cleaned, and asked for with conditions from then on', async () => {
  const folder = sandbox()
  const { told, written } = await take(folder, all)
  expect(told).toEqual([])
  expect(written).toContain('members/ana/shots/shot-2-large.png')
  const content = contentOf(folder)
  expect(content['members/ana/profile.yaml']).toContain('avatar: ./avatar.png\n')
  expect(content['members/ana/shots/shot-1.yaml']).toMatch(
    /\nimage: \.\/shot-1\.png\n(?!large_image)/,
  )
  expect(content['members/ana/shots/shot-2.yaml']).toContain(
    '\nimage: ./shot-2.png\nlarge_image: ./shot-2-large.png\n',
  )
  expect(bytesOf(folder, 'shots/shot-1.png')).toEqual(picture(2))
  expect(bytesOf(folder, 'avatar.png')).toEqual(picture(1))
  const asked: string[] = []
  const again = await take(folder, all, site(), { asked })
  expect([again.told, again.written]).toEqual([[], []])
  expect(asked.sort()).toEqual(allAgain)
  // without the flag they stay
  expect((await importFrom(site(), folder)).written).toEqual([])
})

test('what is no picture, or too large, or can not be had stays an address, and is told', async () => {
  const folder = sandbox()
  const { '/2.png': _, ...rest } = all
  const { told } = await take(folder, { ...rest, '/big.png': Buffer.alloc((10 << 20) + 1) })
  const notTaken = { severity: 'warning', code: 'picture-not-taken' }
  const file = 'content/members/ana/shots/shot-2.yaml'
  expect(told).toMatchObject([4, 5].map((line) => ({ ...notTaken, file, line })))
  expect(contentOf(folder)['members/ana/shots/shot-2.yaml']).toContain(
    `image: ${urlOf('2')}\n`,
  )
})

test('a picture that changed at the remote is replaced, and one that was replaced here stays', async () => {
  const folder = sandbox()
  await take(folder, all)
  writeTree(folder, { 'content/members/ana/shots/shot-2.png': picture(9) })
  const { told, written } = await take(folder, {
    ...all,
    '/1.png': picture(7),
    '/2.png': picture(8),
  })
  expect([told, written]).toEqual([
    [],
    ['members/ana/shots/shot-1.png', 'members/ana/import.json'],
  ])
  expect(bytesOf(folder, 'shots/shot-1.png')).toEqual(picture(7))
  expect(bytesOf(folder, 'shots/shot-2.png')).toEqual(picture(9))
})

const conflict = 'error content/members/ana/shots/shot-2.yaml:4 image is "./shot-2.png" here'

test.each([
  [undefined, true, 9, [conflict]],
  [undefined, false, 9, [conflict]],
  ['ours', true, 9, []],
  ['theirs', true, 8, []],
] as const)(
  'a picture that was replaced here meets another address with --%s, with --pictures: %s',
  async (side, pictures, number, found) => {
    const folder = sandbox()
    await take(folder, all)
    writeTree(folder, { 'content/members/ana/shots/shot-2.png': picture(9) })
    const moved = site([{ ...site().ana!.shots[0]!, image: urlOf('new') }, legacyShot(1, 1)])
    const { told } = await take(folder, { ...all, '/new.png': picture(8) }, moved, {
      side,
      pictures,
    })
    const shown = told.map(
      ({ severity, file, line, message }) => `${severity} ${file}:${line} ${message}`,
    )
    expect(shown).toEqual(found.map((one) => expect.stringContaining(one)))
    expect(bytesOf(folder, 'shots/shot-2.png')).toEqual(picture(number))
  },
)

test('another address at the remote is another picture, with or without the flag', async () => {
  const folder = sandbox()
  await take(folder, all)
  const image = urlOf('new')
  const [other] = site().ana!.shots
  const moved = site([other!, legacyShot(1, 1, { image, large_image: image })])
  await take(folder, { ...all, '/new.png': picture(5) }, moved)
  expect(bytesOf(folder, 'shots/shot-1.png')).toEqual(picture(5))
  expect(contentOf(folder)['members/ana/shots/shot-1.yaml']).toContain(
    '\nimage: ./shot-1.png\n',
  )
  await importFrom(site(), folder)
  expect(contentOf(folder)['members/ana/shots/shot-1.yaml']).toContain(
    `\nimage: ${urlOf('1')}\n`,
  )
})

test('nothing at a private address is asked for, but where the remote has one', async () => {
  const hosts = texts('169.254.169.254¦192.0.0.192¦[::1]¦[::7f00:1]¦[2002:7f00:1::]')
  const shots = hosts.map((host, at) => {
    const image = `http://${host}/x.png`
    return legacyShot(9 - at, 1, { image, large_image: image })
  })
  const asked: string[] = []
  // public addresses
  const at = { hostname: '192.0.2.1', port: 443, path: '' }
  const legacy = ana(shots, { avatar: 'https://198.51.100.1/ana.png' })
  const options = { asked, addresses: { https: at, http: at } }
  const { told } = await take(sandbox(), all, legacy, options)
  const isPrivate = expect.stringContaining('it is at a private address')
  expect(told.map(({ message }) => message)).toEqual(hosts.map(() => isPrivate))
  expect(asked).toEqual(['/ana.png 200'])
})

test('the proof compares what pictures show', async () => {
  const folder = sandbox()
  await take(folder, all)
  const prove = (
    files: Readonly<Record<string, Uint8Array>>,
    offline = false,
    asked: string[] = [],
  ) => take(folder, files, site(), { prove: true, pictures: false, offline, asked })
  const asked: string[] = []
  expect((await prove(all, false, asked)).codes).toEqual([])
  // with conditions, as the pictures here are those that came
  expect(asked.sort()).toEqual(allAgain)
  expect((await prove({}, true)).codes).toEqual([])
  const { told } = await prove({
    ...all,
    '/1.png': picture(7),
    '/ana.png': Buffer.from('gone'),
  })
  expect(
    [...new Set(told.map(({ code, message }) => `${code} ${message.split(' ')[0]}`))].sort(),
  ).toEqual(['different image', 'different large_image', 'unproven avatar'])
})

// the published bytes of these pictures are others than their own
const tree = {
  'content/site.yaml': siteYaml,
  'content/members/ana/profile.yaml': `${profileYaml(1)}avatar: ./ana.png\n`,
  'content/members/ana/ana.png': picture(1, 'ana'),
  'content/members/ana/shots/tea.yaml':
    'id: 11\ntitle: Tea\ndate: 2014-03-02\nimage: ./tea.png\n',
  'content/members/ana/shots/tea.png': picture(2, 'ana'),
}

/** Serves the snapshot of a folder, with its pictures. */
const servedFrom =
  (folder: string, asked: string[] = []): Handler =>
  ({ scheme, target }) => {
    asked.push(target)
    const below = target.startsWith('/pictures/')
      ? target
      : `${scheme === 'http' ? '/http' : ''}${target}/index.json`
    const file = `${folder}/dist/${below}`
    return fs.existsSync(file) ? reply(200, fs.readFileSync(file)) : reply(404, '{}')
  }

const files = (folder: string) => {
  const { 'members/ana/import.json': _, ...others } = contentOf(folder)
  return others
}

test.each([false, true])(
  'a picture that is published at the very address is no conflict, is not fetched, and stays, with --pictures: %s',
  async (pictures) => {
    const folder = sandbox(tree)
    await buildIn(folder)
    const asked: string[] = []
    const before = files(folder)
    for (const _ of [1, 2]) {
      await expectCodes('', servedFrom(folder, asked), folder, { names: ['ana'], pictures })
      expect(files(folder)).toEqual(before)
    }
    expect(asked.filter((target) => target.startsWith('/pictures/'))).toEqual([])
    await expectCodes('', servedFrom(folder), folder, { prove: true })
  },
)

test('a site that took its pictures along is the same when it is imported from itself', async () => {
  const folder = sandbox({ 'content/site.yaml': siteYaml })
  const image = picture(4, 'ana')
  const pictureHandler = () => reply(200, image)
  await importFrom(ana([1]), folder, { pictures: true, pictureHandler })
  await buildIn(folder)
  const before = files(folder)
  expect(before['members/ana/shots/shot-1.yaml']).toContain('image: ./shot-1.png\n')
  for (const pictures of [false, true, false]) {
    await expectCodes('', servedFrom(folder), folder, { pictures })
    expect(files(folder)).toEqual(before)
  }
  await expectCodes('', servedFrom(folder), folder, { prove: true })
})
