import { hash } from 'node:crypto'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import {
  ascii,
  berlin,
  chunk,
  end,
  exif,
  jfif,
  jpeg,
  pixels,
  png,
  segment,
  signature,
} from '../pictures/bytes.ts'
import { isPosix, onPosix } from '../posix.ts'
import {
  makeFolder,
  readJson,
  readTree,
  removeFrom,
  sandbox,
  type Tree,
  writeTree,
} from '../sandbox.ts'
import { anaAlone, profileYaml, siteYaml } from '../site.ts'
import { rowsOf, texts } from '../tables.ts'
import {
  buildIn,
  buildShards,
  built,
  checkIn,
  expectBuild,
  expectClean,
  mergeShards,
} from './building.ts'

const plain = png()
const photo = jpeg(jfif, segment(0xe1, 'Exif\0\0', exif([ascii(0x010f, 'Kodak')])))
const published = jpeg(jfif)
const fileOf = (bytes: Uint8Array, ending: string) =>
  `pictures/${hash('sha256', bytes).slice(0, 32)}.${ending}`

const shot = (id: number, image: string, more = '') =>
  `id: ${id}\ntitle: T\ndate: 2014-03-02\nimage: ${image}\n${more}`
const site = {
  'content/site.yaml': siteYaml,
  'content/members/ana/profile.yaml': `${profileYaml(1)}avatar: ./me/ana.jpg\ncover_image: ./shots/tea.png\n`,
  'content/members/ana/me/ana.jpg': photo,
  'content/members/ana/shots/tea.yaml': shot(
    11,
    './tea.png',
    'large_image: ./large/Größe 2.jpeg\nalt: Labels\n',
  ),
  'content/members/ana/shots/tea.png': plain,
  'content/members/ana/shots/large/Größe 2.jpeg': photo,
  'content/members/bo/profile.yaml': `${profileYaml(2)}avatar: ./same.jpg\n`,
  'content/members/bo/same.jpg': photo,
}
const dist = (folder: string) => readTree(folder, 'dist')
const body = (folder: string, file: string) => readJson(`${folder}/dist/${file}`)
const picturesIn = (folder: string) =>
  Object.keys(dist(folder)).filter((name) => name.startsWith('pictures/'))
const told = async (folder: string) => {
  const { diagnostics } = await checkIn(folder)
  return diagnostics.map(
    ({ severity, code, file, line, hint }) =>
      `${severity} ${code} ${file.split('/content/').at(-1)}:${line} ${hint}`,
  )
}

const codesIn = async (folder: string) =>
  (await told(folder)).map((line) => line.split(' ')[1])

test('a picture beside its file is published once, without its metadata, and has an address in the scheme of the request', async () => {
  const folder = sandbox(site)
  await expectBuild(folder, { diagnostics: [], written: 13 })
  const tea = fileOf(plain, 'png')
  const me = fileOf(published, 'jpg')
  expect(picturesIn(folder)).toEqual([tea, me].sort())
  expect(fs.readFileSync(`${folder}/dist/${me}`).equals(published)).toBe(true)
  for (const [scheme, below] of [
    ['https', ''],
    ['http', 'http/'],
  ]) {
    expect(body(folder, `${below}api/username/ana/index.json`)).toMatchObject({
      avatar: `${scheme}://api.example.com/${me}`,
      cover_image: `${scheme}://api.example.com/${tea}`,
    })
    const { Shots } = body(folder, `${below}api/username/ana/shots/index.json`)
    expect(Shots[0]).toMatchObject({
      image: `${scheme}://api.example.com/${tea}`,
      large_image: `${scheme}://api.example.com/${me}`,
    })
    expect(Shots[0]).not.toHaveProperty('alt')
  }
  const sums = dist(folder)
    .SHA256SUMS!.split('\n')
    .filter((line) => line.includes('pictures/'))
  expect(sums).toEqual(
    [tea, me]
      .sort()
      .map((file) => `${hash('sha256', file === tea ? plain : published)}  ${file}`),
  )
  await expectBuild(folder, { written: 0, unchanged: 13, removed: 0 })
})

test('a picture beside its file changes its address when it changes, and goes when no file names it any more', async () => {
  const folder = await built(site)
  const other = png(chunk('gAMA', '0001'))
  writeTree(folder, { 'content/members/ana/shots/tea.png': other })
  await expectBuild(folder, { removed: 1 })
  expect(picturesIn(folder)).toEqual([fileOf(other, 'png'), fileOf(published, 'jpg')].sort())
  await expectClean(folder)
  // one of two that name it
  removeFrom(folder, 'content/members/bo')
  await buildIn(folder)
  expect(picturesIn(folder)).toContain(fileOf(published, 'jpg'))
  writeTree(folder, {
    'content/members/ana/profile.yaml': profileYaml(1),
    'content/members/ana/shots/tea.yaml': shot(11, 'x.png'),
  })
  await buildIn(folder)
  expect(picturesIn(folder)).toEqual([])
  await expectClean(folder)
})

test('a picture of a draft is checked, and published only when the shot is', async () => {
  const folder = sandbox({
    ...site,
    'content/members/ana/shots/b.yaml': shot(12, './b.png', 'draft: true\n'),
  })
  const other = png(chunk('gAMA', '0002'))
  writeTree(folder, { 'content/members/ana/shots/b.png': other })
  await expectBuild(folder, { diagnostics: [] })
  expect(picturesIn(folder)).not.toContain(fileOf(other, 'png'))
  writeTree(folder, { 'content/members/ana/shots/b.yaml': shot(12, './b.png') })
  await buildIn(folder)
  expect(picturesIn(folder)).toContain(fileOf(other, 'png'))
  writeTree(folder, {
    'content/members/ana/shots/b.png': png(chunk('eXIf', exif([], [], berlin))),
  })
  writeTree(folder, {
    'content/members/ana/shots/b.yaml': shot(12, './b.png', 'draft: true\n'),
  })
  expect(await codesIn(folder)).toEqual(['picture-location'])
})

test.each(['as it is', 'changed'])(
  'a picture that was replaced in the snapshot alone is right again after a build of a member that is %s',
  async (how) => {
    const folder = await built(site)
    await expectBuild(folder, { written: 0 })
    fs.writeFileSync(`${folder}/dist/${fileOf(plain, 'png')}`, '<script>')
    if (how === 'changed')
      writeTree(folder, { 'content/members/ana/shots/new.yaml': shot(12, 'x.png') })
    await buildIn(folder)
    await expectClean(folder)
    await expectBuild(folder, { written: 0 })
  },
)

const one = (image: string, files: Tree) =>
  sandbox({
    ...anaAlone,
    'content/members/ana/shots/one.yaml': shot(11, image),
    ...Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [
        `content/members/ana/shots/${name}`,
        bytes,
      ]),
    ),
  })
const at = 'members/ana/shots/one.yaml:4'
test.each([
  ['./tea.png', {}, `error picture-missing ${at} put the file into the folder`],
  [
    './tea.png',
    { 'Tea.png': plain },
    `error picture-missing ${at} did you mean "./Tea.png"? Capital`,
  ],
  [
    './tae.png',
    { 'tea.png': plain },
    `error picture-missing ${at} did you mean "./tea.png"?`,
  ],
  [
    './img/tea.png',
    { 'pic/tea.png': plain },
    `error picture-missing ${at} did you mean "./pic/tea.png"?`,
  ],
  ['./tea.png', { '../tea.png': plain }, `error picture-missing ${at} move "`],
  ['./tea.jpg', { 'tea.jpg': plain }, `error picture-kind ${at} rename the file to tea.png`],
  [
    './tea.heic',
    { 'tea.heic': '\0\0\0\x18ftypheic\0\0\0\0mif1heic' },
    `error picture-kind ${at} export it as JPEG`,
  ],
  ['./tea.png', { 'tea.png': '' }, `error picture-kind ${at} export the picture again`],
  [
    './tea.png',
    { 'tea.png': Buffer.concat([signature, pixels, end]) },
    `error picture-broken ${at} open it where`,
  ],
])('what is wrong with a picture: %s: %s', async (image, files, expected) => {
  const [first, ...others] = await told(one(image, files))
  expect(first).toContain(expected)
  expect(first!.includes('Capital')).toBe(expected.includes('Capital'))
  expect(others).toEqual([])
})

test('another short name of a picture is no misspelling', async () =>
  expect(
    await told(one('./b.png', { 'a.png': plain, '../me.png': plain, 'x/a.png': plain })),
  ).toEqual([
    expect.stringContaining(
      'warning picture-unused members/ana/me.png:1 write avatar: ./me.png in profile.yaml',
    ),
    expect.stringContaining(
      'warning picture-unused members/ana/shots/a.png:1 write image: ./a.png in a shot',
    ),
    expect.stringContaining(`error picture-missing ${at} put the file into the folder`),
    expect.stringContaining(
      'warning picture-unused members/ana/shots/x/a.png:1 write image: ./x/a.png in a shot',
    ),
  ]))

test.runIf(isPosix)(onPosix('a link to a picture is not followed'), async () => {
  const folder = one('./tea.png', { 'tea.txt': plain })
  fs.symlinkSync('tea.txt', `${folder}/content/members/ana/shots/tea.png`)
  const expected = ['picture-missing', 'symbolic-link']
  expect((await codesIn(folder)).sort()).toEqual(expected)
  makeFolder(folder, 'elsewhere')
  writeTree(folder, { 'elsewhere/tea.png': plain })
  fs.rmSync(`${folder}/content/members/ana/shots/tea.png`)
  fs.symlinkSync('../../../../elsewhere', `${folder}/content/members/ana/shots/img`)
  writeTree(folder, { 'content/members/ana/shots/one.yaml': shot(11, './img/tea.png') })
  expect((await codesIn(folder)).sort()).toEqual(expected)
})

test('warnings are told again while nothing changes, and unused pictures wherever they lie', async () => {
  const personal = png(chunk('tEXt', 'Author\0Ana'))
  const folder = one('./tea.png', { 'tea.png': personal, 'old.gif': 'GIF' })
  writeTree(folder, {
    'content/members/lost.png': plain,
    'content/members/ana/drafts/a.webp': 'x',
  })
  const expected = [
    'warning picture-personal members/ana/shots/one.yaml:4',
    'warning picture-unused members/ana/drafts/a.webp:1',
    'warning picture-unused members/ana/shots/old.gif:1',
    'warning picture-unused members/lost.png:1',
  ]
  for (let round = 0; round < 3; round += 1) {
    const { diagnostics } = await buildIn(folder)
    const lines = diagnostics.map(
      ({ severity, code, file, line }) =>
        `${severity} ${code} ${file.split('/content/').at(-1)}:${line}`,
    )
    expect(lines.sort()).toEqual(expected)
  }
})

test('a path below the assets address is asked about where the file of that name lies beside', async () => {
  for (const value of texts('tea.png¦tea¦Tea.PNG¦content/members/ana/shots/tea.png')) {
    const { diagnostics } = await buildIn(one(value, { 'tea.png': plain }))
    expect(diagnostics).toMatchObject([
      {
        code: 'unlikely-value',
        line: 4,
        hint: 'write image: ./tea.png; if it is right, leave it as it is',
      },
    ])
  }
  const { diagnostics } = await buildIn(one('www.example.com/tea.png', { 'tea.png': plain }))
  expect(diagnostics.map(({ hint }) => hint).join()).not.toContain('./tea.png;')
})

test('what is wrong with a picture is told whatever else is wrong with the file that names it, or with others of the member', async () => {
  const folder = one('./octopuss.png', { 'octopus.png': plain, 'old.png': plain })
  writeTree(folder, {
    'content/members/ana/profile.yaml':
      'id: 1\navatar: ./me.png\ncover_image: ./../x.png\nlikes: [1]\n',
    'content/members/ana/shots/one.yaml':
      'id: 11\ntitle: T\ndate: 31.13.2024\nimage: ./octopuss.png\n',
    'content/members/ana/shots/two.yaml':
      'id: 12\ntitle: "T\nlarge_image: ./lost.png\ndraft: maybe\n',
  })
  const pictures = (await told(folder)).filter((line) => /picture|asset|unlikely/.test(line))
  expect(pictures.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'error picture-missing members/ana/profile.yaml:2',
    'error bad-asset members/ana/profile.yaml:3',
    'error picture-missing members/ana/shots/one.yaml:4',
    'error picture-missing members/ana/shots/two.yaml:3',
  ])
})

test.each(
  rowsOf(`
    with another error → id: 1⏎image: ./tea.png⏎ → read
    in a list → id: 1⏎image: [./tea.png]⏎ → read
    after a syntax error → id: "1⏎image: ./tea.png⏎
    in HTML → id: 1⏎image: <img src="./tea.png">⏎
    behind spaces that YAML takes for text → id:\u00a01⏎image:\u00a0./tea.png⏎
  `),
)('a picture is not called unused where a file names it %s', async (_, text, isRead) => {
  const folder = one('./tea.png', { 'tea.png': plain, 'old.png': plain })
  writeTree(folder, { 'content/members/ana/shots/one.yaml': text })
  const unused = (await told(folder)).filter((line) => line.includes('picture-unused'))
  expect(unused).toEqual(isRead ? [expect.stringContaining('old.png:1')] : [])
})

test('the same picture in two shards is one file of the merged list', async () => {
  const folder = await built(site)
  const whole = dist(folder).SHA256SUMS
  const { outs } = await buildShards(folder, 2)
  await mergeShards(folder, outs)
  const merged = readTree(folder, 'merged')
  expect(merged.SHA256SUMS).toBe(whole)
  expect(Object.keys(merged).some((name) => name.startsWith('pictures'))).toBe(false)
})
