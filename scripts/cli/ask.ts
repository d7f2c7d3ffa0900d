import { createInterface } from 'node:readline/promises'
import { UserError } from '../problems/user-error.ts'
import { reportFailure } from './failure.ts'

/** Asks on a line of its own, and again as long as `check` refuses the answer: a wrong one must not cost the others. */
export type Ask = (question: string, check: (answer: string) => void) => Promise<string>

/**
 * Runs a function that asks for what is missing; without a terminal nobody can be asked. Ctrl-C or Ctrl-D at a question
 * ends the process, so the function must ask before it writes.
 */
export const withQuestions = async <T>(run: (ask: Ask | undefined) => Promise<T>): Promise<T> => {
  if (!process.stdin.isTTY) return run(undefined)
  const { ask, end } = createAsk(process.stdin, process.stderr)
  try {
    return await run(ask)
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    process.stderr.write('\nnothing was written\n')
    process.exit(130)
  } finally {
    end()
  }
}

/** Somebody ended the questions: Ctrl-C or Ctrl-D. */
class Cancelled extends Error {}

/** Questions on a terminal, until `end`. An answer comes without spaces around it. */
export const createAsk = (
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): { readonly ask: Ask; readonly end: () => void } => {
  const lines = createInterface({ input, output })
  // keeps lines that come before they are asked for, as when an answer is pasted
  const answers = lines[Symbol.asyncIterator]()
  return {
    ask: async (question, check) => {
      for (;;) {
        lines.setPrompt(`${question} `)
        lines.prompt()
        const { value, done } = await answers.next()
        if (done) throw new Cancelled()
        const answer = value.trim()
        try {
          check(answer)
          return answer
        } catch (error) {
          if (!(error instanceof UserError)) throw error
          reportFailure(error)
        }
      }
    },
    end: () => lines.close(),
  }
}
