import { expect, test } from 'vitest'
import { hasAlpha } from '../../scripts/pictures/alpha.ts'
import {
  bytes,
  chunk,
  end,
  gif,
  gifFrame,
  pixels,
  png,
  riff,
  signature,
  u32,
  vp8l,
  vp8x,
} from './bytes.ts'

const colours = chunk('IHDR', u32(16), u32(8), '\x08\x02\0\0\0')
const control = (flags: number): Buffer => bytes('!\xf9\x04', [flags, 0, 0, 0, 0])

test.each([
  ['a PNG with alpha', 'png', png(), true],
  ['a PNG without', 'png', bytes(signature, colours, pixels, end), false],
  [
    'a PNG with a colour that is none',
    'png',
    bytes(signature, colours, chunk('tRNS', 'abcdef'), pixels, end),
    true,
  ],
  [
    'a PNG with such a word in its pixels',
    'png',
    bytes(signature, colours, chunk('IDAT', 'tRNS'), end),
    false,
  ],
  ['a WebP that says so', 'webp', riff(vp8x(0x10), vp8l), true],
  ['a WebP that says otherwise', 'webp', riff(vp8x(0), vp8l), false],
  ['a lossless WebP without', 'webp', riff(vp8l), false],
  ['a GIF with a colour that is none', 'gif', gif(control(1), gifFrame), true],
  ['a GIF without', 'gif', gif(control(0), gifFrame), false],
  [
    'an AVIF with a second picture of alpha',
    'avif',
    bytes('auxC', 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'),
    true,
  ],
  ['a JPEG', 'jpg', bytes('\xff\xd8'), false],
] as const)('whether something shines through: %s', (_, kind, file, expected) => {
  expect(hasAlpha(kind, file)).toBe(expected)
})
