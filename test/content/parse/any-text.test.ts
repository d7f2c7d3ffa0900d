import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { Diagnostic } from '../../../scripts/problems/diagnostic.ts'
import { parseAndExplain } from '../../advice/explained.ts'
import { createRandom } from '../../snapshot/random.ts'
import { examples, mutate, significant } from './mutate.ts'

// a busy machine may take long, and that says nothing about the text
vi.setConfig({ testTimeout: 600_000 })

/** What holds whatever the text: nothing is thrown, every problem lies within it, and it is read the same again. */
const holds = (text: string): boolean => {
  const { data, whole, problems } = parseAndExplain({ file: 'x.yaml', text })
  const again = parseAndExplain({ file: 'x.yaml', text })
  const fatal = problems.filter(({ code }) => code === 'yaml-syntax' || code === 'too-deep')
  return (
    isDeepStrictEqual([again.data, again.problems], [data, problems]) &&
    whole === (fatal.length === 0) &&
    (data !== undefined || fatal.length > 0) &&
    problems.every((problem) => problem.file === 'x.yaml' && isWithin(text, problem))
  )
}

const isWithin = (text: string, { line, column, endLine, endColumn }: Diagnostic): boolean => {
  const lines = text.split('\n')
  return (
    line >= 1 &&
    column >= 1 &&
    (endLine > line || (endLine === line && endColumn >= column)) &&
    endLine <= lines.length &&
    column <= lines[line - 1]!.length + 1 &&
    endColumn <= lines[endLine - 1]!.length + 1
  )
}

it('has its problems within it, when random', () => {
  const pieces = [...significant, ...significant, '\x02', '\x18', '\x1f', '- ', 'a: ', '\n  ']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => holds(parts.join(''))),
    { seed: 1, numRuns: 4_000 },
  )
})

it('has its problems within it, when nearly realistic', () => {
  const random = createRandom(7)
  for (let run = 0; run < 2_000; run++) {
    const text = mutate(random.pick(examples), random.pick(examples), random)
    if (!holds(text)) expect.unreachable(JSON.stringify(text))
  }
})
