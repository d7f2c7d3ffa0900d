import { hash } from 'node:crypto'
import path from 'node:path'
import { findEntry } from '../../files/entry.ts'
import { makeFolder, makeRoot } from '../../files/folder.ts'
import { readFile } from '../../files/open.ts'
import { createFile, replaceFile } from '../../files/write.ts'
import { type Answers, noAnswers, parseAnswers } from './answers.ts'

/** Raw bodies by their sha256, and how each member's addresses answered last; see docs/import.md. */
export type Store = {
  readonly answers: (name: string) => Answers
  readonly putAnswers: (name: string, answers: Answers) => void
  /** The bytes of a body; `undefined` if they are not there, or not what they were. */
  readonly body: (name: string) => Uint8Array | undefined
  readonly hasBody: (name: string) => boolean
  /** Keeps a body, and says its name. */
  readonly putBody: (bytes: Uint8Array) => string
  /** What a run left behind that did not come to its end. */
  readonly mark: () => string | undefined
  readonly putMark: (text: string) => void
}

/** The most bytes of a body that are read; content takes 1 MiB a file. */
export const bodyLimit = 8 << 20

/** Opens the folder, or makes it. What different servers said is kept apart, but for equal bodies. */
export const openStore = (folder: string, server: string): Store => {
  const root = path.resolve(folder)
  makeRoot(root)
  const own = `servers/${hash('sha256', server).slice(0, 16)}`
  const made = new Set<string>()
  const make = (below: string): void => {
    if (made.has(below)) return
    makeFolder(root, below)
    made.add(below)
  }
  const bodyFile = (name: string) => `bodies/${name.slice(0, 2)}/${name}`
  // letter case tells names apart, and file systems don't
  const answersFile = (name: string) =>
    `${own}/${hash('sha256', name).slice(0, 2)}/${hash('sha256', name)}.json`
  const text = (below: string): string | undefined => {
    const folder = path.posix.dirname(below)
    return findEntry(root, folder) === undefined
      ? undefined
      : readFile(root, below, { limit: 1 << 20 })?.toString('utf8')
  }
  return {
    answers: (name) => {
      const found = text(answersFile(name))
      return found === undefined ? noAnswers : parseAnswers(found)
    },
    putAnswers: (name, answers) => {
      const file = answersFile(name)
      make(path.posix.dirname(file))
      replaceFile(root, file, `${JSON.stringify({ name, ...answers })}\n`)
    },
    body: (name) => {
      if (!isName(name)) return undefined
      const bytes = readFile(root, bodyFile(name), { limit: bodyLimit })
      return bytes !== undefined && hash('sha256', bytes) === name ? bytes : undefined
    },
    hasBody: (name) => isName(name) && findEntry(root, bodyFile(name))?.isFile() === true,
    putBody: (bytes) => {
      const name = hash('sha256', bytes)
      const file = bodyFile(name)
      make(path.posix.dirname(file))
      const size = findEntry(root, file)?.size
      if (size === undefined) createFile(root, file, bytes)
      else if (size !== bytes.length) replaceFile(root, file, bytes)
      return name
    },
    mark: () => text(`${own}/run.json`),
    putMark: (mark) => {
      make(own)
      replaceFile(root, `${own}/run.json`, mark)
    },
  }
}

const isName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name)
