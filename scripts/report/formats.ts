import { builtFile } from '../files/built.ts'
import { grouped } from '../text/amounts.ts'
import { hang } from '../text/cells.ts'
import { type Content, type Html, markupOf, html as page, trusted } from '../text/html.ts'
import { withoutControls } from '../text/json.ts'
import { painter } from '../text/paint.ts'
import { printable } from '../text/printable.ts'
import { type Line, type Outline, outline } from './outline.ts'
import type { ChangedPicture, Shown } from './pictures.ts'
import type { Report } from './report.ts'

type Surroundings = {
  readonly color: boolean
  /** Width of the terminal. */
  readonly columns: number
  /** The most bytes that a text for GitHub may have; what doesn't fit is left out, and said. */
  readonly limit: number
}

const pretty = ({ summary, sections }: Outline, { color, columns }: Surroundings) => {
  const paint = painter(color)
  const listed = (line: Line, at: number) =>
    hang(at === 0 ? '  • ' : '    – ', textOf(line), columns)
  const shown = sections.map(({ title, items }) =>
    [paint('bold', title), ...items.flatMap((item) => item.flatMap(listed)), '', ''].join(
      '\n',
    ),
  )
  return `${shown.join('')}${paint('bold', summary)}\n`
}

/** A value is shown up to this length: a bio may have thousands of characters. */
const longest = 300

const textOf = (line: Line, show = (value: string) => value) =>
  line
    .map((piece) =>
      typeof piece === 'string' ? piece : show(printable(shorten(piece.value))),
    )
    .join('')

const shorten = (value: string) => {
  const chars = Array.from(value.slice(0, longest * 2))
  return chars.length > longest ? `${chars.slice(0, longest - 1).join('')}…` : value
}

/**
 * For GitHub: a job's summary, a comment. Every value of a stranger is a code span on one
 * line, in which no link, mention, HTML, fence or table takes effect. Whole items only, up to
 * the limit.
 */
export const markdown = (whole: Outline, { limit }: Surroundings): string => {
  const listed = (line: Line, at: number) =>
    `${at === 0 ? '-' : '  -'} ${textOf(line, codeSpan)}\n`
  const block = (item: readonly Line[]) => item.map(listed).join('')
  // the first line and the last take some bytes, too
  const { summary, sections, rest } = cut(whole, limit - 400, (item) =>
    Buffer.byteLength(block(item)),
  )
  const shown = sections.map(
    ({ title, items }) => `\n### ${title}\n\n${items.map(block).join('')}`,
  )
  const last = rest && `\n${rest}\n`
  return `**${summary}**\n${shown.join('')}${last}`
}

/** As much of an outline as fits, in whole items, and a sentence on what was left out. */
const cut = (
  { summary, sections }: Outline,
  limit: number,
  sizeOf: (item: readonly Line[]) => number,
) => {
  let room = limit
  let left = 0
  const fits = (item: readonly Line[]) => {
    room -= sizeOf(item)
    if (room < 0) left++
    return room >= 0
  }
  const kept = sections.map(({ title, items }) => {
    room -= title.length + 10
    return { title, items: items.filter(fits) }
  })
  return {
    summary,
    sections: kept.filter(({ items }) => items.length > 0),
    rest: left === 0 ? '' : `${grouped(left)} more left out: there is no more room here.`,
  }
}

/** The fence is longer than every run of backquotes inside. */
const codeSpan = (value: string) => {
  const runs = value.match(/`+/g) ?? []
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map((run) => run.length)))
  // Markdown drops a space on each side, unless the code is nothing but spaces
  return value.trim() === ''
    ? `${fence}${value || ' '}${fence}`
    : `${fence} ${value} ${fence}`
}

/** Characters of a page's pictures. With the words it has less than 5 MB. */
export const picturesRoom = 4_000_000
const wordsRoom = 800_000

const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/**
 * One page in one file, which loads nothing: for a browser, or as an artifact of a pull
 * request.
 */
const html = (whole: Outline, pictures: readonly ChangedPicture[]) => {
  const { summary, sections, rest } = cut(
    whole,
    wordsRoom,
    (item) => markupOf(entry(item)).length,
  )
  const last = rest && page`<p>${rest}</p>\n`
  return markupOf(page`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>What the API will serve</title>
<style>${trusted(builtFile('scripts/report/report.css'))}</style>
</head>
<body>
<main>
<h1>What the API will serve</h1>
<p>${summary}</p>
${sections.map(section)}${last}${pictures.map(figure)}</main>
</body>
</html>
`)
}

const figure = ({ file, shown }: ChangedPicture) =>
  shown &&
  page`<figure>
<figcaption><bdi>${file}</bdi></figcaption>
${shown.before && picture('before', shown.before)}${picture(shown.before ? 'after' : 'new', shown.after)}</figure>
`

const picture = (when: string, { type, base64 }: Shown) =>
  page`<p>${when}<br><img alt="${when}" src="data:${type};base64,${trusted(base64)}"></p>\n`

const section = ({ title, items }: Outline['sections'][number]) => page`<section>
<h2>${title}</h2>
${list(items.map(entry))}
</section>
`

const entry = ([line = [], ...details]: readonly Line[]) =>
  page`${pieces(line)}${details.length > 0 && list(details.map(pieces))}`

const list = (items: readonly Content[]) => page`<ul>${items.map(listItem)}\n</ul>`

const listItem = (item: Content) => page`\n<li>${item}</li>`

const pieces = (line: Line): readonly (string | Html)[] =>
  line.map((piece) => (typeof piece === 'string' ? piece : page`<bdi>${piece.value}</bdi>`))

/**
 * For programs: the difference, every key always there, without a character that a terminal
 * would act on.
 */
const json = ({ base, head, members, addresses, warnings, verdict }: Report) =>
  `${withoutControls(JSON.stringify({ base, head, members, addresses, warnings, verdict }, undefined, 2))}\n`

/** What `--format` takes. To add a format is one function, and one line here. */
export const formats = {
  pretty: (report, surroundings) => pretty(outline(report), surroundings),
  markdown: (report, surroundings) => markdown(outline(report), surroundings),
  json: (report) => json(report),
  html: (report) => html(outline(report), report.pictures ?? []),
} as const satisfies Record<string, (report: Report, surroundings: Surroundings) => string>
