import { printable } from '../diagnostics/printable.ts'
import { UserError } from '../diagnostics/user-error.ts'

/** Writes to stderr why a command could not run: two lines for the user's errors, the stack for our own. */
export const reportFailure = (error: unknown, name: string): void => {
  if (!(error instanceof UserError)) {
    process.stderr.write(`${name}: this is a defect of Shotpress, please report it with the lines below\n`)
    const lines = String(error instanceof Error ? error.stack : error).split('\n')
    process.stderr.write(`${lines.map(printable).join('\n')}\n`)
    return
  }
  process.stderr.write(`error: ${printable(error.message)}\n`)
  if (error.hint !== undefined) process.stderr.write(`  hint: ${printable(error.hint)}\n`)
}
