import { describe, expect, test } from 'vitest'
import { isWebAddress, meantWebAddress } from '../../../scripts/content/values/address.ts'

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
    ['@ana', undefined],
    ['www.example.com', 'https://www.example.com'],
    ['example.com/ana', 'https://example.com/ana'],
    ['//example.com/ana', 'https://example.com/ana'],
    ['https:/example.com', 'https://example.com'],
    ['', undefined],
    ['ana', undefined],
    ['https://', undefined],
    ['https:///ana', undefined],
    ['https://exa mple.com', 'https://exa%20mple.com'],
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['https://example.com\\ana', 'https://example.com/ana'],
    ['https://example.com/\u0007', 'https://example.com/\u0007'],
    ['https://exa^mple.com', 'https://exa^mple.com'],
    ['ftp://example.com', undefined],
    ['mailto:ana@example.com', undefined],
    ['ana@example.com', undefined],
    ['javascript:alert(1)', undefined],
  ])('%j', (text, advice) => {
    expect(isWebAddress(text)).toBe(false)
    expect(meantWebAddress(text)).toBe(advice)
  })
})
