import { expect, test } from 'vitest'
import { createLoader } from '../../../scripts/content/load.ts'
import { isWebAddress } from '../../../scripts/content/values/address.ts'

test.each([
  'https://ana.example.com',
  'http://ana.example.com/',
  'HTTPS://twitter.com/ana?lang=pt#top',
  'https://example.com:8443/shop/../item',
  'https://ana@example.com/',
  'https://bücher.example/straße',
  'http://localhost',
  'http://[::1]/',
])('the web address %s is right', (text) => {
  expect(isWebAddress(text)).toBe(true)
})

const { loadShot } = createLoader({ hostNames: [] })

test.each([
  ['www.example.com', 'https://www.example.com'],
  ['example.com/ana', 'https://example.com/ana'],
  ['//example.com/ana', 'https://example.com/ana'],
  ['https:/example.com', 'https://example.com'],
  ['https://example.com/a b', 'https://example.com/a%20b'],
  ['https://example.com\\ana', 'https://example.com/ana'],
  ['@ana'],
  ['ana'],
  ['https://'],
  ['https://example.com/\u0007'],
  ['https://exa^mple.com'],
  ['ftp://example.com'],
  ['mailto:ana@example.com'],
  ['ana@example.com'],
  ['javascript:alert(1)'],
])('the web address %j is wrong, and advice is given where the meaning is clear', (text, advice?: string) => {
  expect(isWebAddress(text)).toBe(false)
  const file = `id: 1\ntitle: a\ndate: 2014-03-02\nimage: a.png\nurl_purchased: ${JSON.stringify(text)}\n`
  const [told] = loadShot({ file: 'x.yaml', text: file }, undefined).diagnostics
  const line = /url_purchased: (\S+)/.exec(told!.hint!)?.[1]
  expect(line).toBe(advice)
})
