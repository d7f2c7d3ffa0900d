import { hash } from 'node:crypto'
import fs from 'node:fs'

export type Line = Record<string, unknown>

/** Changes the text of a state where it lies, and its sum: no look at it can tell. */
export const forgeText = (file: string, change: (text: string) => string) => {
  const lines = fs.readFileSync(file, 'utf8').trim().split('\n')
  const seal = JSON.parse(lines.pop()!)
  const text = change(`${lines.join('\n')}\n`)
  fs.writeFileSync(
    file,
    `${text}${JSON.stringify({ ...seal, sha256: hash('sha256', text) })}\n`,
  )
}

/** The same with the lines of the members. */
export const forge = (file: string, change: (entry: Line) => unknown) =>
  forgeText(file, (text) => {
    const [header, ...lines] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    return [header, ...lines.map(change)].map((line) => `${JSON.stringify(line)}\n`).join('')
  })
