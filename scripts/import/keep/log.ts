import fs from 'node:fs'
import path from 'node:path'
import { createFolderOf } from '../../files/folder.ts'
import { readFile } from '../../files/open.ts'
import { openToAdd, replaceFile } from '../../files/write.ts'
import { type Answers, isAnswers, noAnswers } from './answers.ts'

/** What a run has begun with; nothing if it came to its end. */
export type Mark = { readonly http?: string; readonly since?: number }

/** How each member's addresses answered last, and which members a run is done with. */
export type Log = {
  readonly answers: (name: string) => Answers
  /** `done` says that the run is done with the member. */
  readonly putAnswers: (name: string, answers: Answers, options?: { readonly done: boolean }) => void
  /** What an interrupted run has left. */
  readonly mark: () => Mark
  /** Begins or ends a run; no member is done yet. */
  readonly putMark: (mark: Mark) => void
  readonly done: () => ReadonlySet<string>
  readonly close: () => void
}

/** A line of the file. */
type Line =
  | { readonly mark: Mark }
  | ({ readonly name: string; readonly done?: boolean | undefined } & Answers)

/** The most bytes that are read, of some 700,000 members. */
const limit = 500_000_000

/**
 * Opens the log, a file below a trusted folder. It is read once, then only added to, and the later line counts; each run
 * begins and ends with a new file, of one line for each member.
 */
export const openLog = (root: string, below: string): Log => {
  const name = path.posix.basename(below)
  const toWrite = createFolderOf(root, { make: true })
  const answers = new Map<string, Answers>()
  const done = new Set<string>()
  let mark: Mark = {}
  for (const line of readLines(root, below)) {
    if ('mark' in line) mark = line.mark
    else {
      const { name, done: isDone, ...said } = line
      answers.set(name, said)
      if (isDone) done.add(name)
    }
  }
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
    answers: (name) => answers.get(name) ?? noAnswers,
    putAnswers: (name, said, options) => {
      answers.set(name, said)
      if (options?.done) done.add(name)
      add(lineOf(name, said, options?.done))
    },
    mark: () => mark,
    putMark: (next) => {
      mark = next
      done.clear()
      close()
      replaceFile(toWrite(below)!, name, (file) => {
        fs.writeFileSync(file, textOf({ mark }))
        for (const [name, said] of answers) fs.writeFileSync(file, textOf(lineOf(name, said)))
      })
    },
    done: () => done,
    close,
  }
}

const lineOf = (name: string, { drafting, https, http }: Answers, done?: boolean): Line => ({
  name,
  done,
  drafting,
  https,
  http,
})

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
  isRecord(data) && (isRecord(data.mark) || (typeof data.name === 'string' && isAnswers(data)))

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null
