import { sizeLimit } from '../content/layout.ts'
import { readStart } from '../content/read/read-file.ts'
import type { ContentFolder } from '../content/read/scan.ts'
import { isPathBelow } from '../files/path-below.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { type FormatName, formats } from '../problems/formats.ts'
import { UserError } from '../problems/user-error.ts'
import { suggest } from '../text/suggest.ts'
import { writeResult } from './output.ts'
import { columnsOf, type Environment, type Output, wantsColor } from './terminal.ts'

/** The streams and the environment that a command talks to. */
export type Console = { readonly stdout: Output; readonly stderr: Output; readonly env: Environment }

export const formatOption = {
  value: 'FORMAT',
  default: 'pretty',
  description: `how to print what is wrong: ${Object.keys(formats).join(', ')}`,
} as const

/** The format of that name; those of diagnostics if no others are given. */
export const parseFormat = <F extends object = typeof formats>(
  name: string,
  known: F = formats as unknown as F,
): keyof F & string => {
  if (Object.hasOwn(known, name)) return name as keyof F & string
  const near = suggest(name, Object.keys(known))
  throw new UserError(`there is no format "${name}"`, {
    hint: near ? `did you mean ${near}?` : `the formats are ${Object.keys(known).join(', ')}`,
  })
}

/**
 * Prints what is wrong: for people on stderr, for programs on stdout. A closing line goes where it disturbs nobody
 * who reads the other.
 */
export const report = async (
  diagnostics: readonly Diagnostic<string>[],
  options: {
    readonly format: FormatName
    readonly content: ContentFolder
    readonly console: Console
    readonly closing: string
    /** A file to write the diagnostics to, rather than a stream. */
    readonly output?: string | undefined
    /** The page that explains the codes. Default: docs/diagnostics.md. */
    readonly page?: string
  },
): Promise<void> => {
  const { format, content, closing, output } = options
  const { stdout, stderr, env } = options.console
  const reader = format === 'pretty' ? stderr : stdout
  const text = await formats[format](diagnostics, {
    source: (file) => readSource(file, content),
    color: format === 'pretty' && output === undefined && wantsColor(stderr, env),
    columns: columnsOf(stderr),
    ...(options.page !== undefined && { page: options.page }),
  })
  writeResult(text, { file: output, stream: reader })
  const other = format === 'pretty' ? stdout : stderr
  if (closing !== '') other.write(`${closing}\n`)
}

/** The text of a content file that a diagnostic names; links and what is not text are not looked into. */
const readSource = (file: string, content: ContentFolder): string | undefined => {
  if (!file.startsWith(`${content.name}/`)) return undefined
  const below = file.slice(content.name.length + 1)
  if (!isPathBelow(below)) return undefined
  return readStart(content.path, below, { length: sizeLimit })?.toString('utf8')
}
