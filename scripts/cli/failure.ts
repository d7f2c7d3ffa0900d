import { UserError } from '../problems/user-error.ts'
import { wrap } from '../text/cells.ts'
import { printable } from '../text/printable.ts'
import { columnsOf } from './terminal.ts'

/** Writes to stderr why a command could not run: two lines for the user's errors, the stack for our own. */
export const reportFailure = (error: unknown, name = 'shotpress'): void => {
  const failure = error instanceof UserError ? error : fromSystem(error)
  if (failure === undefined) {
    process.stderr.write(`${name}: this is a defect of Shotpress, please report it with the lines below\n`)
    const lines = String(error instanceof Error ? error.stack : error).split('\n')
    process.stderr.write(`${lines.map(printable).join('\n')}\n`)
    return
  }
  const reason = failure.cause === undefined ? undefined : fromSystem(failure.cause)
  write('error: ', `${printable(failure.message)}${reason ? ` (${printable(reason.message)})` : ''}`)
  const hint = failure.hint ?? reason?.hint
  if (hint !== undefined) write('  hint: ', printable(hint))
}

/** On a terminal in lines that fit; a program gets one line, and so does whoever searches a log. */
const write = (lead: string, text: string): void => {
  const { stderr } = process
  const lines = stderr.isTTY ? wrap(text, Math.max(40, columnsOf(stderr)) - lead.length) : [text]
  stderr.write(`${lead}${lines.join(`\n${' '.repeat(lead.length)}`)}\n`)
}

/** What the system refused, in plain words; `undefined` if the error is of another kind. */
const fromSystem = (error: unknown): UserError | undefined => {
  const { code, syscall, path } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) return undefined
  const { what, hint } = refusals[code] ?? { what: `${syscall} failed with ${code}`, hint: undefined }
  return new UserError(path === undefined ? what : `${what}: ${path}`, {
    ...(hint !== undefined && { hint }),
  })
}

const refusals: Readonly<Record<string, { readonly what: string; readonly hint?: string } | undefined>> = {
  ENOSPC: { what: 'the disk is full', hint: 'make room and run again' },
  EDQUOT: { what: 'the disk quota is used up', hint: 'make room and run again' },
  EFBIG: { what: 'a file may not grow so large here', hint: 'see ulimit -f' },
  EACCES: { what: 'permission denied', hint: 'give this user the right to it and run again' },
  EPERM: { what: 'not permitted', hint: 'give this user the right to it and run again' },
  EROFS: { what: 'the file system is read-only' },
  ENOENT: { what: 'it does not exist' },
  EEXIST: { what: 'it has just been made by somebody else', hint: 'run it again' },
  ENOTDIR: { what: 'a file stands where a folder should be' },
  EMFILE: { what: 'too many files are open', hint: 'raise the limit with ulimit -n' },
  EIO: { what: 'the disk reports an error' },
}
