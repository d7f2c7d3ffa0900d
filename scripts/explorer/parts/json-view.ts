import { type Html, html } from '../../text/html.ts'
import type { Served, View } from '../data/data.ts'

export type Answer = {
  /** Path of the request below base_url. */
  readonly path: string
  readonly served: Served | undefined
}

/** An answer of the API as it is served: both variants as one, with what differs shown twice. */
export const jsonView = ({ path, served }: Answer, view: View): Html => {
  return html`<section class="answer" data-part="JSON of ${path}" id="json${path.replaceAll('/', '-')}">
<h3><code>GET ${path}</code></h3>
${(['http', 'https'] as const).map((scheme) => copyable(view.curl(path, scheme)))}
${
  served === undefined
    ? html`<p class="quiet">Not served: the snapshot has no such file yet.</p>`
    : html`<pre class="json" tabindex="0" role="region" aria-label="Body of ${path}"><code>${lines(JSON.parse(served.https), JSON.parse(served.http), '')}</code></pre>`
}</section>`
}

const copyable = (command: string): Html =>
  html`<p class="command"><code tabindex="0" role="group" aria-label="Command">${command}</code><button type="button" class="copy" data-copy="${command}" hidden>Copy</button></p>`

type Json = string | readonly Json[] | { readonly [key: string]: Json }

const lines = (https: Json, http: Json | undefined, indent: string): Html => {
  const inner = `${indent}  `
  if (typeof https === 'string') return html`<span class="string">${JSON.stringify(https)}</span>`
  if (Array.isArray(https)) {
    if (https.length === 0) return html`[]`
    const items = https.map((item, at) => html`${inner}${lines(item, at_(http, at), inner)}`)
    return html`[\n${joined(items)}\n${indent}]`
  }
  const items = Object.entries(https).map(([key, value]) => {
    const other = at_(http, key)
    if (typeof value === 'string' && typeof other === 'string' && value !== other) {
      return html`${inner}<span class="key">${JSON.stringify(key)}</span>: <span class="variant">https</span> ${lines(value, undefined, inner)}
${inner}${' '.repeat(JSON.stringify(key).length + 2)}<span class="variant">http</span>  ${lines(other, undefined, inner)}`
    }
    return html`${inner}<span class="key">${JSON.stringify(key)}</span>: ${lines(value, other, inner)}`
  })
  return html`{\n${joined(items)}\n${indent}}`
}

const at_ = (json: Json | undefined, key: string | number): Json | undefined =>
  typeof json === 'object' ? (json as Readonly<Record<string | number, Json>>)[key] : undefined

const joined = (items: readonly Html[]): readonly Html[] =>
  items.map((item, at) => (at === 0 ? item : html`,\n${item}`))
