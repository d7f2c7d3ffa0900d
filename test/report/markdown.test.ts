import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { markdown } from '../../scripts/report/formats.ts'
import type { Outline } from '../../scripts/report/outline.ts'
import { times } from '../times.ts'

const outline = (...values: readonly string[]): Outline => ({
  summary: '1 member changed',
  sections: [
    {
      title: 'Members that change',
      items: values.map((value) => [
        [{ value }, ': ', { value }],
        ['name: ', { value }, ' → ', { value }],
      ]),
    },
  ],
})

const surroundings = { color: false, columns: 80, limit: 1_000_000 }

type Node = {
  readonly type: string
  readonly children?: readonly Node[]
  readonly value?: string
}

/** Every kind of element, and where it is; texts left out. */
const shape = (text: string) => {
  const visit = ({ type, children }: Node): unknown =>
    children ? [type, ...children.map(visit)] : type
  return visit(
    fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node,
  )
}

const hostile = [
  '`', '``', '` @everyone `', '```\n# x\n```', '<img src=x onerror=alert(1)>', '[x](https://evil.example)',
  '![x](https://evil.example/x.png)', 'https://evil.example', 'www.evil.example', '@octocat', '#1', '| a | b |\n|---|---|',
  '- [ ] task', '\n\n# heading', '    code', '<!-- -->', '</details>', '&lt;b&gt;', '\\`', '\\', '***', '~~x~~', '[^1]',
  '$x$', ':tada:', 'a\u2028b', '\u202eabc', '\r\n- x', '>', '`'.repeat(400), ' ', '', '\u{e0041}', '![]()`[x]`', '--', '::error::x',
] // biome-ignore format: a list of short values

test('a value of a stranger is text, whatever it is', () => {
  const piece = fc.constantFrom(...hostile, ...'\n*_[]()!<>|~#@a')
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(value, (text) => {
      expect(shape(markdown(outline(text), surroundings))).toEqual(
        shape(markdown(outline('x'), surroundings)),
      )
    }),
    { numRuns: 300, examples: hostile.map((text) => [text]) },
  )
})

test('what does not fit is left out, whole, and counted', () => {
  const values = times(1000, (at) => `name ${at}`)
  const text = markdown(outline(...values), { ...surroundings, limit: 5000 })
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5000)
  const shown = text.match(/^- /gm)!.length
  expect(shown).toBeGreaterThan(10)
  expect(text).toContain(`\n${1000 - shown} more left out: there is no more room here.\n`)
})
