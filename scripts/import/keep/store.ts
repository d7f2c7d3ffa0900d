import { hash } from 'node:crypto'
import path from 'node:path'
import { createFolderOf, findEntry, makeFolder, makeRoot } from '../../files/folder.ts'
import { readFile } from '../../files/open.ts'
import { remove } from '../../files/remove.ts'
import { appendTo, replaceFile, writeNew } from '../../files/write.ts'
import { type Answers, noAnswers, parseAnswers } from './answers.ts'

/** Raw bodies by their sha256, and how each member's addresses answered last; see docs/import.md. */
export type Store = {
  readonly answers: (name: string) => Answers
  readonly putAnswers: (name: string, answers: Answers) => void
  /** The bytes of a body; `undefined` if they are missing, or have changed. */
  readonly body: (name: string) => Uint8Array | undefined
  readonly hasBody: (name: string) => boolean
  /** Keeps a body, and says its name. */
  readonly putBody: (bytes: Uint8Array) => string
  /** What an interrupted run has left. */
  readonly mark: () => string | undefined
  /** Begins or ends a run; no member is done yet. */
  readonly putMark: (text: string) => void
  /** The members that the run is done with, in any order. */
  readonly done: () => readonly string[]
  readonly addDone: (name: string) => void
}

/** The most bytes of a body that are read; content takes 1 MiB a file. */
export const bodyLimit = 8 << 20

/** The most bytes of the list of members that a run is done with. */
const doneLimit = 1 << 30

/**
 * Makes the folder of the store, and says where it is. A folder that the command line names is trusted; the one beside
 * the content is not, so a link on the way to it is refused.
 */
export const makeStoreFolder = (named: string | undefined, content: string): string => {
  const root = named === undefined ? path.dirname(path.resolve(content)) : path.resolve(named)
  makeRoot(root)
  return named === undefined ? makeFolder(root, '.shotpress/import') : root
}

/** Opens the store in a trusted folder. What different servers said is kept apart, but for equal bodies. */
export const openStore = (root: string, server: string): Store => {
  const own = `servers/${hash('sha256', server).slice(0, 16)}`
  const toRead = createFolderOf(root, { make: false })
  const toWrite = createFolderOf(root, { make: true })
  const doneFile = `${own}/done.txt`
  const read = (below: string, limit: number): Buffer | undefined => {
    const folder = toRead(below)
    return folder === undefined ? undefined : readFile(folder, path.posix.basename(below), { limit })
  }
  const replace = (below: string, text: string): void =>
    replaceFile(toWrite(below)!, path.posix.basename(below), text)
  const bodyFile = (name: string) => `bodies/${name.slice(0, 2)}/${name}`
  // names that differ in letter case are different, and some file systems ignore it
  const answersFile = (name: string) => {
    const digest = hash('sha256', name)
    return `${own}/${digest.slice(0, 2)}/${digest}.json`
  }
  const text = (below: string): string | undefined => {
    const folder = toRead(below)
    // a look costs less than opening what is not there
    const isThere = folder !== undefined && findEntry(folder, path.posix.basename(below)) !== undefined
    return isThere ? read(below, 1 << 20)?.toString('utf8') : undefined
  }
  const body = (name: string): Uint8Array | undefined => {
    const bytes = isName(name) ? read(bodyFile(name), bodyLimit) : undefined
    return bytes !== undefined && hash('sha256', bytes) === name ? bytes : undefined
  }
  return {
    answers: (name) => {
      const found = text(answersFile(name))
      return found === undefined ? noAnswers : parseAnswers(found)
    },
    putAnswers: (name, answers) => replace(answersFile(name), `${JSON.stringify({ name, ...answers })}\n`),
    body,
    hasBody: (name) => body(name) !== undefined,
    putBody: (bytes) => {
      const name = hash('sha256', bytes)
      putWhole(toWrite(bodyFile(name))!, name, bytes)
      return name
    },
    mark: () => text(`${own}/run.json`),
    putMark: (mark) => {
      remove(root, doneFile)
      replace(`${own}/run.json`, mark)
    },
    // the quotes show that a name is whole, and was not cut off by a kill
    done: () =>
      Array.from(
        read(doneFile, doneLimit)
          ?.toString('utf8')
          .matchAll(/^"([^"\n]+)"$/gm) ?? [],
        ([, name]) => name!,
      ),
    addDone: (name) => appendTo(toWrite(doneFile)!, path.posix.basename(doneFile), `"${name}"\n`),
  }
}

/** A kill leaves half a body, which no answer names yet and whose hash is not its name: the next run writes it again. */
const putWhole = (folder: string, name: string, bytes: Uint8Array): void => {
  try {
    writeNew(folder, name, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const kept = readFile(folder, name, { limit: bodyLimit })
    if (kept === undefined || !kept.equals(bytes)) replaceFile(folder, name, bytes)
  }
}

const isName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name)
