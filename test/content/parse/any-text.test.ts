import { isDeepStrictEqual } from 'node:util'
import { expect, it, vi } from 'vitest'
import type { Diagnostic } from '../../../scripts/problems/diagnostic.ts'
import { parseAndExplain } from '../../advice/explained.ts'
import { createRandom } from '../../snapshot/random.ts'
import { times } from '../../times.ts'
import { examples, mutate, significant } from './mutate.ts'

// a busy machine may take long, and that says nothing about the text
vi.setConfig({ testTimeout: 600_000 })

/**
 * What holds whatever the text: nothing is thrown, every problem lies within it, and it is
 * read the same again.
 */
const holds = (text: string) => {
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

const isWithin = (text: string, { line, column, endLine, endColumn }: Diagnostic) => {
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

it('has its problems within it', () => {
  const random = createRandom(7)
  const pieces = [...significant, '\x02', '\x18', '\x1f', '- ', 'a: ', '\n  ']
  for (let run = 0; run < 3_000; run++) {
    const parts = times(random.below(12), () => random.pick(pieces))
    const realistic = mutate(random.pick(examples), random.pick(examples), random)
    for (const text of [parts.join(''), realistic])
      if (!holds(text)) expect.unreachable(JSON.stringify(text))
  }
})
