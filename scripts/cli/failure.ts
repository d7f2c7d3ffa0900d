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
  const [what = `${syscall} failed with ${code}`, hint] = refusals[code] ?? []
  return new UserError(path === undefined ? what : `${what}: ${path}`, { hint })
}

const refusals: Readonly<Record<string, readonly [what: string, hint?: string] | undefined>> = {
  ENOSPC: ['the disk is full', 'make room and run again'],
  EDQUOT: ['the disk quota is used up', 'make room and run again'],
  EFBIG: ['a file may not grow so large here', 'see ulimit -f'],
  EACCES: ['permission denied', 'give this user the right to it and run again'],
  EPERM: ['not permitted', 'give this user the right to it and run again'],
  EROFS: ['the file system is read-only'],
  ENOENT: ['it does not exist'],
  EEXIST: ['it has just been made by somebody else', 'run it again'],
  ENOTDIR: ['a file stands where a folder should be'],
  EMFILE: ['too many files are open', 'raise the limit with ulimit -n'],
  EIO: ['the disk reports an error'],
}
