import { grouped } from '../../text/amounts.ts'
import { printable } from '../../text/printable.ts'
import type { Item, Line } from '../outline.ts'
import type { ReportFormat } from './format.ts'
import { shorten } from './pretty.ts'

/**
 * For GitHub: a job's summary, a comment. Every value of a stranger is a code span on one line, in which no link,
 * mention, HTML, fence or table takes effect. Whole items only, up to the limit.
 */
export const markdown: ReportFormat = ({ summary, sections }, { limit }) => {
  const blocks = sections.flatMap(({ title, items }) => [
    { text: `\n### ${title}\n\n`, items: 0 },
    ...items.map((item) => ({ text: list(item), items: 1 })),
  ])
  let room = limit - reserve
  const tooMuch = blocks.findIndex(({ text }) => {
    room -= Buffer.byteLength(text)
    return room < 0
  })
  const shown = tooMuch === -1 ? blocks : blocks.slice(0, tooMuch)
  const left = blocks.slice(shown.length).reduce((sum, { items }) => sum + items, 0)
  return [
    `**${summary}**\n`,
    ...shown.map(({ text }) => text),
    ...(left === 0 ? [] : [`\n${grouped(left)} more left out: there is no more room here.\n`]),
  ].join('')
}

/** Bytes for the first line and the last. */
const reserve = 400

const list = ({ line, details }: Item): string =>
  [`- ${text(line)}\n`, ...details.map((detail) => `  - ${text(detail)}\n`)].join('')

const text = (line: Line): string =>
  line
    .map((piece) => (typeof piece === 'string' ? piece : codeSpan(printable(shorten(piece.value)))))
    .join('')

/** The fence is longer than every run of backquotes inside. */
const codeSpan = (value: string): string => {
  const runs = value.match(/`+/g) ?? []
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map((run) => run.length)))
  // Markdown drops a space on each side, unless the code is nothing but spaces
  return value.trim() === '' ? `${fence}${value || ' '}${fence}` : `${fence} ${value} ${fence}`
}
