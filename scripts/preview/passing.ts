import { UserError } from '../diagnostics/user-error.ts'

/** Whether an error may pass by itself, such as that of a missing folder or a full disk, or of a link in the way. */
export const isPassing = (error: unknown): error is Error =>
  error instanceof UserError || (error as NodeJS.ErrnoException).syscall !== undefined

/** What was read; `undefined` if it can't be just now: files come and go while they are read. */
export const unlessGone = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (isPassing(error)) return undefined
    throw error
  }
}
