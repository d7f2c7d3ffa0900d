import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { type Diagnostic, fileStart } from '../../scripts/problems/diagnostic.ts'
import { pretty } from '../../scripts/problems/pretty.ts'
import { rowsOf } from '../tables.ts'
import { at, problem } from './example.ts'

const show = (
  diagnostics: readonly Diagnostic[],
  files: Readonly<Record<string, string>> = {},
) => pretty(diagnostics, { source: (file) => files[file], color: false, columns: 80 })

/** The line of the file and the marks below it. */
const snippet = (text: string, column: number, endColumn: number) =>
  show([problem(at(1, column, endColumn))], { 'content/a.yaml': text })
    .split('\n')
    .slice(2, 4)

test('a problem marks a stretch over several lines up to the end of its first line', () => {
  const diagnostic = problem({ ...at(1, 6, 4), endLine: 3 })
  expect(show([diagnostic], { 'content/a.yaml': 'bio: |\r\n  one\r\n  two\r\n' })).toContain(
    '  1 │ bio: |\n    │      ^\n',
  )
})

test('a problem wraps a long message between words, and a long hint below its beginning', () => {
  const message =
    'the quick brown fox jumps over the lazy dog, and then it does the same once again'
  const text = show([problem(at(1, 1, 1), { message, hint: message })])
  expect(
    text,
  ).toContain(`error: the quick brown fox jumps over the lazy dog, and then it does the same
       once again [blank]
`)
  expect(
    text,
  ).toContain(`    ╰─ hint: the quick brown fox jumps over the lazy dog, and then it does the
             same once again
`)
})

test.each(
  rowsOf(`
    CJK → a: 日本語 x → 日本語 → 6
    an emoji → a: 🎨 x → 🎨 → 2
    a family of emoji → a: 👩‍👩‍👧 x → 👩‍👩‍👧 → 2
    a flag → a: 🇧🇷 x → 🇧🇷 → 2
    a combining mark → a: e\u0301e\u0301 x → e\u0301e\u0301 → 2
    a tab → a: \t x → \t → 4
    halfwidth kana → a: ｱｲ x → ｱｲ → 2
  `),
)('carets are as wide as %s, before and below it', (_, line, part, cells) => {
  const width = Number(cells)
  const start = line.indexOf(part)
  const under = snippet(line, start + 1, start + 1 + part.length)[1]
  expect(under).toBe(`    │    ${'^'.repeat(width)}`)
  const after = snippet(line, line.length, line.length + 1)[1]
  expect(after).toBe(`    │ ${' '.repeat(3 + width + 1)}^`)
})

test.each([
  ['count from after a byte order mark', '\ufeffid: 7', [5, 6], 'id: 7', '    ^'],
  [
    'take the whole character of a place inside of one',
    'a: 👩‍👩‍👧 x',
    [6, 7],
    'a: 👩‍👩‍👧 x',
    '   ^^',
  ],
  ['are one for an empty stretch, also after the end', 'name:', [6, 6], 'name:', '     ^'],
  ['stay at the end of the line for a column after it', 'name:', [60, 70], 'name:', '     ^'],
  [
    'stand below placeholders of what would act on the terminal or the eye',
    ...[
      'a: \u001b[31m\u202e\u200b x',
      [4, 5],
      'a: \\u{1b}[31m\\u{202e}\\u{200b} x',
      '   ^^^^^^',
    ],
  ],
] as const)('carets %s', (_, text, [column, endColumn], line, marks) =>
  expect(snippet(text, column, endColumn)).toEqual([`  1 │ ${line}`, `    │ ${marks}`]),
)

test('carets stand below the same text however it is surrounded', () => {
  const text = fc
    .string({ unit: 'binary', maxLength: 200 })
    .map((some) => some.replaceAll('\n', ''))
  fc.assert(
    fc.property(text, text, fc.integer({ min: 40, max: 120 }), (before, after, columns) => {
      const line = `${before} needle ${after}`
      const start = before.length + 2
      const [shown, marks] = pretty([problem(at(1, start, start + 6))], {
        source: () => line,
        color: false,
        columns,
      })
        .split('\n')
        .slice(2, 4)
      expect(stringWidth(shown!)).toBeLessThanOrEqual(columns)
      expect(marks!.endsWith('^^^^^^')).toBe(true)
      expect(stringWidth(shown!.slice(0, shown!.indexOf('needle', 6)))).toBe(
        marks!.indexOf('^'),
      )
    }),
  )
})

const filler = 'lorem ipsum '.repeat(20)

test('a long line is cut around the stretch', () => {
  const [line, marks] = snippet(
    `${filler}needle ${filler}`,
    filler.length + 1,
    filler.length + 7,
  )
  expect(stringWidth(line!)).toBe(80)
  expect(line).toMatch(/│ ….* needle .*…$/)
  expect(line!.indexOf('needle')).toBe(marks!.indexOf('^'))
})

test.each([
  ['a file that can not be read', at(1, 1, 2, 'gone.yaml')],
  ['a line after the end', at(99, 1, 2)],
  ['line and column 0', at(0, 0, 0)],
  ['the file as a whole', { file: 'content/a.yaml', ...fileStart }],
])('odd places show no line: %s', (_, place) =>
  expect(show([problem(place)], { 'content/a.yaml': 'id: 1\n' })).not.toContain('│'),
)

test('odd places of any kind throw nothing', () => {
  const number = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.integer())
  fc.assert(
    fc.property(
      number,
      number,
      number,
      number,
      fc.string(),
      (line, column, endLine, endColumn, text) => {
        const place = { file: 'a.yaml', line, column, endLine, endColumn }
        expect(show([problem(place)], { 'a.yaml': text })).toContain('1 error in 1 file')
      },
    ),
  )
})

const hostile = fc.string({
  unit: fc.constantFrom('\u001b', '\u009b', '\r', '\u202e', '::', '##[', 'é', ' ', 'x'),
})

test("what strangers wrote is no control, nor a line that GitHub's runner takes for a command", () =>
  fc.assert(
    fc.property(hostile, hostile, hostile, (line, message, file) => {
      const output = show([problem(at(1, 1, 2, file), { message, hint: message })], {
        [file]: line,
      })
      expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      expect(output).not.toMatch(/^\s*::|##\[/m)
    }),
  ))

test('colour adds styles and changes nothing else', () => {
  const diagnostics = [
    problem(at(1, 1, 3), { hint: 'like this' }),
    problem(at(1, 1, 3), {
      severity: 'warning',
      related: [{ ...at(1, 1, 3), message: 'here' }],
    }),
  ]
  const surroundings = { source: () => 'id: 0\n', columns: 80 }
  const plain = pretty(diagnostics, { ...surroundings, color: false })
  const colored = pretty(diagnostics, { ...surroundings, color: true })
  expect(colored).toContain('\u001b[31merror: \u001b[0m')
  expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain)
})
