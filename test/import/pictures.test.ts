import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { chunk, end, header, signature } from '../pictures/bytes.ts'
import { sandbox, writeTree } from '../sandbox.ts'
import type { Handler } from '../verify/reference-host.ts'
import { contentOf, importFrom } from './importing.ts'
import { type Legacy, legacyMember, legacyShot, reply } from './legacy.ts'

/** A picture of its own for each number, perhaps with words of its author. */
const picture = (number: number, author?: string): Buffer =>
  Buffer.concat([
    signature,
    header,
    ...(author === undefined ? [] : [chunk('tEXt', `Author\0${author}`)]),
    chunk('IDAT', `pixels ${number}`),
    end,
  ])

const site = (
  shots = [legacyShot(1, 1), legacyShot(2, 1, { large_image: 'https://img.example.org/big.png' })],
): Legacy => ({
  ana: legacyMember('ana', 1, { shots: shots.toReversed() }),
})

/** Pictures by path, with a tag each; anything else is a page. */
const pictures = (files: Readonly<Record<string, Uint8Array>>, asked: string[] = []): Handler => {
  return ({ target, headers }) => {
    const tag = `"${hash('sha1', files[target] ?? '')}"`
    const isKnown = headers['if-none-match'] === tag
    asked.push(`${target} ${isKnown ? 304 : 200}`)
    if (files[target] === undefined) return reply(200, '<!doctype html><title>Gone</title>')
    return isKnown ? reply(304, '', { ETag: tag }) : reply(200, files[target], { ETag: tag })
  }
}

const all = {
  '/ana.png': picture(1, 'made by ana'),
  '/1.png': picture(2),
  '/2.png': picture(3),
  '/big.png': picture(4),
}

const take = (
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
  legacy = site(),
  asked: string[] = [],
) =>
  importFrom(legacy, folder, {
    names: ['ana'],
    pictures: true,
    pictureHandler: pictures(files, asked),
  })

const bytesOf = (folder: string, file: string): Buffer =>
  fs.readFileSync(path.join(folder, 'content/members/ana', file))

test('pictures are stored beside the files that name them, cleaned, and asked for with conditions from then on', async () => {
  const folder = sandbox()
  const { told, written } = await take(folder, all)
  expect(told).toEqual([])
  expect(written).toContain('members/ana/shots/shot-2-large.png')
  const content = contentOf(folder)
  expect(content['members/ana/profile.yaml']).toContain('avatar: ./avatar.png\n')
  expect(content['members/ana/shots/shot-1.yaml']).toMatch(/\nimage: \.\/shot-1\.png\n(?!large_image)/)
  expect(content['members/ana/shots/shot-2.yaml']).toMatch(
    /\nimage: \.\/shot-2\.png\nlarge_image: \.\/shot-2-large\.png\n/,
  )
  expect(bytesOf(folder, 'shots/shot-1.png')).toEqual(picture(2))
  expect(bytesOf(folder, 'avatar.png')).toEqual(picture(1))
  const asked: string[] = []
  const again = await take(folder, all, site(), asked)
  expect([again.told, again.written]).toEqual([[], []])
  expect(asked.sort()).toEqual(['/1.png 304', '/2.png 304', '/ana.png 304', '/big.png 304'])
  // without the flag they stay
  expect((await importFrom(site(), folder)).written).toEqual([])
})

test('what is no picture, or too large, or can not be had stays an address, and is told', async () => {
  const folder = sandbox()
  const { '/2.png': _, ...rest } = all
  const { told } = await take(folder, { ...rest, '/big.png': Buffer.alloc((10 << 20) + 1) })
  expect(told.map(({ severity, code, file, line }) => `${severity} ${code} ${file}:${line}`)).toEqual([
    'warning picture-not-taken content/members/ana/shots/shot-2.yaml:4',
    'warning picture-not-taken content/members/ana/shots/shot-2.yaml:5',
  ])
  expect(contentOf(folder)['members/ana/shots/shot-2.yaml']).toContain(
    'image: https://img.example.org/2.png\n',
  )
})

test('a picture that changed at the remote is replaced, and one that was replaced here stays', async () => {
  const folder = sandbox()
  await take(folder, all)
  writeTree(folder, { 'content/members/ana/shots/shot-2.png': picture(9) })
  const { told, written } = await take(folder, { ...all, '/1.png': picture(7), '/2.png': picture(8) })
  expect([told, written]).toEqual([[], ['members/ana/shots/shot-1.png', 'members/ana/import.json']])
  expect(bytesOf(folder, 'shots/shot-1.png')).toEqual(picture(7))
  expect(bytesOf(folder, 'shots/shot-2.png')).toEqual(picture(9))
})

test.each([
  [undefined, 9, ['error conflict content/members/ana/shots/shot-2.yaml:4']],
  ['ours', 9, []],
  ['theirs', 8, []],
] as const)(
  'a picture that was replaced here meets another address with --%s',
  async (side, number, found) => {
    const folder = sandbox()
    await take(folder, all)
    writeTree(folder, { 'content/members/ana/shots/shot-2.png': picture(9) })
    const image = 'https://img.example.org/new.png'
    const moved = site([legacyShot(1, 1), { ...site().ana!.shots[0]!, image }])
    const pictureHandler = pictures({ ...all, '/new.png': picture(8) })
    const { told } = await importFrom(moved, folder, { names: ['ana'], pictures: true, pictureHandler, side })
    expect(told.map(({ severity, code, file, line }) => `${severity} ${code} ${file}:${line}`)).toEqual(found)
    expect(bytesOf(folder, 'shots/shot-2.png')).toEqual(picture(number))
  },
)

test('a picture that changed here is a conflict too if another address comes without the flag', async () => {
  const folder = sandbox()
  await take(folder, all)
  writeTree(folder, { 'content/members/ana/avatar.png': picture(9) })
  const legacy = {
    ana: legacyMember('ana', 1, { ...site().ana!, user: { avatar: 'https://img.example.org/b.png' } }),
  }
  expect((await importFrom(legacy, folder)).told).toMatchObject([
    { code: 'conflict', message: expect.stringContaining('avatar is "./avatar.png" here') },
  ])
})

test('another address at the remote is another picture, with or without the flag', async () => {
  const folder = sandbox()
  await take(folder, all)
  const moved = site([
    legacyShot(1, 1, {
      image: 'https://img.example.org/new.png',
      large_image: 'https://img.example.org/new.png',
    }),
  ])
  const files = { ...all, '/new.png': picture(5) }
  await take(folder, files, {
    ...moved,
    ana: { ...moved.ana!, shots: [...moved.ana!.shots, site().ana!.shots[1]!] },
  })
  expect(bytesOf(folder, 'shots/shot-1.png')).toEqual(picture(5))
  expect(contentOf(folder)['members/ana/shots/shot-1.yaml']).toContain('\nimage: ./shot-1.png\n')
  await importFrom(site(), folder)
  expect(contentOf(folder)['members/ana/shots/shot-1.yaml']).toContain(
    '\nimage: https://img.example.org/1.png\n',
  )
})

test('nothing at a private address is asked for, but where the remote has one', async () => {
  const shots = [
    legacyShot(1, 1, { image: 'http://169.254.169.254/latest', large_image: 'http://[::1]/x.png' }),
  ]
  const asked: string[] = []
  const folder = sandbox()
  const { told } = await take(folder, all, { ana: legacyMember('ana', 1, { shots }) }, asked)
  expect(told.map(({ message }) => message)).toEqual([
    expect.stringContaining('it is at a private address'),
    expect.stringContaining('it is at a private address'),
  ])
  expect(asked).toEqual(['/ana.png 200'])
})

test('the proof compares what pictures show', async () => {
  const folder = sandbox()
  await take(folder, all)
  const prove = (files: Readonly<Record<string, Uint8Array>>, offline = false, asked: string[] = []) =>
    importFrom(site(), folder, {
      prove: true,
      offline,
      pictureHandler: pictures(files, asked),
    })
  const asked: string[] = []
  expect((await prove(all, false, asked)).codes).toEqual([])
  // with conditions, as the pictures here are those that came
  expect(asked.sort()).toEqual(['/1.png 304', '/2.png 304', '/ana.png 304', '/big.png 304'])
  expect((await prove({}, true)).codes).toEqual([])
  const { told } = await prove({ ...all, '/1.png': picture(7), '/ana.png': Buffer.from('gone') })
  expect([...new Set(told.map(({ code, message }) => `${code} ${message.split(' ')[0]}`))].sort()).toEqual([
    'different image',
    'different large_image',
    'unproven avatar',
  ])
})

test('an address with a port, which content can not say, is taken if there is a picture', async () => {
  const at = (path: string) => `https://img.example.org:8443${path}`
  const shots = [
    legacyShot(2, 1, { image: at('/gone.png'), large_image: at('/gone.png') }),
    legacyShot(1, 1, { image: at('/1.png'), large_image: at('/big.png') }),
  ]
  const folder = sandbox()
  const legacy = { ana: legacyMember('ana', 1, { user: { avatar: at('/ana.png'), totalShots: '1' }, shots }) }
  const { codes } = await take(folder, all, legacy)
  expect(codes).toEqual(['shot-not-imported'])
  const content = contentOf(folder)
  expect(content['members/ana/profile.yaml']).toContain('avatar: ./avatar.png\n')
  expect(content['members/ana/shots/shot-1.yaml']).toContain('large_image: ./shot-1-large.png\n')
  const again = await importFrom(legacy, folder)
  expect([again.codes, again.written]).toEqual([['shot-not-imported'], []])
})
