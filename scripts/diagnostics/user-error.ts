/** What an operator did wrong, or the machine refused: shown as a message and a hint, without a stack; status 2. */
export class UserError extends Error {
  readonly hint: string | undefined

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'UserError'
    this.hint = options.hint
  }
}
