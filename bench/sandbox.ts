import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { run } from './process.ts'
import { site } from './site.ts'
import { writeFiles } from './write-files.ts'

/** A site in a git repository of its own, as on a developer's machine. */
export type Sandbox = {
  /** The temporary folder that everything below is in. */
  readonly folder: string
  readonly repository: string
  readonly content: string
  /** The same content with projects in braces; only where the site is made up. */
  readonly braces: string | undefined
  readonly out: string
  /** The folder with what builds leave for each other. */
  readonly state: string
  /**
   * Takes files and folders away, if they are there. Nothing is deleted before the end: a disk is slow for a while after
   * many files went.
   */
  readonly setAside: (...paths: readonly string[]) => void
}

export type SandboxOptions = {
  readonly members: number
  readonly shots: number
  /** A content folder to copy instead of making one up. */
  readonly corpus?: string | undefined
}

/** Makes a sandbox, hands it out, and removes it whatever happens. */
export const withSandbox = <T>(options: SandboxOptions, use: (sandbox: Sandbox) => T): T => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shotpress-bench-')))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  // With a listener Ctrl-C ends only the measured process, and the failure of that ends up below.
  const interrupted = () => {}
  process.on('SIGINT', interrupted)
  try {
    return use(prepare(folder, options))
  } finally {
    remove()
    process.off('SIGINT', interrupted)
  }
}

const prepare = (folder: string, { members, shots, corpus }: SandboxOptions): Sandbox => {
  const repository = join(folder, 'site')
  const content = join(repository, 'content')
  mkdirSync(repository)
  const braces = corpus === undefined ? join(folder, 'braces') : undefined
  if (corpus === undefined) writeFiles(content, site({ members, shots, seed: 1 }))
  else run({ command: ['cp', '-r', corpus, content] })
  if (braces !== undefined) writeFiles(braces, site({ members, shots, seed: 1, braces: true }))
  writeFileSync(join(repository, '.gitignore'), '/dist/\n/.shotpress/\n')
  // no housekeeping in the background, which would go on while something is measured
  const git = [
    'git',
    '-c',
    'gc.auto=0',
    '-c',
    'maintenance.auto=false',
    '-c',
    'user.name=bench',
    '-c',
    'user.email=bench@example.com',
  ]
  run({ command: [...git, 'init', '-q'], cwd: repository })
  run({ command: [...git, 'add', '.'], cwd: repository })
  run({ command: [...git, 'commit', '-q', '-m', 'The site'], cwd: repository })
  return {
    ...{ folder, repository, content, braces },
    out: join(repository, 'dist'),
    state: join(repository, '.shotpress'),
    setAside: (...paths) => {
      const aside = mkdtempSync(join(folder, 'aside-'))
      for (const path of paths) if (existsSync(path)) renameSync(path, join(aside, basename(path)))
    },
  }
}
