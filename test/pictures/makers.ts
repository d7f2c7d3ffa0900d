import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import type { Random } from '../snapshot/random.ts'
import { box, chunk, riffChunk, segment, xmpOf } from './bytes.ts'

// Pictures as programs and phones write them, made by exiftool, ImageMagick, libjpeg,
// libwebp, gifsicle and libavif.

const icc = '/usr/share/color/icc/ghostscript'

const sh = (folder: string, command: string) => {
  execFileSync('bash', ['-ec', command], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 1e8,
  })
}

/** Makes some 40 pictures without metadata in a folder, and gives their names. */
export const makeBases = (folder: string) => {
  sh(
    folder,
    `convert -seed 1 -size 64x48 plasma:red-blue -depth 8 photo.png
     convert -seed 2 -size 64x48 plasma:green-white -depth 8 other.png
     convert -seed 3 -size 128x64 plasma:yellow-blue -depth 8 wide.png
     convert photo.png -quality 85 plain.jpg
     convert photo.png -interlace Plane -quality 90 progressive.jpg
     convert photo.png -colorspace Gray grey.jpg
     convert photo.png -sampling-factor 1x1 -profile ${icc}/srgb.icc profile.jpg
     convert photo.png -profile ${icc}/srgb.icc -profile ${icc}/default_cmyk.icc -colorspace CMYK cmyk.jpg
     jpegtran -restart 1 -copy none plain.jpg > restarts.jpg
     jpegtran -optimize -progressive -copy none grey.jpg > optimized.jpg
     cjpeg -rgb -quality 80 <(convert photo.png ppm:-) > rgb.jpg
     convert photo.png -depth 8 -strip plain.png
     convert photo.png -depth 16 -strip PNG48:deep.png
     convert photo.png -colors 16 -strip PNG8:palette.png
     convert photo.png -interlace PNG -strip interlaced.png
     convert photo.png -alpha set -channel A -evaluate set 50% -strip alpha.png
     convert photo.png -colorspace Gray -strip -depth 8 grey.png
     convert photo.png -threshold 50% -strip PNG:bits.png
     convert photo.png -profile ${icc}/a98.icc profile.png
     cp plain.png frame1.png; convert other.png -strip frame2.png
     apngasm moving.png frame1.png 1 10 -z0
     cwebp -quiet -q 80 plain.png -o plain.webp
     cwebp -quiet -lossless plain.png -o lossless.webp
     cwebp -quiet -q 80 alpha.png -o alpha.webp
     cwebp -quiet -q 80 -metadata icc profile.png -o profile.webp
     img2webp -lossy -d 80 photo.png other.png -d 120 photo.png -o moving.webp
     webpmux -set icc ${icc}/srgb.icc moving.webp -o profile-moving.webp
     convert photo.png -colors 64 plain.gif
     convert photo.png -colors 64 -interlace GIF interlaced.gif
     convert photo.png -transparent black -colors 32 transparent.gif
     convert -delay 10 -loop 3 photo.png other.png photo.png -colors 32 moving.gif
     gifsicle -O3 moving.gif -o optimized.gif
     convert photo.png -profile ${icc}/srgb.icc -colors 32 profile.gif
     gifsicle --comment 'by Ana Reis' --name ana --app-extension 'ANAAPP  1.0' 'Ana Reis' moving.gif -o told.gif
     convert photo.png -set comment 'by Ana Reis' -set exif:Artist 'Ana Reis' told.png
     avifenc -s 10 plain.png plain.avif
     avifenc -s 10 -d 10 -y 444 deep.png deep.avif
     avifenc -s 10 alpha.png alpha.avif
     avifenc -s 10 --lossless plain.png lossless.avif
     avifenc -s 10 profile.png profile.avif
     avifenc -s 10 --irot 1 photo.png turned.avif
     avifenc -s 10 --imir 1 --clap 60,1,40,1,0,1,0,1 photo.png mirrored.avif
     avifenc -s 10 --grid 2x1 wide.png grid.avif
     avifenc -s 10 photo.png other.png moving.avif
     rm photo.png other.png wide.png frame?.png`,
  )
  return fs.readdirSync(folder).sort()
}

/** The tags of a command line, each with its value. */
const tags = (...lines: readonly string[]) => lines.flatMap((line) => line.split(/ (?=-)/))
const place = tags(
  '-GPSLatitude=52.5163 -GPSLatitudeRef=N -GPSLongitude=13.3777 -GPSLongitudeRef=E -GPSAltitude=34',
)
const names = tags(
  '-Artist=Ana Reis -SerialNumber=X-100-7 -LensSerialNumber=L-9 -OwnerName=Ana Reis',
  '-HostComputer=ana-laptop',
)
const harmless = tags(
  '-Make=Kodak -Model=Instamatic -DateTimeOriginal=2014:03:02 10:00:00 -Copyright=2014 -UserComment=labels',
)
const xmp = tags(
  '-XMP:GPSLatitude=52.5163 -XMP:GPSLongitude=13.3777 -XMP-dc:Creator=Ana Reis -XMP-dc:Title=Tea',
  '-XMP-aux:SerialNumber=7',
)
const people = tags(
  '-XMP-iptcExt:PersonInImage=Ana Reis -XMP-photoshop:City=Berlin',
  '-XMP-xmpMM:DerivedFrom={filePath=/Users/ana/tea.psd}',
)
const iptc = tags(
  '-IPTC:By-line=Ana Reis -IPTC:City=Berlin -IPTC:Keywords=tea -Comment=made by Ana Reis',
)
const pngTexts = tags(
  '-PNG:Author=Ana Reis -PNG:Comment=made at home -PNG:CreationTime=2014:03:02 10:00:00',
)

const recipes = [
  [...place, ...names, ...harmless],
  [...xmp, ...people, ...iptc],
  [...place, ...xmp, ...iptc, ...names, ...harmless, ...pngTexts],
  ['-XMP-dc:Title=Tea', ...harmless],
  [...place],
]

/** What stands after a picture's end: nothing, padding, a phone's video, a second picture, text. */
const trailers = (folder: string) => [
  Buffer.alloc(0),
  Buffer.alloc(64),
  Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0isommp42\0\0\0\x11mdatana at home', 'latin1'),
  fs.readFileSync(`${folder}/plain.jpg`),
  Buffer.from('SEFHe\0\0\0 taken by Ana Reis SEFT'),
]

/**
 * Makes `count` pictures in `into` out of those in `from`: each base with each orientation
 * and several sorts of metadata, thumbnails, an index of more pictures, and data after the
 * end.
 */
export const makePictures = (from: string, into: string, count: number) => {
  const bases = fs.readdirSync(from).sort()
  const after = trailers(from)
  const made: string[] = []
  const script: string[] = []
  for (let index = 0; index < count; index += 1) {
    const base = bases[index % bases.length]!
    const round = Math.floor(index / bases.length)
    const name = `${String(index).padStart(4, '0')}-${base}`
    const orientation = 1 + ((round + index) % 8)
    const thumbnail =
      base.endsWith('.jpg') && round % 3 === 0 ? [`-ThumbnailImage<=${from}/plain.jpg`] : []
    const turned = base.endsWith('.gif') ? [] : [`-Orientation#=${orientation}`]
    const recipe = [
      ...recipes[(round * 3 + index) % recipes.length]!,
      ...turned,
      ...thumbnail,
    ]
    script.push('-q', '-m', '-o', `${into}/${name}`, ...recipe, `${from}/${base}`, '-execute')
    made.push(name)
  }
  // tags that a kind can't hold are passed over with a warning
  spawnSync('exiftool', ['-@', '-'], { input: script.join('\n'), maxBuffer: 1e8 })
  for (const [index, name] of made.entries()) {
    const file = `${into}/${name}`
    if (!fs.existsSync(file)) fs.copyFileSync(`${from}/${name.slice(5)}`, file)
    let bytes: Buffer = fs.readFileSync(file)
    if (index % 4 === 1) bytes = withMore(bytes, name)
    fs.writeFileSync(
      file,
      Buffer.concat([bytes, after[Math.floor(index / 7) % after.length]!]),
    )
  }
  return made
}

/** Metadata that exiftool does not write, where a kind has room for it. */
const withMore = (bytes: Buffer, name: string) => {
  const ending = name.slice(name.lastIndexOf('.') + 1)
  if (ending === 'jpg') return withSegments(bytes)
  if (ending === 'avif')
    return Buffer.concat([bytes, box('uuid', 'Ana Reis, 16 bytes at home')])
  // where nothing announces more chunks, decoders of damaged pixels read on into them
  if (ending === 'webp' && bytes.includes('VP8X')) {
    const more = Buffer.concat([bytes, riffChunk('ANAR', Buffer.from('by Ana Reis'))])
    more.writeUInt32LE(more.length - 8, 4)
    return more
  }
  if (ending !== 'png') return bytes
  const more = [chunk('tIME', '\x07\xde\x03\x02\x0a\0\0'), chunk('caBX', 'by Ana Reis')]
  return Buffer.concat([bytes.subarray(0, -12), ...more, bytes.subarray(-12)])
}

/**
 * As phones and editors write them: an index of more pictures, XMP in pieces, who vouches for
 * the picture, thumbnails, and what is nowhere described.
 */
const withSegments = (bytes: Buffer) => {
  const index = segment(0xe2, 'MPF\0MM\0*\0\0\0\x08\0\x01\xb0\0\0\x07\0\0\0\x040100\0\0\0\0')
  const extended = segment(
    0xe1,
    'http://ns.adobe.com/xmp/extension/\0',
    'A'.repeat(32),
    Buffer.alloc(8),
    xmpOf('dc:creator="Ana Reis"/>'),
  )
  return Buffer.concat([
    bytes.subarray(0, 2),
    index,
    extended,
    segment(0xeb, 'JP\0\x01\0\0\0\x01 Ana Reis'),
    segment(0xe0, 'JFXX\0\x13\x01\x01tea'),
    segment(0xe2, 'FPXR\0\0 Ana Reis'),
    segment(0xe3, 'Meta\0\0 Ana Reis'),
    segment(0xec, 'Ducky\0\x02\0\x08\0\0\0\x04 Ana'),
    segment(0xef, 'Ana Reis'),
    bytes.subarray(2),
  ])
}

/** What exiftool says of all pictures in a folder, by name. */
export const exifOf = (folder: string) => {
  const args = ['-j', '-a', '-G1', '-s', '-ee', '-n', '-u', folder]
  const { stdout } = spawnSync('exiftool', args, { maxBuffer: 1e9, encoding: 'utf8' })
  const all = JSON.parse(stdout) as Record<string, unknown>[]
  return new Map(all.map((one) => [String(one['System:FileName']), one]))
}

/**
 * What ImageMagick sees of each picture: a hash of the pixels of each frame, times, colour;
 * `''` if it can't read it.
 */
export const pixelsOf = (folder: string, names: readonly string[]) => {
  const seen = new Map(names.map((name) => [name, '']))
  // where decoding ends early, the rest of a picture is what the memory held
  const env = { ...process.env, MALLOC_PERTURB_: '85' }
  const look = (some: readonly string[]) => {
    const files = some.map((name) => (name.endsWith('avif') ? `avif:${name}` : name))
    const args = ['-format', '%f|%# %wx%h %T %D %r %[profile:icc]\\n', ...files]
    const { stdout } = spawnSync('identify', args, {
      cwd: folder,
      maxBuffer: 1e9,
      encoding: 'utf8',
      env,
    })
    for (const line of stdout.split('\n')) {
      const [name, rest] = line.split('|')
      if (rest !== undefined) seen.set(name!, `${seen.get(name!) ?? ''}${rest}\n`)
    }
  }
  for (let at = 0; at < names.length; at += 100) look(names.slice(at, at + 100))
  // after one that it can't read it may pass over another
  for (const name of names) if (seen.get(name) === '') look([name])
  return seen
}

/** The pictures that ImageMagick reads and that look different in another folder. */
export const differing = (names: readonly string[], folder: string, other: string) => {
  const one = pixelsOf(folder, names)
  const two = pixelsOf(other, names)
  return names.filter((name) => one.get(name) !== '' && one.get(name) !== two.get(name))
}

/** Cuts, flips bits, overflows lengths, doubles, swaps and zeroes pieces. */
export const damage = (file: Buffer, random: Random) => {
  const bytes = Buffer.from(file)
  const at = (within = bytes.length) => random.below(within)
  // what stands first decides how the rest is read
  const early = () => (random.below(10) < 7 ? at(Math.min(bytes.length, 1_500)) : at())
  switch (at(6)) {
    case 0:
      return bytes.subarray(0, 20 + at(Math.max(1, bytes.length - 20)))
    case 1:
      bytes.writeUInt16BE(
        random.below(2) === 0 ? 0xffff : at(65_536),
        Math.min(early(), bytes.length - 2),
      )
      return bytes
    case 2:
      bytes.writeUInt32BE(
        random.below(2) === 0 ? 0xffffffff : at(bytes.length),
        Math.min(early(), bytes.length - 4),
      )
      return bytes
    case 3: {
      const [one, other] = [early(), early()].sort((a, b) => a - b) as [number, number]
      return Buffer.concat([bytes.subarray(0, other), bytes.subarray(one)])
    }
    case 4:
      return bytes.fill(at(256), early(), Math.min(early() + at(40), bytes.length))
    default:
      for (let flips = 1 + at(4); flips > 0; flips -= 1) bytes[early()]! ^= 2 ** at(8)
      return bytes
  }
}
