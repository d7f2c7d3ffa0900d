import { assetUrl } from '../../api/assets.ts'
import { deriveShots, type Member } from '../../api/derive.ts'
import { type Html, html } from '../../text/html.ts'
import type { Part, View, Work } from '../data/data.ts'
import { fieldTable, link } from './fields.ts'
import { picture } from './images.ts'
import { idOf } from './places.ts'
import { problemList } from './problems.ts'

/** Where a work stands: among the newest that the API gives, after them, or not published. */
export type Standing = 'served' | 'beyond' | 'draft' | 'unknown'

const marks: Readonly<Record<Standing, string | undefined>> = {
  served: undefined,
  beyond: 'not in the API',
  draft: 'draft',
  unknown: 'not readable yet',
}

export type WorkOptions = {
  readonly member: Member | undefined
  readonly standing: Standing
  readonly view: View
}

/** A work in the grid, which opens to all of its fields. */
export const workItem = (part: Part<Work>, { member, standing, view }: WorkOptions): Html => {
  const { value: shot, file } = part
  const name = file.slice(file.lastIndexOf('/') + 1)
  const errors = part.problems.some(({ diagnostic }) => diagnostic.severity === 'error')
  return html`<li class="work ${standing}${errors && ' wrong'}" id="${idOf(file)}" data-part="${shot?.title ?? name}">
<details><summary>${picture(imageOf(shot?.image, view), { view, kind: 'work', seed: file })}
<h3 dir="auto">${shot?.title ?? name}</h3>
<p class="facts">${facts(shot)}${badges(part, standing)}</p></summary>
${shot !== undefined && member !== undefined && details(part, { shot, member, view })}</details>
${part.problems.length > 0 && html`<div class="trouble">${isEarlier(part) && html`<p class="quiet">Shown as it was when it was right last.</p>`}${problemList(part.problems, { view })}</div>`}
</li>`
}

const facts = (shot: Work | undefined): Html | undefined =>
  shot &&
  html`<time datetime="${shot.date.replace(' ', 'T')}">${shot.date.slice(0, 10)}</time>${
    shot.price_item !== '' && html` <span class="price" dir="auto">${shot.price_item}</span>`
  }${shot.attachment !== '' && html` <span class="attached">attachment</span>`}${
    shot.tags.length > 0 &&
    html` <span class="tags">${shot.tags.map((tag) => html`<bdi class="tag">${tag}</bdi> `)}</span>`
  }`

/** Whether a state is shown that the file is no longer in; a file that was never right has none. */
const isEarlier = ({ stale, value }: Part<Work>): boolean => stale && value !== undefined

const badges = (part: Part<Work>, standing: Standing): Html => {
  const { problems } = part
  const mark = marks[standing]
  return html`${mark !== undefined && html` <span class="badge">${mark}</span>`}${
    problems.length > 0 &&
    html` <span class="badge bad">${isEarlier(part) ? 'earlier state' : problems.some(({ diagnostic }) => diagnostic.severity === 'error') ? 'error' : 'warning'}</span>`
  }`
}

const imageOf = (asset: string | undefined, { site, scheme }: View): string =>
  asset === undefined || site === undefined ? '' : assetUrl(asset, scheme, site)

const details = (
  part: Part<Work>,
  { shot, member, view }: { readonly shot: Work; readonly member: Member; readonly view: View },
): Html | undefined => {
  if (view.site === undefined) return undefined
  const record = deriveShots({ ...member, latest: [shot] }, view.scheme, view.site).Shots[0]!
  return html`<div class="open">
${picture(record.large_image, { view, kind: 'large', seed: part.file })}
<div class="about">
${shot.description !== '' && html`<p class="text" dir="auto">${shot.description}</p>`}
<p class="links">${link(record.large_image, 'Open the image')}${
    record.attachment !== '' && html` ${link(record.attachment, 'Open the attachment')}`
  }${record.url_purchased !== '' && html` ${link(record.url_purchased, 'Buy it')}`}</p>
${fieldTable(record, { part, view })}
</div></div>`
}
