import { type Html, markupOf, html as page, trusted } from '../../text/html.ts'
import type { Line, Section } from '../outline.ts'
import type { ReportFormat } from './format.ts'

/** One page in one file, which loads nothing: for a browser, or as an artifact of a pull request. */
export const html: ReportFormat = ({ summary, sections }) =>
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
<p>${summary}</p>
${sections.map(section)}</main>
</body>
</html>
`)

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
