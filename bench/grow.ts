import { main, status } from '../scripts/cli/command.ts'
import { count } from './count.ts'
import { build, peakOfBuild, settle, time } from './process.ts'
import { type Sandbox, withSandbox } from './sandbox.ts'
import { mebibytes, median, seconds, table } from './table.ts'

await main({
  name: 'node --import tsx bench/grow.ts',
  summary: 'measure how time and memory of builds grow with the site',
  options: {
    sizes: { value: 'N,…', default: '1000,5000,10000,50000', description: 'numbers of members' },
    shots: { value: 'N', default: '20', description: 'shots a member on average' },
    runs: { value: 'N', default: '3', description: 'builds of each kind; times are their medians' },
  },
  run: async ({ options }) => {
    const sizes = options.sizes.split(',').map((size) => count('sizes', size))
    const shots = count('shots', options.shots)
    const runs = Math.max(1, count('runs', options.runs))
    const rows = sizes.map((members) => {
      process.stderr.write(`${members} members …\n`)
      return [String(members), ...withSandbox({ members, shots }, (sandbox) => measure(sandbox, runs))]
    })
    process.stdout.write(table(['members', 'cold', 'memory', 'nothing changed', 'memory'], rows, []))
    return status.done
  },
})

function measure({ content, out, state, setAside }: Sandbox, runs: number): readonly string[] {
  const whole = build(content, out)
  const cold: number[] = []
  const again: number[] = []
  for (let i = 0; i < runs; i++) {
    setAside(out, state)
    settle()
    cold.push(time(whole).wall)
    again.push(time(whole).wall)
  }
  setAside(out, state)
  const memory = [peakOfBuild(content, out), peakOfBuild(content, out)].map(mebibytes)
  return [seconds(median(cold)), memory[0]!, seconds(median(again)), memory[1]!]
}
