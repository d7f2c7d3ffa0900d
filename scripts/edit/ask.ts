import { createInterface } from 'node:readline/promises'

/** Asks one question on a line of its own; the answer without spaces around it. Rejects when the input ends. */
export type Ask = (question: string) => Promise<string>

/** Questions on a terminal, until `end`. */
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
  return {
    ask: async (question) => {
      const known = early.shift()
      if (known === undefined) return (await Promise.race([lines.question(`${question} `), ended])).trim()
      output.write(`${question} ${known}\n`)
      return known.trim()
    },
    end: () => lines.close(),
  }
}

/** Somebody ended the questions: Ctrl-C or Ctrl-D. */
export class Cancelled extends Error {}
