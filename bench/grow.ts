import fs from 'node:fs'
import path from 'node:path'
import { main, status } from '../scripts/cli/command.ts'
import { type Chart, drawChart } from './chart.ts'
import { count } from './count.ts'
import { build, medianOf, peakOfBuild, peakOfPlain, plain, settle, type Taken, time } from './process.ts'
import { type Sandbox, withSandbox } from './sandbox.ts'
import { floor, warm } from './steps.ts'
import { mebibytes, median, seconds, table } from './table.ts'

/** What is measured, as the columns and curves are called. */
const programs = ['build', 'plain script', 'floor'] as const

main({
  name: 'node --import tsx bench/grow.ts',
  summary:
    'measure how time and memory of cold builds grow with the site, beside the floor and the plain script',
  options: {
    sizes: { value: 'N,…', default: '1000,2500,5000,10000', description: 'numbers of members' },
    shots: { value: 'N', default: '20', description: 'shots a member on average' },
    runs: { value: 'N', default: '3', description: 'rounds; times are their medians' },
    figures: { value: 'DIR', description: 'draw the figures of docs/performance.md into this folder' },
  },
  run: async ({ options }) => {
    const sizes = options.sizes.split(',').map((size) => count('sizes', size))
    const shots = count('shots', options.shots)
    const runs = Math.max(1, count('runs', options.runs))
    const measured = sizes.map((members) => {
      process.stderr.write(`${members} members …\n`)
      return withSandbox({ members, shots }, (sandbox) => measure(sandbox, runs))
    })
    process.stdout.write(
      table(
        ['members', ...programs.flatMap((name) => [name, 'cpu', 'memory']), 'nothing changed', 'memory'],
        measured.map((figures, at) => row(sizes[at]!, figures)),
        [],
      ),
    )
    if (options.figures !== undefined) drawFigures(options.figures, sizes, measured)
    return status.done
  },
})

type Figures = {
  /** By the names of {@link programs}; no memory is taken of the floor. */
  readonly cold: Readonly<Record<(typeof programs)[number], Taken & { readonly peak: number | undefined }>>
  readonly again: number
  readonly peakAgain: number
}

function measure(sandbox: Sandbox, runs: number): Figures {
  const { content, out, state, setAside, folder } = sandbox
  const whole = build(content, out)
  const made = path.join(folder, 'plain')
  const copy = path.join(folder, 'copy')
  const times: Record<string, Taken[]> = { build: [], 'plain script': [], floor: [] }
  const again: number[] = []
  const take = (name: string, process: Parameters<typeof time>[0]): void => {
    warm(content)
    settle()
    times[name]!.push(time(process))
  }
  for (let round = 0; round < runs; round++) {
    setAside(out, state, made, copy)
    take('build', whole)
    settle()
    again.push(time(whole).wall)
    take('plain script', plain(content, made))
    take('floor', floor(content, out, copy))
  }
  setAside(out, state, made)
  const peaks = {
    build: peakOfBuild(content, out),
    'plain script': peakOfPlain(content, made),
    floor: undefined,
  }
  return {
    cold: Object.fromEntries(
      programs.map((name) => [name, { ...medianOf(times[name]!), peak: peaks[name] }]),
    ) as Figures['cold'],
    again: median(again),
    peakAgain: peakOfBuild(content, out),
  }
}

function row(members: number, { cold, again, peakAgain }: Figures): readonly string[] {
  const cells = programs.flatMap((name) => {
    const { wall, cpu, peak } = cold[name]
    return [seconds(wall), seconds(cpu), peak === undefined ? '' : mebibytes(peak)]
  })
  return [String(members), ...cells, seconds(again), mebibytes(peakAgain)]
}

function drawFigures(folder: string, sizes: readonly number[], measured: readonly Figures[]): void {
  const draw = (name: string, chart: Omit<Chart, 'x'>): void =>
    fs.writeFileSync(path.join(folder, name), drawChart({ ...chart, x: { label: 'members', values: sizes } }))
  const curves = (
    value: (figures: Figures, name: (typeof programs)[number]) => number,
    names: readonly (typeof programs)[number][] = programs,
  ) => names.map((name) => ({ name, values: measured.map((figures) => value(figures, name)) }))
  draw('performance-wall.svg', {
    ...{ title: 'A cold build, on the clock', unit: 's' },
    curves: curves(({ cold }, name) => cold[name].wall / 1000),
  })
  draw('performance-cpu.svg', {
    ...{ title: 'A cold build, processor time', unit: 's' },
    curves: curves(({ cold }, name) => cold[name].cpu / 1000),
  })
  draw('performance-memory.svg', {
    ...{ title: 'A cold build, most memory held', unit: 'MiB' },
    curves: curves(({ cold }, name) => cold[name].peak! / 2 ** 20, ['build', 'plain script']),
  })
}
