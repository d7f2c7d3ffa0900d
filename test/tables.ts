import fs from 'node:fs'

/** The texts between bars: a list of many is read as one. */
export const texts = (...rows: readonly string[]) => rows.flatMap((row) => row.split('¦'))

/** As many cells as there are; who reads a table knows how many. */
type Row = [string, string, string, string, string, string]

/**
 * The rows of a table, a line each, with its cells apart by ` → `; lines after `# ` are left
 * out. `⏎` is a line break, `{U+00A0}` that character, `∅` an empty text.
 */
export const readTable = (file: fs.PathLike) => cellsOf(fs.readFileSync(file, 'utf8'))

/** The rows of a table that stands in a test; how far it is indented doesn't matter. */
export const rowsOf = (table: string) => cellsOf(table.replaceAll(/\n +/g, '\n'))

const cellsOf = (table: string) =>
  table
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.split(' → ').map(decode) as Row)

export const decode = (field: string) =>
  field
    .replace(/^∅$/, '')
    .replaceAll('⏎', '\n')
    .replace(/\{U\+(\w+)\}/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
