import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** The repository that a folder is in. */
export type Repository = {
  /** Path of the index: what git knows of each file. */
  readonly index: string
  /** Path of the work tree. */
  readonly top: string
  /** Where the folder is in the work tree; empty at the top, else it ends with a slash. */
  readonly prefix: string
}

/**
 * Finds the repository of a folder. None where there is no git, where git doesn't trust it, or where attributes of the
 * repository say that YAML files have another form in it than on disk. The folder is a stranger's and may hold a
 * repository, whose settings can name programs to run: so git is only asked where things are, which runs none.
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
    // settings may be where no answer comes from, such as in a named pipe
    timeout: 5000,
    killSignal: 'SIGKILL',
  })
  const [top, prefix, format, index, attributes, ...rest] = (stdout ?? '').split('\n')
  if (status !== 0 || attributes === undefined || rest.join() !== '' || format !== 'sha1') return undefined
  const known = [attributes, ...attributesAbove(top!, prefix!)]
  return known.some(convertsYaml) ? undefined : { index: index!, top: top!, prefix: prefix! }
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

/** Whether attributes may give YAML files another form on disk than they have in the repository. */
export const convertsYaml = (file: string): boolean => {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return false
  if (!stat.isFile() || stat.size > 1 << 20) return true
  return fs.readFileSync(file, 'latin1').split('\n').some(mayConvertYaml)
}

/** Line ends are left out: they show in a file's size. */
const mayConvertYaml = (line: string): boolean =>
  /\b(filter|ident|working-tree-encoding)\b/.test(line) && !isComment.test(line) && !isForOthers.test(line)

const isComment = /^[ \t]*#/

/** A pattern that ends in a file name extension, and in another one. */
const isForOthers = /^[ \t]*[^\s"[]*\.(?!ya?ml[ \t])\w+[ \t]/i
