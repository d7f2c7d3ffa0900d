import fs from 'node:fs'
import { decode } from './tables.ts'

/**
 * The cases of a text file: each begins with `=== ` and its name, each of its two parts with
 * `--- ` and a label. `∅` at the end of a part takes its last line break away; other signs
 * are those of a table.
 */
export const readCases = (file: string) =>
  fs
    .readFileSync(file, 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((one) => {
      const [name = '', ...parts] = one.split(/^--- /m)
      const [before = none, after = none] = parts.map(partOf)
      return [name.trim(), before, after] as const
    })

const none = { label: '', text: '' }

const partOf = (part: string) => {
  const [label = ''] = part.split('\n', 1)
  return { label, text: decode(part.slice(label.length + 1).replace(/∅\n$/, '')) }
}
