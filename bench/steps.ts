import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Process, peakOfBuild, peakOfPlain, plain, project, run } from './process.ts'
import type { Sandbox } from './sandbox.ts'
import { shotToEdit } from './shot-to-edit.ts'

/** Something that is measured once in every round, as a whole process. */
export type Step = {
  readonly name: string
  /** What must be so beforehand; not measured. */
  readonly before?: (round: number) => void
  readonly process: Process
  /** Puts everything back; not measured. */
  readonly after?: () => void
  /** For builds: the most memory held, in bytes, in a run of its own. */
  readonly peak?: () => number
}

/** What is measured, in the order of a round: a floor stands beside what is held against it. */
export const steps = (sandbox: Sandbox): readonly Step[] => {
  const { folder, repository, content, braces, out, state, setAside } = sandbox
  const copy = join(folder, 'copy')
  const made = join(folder, 'plain')
  const clone = join(folder, 'clone')
  const example = join(folder, 'example')
  const whole = build(content, out)
  let restore = () => {}
  return [
    {
      name: 'read in, copy out',
      before: () => warm(content),
      process: floor(content, out, copy),
      after: () => setAside(copy),
    },
    {
      name: 'plain script',
      before: () => warm(content),
      process: plain(content, made),
      peak: () => peakOfPlain(content, made),
      after: () => setAside(made),
    },
    {
      name: 'cold',
      before: () => {
        setAside(out, state)
        warm(content)
      },
      process: whole,
      peak: () => peakOfBuild(content, out),
    },
    ...(braces === undefined ? [] : [bracesStep(sandbox, braces)]),
    { name: 'node -e 0', process: { command: [process.execPath, '-e', '0'] } },
    {
      name: 'start without npm',
      process: { command: [process.execPath, join(project, 'scripts/run.cjs'), 'build', '--help'] },
    },
    { name: 'start-up', process: { command: ['npm', 'run', '-s', 'build', '--', '--help'] } },
    {
      name: 'git status',
      before: () => run(gitStatus(repository)),
      process: gitStatus(repository),
    },
    { name: 'nothing changed', process: whole, peak: () => peakOfBuild(content, out) },
    {
      name: 'one shot edited',
      before: (round) => {
        const { file, before, after } = shotToEdit(content, round)
        writeFileSync(file, after)
        restore = () => writeFileSync(file, before)
      },
      process: whole,
      peak: () => peakOfBuild(content, out),
      after: () => {
        restore()
        run(whole)
      },
    },
    {
      name: 'fresh clone',
      before: () => {
        run({ command: ['git', 'clone', '-q', repository, clone] })
        run({ command: ['cp', '-a', out, state, clone] })
      },
      process: build(join(clone, 'content'), join(clone, 'dist')),
      peak: () => peakOfBuild(join(clone, 'content'), join(clone, 'dist')),
      after: () => setAside(clone),
    },
    { name: 'npx tsx -e 0', process: { command: ['npx', 'tsx', '-e', '0'] } },
    {
      name: 'example site',
      before: () => mkdirSync(example),
      process: build(join(project, 'content'), join(example, 'dist')),
      after: () => setAside(example),
    },
  ]
}

const bracesStep = ({ folder, setAside }: Sandbox, content: string): Step => {
  const own = join(folder, 'braces-built')
  return {
    name: 'cold, projects in braces',
    before: () => {
      mkdirSync(own)
      warm(content)
    },
    process: build(content, join(own, 'dist')),
    after: () => setAside(own),
  }
}

/** Reads the content once: a machine may have dropped what was not read for a minute. */
export const warm = (content: string): void => {
  run({ command: ['sh', '-c', readAll, 'warm', content] })
}

/** What the disk can do: reads every file of the content, and copies the snapshot. */
export const floor = (content: string, out: string, copy: string): Process => ({
  command: ['sh', '-c', `${readAll} && cp -r "$2" "$3"`, 'floor', content, out, copy],
})

/** A shell line that reads every file below its first argument. */
const readAll = 'find "$1" -type f -print0 | xargs -0 cat > /dev/null'

const gitStatus = (cwd: string): Process => ({ command: ['git', 'status'], cwd })
