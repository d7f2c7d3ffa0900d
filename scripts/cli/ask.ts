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
  const ended = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new Cancelled()))
  })
  ended.catch(() => {})
  /** Lines that came before they were asked for, as when an answer is pasted; readline would drop them. */
  const early: string[] = []
  lines.on('line', (line) => early.push(line))
  const once = async (question: string): Promise<string> => {
    const known = early.shift()
    if (known === undefined) return Promise.race([lines.question(`${question} `), ended])
    output.write(`${question} ${known}\n`)
    return known
  }
  return {
    ask: async (question, check) => {
      for (;;) {
        const answer = (await once(question)).trim()
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
