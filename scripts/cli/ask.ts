import { createInterface } from 'node:readline/promises'
import { UserError } from '../problems/diagnostic.ts'
import { reportFailure } from './output.ts'

/**
 * Asks on a line of its own, and again as long as `check` refuses the answer: a wrong one
 * must not cost the others.
 */
export type Ask = (question: string, check: (answer: string) => void) => Promise<string>

/**
 * Runs a function that asks for what is missing; without a terminal nobody can be asked.
 * Ctrl-C or Ctrl-D at a question ends the process, so the function must ask before it writes.
 * An answer comes without spaces around it.
 */
export const withQuestions = async <T>(
  run: (ask: Ask | undefined) => Promise<T>,
): Promise<T> => {
  const { stdin: input, stderr: output } = process
  if (!input.isTTY) return run(undefined)
  const lines = createInterface({ input, output })
  // keeps lines that come before they are asked for, as when an answer is pasted
  const answers = lines[Symbol.asyncIterator]()
  const ask: Ask = async (question, check) => {
    for (;;) {
      lines.setPrompt(`${question} `)
      lines.prompt()
      const { value, done } = await answers.next()
      if (done) {
        output.write('\nnothing was written\n')
        process.exit(130)
      }
      try {
        check(value.trim())
        return value.trim()
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        reportFailure(error)
      }
    }
  }
  return run(ask).finally(() => lines.close())
}
