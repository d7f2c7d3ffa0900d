import { spawn } from 'node:child_process'
import path from 'node:path'
import { findEntry, makeFolder } from '../../files/folder.ts'
import { moveFile } from '../../files/move.ts'
import { findProgram } from '../../files/program.ts'
import { replaceFile } from '../../files/write.ts'
import { UserError } from '../../problems/user-error.ts'
import { readLines } from '../../sums/read.ts'
import { failureOf, saysNothingThere } from './failure.ts'
import type { Store } from './store.ts'

export type RcloneOptions = {
  /** A folder for lists that rclone reads, and for what it fetches. */
  readonly own: string
  /** Its settings of rclone take precedence over those made here. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Files that one rclone moves at most: it keeps a kilobyte and a half of each in memory. */
  readonly most?: number
}

/**
 * A remote that rclone moves files to.
 *
 * Each file takes one request. rclone neither lists the remote nor looks at what it holds: the list of what was
 * published says that.
 */
export const createRcloneStore = (remote: string, { own, env, most = 100_000 }: RcloneOptions): Store => {
  const run = (args: readonly string[]): Promise<Ended> => rclone(args, { remote, env })
  /** Runs rclone with the files of a list. */
  const runWith = async (list: string, args: readonly string[]): Promise<void> => {
    for (const piece of piecesOf(list, { own, most })) {
      const { status, stderr } = await run([...args, '--files-from-raw', piece])
      if (status !== 0) throw failureOf(stderr, remote)
    }
  }
  return {
    fetch: async (name, { root, below }) => {
      const list = `fetch-${below}`
      replaceFile(own, list, `${name}\n`)
      const into = makeFolder(own, `into-${below}`)
      const { status, stderr } = await run(['copy', remote, into, '--files-from-raw', path.join(own, list)])
      if (status !== 0 && !saysNothingThere(stderr)) throw failureOf(stderr, remote)
      if (status !== 0 || !findEntry(into, name)?.isFile()) return false
      moveFile({ root: into, below: name }, { root, below })
      return true
    },
    fetchFolder: async (name, into) => {
      const { status, stderr } = await run(['copy', inside(remote, name), into])
      if (status !== 0 && !saysNothingThere(stderr)) throw failureOf(stderr, remote)
    },
    prepare: async () => {},
    upload: async ({ from, list, headers }) => {
      const flags = Object.entries(headers).flatMap(([name, value]) => [
        '--header-upload',
        `${name}: ${value}`,
      ])
      await runWith(list, ['copy', from, remote, '--no-check-dest', ...flags])
    },
    remove: (list) => runWith(list, ['delete', remote]),
    close: () => {},
  }
}

/** A list as lists of so many lines at most. Each is there until the next one is asked for. */
function* piecesOf(
  list: string,
  { own, most }: { readonly own: string; readonly most: number },
): Generator<string> {
  let [text, count] = ['', 0]
  const write = (): string => {
    replaceFile(own, 'piece', text)
    text = ''
    count = 0
    return path.join(own, 'piece')
  }
  for (const line of readLines(path.dirname(list), path.basename(list))) {
    text += `${line}\n`
    if (++count === most) yield write()
  }
  if (count > 0) yield write()
}

type Ended = { readonly status: number | null; readonly stderr: string }

const settings = {
  // files are small, so most of the time goes into waiting for answers
  RCLONE_TRANSFERS: '32',
  RCLONE_CHECKERS: '32',
  // a second try of the whole would upload everything again; single requests are tried ten times
  RCLONE_RETRIES: '1',
  // no other request than the upload; the store refuses a body that was changed on its way by its MD5
  RCLONE_NO_TRAVERSE: 'true',
  RCLONE_S3_NO_CHECK_BUCKET: 'true',
  RCLONE_S3_NO_HEAD: 'true',
  RCLONE_S3_NO_HEAD_OBJECT: 'true',
  RCLONE_GCS_NO_CHECK_BUCKET: 'true',
  RCLONE_AZUREBLOB_NO_CHECK_CONTAINER: 'true',
  RCLONE_AZUREBLOB_NO_HEAD_OBJECT: 'true',
}

const rclone = (
  args: readonly string[],
  { remote, env }: { readonly remote: string; readonly env: RcloneOptions['env'] },
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    // it writes twenty times a second, so it ends soon after this process is gone and nobody reads that
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
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < 1 << 16) stderr += text.replace(/^.*NOTICE:.*\n/gm, '')
    })
    child.on('error', reject)
    child.on('close', (status, signal) => {
      const ended = signal === null ? '' : `ERROR : ended by ${signal}\n`
      resolve({ status, stderr: `${ended}${stderr}` })
    })
  })

/** A path below a remote: `store:bucket` and `a` are `store:bucket/a`, `store:` and `a` are `store:a`. */
const inside = (remote: string, name: string): string =>
  /[:/]$/.test(remote) ? `${remote}${name}` : `${remote}/${name}`
