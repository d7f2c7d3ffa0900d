import { wrap } from '../text/cells.ts'
import type { Host } from './config/host.ts'

/** Every host with what it can and cannot do, as text of at most `columns` columns. */
export const listHosts = (hosts: readonly Host[], columns: number): string => {
  const width = Math.max(...hosts.map(({ name }) => name.length)) + 2
  const entries = hosts.map(({ name, title, support, can, cannot, limits = {} }) => [
    `${name.padEnd(width)}${title}`,
    ...item('support', [meaning[support]], columns),
    ...item('can', can, columns),
    ...item('cannot', cannot, columns),
    ...item(
      'limits',
      Object.entries(limits).map(([what, limit]) => `${units[what] ?? what}: ${grouped(limit)}`),
      columns,
    ),
  ])
  return `${entries.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

const meaning: Readonly<Record<Host['support'], string>> = {
  proved: 'proved on the real server',
  generated: 'generated, and checked without the real server',
  documented: 'documented only: there is no config',
  impossible: 'none: it cannot serve the paths',
}

const units: Readonly<Record<string, string>> = { files: 'files', fileBytes: 'bytes a file', rules: 'rules' }

const item = (lead: string, phrases: readonly string[], columns: number): string[] =>
  phrases.flatMap((phrase, index) =>
    wrap(phrase, columns - indent).map(
      (line, part) =>
        `  ${(index === 0 && part === 0 ? lead : '').padEnd(8)}${part === 0 ? '- ' : '  '}${line}`,
    ),
  )

/** Columns in front of a phrase. */
const indent = 12

const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
