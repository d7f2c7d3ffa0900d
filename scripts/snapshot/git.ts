import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** The index of the repository that a folder is in: what git knows of each file, its hash and its last stat. */
export type GitIndex = {
  /** When git wrote it, in whole seconds. */
  readonly seconds: number
  /** Runs a git command in the folder and takes its NUL-ended answers one by one; says whether it could. */
  readonly ask: (args: readonly string[], take: (entry: string) => void) => Promise<boolean>
}

/**
 * Finds the index; `undefined` where there is no repository or no git. The folder is a stranger's, and a repository
 * may be in it: its settings can name programs to run. So git is only asked where the index and the objects are, then
 * works with them in `gitDir`, an empty repository that is made for it, without any settings.
 */
export const openGitIndex = async (folder: string, gitDir: string): Promise<GitIndex | undefined> => {
  const found = await locate(folder)
  const stat = found && fs.statSync(found.index, { throwIfNoEntry: false })
  if (found === undefined || stat === undefined) return undefined
  makeEmptyRepository(gitDir, found)
  const env = {
    ...environment(() => false),
    GIT_DIR: gitDir,
    GIT_WORK_TREE: found.workTree,
    GIT_INDEX_FILE: found.index,
    GIT_OBJECT_DIRECTORY: found.objects,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_OPTIONAL_LOCKS: '0',
  }
  return {
    seconds: Math.floor(stat.mtimeMs / 1000),
    ask: (args, take) => {
      let rest = ''
      return git(folder, { args, env }, (text) => {
        const entries = (rest + text).split('\0')
        rest = entries.pop()!
        for (const entry of entries) take(entry)
      })
    },
  }
}

type Repository = {
  readonly workTree: string
  readonly index: string
  readonly objects: string
  readonly attributes: string
}

/** Asks where things are, which makes git read settings and act on none. */
const locate = async (folder: string): Promise<Repository | undefined> => {
  let text = ''
  const wanted = [
    '--show-toplevel',
    ...['index', 'objects', 'info/attributes'].flatMap((name) => ['--git-path', name]),
  ]
  const args = ['-c', 'safe.bareRepository=explicit', 'rev-parse', '--path-format=absolute', ...wanted]
  // where a user trusts a folder is a setting that must hold
  const env = environment((name) => name.startsWith('GIT_CONFIG'))
  const could = await git(folder, { args, env }, (part) => {
    text += part
  })
  const [workTree, index, objects, attributes, ...rest] = text.split('\n')
  return could && attributes !== undefined && rest.join() === ''
    ? { workTree: workTree!, index: index!, objects: objects!, attributes }
    : undefined
}

/** The attributes are kept: they say which files have another form in the repository. */
const makeEmptyRepository = (gitDir: string, { attributes }: Repository): void => {
  for (const name of ['refs', 'info']) fs.mkdirSync(path.join(gitDir, name), { recursive: true })
  fs.writeFileSync(path.join(gitDir, 'HEAD'), 'ref: refs/heads/none\n')
  if (fs.statSync(attributes, { throwIfNoEntry: false })?.isFile())
    fs.copyFileSync(attributes, path.join(gitDir, 'info/attributes'))
}

/** Without what git was told of a repository, such as by a hook that runs the build. */
const environment = (keep: (name: string) => boolean): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || keep(name)))

const git = (
  folder: string,
  { args, env }: { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv },
  take: (text: string) => void,
): Promise<boolean> =>
  new Promise((resolve) => {
    // not started inside the folder, where some systems would look for a program of that name
    const child = spawn('git', ['-C', folder, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.setEncoding('utf8').on('data', take)
    child.on('error', () => resolve(false))
    child.on('close', (status) => resolve(status === 0))
  })
