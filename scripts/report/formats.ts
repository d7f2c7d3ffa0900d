import { withoutControls } from '../problems/json.ts'
import { grouped } from '../text/amounts.ts'
import { wrap } from '../text/cells.ts'
import { type Html, markupOf, html as page, trusted } from '../text/html.ts'
import { painter } from '../text/paint.ts'
import { printable } from '../text/printable.ts'
import type { Difference } from './compare.ts'
import { type Item, type Line, type Outline, outline, type Section, type Told } from './outline.ts'

export type Surroundings = {
  readonly color: boolean
  /** Width of the terminal. */
  readonly columns: number
  /** The most bytes that a text for GitHub may have; what doesn't fit is left out, and said. */
  readonly limit: number
}

/** For a terminal. */
const pretty = ({ summary, sections }: Outline, { color, columns }: Surroundings): string => {
  const paint = painter(color)
  const bullet = (line: Line, indent: string, mark: string): readonly string[] =>
    wrap(textOf(line), columns - indent.length - 2).map(
      (row, at) => `${indent}${at === 0 ? mark : ' '} ${row}`,
    )
  return [
    ...sections.flatMap(({ title, items }) => [
      paint('bold', title),
      ...items.flatMap(({ line, details }) => [
        ...bullet(line, '  ', '•'),
        ...details.flatMap((detail) => bullet(detail, '    ', '–')),
      ]),
      '',
    ]),
    paint('bold', summary),
    '',
  ].join('\n')
}

/** A value is shown up to this length: a bio may have thousands of characters. */
const longest = 300

const textOf = (line: Line, show = (value: string): string => value): string =>
  line.map((piece) => (typeof piece === 'string' ? piece : show(printable(shorten(piece.value))))).join('')

/** A value cut to a length that a reader takes in. */
const shorten = (value: string): string => {
  const chars = Array.from(value.slice(0, longest * 2))
  return chars.length > longest ? `${chars.slice(0, longest - 1).join('')}…` : value
}

/**
 * For GitHub: a job's summary, a comment. Every value of a stranger is a code span on one line, in which no link,
 * mention, HTML, fence or table takes effect. Whole items only, up to the limit.
 */
export const markdown = ({ summary, sections }: Outline, { limit }: Pick<Surroundings, 'limit'>): string => {
  const blocks = sections.flatMap(({ title, items }) => [
    { text: `\n### ${title}\n\n`, items: 0 },
    ...items.map((item) => ({ text: listed(item), items: 1 })),
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

const listed = ({ line, details }: Item): string =>
  [`- ${textOf(line, codeSpan)}\n`, ...details.map((one) => `  - ${textOf(one, codeSpan)}\n`)].join('')

/** The fence is longer than every run of backquotes inside. */
const codeSpan = (value: string): string => {
  const runs = value.match(/`+/g) ?? []
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map((run) => run.length)))
  // Markdown drops a space on each side, unless the code is nothing but spaces
  return value.trim() === '' ? `${fence}${value || ' '}${fence}` : `${fence} ${value} ${fence}`
}

/** One page in one file, which loads nothing: for a browser, or as an artifact of a pull request. */
const html = (outline: Outline): string =>
  markupOf(page`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>What the API will serve</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
<h1>What the API will serve</h1>
${bodyOf(outline)}</main>
</body>
</html>
`)

/** What the page says, to stand in another one. */
export const bodyOf = ({ summary, sections }: Outline): Html => page`<p>${summary}</p>
${sections.map(section)}`

const section = ({ title, items }: Section): Html => page`<section>
<h2>${title}</h2>
<ul>
${items.map(
  ({ line, details }) => page`<li>${pieces(line)}${
    details.length > 0 &&
    page`
<ul>
${details.map((detail) => page`<li>${pieces(detail)}</li>\n`)}</ul>
`
  }</li>
`,
)}</ul>
</section>
`

const pieces = (line: Line): readonly (string | Html)[] =>
  line.map((piece) => (typeof piece === 'string' ? piece : page`<bdi>${piece.value}</bdi>`))

const style = `
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #1c1c1e; background: #fff }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.5rem; line-height: 1.2 }
h2 { font-size: 1.1rem; margin-top: 2rem }
ul { padding-left: 1.25rem }
li { margin: 0.25rem 0; overflow-wrap: anywhere }
bdi { font-family: ui-monospace, monospace; font-size: 0.9em; padding: 0 0.25em; border-radius: 0.25em; background: #f0f0f3; white-space: pre-wrap }
@media (prefers-color-scheme: dark) {
  body { color: #ececf0; background: #18181b }
  bdi { background: #2a2a2f }
}
`

/** For programs: the difference, every key always there, without a character that a terminal would act on. */
const json = ({ base, head, members, addresses, warnings }: Difference): string =>
  `${withoutControls(JSON.stringify({ base, head, members, addresses, warnings }, undefined, 2))}\n`

/** What `--format` takes. To add a format is one function, and one line here. */
export const formats = {
  pretty: (report, surroundings) => pretty(outline(report), surroundings),
  markdown: (report, surroundings) => markdown(outline(report), surroundings),
  json: (report) => json(report),
  html: (report) => html(outline(report)),
} as const satisfies Record<string, (report: Told, surroundings: Surroundings) => string>
