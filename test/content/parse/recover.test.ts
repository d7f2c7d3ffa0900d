import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLoader } from '../../../scripts/advice/loader.ts'
import { recoverLimits } from '../../../scripts/content/parse/recover.ts'
import { parseAndExplain } from '../../advice/explained.ts'
import { rowsOf, texts } from '../../tables.ts'

const { loadShot, loadProfile } = createLoader()

/** `line:column code`, in the order of the file. */
const told = (text: string, load: typeof loadShot | typeof loadProfile = loadShot) =>
  load({ file: 'x.yaml', text }, undefined).diagnostics.map(
    ({ line, column, code }) => `${line}:${column} ${code}`,
  )

it.each(
  rowsOf(`
    id: 1⏎title: "Poster⏎date: 2014-13-02⏎image: ../x⏎status: @1⏎tags: [a b]⏎ → 2:8 yaml-syntax, 3:7 bad-timestamp, 4:8 bad-asset, 5:9 yaml-syntax, 6:8 bad-word
    # a merge that was not finished holds its keys twice
    id: 1⏎<<<<<<< HEAD⏎title: a⏎=======⏎title: b⏎>>>>>>> x⏎status: q⏎ → 2:1 yaml-syntax
    some text⏎id: 1x⏎title: a: b⏎ → 1:1 yaml-syntax, 2:5 bad-id, 3:8 yaml-syntax
    id: 1x⏎title:Poster⏎image: ../x⏎ → 1:5 bad-id, 2:1 yaml-syntax, 3:8 bad-asset
    id: 1⏎title: "Poster⏎date: "2014-13-02"⏎ → 2:8 yaml-syntax, 3:7 bad-timestamp
    {U+0020} id: x⏎title: a⏎ → 1:7 bad-id, 2:1 yaml-syntax
    id: x⏎id: 1⏎title: @⏎ → 1:5 bad-id, 2:1 duplicate-key, 3:8 yaml-syntax
    a: &n 1⏎id: x⏎title: *n⏎b: @⏎ → 1:1 unknown-key, 2:5 bad-id, 4:4 yaml-syntax
    a: &n @⏎id: x⏎title: *n⏎ → 1:7 yaml-syntax, 2:5 bad-id
    id: x⏎title: !t a⏎image: @⏎ → 1:5 bad-id, 2:8 bad-tag, 3:8 yaml-syntax
  `),
)('after a syntax error the rest of a file is read: %j', (text, expected) =>
  expect(told(text).join(', ')).toBe(expected),
)

it('no key is called missing that a syntax error may hide', () => {
  expect(told('id: 1\ntitle Poster\n')).toEqual(['2:1 yaml-syntax'])
  expect(told('id: 1\nname: @\nprojects:\n  - id: 7\n', loadProfile)).toEqual([
    '2:7 yaml-syntax',
    '4:5 missing-key',
  ])
})

it('after a syntax error the rest of a file is read in its place: an entry is read as it is without the error', () => {
  const entry = fc.constantFrom(
    ...texts('id: 1¦title: a¦tags: [b]¦bio: |\n  x\n\n  y¦n:\n  - p: q¦# c¦'),
  )
  const broken = fc.constantFrom(...texts(`x: @¦x: "a¦x: [a¦x: 'b' c¦x: a: b¦x: %¦x: }`))
  fc.assert(
    fc.property(fc.array(entry), broken, fc.array(entry), (before, wrong, after) => {
      const all = (line: string) => `k: v\n${[...before, line, ...after].join('\n')}\n`
      const sound = parseAndExplain({ file: 'x', text: all('#') })
      const repaired = parseAndExplain({ file: 'x', text: all(wrong) })
      expect(repaired.data).toEqual(sound.data)
      expect(repaired.place(['k'], 'value')).toEqual(sound.place(['k'], 'value'))
      expect(repaired.problems.filter(({ code }) => code === 'yaml-syntax')).toHaveLength(1)
    }),
  )
})

it('after a syntax error the rest of a file is read within bounds', () => {
  const many = 'a: @\n'.repeat(recoverLimits.entries + 1)
  expect(parseAndExplain({ file: 'x', text: many }).problems).toHaveLength(1)
  const large = `a: @\nb: @\n# ${'x'.repeat(recoverLimits.size)}\n`
  expect(parseAndExplain({ file: 'x', text: large }).problems).toHaveLength(1)
})
