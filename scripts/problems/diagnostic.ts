import { amount } from '../text/amounts.ts'
import { compareText } from '../text/order.ts'

export type Severity = 'error' | 'warning'

/**
 * A stretch of a file. Lines and columns count from 1, columns in UTF-16 units; the end is
 * exclusive.
 */
export type Span = {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/**
 * A stretch of a named file. `file` is as a compiler prints it: the `--content` value, `/`,
 * the path inside.
 */
export type Place = Span & { readonly file: string }

/** A second place that a problem involves, and what is there. */
export type Related = Place & { readonly message: string }

/** Something wrong, where, and what to write instead. The code is that of a table of messages. */
export type Diagnostic = Place & {
  readonly severity: Severity
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly related?: readonly Related[]
  /**
   * What the file says at this place when it is fixed, where that has one answer: `check
   * --fix` writes it. Of a file that is not read where it is, its path below the content
   * folder when it is moved.
   */
  readonly fix?: string
}

/** The place of a problem with a file as a whole. */
export const fileStart: Span = { line: 1, column: 1, endLine: 1, endColumn: 1 }

/** Sorts by file, line, column, then code, so that the order of discovery never shows. */
export const byPlace = (a: Diagnostic, b: Diagnostic): number =>
  compareText(a.file, b.file) ||
  a.line - b.line ||
  a.column - b.column ||
  compareText(a.code, b.code)

/** What is wrong, warnings aside. */
export const errorsIn = <D extends Pick<Diagnostic, 'severity'>>(
  all: readonly D[],
): readonly D[] => all.filter(({ severity }) => severity === 'error')

/** Whether something is wrong, warnings aside. */
export const hasErrors = (diagnostics: readonly Pick<Diagnostic, 'severity'>[]): boolean =>
  diagnostics.some(({ severity }) => severity === 'error')

/** `3 errors, 1 warning in 2 files` */
export const summary = (diagnostics: readonly Diagnostic[]): string => {
  const all = (['error', 'warning'] as const).map((severity) =>
    amount(diagnostics.filter((one) => one.severity === severity).length, severity),
  )
  const found = all.filter((one) => !one.startsWith('0 ')).join(', ') || all[0]
  return `${found} in ${amount(new Set(diagnostics.map((one) => one.file)).size, 'file')}`
}

/** What a {@link UserError} may say besides its message. */
export type FailureOptions = {
  readonly hint?: string | undefined
  readonly answer?: boolean
  readonly cause?: unknown
}

/**
 * Something that the person who runs a command did or must change. Shown as a message and a
 * hint, without a stack.
 */
export class UserError extends Error {
  readonly hint: string | undefined
  /** Whether the command ran and its answer is "no". */
  readonly answer: boolean

  constructor(message: string, { hint, answer = false, cause }: FailureOptions = {}) {
    super(message, { cause })
    this.name = 'UserError'
    this.hint = hint
    this.answer = answer
  }
}

/** The code of an error of the system, such as `ENOENT`; empty of any other. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/**
 * Whether an error may pass by itself: something is in the way of the user or of the system
 * just now, such as a missing folder, a link or a full disk. Defects don't pass.
 */
export const mayPass = (error: unknown): error is Error =>
  error instanceof UserError || (error as NodeJS.ErrnoException).syscall !== undefined
