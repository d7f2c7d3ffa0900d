import { expect, it, vi } from 'vitest'
import { readTree } from '../../../scripts/content/parse/reader.ts'
import { parseAndExplain } from '../../advice/explained.ts'
import { texts } from '../../tables.ts'
import { times } from '../../times.ts'

// a busy machine may take long, and that says nothing about the text
vi.setConfig({ testTimeout: 600_000 })

const codesOf = (text: string) => {
  const codes = new Set(
    parseAndExplain({ file: 'x.yaml', text }).problems.map(({ code }) => code),
  )
  return [...codes]
}

const numbered = (count: number, write: (i: number) => string) => times(count, write).join('')

it.each(texts('[¦{¦- ¦? ¦: ¦[\n¦{? ¦"x": ¦a: b\r'))(
  'a mebibyte of %j is too deep',
  (piece) => {
    const text = piece.repeat((1 << 20) / piece.length)
    expect(codesOf(text)).toEqual(['too-deep'])
    expect(readTree(text)).toBeUndefined()
  },
)

it('depth counts blocks by indentation', () => {
  const nested = (depth: number) => numbered(depth, (i) => `${' '.repeat(i)}a:\n`)
  expect(codesOf(nested(2000))).toEqual(['too-deep'])
  expect(codesOf(nested(90))).toEqual([])
})

it.each([
  ['ten thousand values', 'b', 10_381],
  ['a mebibyte of text', 'x'.repeat(1024), 932],
])('aliases may write out some %s and no more', (_, value, most) => {
  const text = (count: number) => `a: &a ${value}\nc:\n${'- *a\n'.repeat(count)}`
  expect(codesOf(text(most))).toEqual([])
  expect(codesOf(text(most + 1))).toEqual(['too-many-aliases'])
})

it('aliases are reported where they first become too many, once', () => {
  const laughs = `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${numbered(
    40,
    (i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]\n`,
  )}`
  const { data, problems } = parseAndExplain({ file: 'x.yaml', text: laughs })
  expect(problems).toMatchObject([{ code: 'too-many-aliases', line: 5 }])
  expect(JSON.stringify(data).length).toBeLessThan(100_000)
})

it('tens of thousands of keys are read, each once', () => {
  const { data, problems } = parseAndExplain({
    file: 'x.yaml',
    text: numbered(15_000, (i) => `k${i}: ${i}\n`),
  })
  expect(problems).toEqual([])
  expect(Object.keys(data!)).toHaveLength(15_000)
})

it.each(texts(`]¦a: @\n¦"a"¦\ta\n¦a: "\n¦a: 'b\n¦%a\n¦{\na\nb¦a: [,¦a: "\\q"\n¦? "`))(
  'one syntax error of ten thousand is reported: %j',
  (piece) => {
    const { problems } = parseAndExplain({ file: 'x.yaml', text: piece.repeat(10_000) })
    expect(problems).toHaveLength(1)
    expect(problems[0]!.code).toMatch(/yaml-syntax|too-deep/)
    expect(problems[0]!.message.length + problems[0]!.hint!.length).toBeLessThan(400)
  },
)

it.each(texts('a:\n¦b: 1\n¦- {}\n¦? a\n¦-\n'))(
  'a mebibyte of %j is given up half-way',
  (piece) => {
    const { data, problems } = parseAndExplain({
      file: 'x.yaml',
      text: piece.repeat((1 << 20) / piece.length),
    })
    expect(problems).toMatchObject([{ code: 'too-many-values', column: expect.any(Number) }])
    expect(problems[0]!.line).toBeLessThan((1 << 20) / piece.length)
    expect(data).toBeUndefined()
  },
)

it.each(texts('\n¦ ¦  \n¦#\n¦ #\n¦\ufeff'))('nothing is read from many %j', (piece) =>
  expect(parseAndExplain({ file: 'x.yaml', text: piece.repeat(50_000) })).toMatchObject({
    data: {},
    problems: [],
  }),
)
