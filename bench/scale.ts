import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main, status } from '../scripts/cli/command.ts'
import { describeRequests, requestsFor } from '../scripts/deploy/plan.ts'
import { shardOf } from '../scripts/snapshot/site.ts'
import { grouped } from '../scripts/text/amounts.ts'
import { count } from './count.ts'
import { settle, timeAndPeakOf } from './process.ts'
import { site } from './site.ts'
import { mebibytes, seconds, table } from './table.ts'
import { writeFiles } from './write-files.ts'

const head = [
  'members',
  'slowest shard',
  'cpu',
  'memory',
  'merge',
  'cpu',
  'memory',
  'files',
  'SHA256SUMS',
  'first deployment',
  '',
]

/** Times in milliseconds, memory and SHA256SUMS in bytes. */
type Figures = Readonly<Record<(typeof figureNames)[number], number>>

const figureNames = [
  'members',
  'shard',
  'shardCpu',
  'shardMemory',
  'merge',
  'mergeCpu',
  'mergeMemory',
  'files',
  'sums',
] as const

main({
  name: 'node --import tsx bench/scale.ts',
  summary: 'measure shards, merge and the plan of a first deployment; reckon them for more members',
  options: {
    sizes: { value: 'N,…', default: '10000,100000,200000', description: 'numbers of members' },
    shots: { value: 'N', default: '5', description: 'shots a member on average' },
    shards: { value: 'N', default: '8', description: 'shards, built one after the other' },
    reckon: {
      value: 'N',
      default: '1000000',
      description: 'members to reckon for, from first and last size',
    },
  },
  run: async ({ options }) => {
    const [shots, shards] = [count('shots', options.shots), Math.max(1, count('shards', options.shards))]
    const measured = options.sizes
      .split(',')
      .map((size) => count('sizes', size))
      .map((members) => {
        process.stderr.write(`${grouped(members)} members …\n`)
        return measure({ members, shots, shards })
      })
    const reckoned = reckon(measured, count('reckon', options.reckon))
    process.stdout.write(
      table(
        head,
        [...measured.map((figures) => cells(figures, 'measured')), cells(reckoned, 'reckoned')],
        [9, 10],
      ),
    )
    return status.done
  },
})

/**
 * As on a matrix of machines: each shard is built from its own members' folders alone, and nothing but its list and
 * its state comes to the merge.
 */
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
    const outs = Array.from({ length: shards }, (_, at) => join(folder, `shard-${at + 1}`))
    const built = outs.map((out, at) => {
      const content = join(folder, 'content')
      const keeps = (username: string): boolean => shardOf(username, shards) === at + 1
      writeFiles(content, site({ members, shots, seed: 1, keeps }))
      settle()
      const shard = ['--shard', `${at + 1}/${shards}`]
      const taken = timeAndPeakOf(['scripts/run.cjs', 'build', '--content', content, '--out', out, ...shard])
      for (const part of [content, join(out, 'api'), join(out, 'http')]) remove(part)
      process.stderr.write(`  shard ${at + 1}: ${seconds(taken.wall)}\n`)
      return taken
    })
    settle()
    const merged = join(folder, 'dist')
    const merge = timeAndPeakOf(['scripts/run.cjs', 'merge', ...outs, '--out', merged])
    const sums = join(merged, 'SHA256SUMS')
    const most = (figure: 'wall' | 'cpu' | 'peak'): number => Math.max(...built.map((taken) => taken[figure]))
    return {
      members,
      shard: most('wall'),
      shardCpu: most('cpu'),
      shardMemory: most('peak'),
      merge: merge.wall,
      mergeCpu: merge.cpu,
      mergeMemory: merge.peak,
      files: linesIn(sums) + 1,
      sums: statSync(sums).size,
    }
  } finally {
    remove(folder)
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function linesIn(file: string): number {
  let lines = 0
  for (const byte of readFileSync(file)) if (byte === 10) lines++
  return lines
}

/** Along a line through the first and the last size; with one size, in proportion. */
function reckon(sizes: readonly Figures[], members: number): Figures {
  const [first, last] = [sizes[0]!, sizes.at(-1)!]
  const grow = (name: keyof Figures): number => {
    if (sizes.length === 1) return Math.round((last[name] / last.members) * members)
    const slope = (last[name] - first[name]) / (last.members - first.members)
    return Math.round(last[name] + slope * (members - last.members))
  }
  return Object.fromEntries(figureNames.map((name) => [name, grow(name)])) as Figures
}

function cells(figures: Figures, how: string): readonly string[] {
  return [
    grouped(figures.members),
    seconds(figures.shard),
    seconds(figures.shardCpu),
    mebibytes(figures.shardMemory),
    seconds(figures.merge),
    seconds(figures.mergeCpu),
    mebibytes(figures.mergeMemory),
    grouped(figures.files),
    mebibytes(figures.sums),
    describeRequests(requestsFor({ upload: figures.files - 1, remove: 0 })),
    how,
  ]
}
