import { main, status } from '../scripts/cli/command.ts'
import { createProgress } from '../scripts/cli/progress.ts'
import { count } from './count.ts'
import { build, medianOf, run, settle, type Taken, time } from './process.ts'
import { ratios } from './ratios.ts'
import { withSandbox } from './sandbox.ts'
import { steps } from './steps.ts'
import { mebibytes, seconds, table } from './table.ts'

main({
  name: 'npm run bench',
  summary: 'measure builds as whole processes, against floors measured in the same run',
  options: {
    members: { value: 'N', default: '1000', description: 'members of the synthetic site' },
    shots: { value: 'N', default: '20', description: 'shots a member on average' },
    runs: { value: 'N', default: '5', description: 'rounds; figures are their medians' },
    corpus: { value: 'DIR', description: 'measure a copy of this content folder instead' },
    json: { description: 'print every single figure as JSON' },
  },
  notes: [
    'Everything happens in a folder below TMPDIR, which is removed at the end, and nothing before: each round',
    'needs about as much disk as the site and its snapshot twice, 1.3 GB for 10,000 members.',
  ],
  run: async ({ options }) => {
    const size = { members: count('members', options.members), shots: count('shots', options.shots) }
    const rounds = Math.max(1, count('runs', options.runs))
    const figures = withSandbox({ ...size, corpus: options.corpus }, (sandbox) => {
      run(build(sandbox.content, sandbox.out))
      return measure(steps(sandbox), rounds)
    })
    const site = options.corpus ?? `${size.members} members × ${size.shots} shots`
    const medians = Object.fromEntries(figures.map(({ name, times }) => [name, medianOf(times)]))
    const held = ratios(medians, { ...size, corpus: options.corpus !== undefined })
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ site, node: process.version, rounds, figures, ratios: held }, undefined, 2)}\n`
        : `${site}, medians of ${rounds}\n\n${report(figures, held)}`,
    )
    return status.done
  },
})

type Figure = {
  readonly name: string
  /** A round each. */
  readonly times: readonly Taken[]
  /** Bytes. */
  readonly peak: number | undefined
}

/** Round after round through all steps, so that a slow moment of the machine meets them all alike. */
function measure(list: ReturnType<typeof steps>, rounds: number): readonly Figure[] {
  const progress = createProgress(process.stderr, { env: process.env })
  const results = list.map(({ name }) => ({
    name,
    times: [] as Taken[],
    peak: undefined as number | undefined,
  }))
  for (let round = 0; round <= rounds; round++) {
    for (const [index, step] of list.entries()) {
      progress.update(round * list.length + index, (rounds + 1) * list.length, `steps: ${step.name}`)
      const figure = results[index]!
      // The round after the last one measures memory, which would disturb the times.
      if (round === rounds && step.peak === undefined) continue
      step.before?.(round)
      settle()
      if (round < rounds) figure.times.push(time(step.process))
      else figure.peak = step.peak!()
      step.after?.()
    }
  }
  progress.end()
  return results
}

function report(figures: readonly Figure[], held: ReturnType<typeof ratios>): string {
  const rows = figures.map(({ name, times, peak }) => {
    const { wall, cpu } = medianOf(times)
    return [name, seconds(wall), seconds(cpu), peak === undefined ? '' : mebibytes(peak)]
  })
  const judged = held.map(({ name, of, time, value, limit }) => {
    const known = Number.isFinite(value)
    const verdict = limit === undefined || !known ? '' : value <= limit ? 'ok' : 'over'
    return [name, of, time, known ? value.toFixed(2) : '?', limit?.toFixed(2) ?? '', verdict]
  })
  return [
    table(['', 'wall', 'cpu', 'memory'], rows, [0]),
    table(['', 'of', 'time', 'ratio', 'limit', ''], judged, [0, 1, 2, 5]),
    '* without the time of the start-up\n',
  ].join('\n')
}
