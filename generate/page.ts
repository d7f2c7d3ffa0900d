import { exampleMember, exampleUser } from '../scripts/api/document/example.ts'
import type { openapi } from '../scripts/api/document/openapi.ts'
import { type Html, html, markupOf, trusted } from '../scripts/text/html.ts'

type Document = ReturnType<typeof openapi>
type Ref = { readonly $ref: string }
type Property = {
  readonly description: string
  readonly pattern?: string
  readonly examples: readonly string[]
}
type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly responses: Responses
}
type Responses = Readonly<Record<string, Answer | Ref>>
type Answer = {
  readonly description: string
  readonly headers: Readonly<Record<string, Ref>>
  readonly content?: Readonly<
    Record<string, { readonly schema: Ref; readonly examples: Examples }>
  >
}
type Examples = Readonly<
  Record<string, { readonly summary: string; readonly value: unknown }>
>

/** docs/api.html: the OpenAPI document as a page that needs nothing but itself. */
export const apiPage = (document: Document): string => {
  const { info, servers, paths, components } = document
  const { Shots: _, NotFound: __, ...records } = components.schemas
  return markupOf(html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<!-- made from the fields of the API by npm run bless -->
<style>${trusted(style)}</style>
<main>
<h1>${info.title}</h1>
<pre tabindex="0">curl ${servers[0]?.url}/api/username/${exampleMember.username}
${JSON.stringify(exampleUser(), null, 2)}</pre>
${markdown(info.description)}
<h2>Servers</h2>
<ul>${servers.map(({ url, description }) => html`<li><code>${url}</code> ${description}</li>`)}</ul>
<h2>Operations</h2>
${Object.entries(paths).flatMap(([path, item]) =>
  [['GET', item.get] as const, ['HEAD', item.head] as const].map(([method, operation]) =>
    showOperation(`${method} ${path}`, operation as Operation, document),
  ),
)}
<h2>Records</h2>
${Object.entries(records).map(([name, record]) => showRecord(name, record))}
</main>
</html>
`)
}

const showOperation = (
  title: string,
  { summary, responses }: Operation,
  document: Document,
): Html => html`
<section>
<h3><code>${title}</code></h3>
<p>${summary}</p>
${Object.entries(responses).map(([status, response]) => {
  const { description, headers, content = {} } = resolve<Answer>(response, document)
  return html`<details><summary><b>${status}</b> ${description}</summary>
<dl>${Object.entries(headers).map(([name, header]) => showHeader(name, header, document))}</dl>
${Object.values(content).flatMap(({ examples }) =>
  Object.values(examples).map(
    ({ summary, value }) =>
      html`<h4>${summary}</h4><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`,
  ),
)}
</details>`
})}
</section>
`

const showHeader = (name: string, header: Ref, document: Document): Html => {
  type Header = { readonly description: string; readonly schema: { readonly const?: string } }
  const { description, schema } = resolve<Header>(header, document)
  return html`<dt><code>${schema.const === undefined ? name : `${name}: ${schema.const}`}</code></dt><dd>${description}</dd>`
}

const showRecord = (
  name: string,
  {
    description,
    properties,
  }: { readonly description: string; readonly properties: Readonly<Record<string, unknown>> },
): Html => html`
<section>
<h3 id="${name}">${name}</h3>
<p>${description}</p>
<dl>${Object.entries(properties as Readonly<Record<string, Property>>).map(
  ([
    field,
    { description, pattern, examples },
  ]) => html`<dt><code>${field}</code></dt><dd>${description}
${pattern !== undefined && html`<br>Pattern: <code>${pattern}</code>`}<br>Such as <code>${examples[0]}</code></dd>`,
)}</dl>
</section>
`

const resolve = <T>(value: T | Ref, document: Document): T => {
  if (!(typeof value === 'object' && value !== null && '$ref' in value)) return value as T
  const parts = value.$ref.split('/').slice(1)
  return parts.reduce<unknown>(
    (inner, part) => (inner as Record<string, unknown>)[part],
    document,
  ) as T
}

/** Paragraphs, one level of lists, and code between backquotes: what the description uses. */
const markdown = (text: string): readonly Html[] =>
  text
    .split('\n\n')
    .map((block) =>
      block.startsWith('- ')
        ? html`<ul>${block.split('\n').map((item) => html`<li>${inline(item.slice(2))}</li>`)}</ul>\n`
        : html`<p>${inline(block)}</p>\n`,
    )

const inline = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))

const style = `
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 46rem; margin: 0 auto; padding: 1rem }
code, pre { font: 0.9em/1.4 ui-monospace, monospace }
code { overflow-wrap: anywhere }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid color-mix(in srgb, currentColor 30%, transparent) }
dt { margin-top: 0.75rem }
dd { margin-left: 1rem }
summary { cursor: pointer; padding: 0.25rem 0 }
`
