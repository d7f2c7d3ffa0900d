import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html, markupOf, trusted } from '../../scripts/text/html.ts'

const shown = (...args: Parameters<typeof html>) => markupOf(html(...args))

test('the template leaves markup as it is', () =>
  expect(shown`<p>${html`<b>${'<'}</b>`}${trusted('<i>')}</p>`).toBe('<p><b>&lt;</b><i></p>'))

test('the template joins lists, and takes nothing for nothing', () =>
  expect(shown`<p>${['<', html`<b>`, ['a', 0]]}${undefined}${false}</p>`).toBe(
    '<p>&lt;<b>a0</p>',
  ))

test('the template shows controls, and what turns the direction of text, as escapes', () =>
  expect(shown`${'a\u0000\u001b\u0085\u202e\u2066\ud800\ufeff'}`).toBe(
    'a\\u{0}\\u{1b}\\u{85}\\u{202e}\\u{2066}\\u{d800}\\u{feff}',
  ))

test('the template keeps line feeds, tabs, joiners and the marks that right-to-left text needs', () => {
  const text = 'a\n\tb \u200d\u200c\u200e\u200f\u061c 👩‍👧 عربي'
  expect(shown`${text}`).toBe(text)
})

test('the template reads every end of a line as a line feed', () =>
  expect(shown`${'a\r\nb\rc\n'}`).toBe('a\nb\nc\n'))

test('the template takes no object of a stranger for markup', () => {
  const value = JSON.parse('{"markup":"<b>","html":"<b>"}')
  expect(() => shown`${value}`).toThrow()
})

test('the template lets no text open or close anything', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(shown`${text}`).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/)
    }),
  ))
