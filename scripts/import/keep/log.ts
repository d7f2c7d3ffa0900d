import fs from 'node:fs'
import path from 'node:path'
import { createFolderOf } from '../../files/folder.ts'
import { readFile } from '../../files/open.ts'
import { openToAdd, replaceFile } from '../../files/write.ts'
import { type Answers, isAnswers, noAnswers } from './answers.ts'

/** The digests of the bodies that `import.json` names for a member. */
export type Trusted = (name: string) => ReadonlySet<string>

/** How each member's addresses answered last. */
export type Log = {
  readonly answers: (name: string) => Answers
  readonly putAnswers: (name: string, answers: Answers) => void
  /** Writes the file anew, one line for each member. */
  readonly compact: () => void
  readonly close: () => void
}

/** A line of the file. */
type Line = { readonly name: string } & Answers

/** The most bytes that are read, of some 700,000 members. */
const limit = 500_000_000

/**
 * Opens the log, a file below a trusted folder. It is read once, then only added to, and the later line counts; each run
 * ends with a new file, of one line for each member. What an earlier run left there counts only with a trusted body.
 */
export const openLog = (root: string, below: string, trusted: Trusted): Log => {
  const name = path.posix.basename(below)
  const toWrite = createFolderOf(root, { make: true })
  const answers = new Map<string, Answers>()
  for (const { name, ...said } of readLines(root, below)) answers.set(name, said)
  const fresh = new Set<string>()
  let file: number | undefined
  const close = (): void => {
    if (file !== undefined) fs.closeSync(file)
    file = undefined
  }
  const add = (line: Line): void => {
    file ??= openToAdd(toWrite(below)!, name)
    fs.writeFileSync(file, textOf(line))
  }
  return {
    answers: (name) => {
      const said = answers.get(name) ?? noAnswers
      return fresh.has(name) ? said : withBodies(said, trusted(name))
    },
    putAnswers: (name, said) => {
      answers.set(name, said)
      fresh.add(name)
      add({ name, ...said })
    },
    compact: () => {
      close()
      replaceFile(toWrite(below)!, name, (file) => {
        for (const [name, said] of answers) fs.writeFileSync(file, textOf({ name, ...said }))
      })
    },
    close,
  }
}

/** Answers as far as they came with one of these bodies. */
const withBodies = ({ https, http }: Answers, digests: ReadonlySet<string>): Answers => {
  const only = (kept: Answers['https']): Answers['https'] =>
    Object.fromEntries(
      Object.entries(kept).flatMap(([part, one]) => {
        const isTrusted = digests.has(one.body?.split(' ')[0] ?? '')
        return isTrusted || one.body === undefined ? [[part, one]] : []
      }),
    )
  return { https: only(https), http: only(http) }
}

/** Begins with the line feed, so that a line that a kill cut off spoils no other. */
const textOf = (line: Line): string => `\n${JSON.stringify(line)}`

function* readLines(root: string, below: string): Generator<Line> {
  const folder = createFolderOf(root, { make: false })(below)
  const bytes = folder && readFile(folder, path.posix.basename(below), { limit })
  for (const line of bytes?.toString('utf8').split('\n') ?? []) {
    const read = parse(line)
    if (isLine(read)) yield read
  }
}

/** A line that a kill cut off is nothing. */
const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const isLine = (data: unknown): data is Line =>
  isRecord(data) && typeof data.name === 'string' && isAnswers(data)

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null
