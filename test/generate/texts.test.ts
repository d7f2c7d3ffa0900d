import { expect, test } from 'vitest'
import { fillRegions } from '../../generate/region.ts'
import { madeTexts } from '../../generate/texts.ts'
import { readText, type Texts } from '../sandbox.ts'

test.each([...madeTexts(new URL('../../', import.meta.url))])(
  '%s is what the tables and schemas give: else run npm run bless',
  (file, text) => expect(readText(file)).toBe(text),
)

const marked = (name: string, inside: string) =>
  `a\n<!-- made from the fields of the API by npm run bless: ${name} -->\n${inside}<!-- end of what is made -->\nb\n`

test('a part that is made takes the place of the last one, and leaves the rest', () => {
  const page = marked('one', 'old\n') + marked('two', '')
  expect(fillRegions(page, { one: 'new $& $1\n', two: '2\n' })).toBe(
    marked('one', 'new $& $1\n') + marked('two', '2\n'),
  )
})

test.each([
  ['a mark without a part', { one: '' }],
  ['a part without a mark', { one: '', two: '', three: '' }],
])('a part that is made is refused for %s', (_, parts: Texts) =>
  expect(() => fillRegions(marked('one', '') + marked('two', ''), parts)).toThrow(),
)

test('docs/api.html needs nothing from elsewhere, and runs nothing', () => {
  const page = readText('docs/api.html')
  expect(page).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|\shref=|@import|url\(/)
  expect(page).toContain('<meta name="viewport"')
})
