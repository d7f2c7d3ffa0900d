/** Something that the person who runs a command did or must change. Shown as a message and a hint, without a stack. */
export class UserError extends Error {
  readonly hint: string | undefined
  /** Whether the command ran and its answer is "no". */
  readonly answer: boolean

  constructor(
    message: string,
    { hint, answer = false, cause }: { hint?: string | undefined; answer?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'UserError'
    this.hint = hint
    this.answer = answer
  }
}

/**
 * Whether an error may pass by itself: something is in the way of the user or of the system just now, such as a missing
 * folder, a link or a full disk. Defects don't pass.
 */
export const mayPass = (error: unknown): error is Error =>
  error instanceof UserError || (error as NodeJS.ErrnoException).syscall !== undefined
