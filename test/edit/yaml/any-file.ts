import fc from 'fast-check'
import { commentsOf } from '../../../scripts/edit/yaml/comments.ts'

/**
 * Files with some of these keys, each with one of its values, in any order: with comments,
 * blank lines, all line ends.
 */
export const anyFile = (values: Readonly<Record<string, readonly string[]>>) => {
  const lead = fc.constantFrom('', '', '# above\n', '\n', '\n# far\n\n')
  const entry = (key: string) =>
    fc
      .tuple(lead, fc.constantFrom(...values[key]!))
      .map(([above, value]) => `${above}${key}: ${value}`)
  return fc
    .tuple(
      fc
        .shuffledSubarray(Object.keys(values), { minLength: 1 })
        .chain((keys) => fc.tuple(...keys.map(entry))),
      fc.constantFrom('\n', '', '\n\n', '\n# end'),
      fc.constantFrom('\n', '\r\n'),
    )
    .map(([entries, end, br]) => (entries.join('\n') + end).replaceAll('\n', br))
}

/** The comments of a file, sorted. */
export const commentsIn = (yaml: string) =>
  commentsOf(yaml)
    .map(({ text }) => text)
    .sort()
