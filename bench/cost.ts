import { main, status } from '../scripts/cli/command.ts'
import { createLoader } from '../scripts/content/load.ts'
import { parse } from '../scripts/content/parse/parse.ts'
import { pretty } from '../scripts/problems/pretty.ts'
import { count } from './count.ts'
import { type Random, random } from './random.ts'

/** What a file is made of: how it begins, and what comes again and again; `#` in it is a number that grows. */
type Shape = { readonly kind: 'loadProfile' | 'loadShot'; readonly head: string; readonly piece: string }

const heads = ['', '', 'tags:\n', 'tags: [', 'projects:\n', 'a: "', 'a: |\n', '{', 'a: &x b\nc:\n'] as const

const atoms = [
  ...[
    'a',
    'b: 1',
    'a:',
    '- ',
    '-',
    '? ',
    ': ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '|',
    '>',
    '|-\n',
    '//',
    ':',
  ],
  ...[
    '&x ',
    '*x',
    '!t ',
    '! ',
    '!!str ',
    '# c',
    '\n',
    '\n ',
    '\n  ',
    ' ',
    '\t',
    '%',
    '---\n',
    '...\n',
    '<<: ',
  ],
  ...['\\', '\\q', '@', '`', '#', '#: ', 'id: ', 'tags: ', 'projects:\n', '- {', 'x: [', '\r', '\r\n', 'é'],
  ...['\u2028', '\ufeff', "''", '""', '0', 'title: ', 'date: ', 'image: /', '\0'],
] as const

const shapeOf = ({ between, pick }: Random): Shape => ({
  kind: pick(['loadProfile', 'loadShot']),
  head: pick(heads),
  piece: Array.from({ length: between(1, 5) }, () => pick(atoms)).join(''),
})

const filled = (head: string, piece: string, size: number): string => {
  const pieces = [head]
  for (let [length, number] = [head.length, 0]; length < size; number++) {
    const next = piece.replaceAll('#', number.toString(36))
    pieces.push(next)
    length += next.length
  }
  return pieces.join('').slice(0, size)
}

/** UTF-16 units. */
const fileSize = 1 << 20
const sample = 1 << 16

const loader = createLoader({ hostNames: [] })

const load = ({ kind, head, piece }: Shape, size: number): unknown => {
  const text = filled(head, piece, size)
  const { diagnostics } = loader[kind]({ file: 'made-up.yaml', text }, undefined)
  return pretty(diagnostics, { source: () => text, color: false, columns: 80 })
}

/** Milliseconds of processor time. */
const costOf = (work: () => unknown): number => {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

main({
  name: 'node --import tsx bench/cost.ts',
  summary: 'search for broken files that cost far more than the full parse of a good one of their size',
  options: {
    runs: { value: 'N', default: '300', description: 'how many files to make up' },
    seed: { value: 'N', default: '1', description: 'which ones' },
    limit: { value: 'N', default: '5', description: 'the ratio from which on the search has failed' },
  },
  notes: [
    'Processor time is measured. What seems dear at 64 KiB is measured again at 1 MiB, the better of two. A busy machine adds to the ratios.',
  ],
  run: async ({ options }) => {
    const whole = filled('tags:\n', '- word\n', fileSize)
    const good = Math.min(...[1, 2, 3].map(() => costOf(() => parse({ file: 'good.yaml', text: whole }))))
    const seed = count('seed', options.seed)
    const found = Array.from({ length: count('runs', options.runs) }, (_, number) => {
      const shape = shapeOf(random(seed, number))
      const guess = costOf(() => load(shape, sample)) * (fileSize / sample)
      if (guess < good) return { shape, ratio: guess / good }
      const cost = Math.min(...[1, 2].map(() => costOf(() => load(shape, fileSize))))
      return { shape, ratio: cost / good }
    })
    const worst = found.sort((a, b) => b.ratio - a.ratio).slice(0, 10)
    for (const { shape, ratio } of worst) console.log(ratio.toFixed(2), JSON.stringify(shape))
    return worst[0]!.ratio < count('limit', options.limit) ? status.done : status.no
  },
})
