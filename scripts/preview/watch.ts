import { EventEmitter, once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ContentFolder, inMember, memberFolder, names } from '../content/layout.ts'
import { withGroups } from '../content/read/open.ts'
import { codeOf, mayPass } from '../problems/diagnostic.ts'

/**
 * The members that a change may have touched; `undefined` is anything. At 10,000 members with
 * 20 shots, a build that looks only at the member that changed takes 0.45 s of processor
 * time; one that looks at all of them takes 3.3 s.
 */
export type Touched = ReadonlySet<string> | undefined

export const merge = (one: Touched, other: Touched): Touched =>
  one && other && new Set([...one, ...other])

type Following = {
  /** Looks at what was touched; gets how often that has failed since it was done last. */
  readonly look: (touched: Touched, failures: number) => Promise<void>
  /**
   * Called at the second failure in a row: files come and go while they are read, so one is
   * no news.
   */
  readonly onFailure: (error: Error) => Promise<void> | void
}

/** Looks at a content folder now and after each change, for ever. The first look must not fail. */
export const followContent = async (
  root: string,
  { look, onFailure }: Following,
): Promise<never> => {
  const watcher = watchContent(root)
  let touched: Touched
  let failures = 0
  try {
    for (let first = true; ; first = false) {
      watcher.renew(touched)
      try {
        await look(touched, failures)
        failures = 0
        touched = await watcher.next()
      } catch (error) {
        if (first || !mayPass(error)) throw error
        if (++failures === 2) await onFailure(error)
        await sleep(1000)
        touched = undefined
      }
    }
  } finally {
    watcher.close()
  }
}

/** Watches a content folder. */
export const watchContent = (root: string) => {
  // site.yaml may say something else tomorrow
  let content = withGroups({ path: root, name: '' })
  let pending: Set<string> | undefined = new Set()
  let count = 0
  const changes = new EventEmitter()
  const onChange: OnChange = (file) => {
    const { username } = inMember(file?.replaceAll('\\', '/') ?? '', content)
    if (username !== '') pending?.add(username)
    else pending = undefined
    count++
    changes.emit('change')
  }
  const watching =
    process.platform === 'linux' ? watchFolders(root, onChange) : watchTree(root, onChange)
  return {
    renew: (touched: Touched): void => {
      content = withGroups(content)
      watching.renew(
        touched && new Set(Array.from(touched, (username) => topOf(username, content))),
      )
    },
    close: watching.close,
    /**
     * What has changed since the last time, as soon as something has and editors and git are
     * done with it.
     */
    next: async (): Promise<Touched> => {
      while (pending?.size === 0) await once(changes, 'change')
      for (let waitedMs = 0; waitedMs < longestBurstMs; waitedMs += quietMs) {
        const before = count
        await sleep(quietMs, undefined, { ref: false })
        if (count === before) break
      }
      const touched = pending
      pending = new Set()
      return touched
    },
  }
}

/** The folder of members/ in which a member's files lie: the member's own, or that of a group. */
const topOf = (username: string, content: ContentFolder): string =>
  memberFolder(username, content).split('/')[1] ?? ''

/**
 * After so long without an event a change is complete; one that goes on is taken as it is in
 * the end.
 */
const quietMs = 60
const longestBurstMs = 2000

/** Gets a path below the content folder; `null` is any. */
type OnChange = (file: string | null) => void
type Watching = {
  /**
   * Gets folders of members/. To be called before they are read: from then on no change in
   * them is missed.
   */
  readonly renew: (touched: Touched) => void
  readonly close: () => void
}

/** Where the system itself can watch a tree. */
const watchTree = (root: string, onChange: OnChange): Watching => {
  const watcher = fs.watch(root, { recursive: true }, (_, name) => onChange(name))
  watcher.on('error', () => onChange(null))
  return { renew: () => {}, close: () => watcher.close() }
}

/**
 * One watch for each folder, which reports all files in it. A watch stays with its folder if
 * that is moved or removed, so those of touched folders are made anew. The folders are read
 * after that, which shows what the new watches missed. Node's own recursive watch has one a
 * file on Linux, as chokidar has: 200,000 shots are too many for that.
 */
const watchFolders = (root: string, onChange: OnChange): Watching => {
  /** By folder of members/; `''` has those of the root and of the folder of members. */
  const watchers = new Map<string, fs.FSWatcher[]>()
  let polling: NodeJS.Timeout | undefined

  const close = (owners: Iterable<string>): void => {
    for (const owner of owners) {
      for (const watcher of watchers.get(owner) ?? []) watcher.close()
      watchers.delete(owner)
    }
  }

  const watch = (owner: string, folder: string): void => {
    try {
      const watcher = fs.watch(path.join(root, folder), (_, name) =>
        onChange(name && path.join(folder, name)),
      )
      watcher.on('error', () => onChange(null))
      watchers.set(owner, [...(watchers.get(owner) ?? []), watcher])
    } catch (error) {
      // the system has no more watches to give; else the folder is gone already
      if (/^(?:ENOSPC|EMFILE|ENFILE|ENOMEM)$/.test(codeOf(error))) throw error
    }
    if (owner === '') return
    for (const name of foldersIn(path.join(root, folder)))
      watch(owner, path.join(folder, name))
  }

  return {
    renew: (touched) => {
      if (polling !== undefined) return
      close(touched ?? watchers.keys())
      try {
        for (const folder of touched ? [] : ['', names.members]) watch('', folder)
        for (const username of foldersIn(path.join(root, names.members))) {
          if (touched?.has(username) !== false)
            watch(username, path.join(names.members, username))
        }
      } catch {
        // more folders than the system watches for one user: look at all of them every two seconds
        close(watchers.keys())
        polling = setInterval(() => onChange(null), 2000)
      }
    },
    close: () => {
      clearInterval(polling)
      close(watchers.keys())
    },
  }
}

/** Names of the folders in a folder; links are none. */
const foldersIn = (folder: string): readonly string[] => {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .flatMap((e) => (e.isDirectory() ? [e.name] : []))
  } catch {
    return [] // gone already
  }
}

/**
 * Settled when somebody ends the preview: Ctrl-C, `kill`, a closed terminal. Under npm also
 * when its shell is gone: that dies of the signals that npm sends it, and hands none on.
 * Signals that come later are not heard: the end is under way, and Ctrl-C under npm comes
 * twice.
 */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => resolve())
    // Windows tells all of them of Ctrl-C, and a process the number of its parent even when
    // that is gone
    if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) resolve()
    }, 200).unref()
  })
