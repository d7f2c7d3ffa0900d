import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import {
  createFolderOf,
  findEntry,
  findFolder,
  makeFolder,
  makeRoot,
  readFile,
  realPath,
} from '../files/folder.ts'
import { findProgram } from '../files/program.ts'
import {
  moveFile,
  remove,
  removeEmpty,
  removeIfEmpty,
  replaceFile,
  respell,
  writeNew,
} from '../files/write.ts'
import { UserError } from '../problems/diagnostic.ts'

/**
 * The headers that a store keeps with a file, by name. Those of the contract that hold for
 * every answer are not a file's.
 */
export type StoredHeaders = Readonly<Record<string, string>>

/**
 * Folder at the remote for what deployments keep there: files that are staged, and a marker
 * of each deployment of a shard, for the one that ends them all.
 */
export const deployFolder = '.shotpress-deploy.d'

/** Paths of files that go to the remote, or from it, together. */
export type Batch = { readonly paths: readonly string[]; readonly headers: StoredHeaders }

/** Where a snapshot is published. Every failure is a UserError in plain words. */
export type Store = {
  /** A file of the remote, if it has it. One request. */
  readonly fetch: (path: string) => Promise<Buffer | undefined>
  /** The files of a folder of the remote, which may be missing, by name. */
  readonly fetchFolder: (path: string) => Promise<ReadonlyMap<string, Buffer>>
  /**
   * Puts files of a folder in the same places there, each in one step, one batch after the
   * other, and calls back after each. Where files are made ready at the remote first, all of
   * them are before the first one moves, so that a full one is noticed early.
   */
  readonly upload: (
    from: string,
    batches: readonly Batch[],
    onUploaded?: (batch: Batch) => void,
  ) => Promise<void>
  /** Removes files; those that are gone already are no failure. */
  readonly remove: (paths: readonly string[]) => Promise<void>
  /** Closes the remote, and removes what was made ready and not used. */
  readonly close: () => void
}

/** The plain files of a folder of this machine, by name. */
const filesIn = (folder: string | undefined): ReadonlyMap<string, Buffer> =>
  new Map(
    (folder ? fs.readdirSync(folder) : []).flatMap((name) => {
      const bytes = readFile(folder!, name)
      return bytes ? [[name, bytes]] : []
    }),
  )

/**
 * Files that are ready to be put in their places, in the folder itself: a rename needs the
 * same disk.
 */
const stage = `${deployFolder}/stage`

/**
 * A folder of this machine, or one that is mounted. New files are copied into it first, then
 * renamed into place. Until then nothing in it is made or removed.
 */
export const createFolderStore = (folder: string): Store => {
  let existing = fs.existsSync(folder) ? openRoot(folder) : undefined
  const parent = path.dirname(folder)
  if (existing === undefined && !fs.existsSync(parent)) {
    throw new UserError(
      `there is no folder "${parent}", in which "${folder}" would be made`,
      {
        hint: 'make it first, or look for a slip in the name',
      },
    )
  }
  let begun = false
  const begin = () => {
    if (existing === undefined) makeRoot(folder)
    existing ??= openRoot(folder)
    if (!begun) remove(existing, stage) // what a broken-off deployment left
    begun = true
    return existing
  }
  return {
    fetch: async (name) => {
      if (existing === undefined) return undefined
      refuseFolder(existing, name)
      return readFile(existing, name)
    },
    fetchFolder: async (name) => filesIn(existing && findFolder(existing, name)),
    upload: async (from, batches, onUploaded = () => {}) => {
      const root = begin()
      for (const { paths } of batches) stageFiles(root, from, paths)
      const makeTarget = createFolderOf(root)
      for (const batch of batches) {
        for (const file of batch.paths) {
          if (!isSpeltSo(makeTarget(file))) respell(root, path.posix.dirname(file))
          moveFile({ root, below: `${stage}/${file}` }, { root, below: file })
        }
        onUploaded(batch)
      }
    },
    remove: async (paths) => {
      const root = begin()
      for (const file of paths) {
        if (!isReachable(root, file) || !isSpeltSo(path.dirname(path.join(root, file))))
          continue
        // a list names files: a folder of that name is somebody else's
        if (findEntry(root, file)?.isDirectory()) continue
        remove(root, file)
        removeEmpty(root, path.posix.dirname(file))
      }
    },
    close: () => {
      if (!begun || existing === undefined) return
      remove(existing, stage)
      removeIfEmpty(existing, deployFolder)
    },
  }
}

const openRoot = (folder: string) => {
  const root = realPath(folder)
  if (fs.statSync(root).isDirectory()) return root
  throw new UserError(`"${folder}" is not a folder`, {
    hint: 'name a folder, or an rclone remote: store:bucket/path',
  })
}

/** Copies files into the stage. */
const stageFiles = (root: string, from: string, paths: readonly string[]) => {
  const staged = makeFolder(root, stage)
  const makeParent = createFolderOf(staged)
  for (const file of paths) {
    makeParent(file)
    if (isReachable(root, file)) refuseFolder(root, file)
    const source = timeOf(from, file)
    const bytes = readFile(from, file)
    if (source === undefined || bytes === undefined) {
      throw new UserError(`"${file}" is gone from the snapshot`, {
        hint: 'build it anew, and deploy again',
      })
    }
    writeNew(staged, file, bytes)
    // servers make ETags of size and time, so no file has the time of the one that it
    // replaces; a build has eight seconds
    const replaced = timeOf(root, file) ?? 0
    const time = source > replaced ? source : replaced + 8
    fs.utimesSync(path.join(staged, file), time, time)
  }
}

/** Time of change in whole seconds. */
const timeOf = (root: string, file: string) => {
  const stat = isReachable(root, file) ? findEntry(root, file) : undefined
  return stat && Math.floor(stat.mtimeMs / 1000)
}

/** No file can replace a folder, and what is in that folder is not ours to remove. */
const refuseFolder = (root: string, file: string) => {
  if (!findEntry(root, file)?.isDirectory()) return
  throw new UserError(
    `"${path.join(root, file)}" is a folder, and a file of that name has to go there`,
    {
      hint: 'move the folder away, or publish to another one',
    },
  )
}

const isReachable = (root: string, file: string) => {
  const parent = path.posix.dirname(file)
  return parent === '.' || findFolder(root, parent) !== undefined
}

/** Whether a folder has this letter case on the disk, as far as that tells it. */
const isSpeltSo = (folder: string) => realPath(folder) === folder

/** Settings of rclone in it take precedence over those made here. */
type Environment = Readonly<Record<string, string | undefined>>

/**
 * A remote that rclone moves files to; `own` is a folder for lists that it reads, and for
 * what it fetches. Each file takes one request. rclone neither lists the remote nor looks at
 * what it holds: the list of what was published says that.
 */
export const createRcloneStore = (
  remote: string,
  { own, env }: { readonly own: string; readonly env: Environment },
): Store => {
  refuseLocal(remote, env)
  const run = (args: readonly string[]) => rclone(args, { remote, env })
  const runWith = async (
    paths: readonly string[],
    args: readonly string[],
  ): Promise<void> => {
    replaceFile(own, 'list', paths.map((file) => `${file}\n`).join(''))
    const problem = await run([...args, '--files-from-raw', path.join(own, 'list')])
    if (problem !== undefined) throw failureOf(problem, remote)
  }
  /** Copies what is there into an empty folder; `undefined` if there is nothing. */
  const copy = async (from: string, folder: string, ...args: string[]) => {
    remove(own, folder)
    const into = makeFolder(own, folder)
    const problem = await run(['copy', from, into, ...args])
    if (problem === undefined) return into
    if (saysNothingThere(problem)) return undefined
    throw failureOf(problem, remote)
  }
  return {
    fetch: async (name) => {
      replaceFile(own, `fetch-${name}`, `${name}\n`)
      const list = path.join(own, `fetch-${name}`)
      const into = await copy(remote, `into-${name}`, '--files-from-raw', list)
      return into === undefined ? undefined : readFile(into, name)
    },
    fetchFolder: async (name) => filesIn(await copy(inside(remote, name), 'shards')),
    upload: async (from, batches, onUploaded = () => {}) => {
      for (const batch of batches) {
        const headers = Object.entries(batch.headers)
        const flags = headers.flatMap((header) => ['--header-upload', header.join(': ')])
        await runWith(batch.paths, ['copy', from, remote, '--no-check-dest', ...flags])
        onUploaded(batch)
      }
    },
    remove: (paths) => runWith(paths, ['delete', remote]),
    close: () => {},
  }
}

/** rclone follows links where it writes on this machine; a deployment to a folder does not. */
const refuseLocal = (remote: string, env: Environment) => {
  const [, connection, name] = /^(?::(\w+)[,:]|([^:,]+)[,:])/.exec(remote) ?? []
  const type =
    connection ?? env[`RCLONE_CONFIG_${name?.toUpperCase().replaceAll('-', '_')}_TYPE`]
  if (type !== 'local') return
  throw new UserError(`"${remote}" is a folder of this machine`, {
    hint: 'name the folder itself, such as ./public',
  })
}

const settings = {
  // files are small, so most of the time goes into waiting for answers
  RCLONE_TRANSFERS: '32',
  RCLONE_CHECKERS: '32',
  // a second try of the whole would upload everything again; single requests are tried ten times
  RCLONE_RETRIES: '1',
  // no other request than the upload; the store refuses a body that was changed on its way by
  // its MD5
  RCLONE_NO_TRAVERSE: 'true',
  RCLONE_S3_NO_CHECK_BUCKET: 'true',
  RCLONE_S3_NO_HEAD: 'true',
  RCLONE_S3_NO_HEAD_OBJECT: 'true',
  RCLONE_GCS_NO_CHECK_BUCKET: 'true',
  RCLONE_AZUREBLOB_NO_CHECK_CONTAINER: 'true',
  RCLONE_AZUREBLOB_NO_HEAD_OBJECT: 'true',
  // a hash is a command for each file; SSH itself finds bytes that were changed on their way
  RCLONE_SFTP_DISABLE_HASHCHECK: 'true',
  // an sshd refuses some of more than ten connections that begin at once
  RCLONE_SFTP_CONNECTIONS: '8',
}

/** Runs it; gives what it says of a failure, and `undefined` if all went well. */
const rclone = (
  args: readonly string[],
  { remote, env }: { readonly remote: string; readonly env: Environment },
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    // it writes twenty times a second, so it ends soon after this process is gone and nobody
    // reads that
    const alive = ['--stats', '50ms', '--stats-one-line', '--stats-log-level', 'NOTICE']
    const program = findProgram('rclone')
    if (program === undefined) {
      throw new UserError(`rclone is not installed, and "${remote}" needs it`, {
        hint: 'https://rclone.org has it, and so have most systems; to publish to a folder, write ./folder',
      })
    }
    const child = spawn(program, [...args, ...alive], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...settings, ...env },
      windowsHide: true,
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < 1 << 16)
        stderr += text.replace(/^(?:(?!NOTICE:).)*NOTICE:.*\n/gm, '')
    })
    child.on('error', reject)
    child.on('close', (status, signal) => {
      const ended = signal === null ? '' : `ERROR : ended by ${signal}\n`
      resolve(status === 0 ? undefined : ended + stderr)
    })
  })

/**
 * A path below a remote: `store:bucket` and `a` are `store:bucket/a`, `store:` and `a` are
 * `store:a`.
 */
const inside = (remote: string, name: string) =>
  /[:/]$/.test(remote) ? `${remote}${name}` : `${remote}/${name}`

/** Why rclone did not do what it was asked to, in its own words. */
const failureOf = (stderr: string, remote: string) =>
  new UserError(`rclone failed with "${remote}": ${reasonIn(stderr)}`, {
    hint: 'what is published stays as it is; mend that, and run again to complete it',
  })

/** Whether a store says that a file isn't there; a missing bucket is another matter. */
const saysNothingThere = (stderr: string) =>
  absent.some((sign) => stderr.includes(sign)) &&
  !noBucket.some((sign) => stderr.includes(sign))

const absent = [
  'NoSuchKey',
  'object not found',
  'directory not found',
  "object doesn't exist",
  'BlobNotFound',
  'status code: 404',
]
const noBucket = [
  'NoSuchBucket',
  'ContainerNotFound',
  'bucket does not exist',
  "bucket doesn't exist",
]

/** The first line that says what went wrong, without the time. */
const reasonIn = (stderr: string) => {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const isError = (line: string) =>
    /ERROR\s*:|Failed to|CRITICAL|Fatal error|^Error:/.test(line)
  const reason = lines.find(isError) ?? lines[0] ?? 'no reason given'
  return reason.trim().replace(/^\d{4}\/\d\d\/\d\d [\d:]+ (?:ERROR\s*:\s*)?/, '')
}
