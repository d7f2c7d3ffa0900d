import { type Html, html } from '../../text/html.ts'
import type { Part, View } from '../data/data.ts'
import { place } from './places.ts'

/** Every field of a record, as the API gives it in one variant, with the line that it comes from. */
export const fieldTable = (
  record: Readonly<Record<string, string>>,
  { part, view }: { readonly part: Pick<Part<unknown>, 'file' | 'lines'>; readonly view: View },
): Html =>
  html`<dl class="fields">${Object.entries(record).map(([key, value]) => {
    const line = part.lines[sources[key] ?? key]
    return html`<div><dt>${key}</dt><dd><span class="value" dir="auto">${shown(value)}</span>${
      line === undefined
        ? html`<span class="place">${origins[key] ?? 'default'}</span>`
        : place(part.file, line, view)
    }</dd></div>`
  })}</dl>`

/** Fields that a key of another name decides. */
const sources: Readonly<Record<string, string>> = { created_project: 'id_project' }

/** Where fields come from that no key gives, if it isn't a default. */
const origins: Readonly<Record<string, string>> = {
  username: 'the folder’s name',
  user_id: 'the member’s id',
  token_id: 'made from the id',
  large_image: 'the image',
  totalShots: 'counted',
  Projects: 'counted',
}

const shown = (value: string): Html =>
  value === ''
    ? html`<em class="empty">empty</em>`
    : /^https?:\/\//.test(value)
      ? link(value, value)
      : html`${value}`

/** A link to another site, which doesn't learn of this page. Only http(s) addresses become links. */
export const link = (url: string, text: string): Html =>
  /^https?:\/\//.test(url)
    ? html`<a href="${url}" rel="noreferrer external" dir="auto">${text}</a>`
    : html`${text}`
