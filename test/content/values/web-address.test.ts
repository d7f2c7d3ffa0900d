import { describe, expect, test } from 'vitest'
import { isWebAddress, webAddressAdvice } from '../../../scripts/content/values/web-address.ts'

describe('a web address is right', () => {
  test.each([
    'https://ana.example.com',
    'http://ana.example.com/',
    'HTTPS://twitter.com/ana?lang=pt#top',
    'https://example.com:8443/shop/../item',
    'https://ana@example.com/',
    'https://bücher.example/straße',
    'http://localhost',
    'http://[::1]/',
  ])('%s', (text) => {
    expect(isWebAddress(text)).toBe(true)
  })
})

describe('a web address is wrong, and advice is given where the meaning is clear', () => {
  test.each([
    ['@ana', 'write the whole address of the profile: "https://twitter.com/ana"'],
    ['www.example.com', 'write the whole address: "https://www.example.com"'],
    ['example.com/ana', 'write the whole address: "https://example.com/ana"'],
    ['//example.com/ana', 'write the whole address: "https://example.com/ana"'],
    ['https:/example.com', 'write the whole address: "https://example.com"'],
    ['', undefined],
    ['ana', undefined],
    ['https://', undefined],
    ['https:///ana', undefined],
    ['https://exa mple.com', undefined],
    ['https://example.com/a b', undefined],
    ['https://example.com\\ana', undefined],
    ['https://example.com/\u0007', undefined],
    ['https://exa^mple.com', undefined],
    ['ftp://example.com', undefined],
    ['mailto:ana@example.com', undefined],
    ['ana@example.com', undefined],
    ['javascript:alert(1)', undefined],
  ])('%j', (text, advice) => {
    expect(isWebAddress(text)).toBe(false)
    expect(webAddressAdvice(text)).toBe(advice)
  })
})

test('advice shows no control character', () => {
  expect(webAddressAdvice('example.com/\u202e')).toBe(
    'write the whole address: "https://example.com/\\u{202e}"',
  )
})
