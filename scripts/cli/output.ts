import path from 'node:path'
import { type ContentFolder, sizeLimit } from '../content/layout.ts'
import { readStart } from '../content/read/read-file.ts'
import { isPathBelow, statOf } from '../files/folder.ts'
import { replaceFile, writeToPipe } from '../files/write.ts'
import { type Diagnostic, hasErrors, UserError } from '../problems/diagnostic.ts'
import { type FormatName, formats } from '../problems/formats.ts'
import { grouped } from '../text/amounts.ts'
import { hang } from '../text/cells.ts'
import { printable } from '../text/printable.ts'

/** Process exit status: done; it found problems; it could not run. */
export const status = { done: 0, no: 1, failed: 2 } as const
export type Status = (typeof status)[keyof typeof status]

/**
 * Prints what is wrong: for people on stderr, for programs on stdout. A closing line goes
 * where it disturbs nobody who reads the other. The exit status says whether there was an
 * error among it.
 */
export const report = (
  diagnostics: readonly Diagnostic[],
  options: {
    readonly format: FormatName
    readonly content: ContentFolder
    readonly closing?: string
    /** A file to write the diagnostics to, rather than a stream. */
    readonly output?: string | undefined
    /** The page that explains the codes. Default: docs/diagnostics.md. */
    readonly page?: string
  },
): Status => {
  const { format, content, closing = '', output, page } = options
  const { stdout, stderr } = process
  const [reader, other] = format === 'pretty' ? [stderr, stdout] : [stdout, stderr]
  const text = formats[format](diagnostics, {
    source: (file) => readSource(file, content),
    ...lookOf(stderr, output),
    ...(page !== undefined && { page }),
  })
  writeResult(text, output, reader)
  if (closing !== '') other.write(`${closing}\n`)
  return hasErrors(diagnostics) ? status.no : status.done
}

/**
 * The text of a content file that a diagnostic names; links and what is not text are not
 * looked into.
 */
const readSource = (file: string, content: ContentFolder) => {
  if (!file.startsWith(`${content.name}/`)) return undefined
  const below = file.slice(content.name.length + 1)
  if (!isPathBelow(below)) return undefined
  return readStart(content.path, below, { length: sizeLimit })?.toString('utf8')
}

/**
 * Writes a command's result: to the file that `--output` names, whole or not at all, or else
 * to a stream.
 */
export const writeResult = (
  text: string,
  file: string | undefined,
  stream: NodeJS.WritableStream = process.stdout,
): void => {
  if (file === undefined) {
    stream.write(text)
    return
  }
  const stat = statOf(file)
  if (stat?.isDirectory())
    throw new UserError(`"${file}" is a folder`, { hint: 'name a file with --output' })
  const folder = path.dirname(path.resolve(file))
  if (!statOf(folder)?.isDirectory()) {
    throw new UserError(
      `"${file}" can't be written: there is no folder "${path.dirname(file)}"`,
      {
        hint: 'make the folder first, or name another file',
      },
    )
  }
  if (stat === undefined || stat.isFile()) replaceFile(folder, path.basename(file), text)
  else writeToPipe(file, text)
}

/** A line on stdout, such as the path of a file that was written. */
export const print = (line: string): unknown => process.stdout.write(`${printable(line)}\n`)

/** A line on stderr, for people. */
export const tell = (line: string): unknown => process.stderr.write(`${printable(line)}\n`)

/**
 * Writes to stderr why a command could not run: two lines for the user's errors, the stack
 * for our own.
 */
export const reportFailure = (error: unknown, name = 'shotpress'): void => {
  const failure = error instanceof UserError ? error : fromSystem(error)
  if (failure === undefined) {
    tell(`${name}: this is a defect of Shotpress, please report it with the lines below`)
    for (const line of String(error instanceof Error ? error.stack : error).split('\n'))
      tell(line)
    return
  }
  const reason = failure.cause === undefined ? undefined : fromSystem(failure.cause)
  const because = reason ? ` (${reason.message})` : ''
  advise(failure.message + because, 'error: ')
  const hint = failure.hint ?? reason?.hint
  if (hint !== undefined) advise(hint, '  hint: ')
}

/**
 * Words on stderr: on a terminal in lines that fit; a program gets one line, and so does
 * whoever searches a log.
 */
export const advise = (words: string, lead = ''): void => {
  const { stderr } = process
  const text = printable(words)
  const { columns } = lookOf(stderr, undefined)
  const lines = stderr.isTTY ? hang(lead, text, columns) : [lead + text]
  stderr.write(`${lines.join('\n')}\n`)
}

/** What the system refused, in plain words; `undefined` if the error is of another kind. */
const fromSystem = (error: unknown) => {
  const { code, syscall, dest, ...rest } = error as NodeJS.ErrnoException & { dest?: string }
  if (code === undefined || syscall === undefined) return undefined
  // what is copied to a full disk may lie on another
  const path = code === 'ENOSPC' && dest ? dest : rest.path
  const [what = `${syscall} failed with ${code}`, hint] = refusals[code] ?? []
  return new UserError(path === undefined ? what : `${what}: ${path}`, { hint })
}

const refusals: Readonly<Record<string, readonly [what: string, hint?: string] | undefined>> =
  {
    ENOSPC: ['the disk is full', 'make room and run again'],
    EACCES: ['permission denied', 'give this user the right to it and run again'],
    EPERM: ['not permitted', 'give this user the right to it and run again'],
    EROFS: ['the file system is read-only'],
    ENOENT: ['it does not exist'],
    ENOTDIR: ['a file stands where a folder should be'],
  }

/** What colours, columns and progress need of an output stream; `process.stderr` is one. */
type Output = {
  readonly isTTY?: boolean | undefined
  /** Width of the terminal. */
  readonly columns?: number | undefined
  readonly write: (text: string) => unknown
}

/**
 * Whether to write colours to a stream: on a terminal that knows them, or where FORCE_COLOR
 * asks for them. NO_COLOR (https://no-color.org) has the last word.
 */
export const wantsColor = (
  stream: Pick<Output, 'isTTY'>,
  env: NodeJS.ProcessEnv,
): boolean => {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR)
  return stream.isTTY === true && env.TERM !== 'dumb'
}

/** How a text for people looks on a stream, or in the file that `--output` names. */
export const lookOf = (
  stream: Pick<Output, 'isTTY' | 'columns'>,
  file: string | undefined,
) => ({
  color: file === undefined && wantsColor(stream, process.env),
  columns: Math.max(40, columnsOf(stream)),
})

/** Columns to write for; 80 where there is no terminal. */
const columnsOf = (stream: Pick<Output, 'columns'>) => stream.columns || 80

/** Says how far the work is: `(120, 1000, 'members')`. Cheap enough for every step of a loop. */
export type OnProgress = (done: number, total: number, what?: string) => void

/** Milliseconds of work before anything is shown, and between two pictures. */
const showAfterMs = 500
const redrawAfterMs = 100

/**
 * Shows how far some work is on one line of a terminal, which goes away when the work ends.
 * It is drawn while the work tells of itself, without timers, so that it works from a loop
 * that never yields.
 */
export const withProgress = async <T>(
  counted: string,
  work: (onProgress: OnProgress) => Promise<T>,
  {
    stream = process.stderr as Output,
    env = process.env,
    now = () => performance.now(),
  } = {},
): Promise<T> => {
  const isWatched =
    stream.isTTY === true && env.TERM !== 'dumb' && (!env.CI || env.CI === 'false')
  if (!isWatched) return work(() => {})
  let next = now() + showAfterMs
  let shown = false
  const onProgress: OnProgress = (done, total, what = counted) => {
    const time = now()
    if (time < next) return
    next = time + redrawAfterMs
    shown = true
    stream.write(`${clear}${picture(done, total, what).slice(0, columnsOf(stream) - 1)}`)
  }
  return work(onProgress).finally(() => {
    if (shown) stream.write(clear)
  })
}

/** Moves to the first column and erases the line. */
const clear = '\r\u001b[K'

const picture = (done: number, total: number, what: string) => {
  const part = total > 0 ? Math.min(1, done / total) : 0
  const filled = Math.floor(part * 20)
  const percent = `${Math.floor(part * 100)}%`.padStart(4)
  return `${'━'.repeat(filled)}${'─'.repeat(20 - filled)} ${percent}  ${grouped(done)} of ${grouped(total)} ${what}`
}
