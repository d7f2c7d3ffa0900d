import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** The repository that a folder is in. */
export type Repository = {
  /** Path of the index: what git knows of each file. */
  readonly index: string
  /** Where the folder is in the work tree; empty at the top, else it ends with a slash. */
  readonly prefix: string
}

/**
 * Finds the repository of a folder. None where there is no git, where git doesn't trust it, or where files of ours may
 * have another form in it than they have on disk. The folder is a stranger's and may hold a repository, whose settings
 * can name programs to run: so git is only asked where things are, which runs none.
 */
export const findRepository = (folder: string): Repository | undefined => {
  const asked = ['--show-toplevel', '--show-prefix', '--show-object-format']
  const paths = ['index', 'info/attributes'].flatMap((name) => ['--git-path', name])
  const args = [
    '-c',
    'safe.bareRepository=explicit',
    'rev-parse',
    '--path-format=absolute',
    ...asked,
    ...paths,
  ]
  // not started inside the folder, where some systems would look for a program of that name
  const { status, stdout } = spawnSync('git', ['-C', folder, ...args], {
    env: environment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [top, prefix, format, index, attributes, ...rest] = (stdout ?? '').split('\n')
  if (status !== 0 || attributes === undefined || rest.join() !== '' || format !== 'sha1') return undefined
  const known = [attributes, ...attributesAbove(top!, prefix!)]
  return isFile(index!) && !known.some(filtersYaml) ? { index: index!, prefix: prefix! } : undefined
}

/** Without what git was told of a repository, such as by a hook; which folders a user trusts must hold, though. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || name.startsWith('GIT_CONFIG')),
  )

/** The attributes of the folder and of those that it is in, up to the top of the work tree. */
const attributesAbove = (top: string, prefix: string): string[] => {
  const parts = prefix.split('/').slice(0, -1)
  return [top, ...parts.map((_, end) => path.join(top, ...parts.slice(0, end + 1)))].map((folder) =>
    path.join(folder, attributesFile),
  )
}

/** Name of the files in which git is told what to do with others in the same folder and below. */
export const attributesFile = '.gitattributes'

/** Whether attributes have a program between the repository and files that may be YAML. */
export const filtersYaml = (file: string): boolean => {
  if (!isFile(file)) return false
  if (fs.statSync(file).size > 1 << 20) return true
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  return lines.some((line) => /\bfilter\b/.test(line) && !/^\s*(#|[^\s"[]*\.(?!ya?ml\b)\w+\s)/i.test(line))
}

const isFile = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() === true
