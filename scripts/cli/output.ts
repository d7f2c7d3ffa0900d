import fs from 'node:fs'
import path from 'node:path'
import { sizeLimit } from '../content/layout.ts'
import { readStart } from '../content/read/read-file.ts'
import type { ContentFolder } from '../content/read/scan.ts'
import { isPathBelow } from '../files/folder.ts'
import { replaceFile, writeToPipe } from '../files/write.ts'
import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { type FormatName, formats } from '../problems/formats.ts'
import { UserError } from '../problems/user-error.ts'
import { printable } from '../text/printable.ts'
import { type Status, status } from './command.ts'
import { columnsOf, wantsColor } from './terminal.ts'

/**
 * Prints what is wrong: for people on stderr, for programs on stdout. A closing line goes where it disturbs nobody
 * who reads the other. The exit status says whether there was an error among it.
 */
export const report = async (
  diagnostics: readonly Diagnostic<string>[],
  options: {
    readonly format: FormatName
    readonly content: ContentFolder
    readonly closing?: string
    /** A file to write the diagnostics to, rather than a stream. */
    readonly output?: string | undefined
    /** The page that explains the codes. Default: docs/diagnostics.md. */
    readonly page?: string
  },
): Promise<Status> => {
  const { format, content, closing = '', output } = options
  const { stdout, stderr, env } = process
  const reader = format === 'pretty' ? stderr : stdout
  const text = await formats[format](diagnostics, {
    source: (file) => readSource(file, content),
    color: format === 'pretty' && output === undefined && wantsColor(stderr, env),
    columns: columnsOf(stderr),
    ...(options.page !== undefined && { page: options.page }),
  })
  writeResult(text, output, reader)
  const other = format === 'pretty' ? stdout : stderr
  if (closing !== '') other.write(`${closing}\n`)
  return hasErrors(diagnostics) ? status.no : status.done
}

/** The text of a content file that a diagnostic names; links and what is not text are not looked into. */
const readSource = (file: string, content: ContentFolder): string | undefined => {
  if (!file.startsWith(`${content.name}/`)) return undefined
  const below = file.slice(content.name.length + 1)
  if (!isPathBelow(below)) return undefined
  return readStart(content.path, below, { length: sizeLimit })?.toString('utf8')
}

/** Writes a command's result: to the file that `--output` names, whole or not at all, or else to a stream. */
export const writeResult = (
  text: string,
  file: string | undefined,
  stream: NodeJS.WritableStream = process.stdout,
): void => {
  if (file === undefined) {
    stream.write(text)
    return
  }
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory()) throw new UserError(`"${file}" is a folder`, { hint: 'name a file with --output' })
  const folder = path.dirname(path.resolve(file))
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`"${file}" can't be written: there is no folder "${path.dirname(file)}"`, {
      hint: 'make the folder first, or name another file',
    })
  }
  if (stat === undefined || stat.isFile()) replaceFile(folder, path.basename(file), text)
  else writeToPipe(file, text)
}

/** A line on stdout, such as the path of a file that was written. */
export const print = (line: string): unknown => process.stdout.write(`${printable(line)}\n`)

/** A line on stderr, for people. */
export const tell = (line: string): unknown => process.stderr.write(`${printable(line)}\n`)
