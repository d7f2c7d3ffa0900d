import { expect, test } from 'vitest'
import { printable, quote } from '../../scripts/text/printable.ts'
import { rowsOf } from '../tables.ts'

test.each(
  rowsOf(`
    an escape sequence → \u001b[2J → \\u{1b}[2J
    a C1 control → \u009b → \\u{9b}
    a delete character → \u007f → \\u{7f}
    a bidirectional override → a\u202eb → a\\u{202e}b
    a line separator → \u2028 → \\u{2028}
    a zero-width space → 42\u200b → 42\\u{200b}
    a lone surrogate → a\ud800b → a\\u{d800}b
    a command to the runner → ##[error] → #\\u{23}[error]
  `),
)('%s is shown by its number', (_, text, shown) => expect(printable(text)).toBe(shown))

test('letters, marks and emoji of every script stay as they are', () => {
  const text = 'Åsa, 東京, São Paulo, नमस्ते, می‌خواهم, 👩‍👩‍👧 #1 ##'
  expect(printable(text)).toBe(text)
})

test('a quoted value has at most 60 characters', () => {
  expect(quote('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`)
  expect(quote('🎨'.repeat(61))).toBe(`"${'🎨'.repeat(59)}…"`)
})
