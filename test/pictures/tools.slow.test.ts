import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Picture, readPicture } from '../../scripts/pictures/picture.ts'
import { sandbox, writeTree } from '../sandbox.ts'
import { createRandom } from '../snapshot/random.ts'
import { texts } from '../tables.ts'
import { damage, differing, exifOf, makeBases, makePictures, pixelsOf } from './makers.ts'

const count = Number(process.env.PICTURES ?? 140)
const mutants = Number(process.env.MUTANTS ?? 1_000)
const seed = Number(process.env.SEED ?? 1)

const tools =
  'exiftool identify jpegtran cwebp img2webp webpmux gifsicle avifenc apngasm'.split(' ')
const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0)
if (missing.length > 0 && process.env.CI)
  throw new Error(`${missing.join(', ')} must be installed`)
if (missing.length > 0) console.warn(`skipped: ${missing.join(', ')} not installed`)

describe.skipIf(missing.length > 0)('pictures that other programs have made', () => {
  const root = sandbox({}, afterAll)
  const folder = (name: string) => `${root}/${name}`
  let names: readonly string[] = []

  beforeAll(() => {
    for (const name of texts('bases¦source¦published¦cleaned')) fs.mkdirSync(folder(name))
    makeBases(folder('bases'))
    names = makePictures(folder('bases'), folder('source'), count)
    for (const name of names) {
      const file = fs.readFileSync(`${folder('source')}/${name}`)
      const { published, cleaned } = readPicture(file) as Picture
      writeTree(folder('published'), { [name]: published })
      writeTree(folder('cleaned'), { [name]: cleaned })
    }
  }, 600_000)

  test('are published with all they show, and tell on nobody', () => {
    const [source, published, cleaned] = ['source', 'published', 'cleaned'].map((name) =>
      exifOf(folder(name)),
    )
    for (const name of names) {
      const before = source!.get(name)!
      const after = published!.get(name)!
      expect(
        keysOf(after).filter((key) => !isHarmless(key)),
        name,
      ).toEqual([])
      expect(valuesOf(after).filter(isPersonal), name).toEqual([])
      // EXIF of a PNG may stand in a text, too, where no viewer looks
      expect(turnOf(after), name).toEqual(turnOf(before))
      expect(profileOf(after), name).toEqual(profileOf(before))
      const fixed = cleaned!.get(name)!
      expect(
        keysOf(fixed).filter((key) => placeOrName.test(key)),
        name,
      ).toEqual([])
      expect(turnOf(fixed), name).toEqual(turnOf(before))
      // what tells on nobody stays
      for (const key of texts(
        'IFD0:Make¦IFD0:Copyright¦ExifIFD:DateTimeOriginal¦XMP-dc:Title',
      )) {
        expect(fixed[key], `${key} of ${name}`).toEqual(before[key])
      }
    }
    const readable = pixelsOf(folder('source'), names)
    // ImageMagick reads no frames of AVIF, and none that a video follows
    const unread = names.filter(
      (name) => readable.get(name) === '' && !name.endsWith('moving.avif'),
    )
    expect(unread.filter((name) => !name.endsWith('.avif'))).toEqual([])
    const bases = [...new Set(unread.map((name) => name.slice(5)))]
    const wanted = pixelsOf(folder('bases'), bases)
    const got = pixelsOf(folder('published'), unread)
    for (const name of unread) expect(got.get(name), name).toEqual(wanted.get(name.slice(5)))
    expect(differing(names, folder('source'), folder('published'))).toEqual([])
    expect(differing(names, folder('source'), folder('cleaned'))).toEqual([])
  }, 600_000)

  test('damaged, they are a problem in words or show what they showed before', () => {
    const random = createRandom(seed)
    const [before, after] = ['damaged', 'repaired'].map(folder) as [string, string]
    const told: Record<string, number> = {}
    for (let from = 0; from < mutants; from += 500) {
      for (const each of [before, after]) {
        fs.rmSync(each, { recursive: true, force: true })
        fs.mkdirSync(each)
      }
      const left: string[] = []
      for (let index = from; index < Math.min(mutants, from + 500); index += 1) {
        const name = random.pick(names)
        const bytes = damage(fs.readFileSync(`${folder('source')}/${name}`), random)
        const picture = readPicture(bytes)
        const code = 'problem' in picture ? picture.problem.code : 'picture'
        told[code] = (told[code] ?? 0) + 1
        if ('problem' in picture) {
          expect(picture.problem.is).toMatch(/^[^\n]{5,100}$/)
          continue
        }
        const again = readPicture(picture.published) as Picture
        expect(again, name).toMatchObject({ hasPlace: false, personal: [] })
        expect(again.published.equals(picture.published), name).toEqual(true)
        const cleaned = readPicture(picture.cleaned) as Picture
        expect(cleaned, name).toMatchObject({ hasPlace: false, personal: [] })
        expect(cleaned.published.length, name).toEqual(picture.published.length)
        left.push(`${index}-${name}`)
        writeTree(before, { [left.at(-1)!]: bytes })
        writeTree(after, { [left.at(-1)!]: picture.published })
      }
      expect(differing(left, before, after), `seed ${seed}`).toEqual([])
    }
    console.info(`${mutants} damaged pictures:`, told)
    expect(told.picture).toBeGreaterThan(mutants / 20)
    expect(told['picture-broken']).toBeGreaterThan(mutants / 20)
  }, 3_600_000)
})

/** What is left to say about a picture: its form, its colour, how it moves and how it is turned. */
const isHarmless = (key: string) =>
  key === 'IFD0:Orientation' ||
  /^(?:ICC[-_]|PNG-|Track\d)/.test(key) ||
  harmless.includes(key.replace(/:.*/, ''))
const harmless = [
  ...texts('SourceFile¦ExifTool¦System¦Composite¦File¦JFIF¦Adobe¦APP14¦PNG'),
  ...texts('RIFF¦GIF¦QuickTime¦Meta¦InteropIFD'),
]
/** And nothing that anybody has typed. */
const isPersonal = (value: string) => typed.some((one) => value.includes(one))
const typed = [
  ...texts('Date: 20¦Ana¦ana-laptop¦X-100¦L-9¦Kodak¦Tea¦tea¦home¦Berlin'),
  ...texts('52.¦52,¦13.¦13,¦2014:03'),
]
const placeOrName =
  /^(?!ICC).*(?:GPS(?:Lat|Lon|Pos)|Artist|SerialNumber|OwnerName|HostComputer|Creator$|By-line|:City|PersonInImage|FilePath)/
const formFields = texts(
  'SourceFile¦System:¦File:(?:FileType|MIME)¦ExifTool:ExifToolVersion¦Composite:',
)
const form = new RegExp(`^(?:${formFields.join('|')})`)

const keysOf = (tags: Record<string, unknown>) =>
  Object.keys(tags).filter(
    (key) =>
      !/^File:Comment|^PNG:(?:Author|Comment|CreationTime)/.test(key) ||
      isPersonal(String(tags[key])),
  )
const valuesOf = (tags: Record<string, unknown>) =>
  Object.entries(tags)
    .filter(([key]) => !form.test(key) && !/^ICC/.test(key))
    .map(([key, value]) => `${key}: ${value}`)
const turnOf = (tags: Record<string, unknown>) => tags['IFD0:Orientation'] ?? 1
const profileOf = (tags: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(tags).filter(([key]) => /^ICC|^PNG:(?:SRGB|Gamma|ProfileName)/.test(key)),
  )
