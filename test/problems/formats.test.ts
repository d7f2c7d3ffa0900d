import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formats, github, json } from '../../scripts/problems/formats.ts'
import { times } from '../times.ts'
import { at, problem } from './example.ts'

const surroundings = { source: () => undefined, color: false, columns: 80 }

// what they say of problems is golden
test.each([
  ['pretty', ''],
  ['github', ''],
  ['lines', ''],
  ['json', '[]\n'],
] as const)('%s says of nothing what its readers expect', async (name, text) =>
  expect(await formats[name]([], surroundings)).toBe(text),
)

test('problems are sorted by file, line and column', () => {
  const places = [at(1, 1, 2, 'b'), at(10, 1, 2, 'a'), at(9, 2, 3, 'a'), at(9, 1, 3, 'a')]
  const sorted = JSON.parse(
    json(places.map((place) => problem(place))),
  ) as (typeof places)[number][]
  expect(sorted.map((one) => `${one.file}:${one.line}:${one.column}`)).toEqual([
    'a:9:1',
    'a:9:2',
    'a:10:1',
    'b:1:1',
  ])
})

test('whatever the text, JSON reads back the same, and nothing in it acts on a terminal', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (message) => {
      const output = json([problem(at(1, 1, 2, message), { message, hint: message })])
      expect(JSON.parse(output)).toMatchObject([{ message, file: message, hint: message }])
      expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u)
    }),
  ))

test('github escapes data and properties as its toolkit does', () => {
  const line = github([problem(at(1, 1, 2, 'a%b:c,d.yaml'), { message: '100%: a, b::c' })])
  expect(line).toBe(
    '::error file=a%25b%3Ac%2Cd.yaml,line=1,endLine=1,col=1,endColumn=2,title=blank::100%25: a, b::c\n',
  )
})

test('whatever the text, a problem for github stays one line without control characters', () => {
  const text = fc.string({
    unit: fc.constantFrom('\n', '\r', '\u001b', '\u2028', '%', ':', ',', 'x', '::error::'),
  })
  fc.assert(
    fc.property(text, text, text, (file, message, hint) => {
      const output = github([problem(at(1, 1, 2, file), { message, hint })])
      expect(output).toMatch(/^::error file=[^:,]*,line=1,[\w=,]+title=blank::.*\n$/)
      expect(output.slice(0, -1)).not.toMatch(/\p{Cc}/u)
    }),
  )
})

test('of more than ten errors github shows nine, and one line says how many more there are', () => {
  const many = times(12, (at_) => problem(at(at_ + 1, 1, 2, `content/${at_ % 2}.yaml`)))
  const lines = github([...many, problem(at(1, 1, 2), { severity: 'warning' })])
    .trimEnd()
    .split('\n')
  expect(lines.filter((line) => line.startsWith('::error '))).toHaveLength(10)
  expect(lines.filter((line) => line.startsWith('::warning '))).toHaveLength(1)
  expect(lines.at(-1)).toBe(
    '::error title=3 more::3 more errors. npx shotpress check shows them all.',
  )
})
