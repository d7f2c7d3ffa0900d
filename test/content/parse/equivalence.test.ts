import { isDeepStrictEqual } from 'node:util'
import { expect, it, vi } from 'vitest'
import type { Data, Path } from '../../../scripts/content/parse/data.ts'
import { parseFully } from '../../../scripts/content/parse/parse.ts'
import { readTree } from '../../../scripts/content/parse/reader.ts'
import { placesIn, stretchAt } from '../../../scripts/content/parse/tree.ts'
import { createRandom, type Random } from '../../snapshot/random.ts'
import { texts } from '../../tables.ts'
import { times } from '../../times.ts'
import { cases } from './cases.ts'
import { examples, mutate, significant } from './mutate.ts'

// a busy machine may take long, and that says nothing about the text
vi.setConfig({ testTimeout: 600_000 })

/**
 * Whether the reader passed on a text, or gave the data and places of the full parser, which
 * has no problem with it.
 */
const agree = (text: string) => {
  const read = readTree(text)
  if (read === undefined) return 'passed'
  const { data, problems, place } = parseFully({ file: 'x.yaml', text })
  const placeOf = placesIn('x.yaml', read.text)
  const isPlaced = (path: Path) =>
    (['key', 'value'] as const).every((of) =>
      isDeepStrictEqual(place(path, of), placeOf(stretchAt(read.tree, path, of))),
    )
  const isSame = problems.length === 0 && isDeepStrictEqual(data, read.tree.data)
  return isSame && pathsIn(read.tree.data).every(isPlaced) ? 'same' : 'different'
}

const pathsIn = (data: Data, path: Path = []): readonly Path[] => {
  const steps = Object.entries(typeof data === 'string' ? [] : data)
  const isList = Array.isArray(data)
  return [
    path,
    ...steps.flatMap(([key, inner]) => pathsIn(inner, [...path, isList ? Number(key) : key])),
  ]
}

/** How many texts each of the random tests makes; the seed can be changed to make others. */
const runs = Number(process.env.YAML_RUNS ?? 2000)
const seed = Number(process.env.YAML_SEED ?? 20141)

/** How the readers agree on random texts: on none may they differ. */
const tryMany = (make: (random: Random) => string) => {
  const random = createRandom(seed)
  const counts = { passed: 0, same: 0 }
  for (let run = 0; run < runs; run++) {
    const text = make(random)
    const verdict = agree(text)
    if (verdict === 'different') expect.unreachable(JSON.stringify(text))
    else counts[verdict]++
  }
  return counts
}

const some = (pieces: readonly string[], count: number, random: Random) =>
  times(count, () => random.pick(pieces)).join('')

it('the reader and the full parser agree on every kind of text', () => {
  const all = cases()
  const verdicts = all.map(agree)
  expect(all.filter((_, i) => verdicts[i] === 'different')).toEqual([])
  expect(all.length).toBeGreaterThan(2000)
  expect(verdicts.filter((verdict) => verdict === 'same').length).toBeGreaterThan(500)
})

it('the reader and the full parser agree on realistic files', () =>
  expect(new Set(examples.map(agree))).toEqual(new Set(['same'])))

it('the reader and the full parser agree on realistic files with small changes', () => {
  const counts = tryMany((random) =>
    mutate(random.pick(examples), random.pick(examples), random),
  )
  expect(Math.min(counts.same, counts.passed)).toBeGreaterThan(runs / 10)
})

it('the reader and the full parser agree on random text', () => {
  const pieces = [...significant, ...common, ...common]
  tryMany(
    (random) => (random.below(2) === 0 ? '' : 'a: ') + some(pieces, random.below(17), random),
  )
})

it('the reader and the full parser agree on a value of a common form, a key before and after it', () => {
  const counts = tryMany((random) => {
    const form = random.pick(commonForms)
    const value = some(valuePieces, 1 + random.below(7), random)
    return `j: "k"\nl:${form.replace('…', () => value)}\n${random.below(4) === 0 ? '' : 'm: n\n'}`
  })
  expect(counts.same).toBeGreaterThan(runs / 4)
  expect(counts.passed).toBeGreaterThan(runs / 8)
})

it.each([
  ...texts(
    'a: b\na: c¦__proto__: b\n__proto__: c¦a: b\0¦a: "\\0"¦a: \ud800¦a: "\\ud800"¦a: !!str b¦a: &x',
  ),
  ...texts(
    'a: *x¦a: &x [*x]¦a: &x *y¦&x a: b¦- &x a: b¦*x : b¦%YAML 1.2\n---\na: b¦a: b\n---\nc: d¦\ufeffa: b¦a: b\r\r\n¦a: b\rc¦<<: a',
  ),
  ...texts(
    '? a\n: b¦[a]: b¦a¦a: [b: c]¦a: {b}¦a: [? b]¦- a\n  b: c¦a: b\n  # c\n  d¦a: >+\n\n¦a:\n#c\n  b\nd: e¦a:\n\n#\n  b\nd¦a: {b: c\n#\n  }¦a: |\n   \n  b',
  ),
])('the reader passes on: %j', (text) => expect(readTree(text)).toBeUndefined())

it("the reader passes on keys that come near the full parser's limit", () => {
  expect(readTree(`${'a'.repeat(1022)}: b`)).toBeDefined()
  expect(readTree(`${'a'.repeat(1025)}: b`)).toBeUndefined()
})

it('the reader has room for a million characters of one form', () => {
  const many = (text: string) => text.repeat(1e6 / text.length)
  const dataOf = (text: string) => readTree(text)?.tree.data
  expect(dataOf(`a: x${many(':x')}\n`)).toEqual({ a: `x${many(':x')}` })
  expect(dataOf(`a: "${many('\\n')}"\n`)).toEqual({ a: '\n'.repeat(5e5) })
  expect(dataOf(`a: "${many('x\n  ')}"\n`)).toEqual({
    a: many('x   ').replaceAll('   ', ' '),
  })
  expect(dataOf(`a: "${many(' ')}"\n`)).toEqual({ a: many(' ') })
  expect(dataOf(`a: [${many('x, ')}x]\n`)).toEqual({ a: new Array(333_334).fill('x') })
  expect(dataOf(`a: [${many('x, ')}x\n`)).toBeUndefined()
  expect(dataOf(`a: [{x: y}, ${many('x, ')}{x: y}]\n`)).toBeDefined()
  expect(dataOf(`a:\n${many('  - x\n')}  - !x\n`)).toBeUndefined()
  expect(dataOf(`a: |\n${many('  x\n')} y\n`)).toBeUndefined()
  const pieces = texts(` ¦\n¦ \n¦'¦"¦''¦"\\¦# ¦- ¦- &x x\n¦-\n¦[¦{a: ¦a:\n ¦\t¦x `)
  for (const one of pieces)
    for (const start of texts(`¦a: ¦a: x¦a: [¦a: "¦a: '¦a: |\n  x\n¦a: x\n  `))
      readTree(start + many(one))
})

/** What makes a text likely to be of the plain form. */
const common = texts(
  '&x ¦*x¦\n¦\n¦\n¦\n  ¦\na: ¦\nb: ¦\nb:¦\nc:¦- ¦\n- ¦\n  - ¦x¦y z¦a: ¦b: ¦c: ',
)

/** A value after the colon, where `…` stands for what is in it. */
const commonForms = texts(
  ` …¦ "…"¦ '…'¦ […]¦ [{a: …}]¦ [x, { a: 1, b: … }]¦ [x, …, y]¦\n  - …¦\n  - x\n  - …\n  - y`,
  '\n  - a: …\n    b: y¦\n- a: x\n  b: …\n- a: y¦\n  - {a: …}\n  - { b: x }¦\n- "…"¦\n  a: …',
  '\n  a: […]¦\n\n  # c\n  a: x\n  b: …\n# d\n\n  e: [y]¦ |\n  …¦ |-\n  …¦ >\n  …¦ >-\n  …',
  ' &x …\nn: *x¦ &x\n  …\nn: [*x, b]¦ &x\n  a: …\n  b: c\nn:\n  - *x¦ [&x …, *x]',
)

const valuePieces = texts(
  "x¦y¦é¦1¦ ¦ z¦-¦\n  ¦\n  - ¦\n  w¦, ¦:¦#¦/¦x¦y¦é¦1¦ ¦ z¦-¦\n  ¦\n  - ¦\n  w¦, ¦a:b¦a#b¦'¦: ¦ #¦,¦\n",
  '\n   ¦\n ¦\n\n¦"¦\\n¦\\"¦\\/¦\\x41¦\\u00e9¦\\e¦[¦]¦{¦}¦&¦*¦!¦|¦>¦%¦@¦`¦?¦\u00a0¦\u2028¦\u0085',
  '\u0001',
)
