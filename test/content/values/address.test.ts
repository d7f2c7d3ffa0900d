import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  apiBaseProblem,
  assetProblem,
  baseProblem,
  isWebAddress,
  normalBase,
  schemeBaseProblem,
  sharedBaseProblem,
  withScheme,
} from '../../../scripts/content/values/address.ts'
import { rowsOf, texts } from '../../tables.ts'

test.each(
  texts(
    'https://cdn.example.com/a.png¦HTTP://cdn.example.com/a.png¦HttPs://cdn.example.com',
    '//cdn.example.com/a.png?size=2#top¦//[2001:db8::1]/a.png¦https://bücher.example/é.png',
    'avatars/ana.png¦ana.png¦shots/..a/b../.c¦shots/a.png?x=../y¦%25/a.png¦Плакат.png¦@ana/a.png',
  ),
)('the asset %s is right', (text) => expect(assetProblem(text, false)).toBeUndefined())

test.each(
  rowsOf(`
    it names no file → ¦?size=2¦#top
    it holds white space → a b.png¦a\u00a0b.png¦a.png{U+0020}
    it holds a backslash → shots\\a.png
    "ftp:" is neither https: nor http: → ftp://example.com/a.png
    "javascript:" is neither https: nor http: → javascript:alert(1)
    after http: there must be two slashes → http:/example.com/a.png
    a path below the assets address begins without a slash → /avatars/ana.png
    it holds a control character or line break → a\tb.png¦a\u0007.png¦a\u0085.png
    it names no host → https://¦https:///a.png¦///a.png¦//?a¦https://:/a.png
    its host or port is not a valid one → https://exa%mple.com/a¦https://[::1/a.png
    it holds a user name or password → https://ana:secret@a.example/¦//ana@a.example/a.png
    its path holds a "." or ".." segment → ../a.png¦a/..¦a/./b.png¦a/%2e%2E/b.png¦a/.%2e/b.png¦a/%2e?x
    its path holds a "." or ".." segment → https://example.com/a/../b.png¦//example.com/..
  `),
)('an asset is wrong: %s, such as %s', (problem, all) => {
  for (const text of texts(all)) expect(assetProblem(text, false), text).toBe(problem)
})

test('a host with an accent is right however many addresses were judged before', () => {
  // URL.canParse of Node 20 is another one once it is optimized
  for (let number = 0; number < 10_000; number++) {
    assetProblem(`https://a,${number}/`, false)
    expect(assetProblem(['https://', 'é'].join(''), false)).toBeUndefined()
  }
})

test('a port is wrong where one text serves both schemes', () => {
  const problem = 'one port cannot serve both https and http'
  for (const text of texts(
    'https://example.com:8443/a.png¦//example.com:8443/a.png¦//[::1]:8443/a.png',
  )) {
    expect(assetProblem(text, false)).toBe(problem)
    expect(assetProblem(text, true)).toBeUndefined()
  }
  expect(assetProblem('https://example.com/a:8443', false)).toBeUndefined()
})

const asset = fc
  .array(fc.constantFrom(...'./%2eE:?#@[]a1 \\\u00e9', ...texts('https:¦//¦..¦%2e¦:80')), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''))

test('whatever is accepted leads nowhere else than it says, for anyone who follows the URL standard', () => {
  const base = 'https://cdn.example.com/assets'
  fc.assert(
    fc.property(asset, (text) => {
      fc.pre(assetProblem(text, false) === undefined)
      if (/^(?:https?:)?\/\//i.test(text)) {
        const { protocol, host, port, username, password } = new URL(
          text,
          'https://base.example.com',
        )
        expect(['https:', 'http:']).toContain(protocol)
        expect(host).not.toBe('')
        expect(port + username + password).toBe('')
      } else {
        expect(new URL(`${base}/${text}`).pathname.startsWith('/assets/')).toBe(true)
        expect(new URL(text, `${base}/`).pathname.startsWith('/assets/')).toBe(true)
      }
    }),
    { numRuns: 5000 },
  )
})

test('a fragment makes nothing right or wrong, though no shortcut takes it', () => {
  const text = fc.string({
    unit: fc.constantFrom(...'abcxn019.-_/:@%~\\ ?Aé'),
    maxLength: 12,
  })
  fc.assert(
    fc.property(text, (tail) => {
      for (const text of [`https://${tail}`, `a${tail}`]) {
        expect(assetProblem(text, false)).toBe(assetProblem(`${text}#`, false))
        expect(isWebAddress(text)).toBe(isWebAddress(`${text}#`))
      }
    }),
    { numRuns: 10_000 },
  )
})

test.each(
  texts(
    'https://api.example.com¦http://api.example.com/¦HTTPS://api.example.com/v1/shots//',
    'http://localhost:8080¦https://[2001:db8::1]:8443/api¦https://bücher.example',
    'https://example.com/~ana/%7Ba%7D',
  ),
)('the base %s is right', (text) => {
  expect(baseProblem(text)).toBeUndefined()
  expect(apiBaseProblem(text)).toBeUndefined()
})

test.each(
  rowsOf(`
    ∅ → it does not begin with https:// or http://
    api.example.com → it does not begin with https:// or http://
    https://api.example.com?x=1 → it holds a query
    https://api.example.com/#top → it holds a fragment
    https://ana:secret@api.example.com → it holds a user name or password
    https:// → it names no host
    https://api.example.com:99999 → its host or port is not a valid one
    https://api.example.com/a/../b → its path holds a "." or ".." segment
  `),
)('the base %j is wrong: %s', (text, problem) => {
  expect(baseProblem(text)).toBe(problem)
  expect(apiBaseProblem(text)).toBe(problem)
})

test('a base for both schemes names no port, and one for a single scheme has that scheme', () => {
  expect(sharedBaseProblem('https://a.example:8443')).toMatch('one port')
  expect(schemeBaseProblem('HTTP://a.example:8080', 'http')).toBeUndefined()
  expect(schemeBaseProblem('http://a.example', 'https')).toMatch('begin with https://')
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
  for (const path of texts('$1;¦médias¦(x)¦"')) {
    expect(apiBaseProblem(`https://api.example.com/${path}`)).toBe(problem)
    expect(baseProblem(`https://api.example.com/${path}`)).toBeUndefined()
  }
})

test('the base of the API holds nothing that a config would act on', () => {
  const base = fc.string({ unit: 'grapheme', maxLength: 12 }).map((tail) => `https://${tail}`)
  fc.assert(
    fc.property(base, (text) => {
      fc.pre(apiBaseProblem(text) === undefined)
      expect(text).not.toMatch(/[\s"'`$;{}()<>|&*!^,=#?@\\]/)
    }),
    { numRuns: 3000 },
  )
})

test.each(
  texts(
    'https://ana.example.com¦HTTPS://twitter.com/ana?lang=pt#top',
    'https://example.com:8443/shop/../item¦https://bücher.example/straße¦http://[::1]/',
  ),
)('the web address %s is right', (text) => expect(isWebAddress(text)).toBe(true))

test.each(
  texts(
    'www.example.com¦//example.com/ana¦https:/example.com¦https://example.com/a b',
    'https://example.com\\ana¦@ana¦https://¦https://example.com/\u0007¦https://exa^mple.com',
    'ftp://example.com¦mailto:ana@example.com¦javascript:alert(1)',
  ),
)('the web address %j is wrong', (text) => expect(isWebAddress(text)).toBe(false))
