import { type Html, html } from '../../text/html.ts'
import type { Problem, View } from '../data/data.ts'
import { fullPlace } from './places.ts'

/** What is wrong, in the words of `check`, with the line and what to write instead. */
export const problemList = (
  problems: readonly Problem[],
  { view, seeAt = () => undefined }: ListOptions,
): Html | undefined =>
  problems.length === 0
    ? undefined
    : html`<ul class="problems">${problems.map(
        (problem) => html`<li>${problemItem(problem, view)}${see(seeAt(problem.diagnostic.file))}</li>`,
      )}</ul>`

type ListOptions = {
  readonly view: View
  /** The address at which the page shows what a file makes, if that is elsewhere. */
  readonly seeAt?: (file: string) => string | undefined
}

const see = (address: string | undefined): Html | undefined =>
  address === undefined
    ? undefined
    : html`<p class="where"><a href="${address}">See it on the member’s page</a></p>`

const problemItem = ({ diagnostic, line }: Problem, view: View): Html => {
  const { severity, code, message, hint, related = [] } = diagnostic
  return html`<p class="problem ${severity}"><strong>${severity}:</strong> <span dir="auto">${message}</span> <span class="code">[${code}]</span></p>
<p class="where">${fullPlace(diagnostic.file, diagnostic.line, view)}</p>
${line !== undefined && marked(line, diagnostic)}
${related.map((other) => html`<p class="where">${fullPlace(other.file, other.line, view)} ${other.message}</p>`)}
${hint !== undefined && html`<p class="hint"><strong>hint:</strong> <span dir="auto">${hint}</span></p>`}`
}

/** The line, with the stretch that is wrong marked in it; of a long one only what is around it. */
const marked = (line: string, { line: number, column, endLine, endColumn }: Problem['diagnostic']): Html => {
  const from = Math.min(column - 1, line.length)
  const to = Math.max(from, endLine === number ? endColumn - 1 : line.length)
  const start = from > around ? from - around : 0
  const cut = Math.min(to, from + 2 * around)
  const end = cut + around < line.length ? cut + around : line.length
  const [lead, trail] = [start > 0 ? '…' : '', end < line.length ? '…' : '']
  return html`<pre class="line" tabindex="0" role="group" aria-label="line ${number}"><code>${lead}${line.slice(start, from)}<mark>${line.slice(from, cut) || ' '}</mark>${line.slice(cut, end)}${trail}</code></pre>`
}

/** UTF-16 units that are shown before and after the stretch. */
const around = 60
