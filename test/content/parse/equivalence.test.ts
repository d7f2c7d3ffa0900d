import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { parse } from '../../../scripts/content/parse/parse.ts'
import { quickParse } from '../../../scripts/content/parse/quick.ts'
import { createRandom, type Random } from '../../snapshot/random.ts'
import { cases } from './cases.ts'
import { examples, mutate, significant, texts } from './mutate.ts'

// a busy machine may take long, and that says nothing about the text
vi.setConfig({ testTimeout: 600_000 })

/** Whether the quick reader passed on a text, or said exactly what the full parser says, which has no problem with it. */
const agree = (text: string): 'passed' | 'same' | 'different' => {
  const quick = quickParse(text)
  if (quick === undefined) return 'passed'
  const { data, problems } = parse({ file: 'x.yaml', text })
  return problems.length === 0 && isDeepStrictEqual(data, quick) ? 'same' : 'different'
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

const some = (pieces: readonly string[], count: number, random: Random): string =>
  Array.from({ length: count }, () => random.pick(pieces)).join('')

it('the quick reader and the full parser agree on every kind of text', () => {
  const all = cases()
  const verdicts = all.map(agree)
  expect(all.filter((_, i) => verdicts[i] === 'different')).toEqual([])
  expect(all.length).toBeGreaterThan(2000)
  expect(verdicts.filter((verdict) => verdict === 'same').length).toBeGreaterThan(500)
})

it('the quick reader and the full parser agree on realistic files', () => {
  expect(examples.map(agree)).toEqual(['same', 'same', 'same', 'passed', 'passed', 'same', 'passed'])
})

it('the quick reader and the full parser agree on realistic files with small changes', () => {
  const counts = tryMany((random) => mutate(random.pick(examples), random.pick(examples), random))
  expect(Math.min(counts.same, counts.passed)).toBeGreaterThan(runs / 10)
})

it('the quick reader and the full parser agree on random text', () => {
  const pieces = [...significant, ...common, ...common]
  tryMany((random) => (random.below(2) === 0 ? '' : 'a: ') + some(pieces, random.below(17), random))
})

it('the quick reader and the full parser agree on random flow collections', () => {
  const counts = tryMany((random) => {
    const open = some(flowStarts, 1, random) + some(flowPieces, random.below(14), random)
    return random.below(4) === 0 ? open : `${open}${closing(open)}\n${random.below(3) === 0 ? 'l: m\n' : ''}`
  })
  expect(counts.same).toBeGreaterThan(runs / 500)
})

it('the quick reader and the full parser agree on a value of a common form, a key before and after it', () => {
  const counts = tryMany((random) => {
    const [open, close] = random.pick(commonForms)
    const value = some(valuePieces, 1 + random.below(7), random)
    return `j: "k"\nl:${open}${value}${close}\n${random.below(4) === 0 ? '' : 'm: n\n'}`
  })
  expect(counts.same).toBeGreaterThan(runs / 4)
  expect(counts.passed).toBeGreaterThan(runs / 8)
})

it('the quick reader and the full parser agree on any Unicode text as a value', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '"', "'", '|\n  ', '>-\n  '),
      (value, start) => {
        return agree(`a: ${start}${value}${start.length === 1 ? start : ''}\nb: c\n`) !== 'different'
      },
    ),
    { seed, numRuns: runs / 20 },
  )
})

it.each([
  ...texts('a: b\na: c¦__proto__: b\n__proto__: c¦a: b\0¦a: "\\0"¦a: \ud800¦a: "\\ud800"¦a: !!str b¦a: &x b'),
  ...texts('a: *x¦%YAML 1.2\n---\na: b¦a: b\n...¦a: b\n---\nc: d¦\ufeffa: b¦a: b\r\r\n¦a: b\rc¦a:\tb¦<<: a'),
  ...texts('? a\n: b¦[a]¦a¦a:\n  b:\n    c: d¦a: [b, [c]]¦a: [\n  b\n  ]¦"a": b'),
])('the quick reader passes on: %j', (text) => {
  expect(quickParse(text)).toBeUndefined()
})

it("the quick reader passes on keys that come near the full parser's limit", () => {
  expect(quickParse(`${'a'.repeat(1000)}: b`)).toBeDefined()
  expect(quickParse(`${'a'.repeat(1001)}: b`)).toBeUndefined()
})

it('the quick reader keeps a no-break space at the end of a value in braces', () => {
  expect(agree('p: [{ a: b\u00a0 }]\n')).toBe('same')
})

it('the quick reader has room for a million characters of one form', () => {
  const many = (text: string) => text.repeat(1e6 / text.length)
  expect(quickParse(`a: x${many(':x')}\n`)).toEqual({ a: `x${many(':x')}` })
  expect(quickParse(`a: "${many('\\n')}"\n`)).toEqual({ a: '\n'.repeat(5e5) })
  expect(quickParse(`a: [${many('x, ')}x]\n`)).toEqual({ a: new Array(333_334).fill('x') })
  expect(quickParse(`a: [${many('x, ')}x\n`)).toBeUndefined()
  expect(quickParse(`a: [{x: y}, ${many('x, ')}{x: y}]\n`)).toBeDefined()
  expect(quickParse(`a:\n${many('  - x\n')}  - &x\n`)).toBeUndefined()
  expect(quickParse(`a: |\n${many('  x\n')} y\n`)).toBeUndefined()
  // more than any file holds
  expect(quickParse(`a: x${many(':x').repeat(20)}\n`)).toBeUndefined()
})

/** What makes a text likely to be of the plain form. */
const common = texts('\n¦\n¦\n¦\n  ¦\na: ¦\nb: ¦\nb:¦\nc:¦- ¦\n- ¦\n  - ¦x¦y z¦a: ¦b: ¦c: ')

/** What a value begins with after the colon, and what it ends with. */
const commonForms = [
  [' ', ''],
  [' "', '"'],
  [" '", "'"],
  [' [', ']'],
  [' [{a: ', '}]'],
  [' [x, { a: 1, b: ', ' }]'],
  [' [x, ', ', y]'],
  ['\n  - ', ''],
  ['\n  - x\n  - ', '\n  - y'],
  ['\n  - a: ', '\n    b: y'],
  ['\n- a: x\n  b: ', '\n- a: y'],
  ['\n  - {a: ', '}\n  - { b: x }'],
  ['\n- "', '"'],
  ['\n  a: ', ''],
  ['\n  a: [', ']'],
  ['\n\n  # c\n  a: x\n  b: ', '\n# d\n\n  e: [y]'],
  [' |\n  ', ''],
  [' |-\n  ', ''],
  [' >\n  ', ''],
  [' >-\n  ', ''],
] as const

const valuePieces = texts(
  "x¦y¦é¦1¦ ¦ z¦-¦\n  ¦\n  - ¦\n  w¦, ¦:¦#¦/¦x¦y¦é¦1¦ ¦ z¦-¦\n  ¦\n  - ¦\n  w¦, ¦a:b¦a#b¦'¦: ¦ #¦,¦\n",
  '\n   ¦\n ¦\n\n¦"¦\\n¦\\"¦\\/¦\\x41¦\\u00e9¦\\e¦[¦]¦{¦}¦&¦*¦!¦|¦>¦%¦@¦`¦?¦\u00a0¦\u2028¦\u0085',
  '\u0001',
)

const flowStarts = texts('k: [¦k: {¦k:\n  - {¦k:\n  - [¦k: {a: ¦k:\n  [¦---\nk: [¦k: {a: b, ')

/** What makes a text likely to be a flow collection, or nearly. */
const flowPieces = texts(
  `[¦]¦{¦}¦,¦:¦a¦b¦c¦ ¦?¦!¦-¦#¦|¦>¦%¦@¦\\¦"¦[¦]¦{¦}¦, ¦, ¦,¦a: ¦b: ¦c: ¦x y¦"q"¦"q": ¦'s'¦'s':¦ #¦- `,
  '\n¦\n  ¦\n  ¦\n    ¦\n]¦\n}¦\n- ¦\n  - ¦\nk: ¦&x¦*x¦---¦1¦http://a/b¦2014-01-01 10:00:00',
)

/** The brackets that close those that a text leaves open. */
const closing = (text: string): string => {
  const open: string[] = []
  for (const character of text) {
    if (character === '[' || character === '{') open.unshift(character === '[' ? ']' : '}')
    else if (character === open[0]) open.shift()
  }
  return open.join('')
}
