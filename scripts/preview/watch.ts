import fs from 'node:fs'
import path from 'node:path'
import { names } from '../content/layout.ts'
import { type Touched, touchedBy } from './touched.ts'

/** Reports changes in a content folder. */
export type Watcher = {
  /** To be called before the touched folders are read: from then on no change in them is missed. */
  readonly renew: (touched: Touched) => void
  readonly close: () => void
}

type OnChange = (touched: Touched) => void

export const watchContent = (root: string, onChange: OnChange): Watcher =>
  process.platform === 'linux' ? watchFolders(root, onChange) : watchTree(root, onChange)

/** Where the system itself can watch a tree. */
const watchTree = (root: string, onChange: OnChange): Watcher => {
  const watcher = fs.watch(root, { recursive: true }, (_, name) =>
    onChange(name === null ? 'all' : touchedBy(name)),
  )
  watcher.on('error', () => onChange('all'))
  return { renew: () => {}, close: () => watcher.close() }
}

/**
 * One watch for each folder, which reports all files in it. A watch stays with its folder if that is moved or removed, so
 * those of touched folders are made anew. The folders are read after that, which shows what the new watches missed.
 * Node's own recursive watch has one a file on Linux, as chokidar has: 200,000 shots are too many for that.
 */
const watchFolders = (root: string, onChange: OnChange): Watcher => {
  const groups = new Map<string, fs.FSWatcher[]>()
  let polling: NodeJS.Timeout | undefined

  const close = (group: string): void => {
    for (const watcher of groups.get(group) ?? []) watcher.close()
    groups.delete(group)
  }

  const watch = (group: string, folder: string): boolean => {
    try {
      const watcher = fs.watch(path.join(root, folder), (_, name) =>
        onChange(name === null ? 'all' : touchedBy(path.join(folder, name))),
      )
      watcher.on('error', () => onChange('all'))
      groups.set(group, [...(groups.get(group) ?? []), watcher])
      return true
    } catch (error) {
      if (limits.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      return false // gone already
    }
  }

  const watchMember = (username: string, folder = path.join(names.members, username)): void => {
    if (!watch(username, folder)) return
    for (const name of foldersIn(path.join(root, folder))) watchMember(username, path.join(folder, name))
  }

  const renewAll = (): void => {
    for (const group of groups.keys()) close(group)
    watch('', '')
    const members = foldersIn(root).includes(names.members) && watch('', names.members)
    if (members) for (const username of foldersIn(path.join(root, names.members))) watchMember(username)
  }

  const renewMembers = (usernames: ReadonlySet<string>): void => {
    for (const username of usernames) {
      close(username)
      if (isFolder(path.join(root, names.members, username))) watchMember(username)
    }
  }

  return {
    renew: (touched) => {
      if (polling !== undefined) return
      try {
        if (touched === 'all') renewAll()
        else renewMembers(touched)
      } catch {
        // more folders than the system watches for one user: look at all of them at intervals
        for (const group of groups.keys()) close(group)
        polling = setInterval(() => onChange('all'), pollingInterval)
      }
    },
    close: () => {
      clearInterval(polling)
      for (const group of groups.keys()) close(group)
    },
  }
}

/** What the system says when it has no more watches to give. */
const limits = ['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM']

/** Milliseconds between two looks at content that can't be watched. */
const pollingInterval = 2000

/** Whether a folder is there; a link is none. */
const isFolder = (path: string): boolean => {
  try {
    return fs.lstatSync(path).isDirectory()
  } catch {
    return false // gone already
  }
}

/** Names of the folders in a folder; links are none. */
const foldersIn = (folder: string): readonly string[] => {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? [e.name] : []))
  } catch {
    return [] // gone already
  }
}
