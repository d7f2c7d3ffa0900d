import { runGit } from './run.ts'

/** A commit: who wrote it, as the commit itself says, and the files that it changed. */
export type Commit = {
  readonly author: Author
  /** Paths below the folder that was asked for, with `/`. */
  readonly files: readonly string[]
}

export type Author = { readonly name: string; readonly email: string }

type Asked = {
  /** The top of the work tree. */
  readonly top: string
  /** Path of a folder below the top, with `/`; empty for the top itself. */
  readonly folder: string
  /** Which commits, as git takes them: `HEAD`, or `main..HEAD`. */
  readonly range: string
  /** Only what changed files in these folders, which lie below that one. */
  readonly inside: readonly string[]
}

/** Commits, merges left aside, newest first; `undefined` if the repository is shallow: its history is cut off. */
export const readCommits = ({ top, folder, range, inside }: Asked): readonly Commit[] | undefined => {
  if (runGit(top, ['rev-parse', '--is-shallow-repository'])?.toString().trim() !== 'false') return undefined
  const prefix = folder === '' ? '' : `${folder}/`
  const list = runGit(top, [
    '--literal-pathspecs',
    'log',
    ...plainly,
    '--format=%x01%ae%x00=%an',
    range,
    '--',
    ...inside.map((one) => prefix + one),
  ])
  return list === undefined ? undefined : [...commits(list.toString(), prefix)]
}

/** Whatever the user's settings are; the mail map could be a stranger's. */
const plainly = [
  '-z',
  '--name-only',
  '--no-merges',
  '--no-renames',
  '--no-mailmap',
  '--no-show-signature',
  '--no-relative',
  '--encoding=UTF-8',
]

/**
 * `\x01<email>\0=<name>\0\n<path>\0<path>\0`. Only an email follows `\0\x01`: a name may begin with `\x01`, but not with
 * the `=` before it, and a path begins with the folder's.
 */
function* commits(list: string, prefix: string): Generator<Commit> {
  for (const one of list.split('\0\u0001').filter((text) => text !== '')) {
    const [email, name, ...paths] = one.split('\0')
    const files = paths.map((file) => file.replace(/^\n/, '')).filter((file) => file !== '')
    yield {
      author: { name: name!.slice(1), email: email!.replace(/^\u0001/, '') },
      files: files.map((file) => file.slice(prefix.length)),
    }
  }
}
