import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  apiBaseProblem,
  baseProblem,
  normalBase,
  schemeBaseProblem,
  sharedBaseProblem,
  withScheme,
} from '../../../scripts/content/values/address.ts'

test.each([
  'https://api.example.com',
  'http://api.example.com/',
  'HTTPS://api.example.com/v1/shots//',
  'http://localhost:8080',
  'https://[2001:db8::1]:8443/api',
  'https://bücher.example',
  'https://example.com/~ana/%7Ba%7D',
])('the base %s is right', (text) => {
  expect(baseProblem(text)).toBeUndefined()
  expect(apiBaseProblem(text)).toBeUndefined()
})

test.each([
  ['', 'it does not begin with https:// or http://'],
  ['api.example.com', 'it does not begin with https:// or http://'],
  ['//api.example.com', 'it does not begin with https:// or http://'],
  ['ftp://api.example.com', 'it does not begin with https:// or http://'],
  ['https://api.example.com?x=1', 'it holds a query'],
  ['https://api.example.com/#top', 'it holds a fragment'],
  ['https://api.example.com#?', 'it holds a fragment'],
  ['https://ana:secret@api.example.com', 'it holds a user name or password'],
  ['https://', 'it names no host'],
  ['https://api example.com', 'it holds white space'],
  ['https://api.example.com\\v1', 'it holds a backslash'],
  ['https://api.example.com:99999', 'its host or port is not a valid one'],
  ['https://api.example.com/a/../b', 'its path holds a "." or ".." segment'],
])('the base %j is wrong: %s', (text, problem) => {
  expect(baseProblem(text)).toBe(problem)
  expect(apiBaseProblem(text)).toBe(problem)
})

test('a base for both schemes names no port', () => {
  expect(sharedBaseProblem('https://cdn.example.com:8443')).toBe('one port cannot serve both https and http')
  expect(sharedBaseProblem('https://cdn.example.com')).toBeUndefined()
  expect(sharedBaseProblem('cdn')).toBe(baseProblem('cdn'))
})

test('a base for one scheme has that scheme, and may name a port', () => {
  expect(schemeBaseProblem('HTTP://cdn.example.com:8080', 'http')).toBeUndefined()
  expect(schemeBaseProblem('http://cdn.example.com', 'https')).toBe('it does not begin with https://')
  expect(schemeBaseProblem('cdn', 'https')).toBe(baseProblem('cdn'))
})

test('a base loses its trailing slashes and the case of its scheme, nothing else', () => {
  expect(normalBase('HTTPS://API.example.com/V1///')).toBe('https://API.example.com/V1')
  expect(withScheme('https://https.example.com', 'http')).toBe('http://https.example.com')
})

test('the base of the API is narrower than that of assets', () => {
  expect(apiBaseProblem('https://a;b{}.example.com')).toBe(
    'its host holds a character that host names cannot',
  )
  const problem = 'its path may hold A-Z a-z 0-9 . _ ~ - and % escapes only'
  for (const path of ['$1;', 'médias', '(x)', '"']) {
    expect(apiBaseProblem(`https://api.example.com/${path}`)).toBe(problem)
    expect(baseProblem(`https://api.example.com/${path}`)).toBeUndefined()
  }
})

test('the base of the API holds nothing that a config would act on', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 12 }).map((tail) => `https://${tail}`)
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(apiBaseProblem(text) === undefined)
      expect(text).not.toMatch(/[\s"'`$;{}()<>|&*!^,=#?@\\]/)
    }),
    { numRuns: 3000 },
  )
})
