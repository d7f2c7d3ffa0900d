import { hash } from 'node:crypto'
import fs from 'node:fs'
import { posix } from 'node:path'
import { createFolderOf, readFile } from '../files/folder.ts'
import { fingerprintStats } from '../files/stats.ts'
import { remove, removeEmpty, removeLeftBehind, replaceFile, writeNew } from '../files/write.ts'
import { UserError } from '../problems/diagnostic.ts'
import { refuseLink, type SnapshotFolders } from '../snapshot/folders.ts'
import { groupKinds } from './data.ts'

/** Files of the gallery that belong together, as a run left them. */
export type Part = {
  /** A digest of each by its address, in hex. */
  readonly digests: Readonly<Record<string, string>>
  /** Of what stat says of them and of the folders that they are in; `''` if that can't be told. */
  readonly stat: string
  /** Bytes of the largest. */
  readonly largest: number
}

/** Whether there is a gallery; anything else but nothing, or a folder with what may stay only, is refused. */
export const isGallery = (folders: SnapshotFolders, name: string): boolean => {
  const { out } = folders
  const stat = fs.lstatSync(out, { throwIfNoEntry: false })
  if (stat === undefined) return false
  const isFolder = stat.isDirectory()
  if (isFolder) removeLeftBehind(out, '.')
  const page = isFolder ? readFile(out, '404.html', { limit: 1 << 20 }) : undefined
  const isOurs = page?.includes('<meta name=generator content=Shotpress>') === true
  const others = isFolder ? fs.readdirSync(out).filter((entry) => !mayStay.test(entry)) : [name]
  const stranger = others.find((entry) => !isOurs || !ours.test(entry))
  if (stranger !== undefined) {
    throw new UserError(`"${name}" holds something else than a gallery: "${stranger}"`, {
      hint: isOurs
        ? 'move it elsewhere: all that lies there is published; CNAME and .nojekyll may stay'
        : 'give --out a folder of its own, such as gallery',
    })
  }
  if (!isOurs) refuseLink(folders, 'gallery')
  return isOurs
}

/** What people need at the top of a gallery, and what their tools leave there. */
const mayStay = /^(?:CNAME|\.nojekyll|\.git\w*|\.DS_Store)$/

const ours = new RegExp(
  `^(?:${[...groupKinds, 'members', 'search', 'join', 'pictures'].join('|')}|${[
    String.raw`(?:index|404)\.html`,
    String.raw`(?:feed|sitemap(?:-\d+)?)\.xml`,
    String.raw`(?:search|gallery)\.js`,
    String.raw`gallery\.css|icon\.svg|logo\.\w+`,
  ].join('|')})$`,
)

const fileOf = (address: string): string =>
  `${address.slice(1)}${address.endsWith('/') ? 'index.html' : ''}`

/**
 * What stands at an address. `make` makes nothing of what is there already. The digest is that of all that it is made from,
 * besides what every page is; without it, that of its bytes is taken.
 */
export type Page = readonly [
  address: string,
  make: () => string | Uint8Array | undefined,
  digest?: string | undefined,
]

type Others = {
  /** What else is there; `undefined` if that isn't known. */
  readonly before: Part | undefined
  /** Where others may be then: files and folders. */
  readonly places: () => readonly string[]
}

export const digestOf = (contents: string | Uint8Array): string =>
  hash('sha1', contents).slice(0, 20)

const { basename, dirname } = posix

export type Folder = ReturnType<typeof openFolder>

/** The files of a gallery. Paths are below its folder. */
export const openFolder = (path: string, { isNew }: { readonly isNew: boolean }) => {
  const folderOf = createFolderOf(path)
  const written = new Set<string>()
  /** Stats of what is going to be renewed, as long as they are true. */
  const stats = new Map<string, fs.Stats>()
  const tally = { changed: 0, removed: 0 }
  const find = (below: string) => fs.lstatSync(`${path}/${below}`, { throwIfNoEntry: false })
  /** What is in a folder; at the top without what may stay. */
  const list = (below: string): readonly string[] => {
    const names = find(below)?.isDirectory() ? fs.readdirSync(`${path}/${below}`) : []
    return below === '.'
      ? names.filter((name) => ours.test(name))
      : names.map((name) => `${below}/${name}`)
  }

  const forget = (below: string): void => {
    for (let one = below; one !== '.'; one = dirname(one)) stats.delete(one)
  }

  /** Writes a file if it is not there or says something else. */
  const put = (address: string, contents: string | Uint8Array): void => {
    const file = fileOf(address)
    // two members may have one picture
    if (written.has(file)) return
    written.add(file)
    const folder = folderOf(file)
    const name = basename(file)
    if (isNew) writeNew(folder, name, contents)
    else {
      const bytes = Buffer.from(contents)
      if (readFile(folder, name, { limit: bytes.length })?.equals(bytes)) return
      if (find(file)?.isDirectory()) remove(folder, name)
      replaceFile(folder, name, bytes)
    }
    forget(file)
    tally.changed++
  }

  /** Removes all that is at a path, but for what is kept or was written. */
  const removeAt = (below: string, kept: ReadonlySet<string> = written): void => {
    if (kept.has(below) || written.has(below)) return
    const inside = list(below)
    for (const one of inside) removeAt(one, kept)
    if (inside.length > 0 || find(below) === undefined) return
    remove(path, below)
    removeEmpty(path, dirname(below))
    forget(below)
    tally.removed++
  }

  const look = (files: readonly string[], { isToKeep = false } = {}): Omit<Part, 'digests'> => {
    const parents = new Set(files.map((file) => dirname(file)))
    // what else is at the top may stay
    const names = parents.delete('.') ? list('.') : []
    const found: fs.Stats[] = []
    let largest = 0
    for (const below of [...parents, ...files]) {
      const stat = stats.get(below) ?? find(below)
      stats.delete(below)
      const isRight = parents.has(below) ? stat?.isDirectory() : stat?.isFile()
      if (stat === undefined || !isRight) return { stat: '', largest }
      found.push(stat)
      if (isToKeep) stats.set(below, stat)
      if (stat.isFile()) largest = Math.max(largest, stat.size)
    }
    return { stat: fingerprintStats(names, found), largest }
  }

  // what is behind a link is not ours
  for (const name of list('.')) if (find(name)?.isSymbolicLink()) removeAt(name)

  return {
    path,
    put,
    list,
    removeAt,
    tally,
    /** Whether a part is on the disk as it was left. Default: it is not going to be renewed. */
    isAsLeft: ({ digests, stat }: Part, options?: { readonly isToKeep: boolean }): boolean =>
      stat !== '' && stat === look(Object.keys(digests).map(fileOf), options).stat,
    /** Makes the files of a part as they have to be, and removes others. */
    renew: (pages: readonly Page[], { before, places }: Others): Part => {
      const files = pages.map(([address]) => fileOf(address))
      const kept = new Set(files)
      const others = before ? Object.keys(before.digests).map(fileOf) : places()
      for (const other of others) removeAt(other, kept)
      const digests: Record<string, string> = {}
      for (const [address, make, digest] of pages) {
        const known = before?.digests[address]
        const contents = known !== undefined && known === digest ? undefined : make()
        const made = digest ?? (contents === undefined ? '' : digestOf(contents))
        if (contents !== undefined && made !== known) put(address, contents)
        digests[address] = made
      }
      return { digests, ...look(files) }
    },
  }
}
