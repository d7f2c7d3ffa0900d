import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main, status } from '../scripts/cli/command.ts'
import { describeRequests, requestsFor } from '../scripts/deploy/estimate.ts'
import { count } from './count.ts'
import { peakOf, project, run, settle, time } from './process.ts'
import { site } from './site.ts'
import { mebibytes, seconds, table } from './table.ts'
import { writeFiles } from './write-files.ts'

const head = [
  'members',
  'slowest shard',
  'memory',
  'merge',
  'memory',
  'files',
  'SHA256SUMS',
  'first deployment',
  '',
]

const nothing = { members: 0, shard: 0, merge: 0, shardMemory: 0, mergeMemory: 0, sums: 0, files: 0 }

await main({
  name: 'node --import tsx bench/scale.ts',
  summary: 'measure shards, merge and the plan of a first deployment; reckon them for more members',
  options: {
    sizes: { value: 'N,…', default: '10000,100000,200000', description: 'numbers of members' },
    shots: { value: 'N', default: '5', description: 'shots a member on average' },
    shards: { value: 'N', default: '8', description: 'shards, built one after the other' },
    reckon: { value: 'N', default: '1000000', description: 'members to reckon for, from the last two sizes' },
  },
  run: async ({ options }) => {
    const [shots, shards] = [count('shots', options.shots), Math.max(1, count('shards', options.shards))]
    const measured = options.sizes
      .split(',')
      .map((size) => count('sizes', size))
      .map((members) => {
        process.stderr.write(`${members} members …\n`)
        return measure({ members, shots, shards })
      })
    const reckoned = reckon(measured.slice(-2), count('reckon', options.reckon))
    process.stdout.write(
      table(head, [...measured.map(cells), [...cells(reckoned).slice(0, -1), 'reckoned']], [7, 8]),
    )
    return status.done
  },
})

type Figures = {
  readonly members: number
  /** Milliseconds of the slowest shard, and of the merge. */
  readonly shard: number
  readonly merge: number
  /** Bytes of memory at most. */
  readonly shardMemory: number
  readonly mergeMemory: number
  /** Bytes of SHA256SUMS. */
  readonly sums: number
  readonly files: number
}

function measure({
  members,
  shots,
  shards,
}: {
  readonly members: number
  readonly shots: number
  readonly shards: number
}): Figures {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shotpress-scale-')))
  try {
    const content = join(folder, 'content')
    writeFiles(content, site({ members, shots, seed: 1 }))
    const outs = Array.from({ length: shards }, (_, at) => join(folder, `shard-${at + 1}`))
    const shard = (at: number): readonly string[] => [
      ...['scripts/run.cjs', 'build', '--content', content, '--out', outs[at]!],
      ...['--shard', `${at + 1}/${shards}`],
    ]
    const merged = join(folder, 'dist')
    const merge = ['scripts/run.cjs', 'merge', ...outs, '--out', merged]
    settle()
    const times = outs.map((_, at) => time({ command: [process.execPath, ...shard(at)] }).wall)
    const mergeTime = time({ command: [process.execPath, ...merge] }).wall
    const sums = join(merged, 'SHA256SUMS')
    return {
      members,
      shard: Math.max(...times),
      merge: mergeTime,
      // again, and from nothing: what a shard needs to compile all that it has
      shardMemory: peakOf([...shard(0), '--distrust']),
      mergeMemory: peakOf(merge),
      sums: statSync(sums).size,
      files:
        Number(
          run({ command: ['wc', '-l', sums], cwd: project })
            .trim()
            .split(' ')[0],
        ) + 1,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Along a line through two sizes; with one size, in proportion. */
function reckon(sizes: readonly Figures[], members: number): Figures {
  const to = sizes.at(-1)!
  const from = sizes.length > 1 ? sizes[0]! : nothing
  const grow = (figure: keyof Figures): number =>
    Math.round(
      to[figure] + ((to[figure] - from[figure]) / (to.members - from.members)) * (members - to.members),
    )
  return {
    members,
    shard: grow('shard'),
    merge: grow('merge'),
    shardMemory: grow('shardMemory'),
    mergeMemory: grow('mergeMemory'),
    sums: grow('sums'),
    files: grow('files'),
  }
}

function cells(figures: Figures): readonly string[] {
  return [
    String(figures.members),
    seconds(figures.shard),
    mebibytes(figures.shardMemory),
    seconds(figures.merge),
    mebibytes(figures.mergeMemory),
    String(figures.files),
    mebibytes(figures.sums),
    describeRequests(requestsFor({ upload: figures.files - 1, remove: 0 })),
    'measured',
  ]
}
