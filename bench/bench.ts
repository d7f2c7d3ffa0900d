import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import glob from 'fast-glob'
import { main } from '../scripts/cli/command.ts'
import { UserError } from '../scripts/problems/diagnostic.ts'
import { site, writeSite } from './site.ts'
import { inStyle, styles } from './styles.ts'

const project = fileURLToPath(new URL('..', import.meta.url))

/**
 * Of a whole process: seconds on the clock and of all processors, and the most memory that it
 * held, in MiB.
 */
type Figure = { readonly wall: number; readonly cpu: number; readonly memory: number }

type Step = {
  readonly name: string
  /** What must be so beforehand; not measured. */
  readonly before?: (round: number) => void
  /** What Node runs. */
  readonly command: readonly string[]
}

const steps = (folder: string, content: string): readonly Step[] => {
  const [out, made] = [path.join(folder, 'dist'), path.join(folder, 'plain')]
  const build = [
    path.join(project, 'scripts/run.cjs'),
    'build',
    '--content',
    content,
    '--out',
    out,
  ]
  // a disk is slow for a while after many files went, so they are put aside
  const away = (round: number, ...files: readonly string[]): void => {
    for (const file of files) if (fs.existsSync(file)) fs.renameSync(file, `${file}-${round}`)
  }
  return [
    {
      name: 'plain script',
      before: (round) => away(round, made),
      command: [path.join(project, 'bench/plain.mjs'), content, made],
    },
    {
      name: 'cold',
      before: (round) => away(round, out, path.join(folder, '.shotpress')),
      command: build,
    },
    { name: 'start', command: [...build, '--help'] },
    { name: 'nothing changed', command: build },
    { name: 'one shot edited', before: (round) => edit(content, round), command: build },
  ]
}

/** Gives another title to a shot. */
const edit = (content: string, round: number): void => {
  const files = glob.sync('members/*/shots/*.yaml', { cwd: content, absolute: true }).sort()
  const file = files[(round * 100) % files.length]!
  const text = fs.readFileSync(file, 'utf8')
  fs.writeFileSync(file, text.replace(/^title: .*$/m, `title: Round ${round}`))
}

/** Runs a program of ours to its end. */
const run = (command: readonly string[]): Figure => {
  const file = path.join(os.tmpdir(), `shotpress-usage-${process.pid}`)
  const begin = performance.now()
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', path.join(project, 'bench/usage.cjs'), ...command],
    {
      env: { ...process.env, SHOTPRESS_USAGE_FILE: file },
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: project,
      // a warning in each file comes to many megabytes
      maxBuffer: 1 << 28,
    },
  )
  const wall = (performance.now() - begin) / 1000
  if (status !== 0)
    throw new UserError(`"${command.join(' ')}" failed`, {
      hint: stderr.toString().trim().slice(0, 1000),
    })
  const usage = JSON.parse(fs.readFileSync(file, 'utf8'))
  fs.rmSync(file)
  return { wall, ...usage }
}

/**
 * Runs the steps round after round, so that a slow moment of the machine meets all of them
 * alike.
 */
const measure = (
  steps: readonly Step[],
  rounds: number,
): ReadonlyMap<string, readonly Figure[]> => {
  const figures = new Map(steps.map(({ name }) => [name, [] as Figure[]]))
  for (let round = 0; round < rounds; round++) {
    for (const { name, before, command } of steps) {
      before?.(round)
      figures.get(name)!.push(run(command))
    }
  }
  return figures
}

const report = (figures: ReadonlyMap<string, readonly Figure[]>): string => {
  const plain = figures.get('plain script')!
  const rows = [...figures].map(([name, list]) => {
    const of = (kind: keyof Figure) => median(list.map((figure) => figure[kind]))
    const ratio = (kind: keyof Figure) =>
      median(list.map((figure, at) => figure[kind] / plain[at]![kind]))
    const ratios =
      name === 'cold'
        ? `  ${ratio('wall').toFixed(2)} and ${ratio('cpu').toFixed(2)} of it`
        : ''
    return `${name.padEnd(16)} ${of('wall').toFixed(2)} s  cpu ${of('cpu').toFixed(2)} s  ${Math.round(of('memory'))} MiB${ratios}`
  })
  return rows.join('\n')
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}

main({
  name: 'npm run bench',
  summary: 'measure builds as whole processes, in turn with a plain script',
  options: {
    members: { value: 'N', default: '1000', description: 'members of the synthetic site' },
    shots: { value: 'N', default: '20', description: 'shots a member on average' },
    runs: { value: 'N', default: '5', description: 'rounds; figures are their medians' },
    styles: {
      description: 'the synthetic site in ten styles of YAML, each against the plain script',
    },
    corpus: { value: 'DIR', description: 'measure a copy of this content folder instead' },
  },
  notes: ['Everything happens in a folder below TMPDIR, which is removed at the end.'],
  run: async ({ options: { members, shots, runs, corpus, styles: isByStyle } }) => {
    const rounds = Math.max(1, Number(runs) || 0)
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-bench-'))
    const files = () => site({ members: Number(members), shots: Number(shots), seed: 1 })
    const measureIn = (name: string, only?: readonly string[]) => {
      const below = path.join(folder, name)
      const content = path.join(below, 'content')
      if (corpus !== undefined) fs.cpSync(corpus, content, { recursive: true })
      else writeSite(content, only ? inStyle(files(), name) : files())
      return measure(
        steps(below, content).filter((step) => only?.includes(step.name) ?? true),
        rounds,
      )
    }
    try {
      if (!isByStyle) process.stdout.write(`${report(measureIn('all'))}\n`)
      else {
        for (const style of Object.keys(styles)) {
          const rows = report(measureIn(style, ['plain script', 'cold']))
          process.stdout.write(`${style}\n${rows.replace(/^/gm, '  ')}\n`)
        }
      }
    } finally {
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
})
