import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { UserError } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import { isOneFile, join, realPath, type Spot } from './folder.ts'
import { findProgram } from './program.ts'

/** A file of a revision. */
export type TreeFile = {
  /** Path below the folder that was asked for, with `/`. */
  readonly path: string
  /** Whether it is a plain file: not a link, not a submodule. */
  readonly plain: boolean
  /** The hash by which git knows the bytes, as hex. */
  readonly oid: string
}

/** The files that a folder of a work tree had at a revision. */
export type Tree = ReturnType<typeof readTree>

export type Author = { readonly name: string; readonly email: string }

/**
 * A commit: who wrote it, as the commit itself says, and the files that it changed below the
 * folder asked for.
 */
export type Commit = { readonly author: Author; readonly files: readonly string[] }

/**
 * Lists the files of a folder, as they were at a revision of the repository that holds it.
 * `top` is the work tree, `prefix` the folder's path below it, empty or with `/` at its end,
 * and `commit` a hash.
 */
export const readTree = (folder: string, revision: string) => {
  if (revision.startsWith('-')) {
    throw new UserError(`a revision does not begin with a dash: ${quote(revision)}`, {
      hint: 'write --base main, or a folder such as ../main/content',
    })
  }
  const { top, prefix } = repositoryOf(folder)
  if (top === undefined || runGit(top, ['rev-parse', '--git-dir']) === undefined) {
    throw new UserError(`${quote(folder)} is in no git repository that can be read`, {
      hint: 'name a folder of content instead, such as --base ../main/content',
    })
  }
  const named = [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${revision}^{commit}`,
  ]
  const commit = runGit(top, named)?.toString().trim()
  if (commit === undefined) {
    throw new UserError(`the repository has no revision ${quote(revision)}`, {
      hint: 'fetch it first; in a GitHub workflow, give actions/checkout fetch-depth: 0',
    })
  }
  const inside = prefix === '' ? [] : ['--', prefix]
  const list = runGit(top, [
    '--literal-pathspecs',
    'ls-tree',
    '-r',
    '-z',
    '--full-tree',
    commit,
    ...inside,
  ])
  if (list === undefined) {
    throw new UserError(`git can't list the files of ${quote(revision)}`, {
      hint: 'look at what git fsck says; a partial clone may lack them: git fetch --refetch --no-filter',
    })
  }
  // `<mode> <type> <oid>\t<path>`, each ended by a zero byte
  const entries = list.toString().matchAll(/(\d+) (\w+) (\w+)\t([^\0]*)\0/gy)
  const files = Array.from(entries, ([, mode = '', type, oid = '', file = '']): TreeFile => {
    return {
      path: file.slice(prefix.length),
      plain: type === 'blob' && mode.startsWith('100'),
      oid,
    }
  })
  return { top, prefix, commit, files }
}

/**
 * The work tree that a folder lies in, and its path below that, empty or with `/` at its end.
 */
export const repositoryOf = (folder: string) => {
  const real = realPath(folder)
  const top = findTop(real)
  const below = path.relative(top ?? real, real).replaceAll(path.sep, '/')
  return { top, prefix: below && `${below}/` }
}

/**
 * The nearest folder with a `.git`, which no commit can hold. Git itself would take for a
 * repository whatever folder has a `HEAD`, `objects` and `refs`, and a branch can bring
 * those.
 */
const findTop = (folder: string): string | undefined => {
  if (fs.existsSync(path.join(folder, '.git'))) return folder
  const parent = path.dirname(folder)
  return parent === folder ? undefined : findTop(parent)
}

/** Reads blobs, raw: no filter and no conversion of line ends. Calls back in the order given. */
export const readBlobs = (
  top: string,
  oids: readonly string[],
  take: (bytes: Buffer, number: number) => void,
): void => {
  for (let start = 0; start < oids.length; start += blobsAtATime) {
    const some = oids.slice(start, start + blobsAtATime)
    const answer = runGit(top, ['cat-file', '--batch'], `${some.join('\n')}\n`)
    let at = 0
    some.forEach((oid, number) => {
      const end = answer?.indexOf(10, at) ?? -1
      const [, type, size] =
        answer?.toString('latin1', at, Math.max(at, end)).split(' ') ?? []
      if (answer === undefined || type !== 'blob') {
        throw new UserError(`git can't read the object ${oid}`, {
          hint: 'look at what git fsck says; a partial clone may lack it: git fetch --refetch --no-filter',
        })
      }
      at = end + 1 + Number(size)
      take(answer.subarray(end + 1, at), start + number)
      at++
    })
  }
}

const blobsAtATime = 250

/** A path that is not the same at a revision and now. */
export type ChangedPath = {
  /** From the top of the work tree. A name that is no UTF-8 has U+FFFD in it. */
  readonly path: string
  /** Modes as git has them, `100644`; zeros where nothing is. `?` if it is not committed. */
  readonly modes: readonly [before: string, after: string]
  /** Bytes of the file before and after. */
  readonly sizes: readonly [before: number, after: number]
}

/**
 * All that changed in a repository between a revision and its HEAD, as the trees say it: no
 * filter, no attributes and no renames, submodules included; and what is not committed.
 */
export const readChanges = ({
  top,
  commit,
}: Pick<Tree, 'top' | 'commit'>): readonly ChangedPath[] => {
  const settings = [
    '--no-renames',
    '--no-abbrev',
    '--no-ext-diff',
    '--ignore-submodules=none',
    '--raw',
  ]
  const trees = runGit(top, [
    'diff-tree',
    '-r',
    '-z',
    '--no-relative',
    ...settings,
    commit,
    'HEAD',
  ])
  const all = ['--untracked-files=all', '--ignore-submodules=none', '--no-renames']
  const loose = runGit(top, ['status', '--porcelain=v1', '-z', ...all])
  if (trees === undefined || loose === undefined) {
    throw new UserError("git can't tell what changed", {
      hint: 'look at what git status says; a shallow clone may lack the base: git fetch --unshallow',
    })
  }
  // `:<mode> <mode> <oid> <oid> <status>\0<path>\0`
  const changed = [...trees.toString().matchAll(/:(\d+) (\d+) (\w+) (\w+) \w+\0([^\0]+)\0/gy)]
  const sizes = sizesOf(
    top,
    changed.flatMap(([, , , before = '', after = '']) => [before, after]),
  )
  const committed = changed.map(([, from = '', to = '', , , path = ''], at): ChangedPath => {
    return { path, modes: [from, to], sizes: [sizes[2 * at] ?? 0, sizes[2 * at + 1] ?? 0] }
  })
  // `XY <path>\0`
  const uncommitted = [...loose.toString().matchAll(/.. ([^\0]+)\0/gy)].map(
    ([, path = '']): ChangedPath => {
      return { path, modes: ['?', '?'], sizes: [0, 0] }
    },
  )
  return [...committed, ...uncommitted]
}

/** The bytes of blobs; 0 for what is none. */
const sizesOf = (top: string, oids: readonly string[]): readonly number[] => {
  const answer = runGit(
    top,
    ['cat-file', '--batch-check=%(objecttype) %(objectsize)'],
    oids.join('\n'),
  )
  const lines = answer?.toString().split('\n') ?? []
  return oids.map((_, at) => Number(/^blob (\d+)$/.exec(lines[at] ?? '')?.[1] ?? 0))
}

/**
 * Commits of a range (`HEAD`, `main..HEAD`) that changed files in folders below the tree's,
 * merges left aside, newest first; `undefined` if the repository is shallow: its history is
 * cut off.
 */
export const readCommits = (
  { top, prefix }: Tree,
  { range, inside }: { readonly range: string; readonly inside: readonly string[] },
): readonly Commit[] | undefined => {
  if (runGit(top, ['rev-parse', '--is-shallow-repository'])?.toString().trim() !== 'false')
    return undefined
  const list = runGit(top, [
    ...[
      '--literal-pathspecs',
      'log',
      '-z',
      '--name-only',
      '--format=%x01%ae%x00=%an',
      '--encoding=UTF-8',
    ],
    // whatever the user's settings are; the mail map could be a stranger's
    ...[
      '--no-merges',
      '--no-renames',
      '--no-mailmap',
      '--no-show-signature',
      '--no-relative',
    ],
    range,
    '--',
    ...inside.map((one) => prefix + one),
  ])
  // `\x01<email>\0=<name>\0\n<path>\0<path>\0`: as a name has its `=`, and a path the
  // folder's, only an email follows `\0\x01`
  const commits = list?.toString().split('\0\u0001')
  return commits
    ?.filter((text) => text !== '')
    .map((text) => {
      const [email = '', name = '', ...paths] = text.split('\0')
      const files = paths.map((file) => file.replace(/^\n/, '')).filter((file) => file !== '')
      return {
        author: { name: name.slice(1), email: email.replace(/^\u0001/, '') },
        files: files.map((file) => file.slice(prefix.length)),
      }
    })
}

/**
 * The names by which git tracks a file that is there: its own in any letter case, or others
 * that this disk takes for the same; seen from the work tree. `undefined` if no repository
 * holds it, or git can't say, as it tracks none of `known`: an archive may have been unpacked
 * in somebody's work tree.
 */
export const findTracked = (
  { root, below }: Spot,
  known: readonly string[],
): readonly string[] | undefined => {
  const top = findTop(path.dirname(join(root, below)))
  if (top === undefined || findProgram('git') === undefined) return undefined
  const name = path.posix.basename(below)
  const others = known.map((file) => path.relative(top, file).replaceAll(path.sep, '/'))
  const wanted = [`:(icase,glob)**/${name}`, ...others.map((file) => `:(literal)${file}`)]
  const list = runGit(top, ['ls-files', '-z', '--', ...wanted])
  const fold = (file: string) => file.replaceAll(path.sep, '/').normalize().toLowerCase()
  const own = path.join(path.relative(top, root), below)
  const all = list?.toString().split('\0').slice(0, -1) ?? []
  const tracked = all.filter(
    (file) =>
      fold(file) === fold(own) || isOneFile(path.join(top, file), path.join(top, own)),
  )
  return tracked.length > 0 || all.some((file) => others.includes(file)) ? tracked : undefined
}

/** What git wrote to stdout; `undefined` if it said no. `input` goes to stdin. */
const runGit = (top: string, args: readonly string[], input?: string): Buffer | undefined => {
  const git = findProgram('git')
  if (git === undefined) {
    throw new UserError('git is not installed', {
      hint: 'name a folder of content instead, such as ../main/content',
    })
  }
  const { status, stdout, error } = spawnSync(git, [...safely, '-C', top, ...args], {
    env: environment(),
    input,
    maxBuffer: Number.MAX_SAFE_INTEGER,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  if (error !== undefined) throw error
  return status === 0 ? stdout : undefined
}

/** Nothing that the config of a repository names is run. */
const safely = [
  '--no-replace-objects',
  '-c',
  'safe.bareRepository=explicit',
  '-c',
  'core.fsmonitor=false',
]

/**
 * What the user set for git in general, but not another repository. A partial clone would
 * fetch what is missing, and so run what its config names: older versions of git know the
 * third line alone.
 */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('GIT_') || name.startsWith('GIT_CONFIG'),
    ),
  ),
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
})
