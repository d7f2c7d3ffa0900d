import { pictureTypes } from '../api/routes.ts'
import { type Data, mappingOf } from '../content/parse/data.ts'
import { readSchema, type Subschema } from '../content/schema.ts'
import type { Diagnostic, UserError } from '../problems/diagnostic.ts'
import { type Html, html, type Content as Markup, markupOf, trusted } from '../text/html.ts'
import type { Checked, Draft } from './edits.ts'
import { openAt } from './layer.ts'

/**
 * Forms for files of content. All that they know of fields comes from the schemas: a new key has a field without a line
 * here. The browser's part is in `script.ts`, which knows some controls by their class. Until it runs, forms are
 * disabled: the browser alone would send them nowhere, and what was typed would be lost. `look` is what the file's page
 * shows: markup.
 */
export const formOf = (draft: Draft, look: string): Markup => {
  const { file, kind, oid, refused, username } = draft
  const start = html`<p>${openAt(file, 1)}</p>`
  if (refused !== undefined) {
    return html`${start}<p class="sp-bad">This file can’t be edited in a form: ${refused}. Open it in the editor.</p>`
  }
  const keys = Object.entries(readSchema(kind).properties ?? {})
  const fields = keys.map(([key, sub]) => field(key, sub, draft))
  const about = html`id="sp-form" novalidate data-action="save" data-file="${file}" data-base="${oid}"`
  const buttons = html`<button>Save</button>${kind === 'shot' && html`<button name="action" value="delete">Delete this work</button>`}`
  // what one presses in a conflict comes after Save, which Enter presses
  const form = formFor(about, html`${fields}${actions(buttons)}<div id="sp-conflict"></div>`)
  const rename = formFor(
    html`data-action="rename" data-from="${username}"`,
    html`<h2>Rename</h2>${textField('to', 'New username', username)}<p><label><input type="checkbox" name="alias" checked> The old name answers on</label></p>${actions(html`<button>Rename ${username}</button>`)}`,
  )
  return html`${start}<div class="sp-edit">${form}<section id="sp-view" class="${kind === 'shot' ? 'work' : 'member'}" aria-label="As it will look">${trusted(look)}</section></div>${kind === 'profile' && rename}`
}

/** A form, whose `data-` attributes say what it does. */
const formFor = (attributes: Html, content: Markup): Html =>
  html`<form class="sp-do" ${attributes}><noscript class="sp-bad">This form needs JavaScript.</noscript><fieldset disabled>${content}</fieldset></form>`

/** The buttons of a form, and where it says what became of it. */
const actions = (buttons: Html): Html =>
  html`<p class="sp-said" role="status"></p><p class="sp-actions">${buttons}</p>`

const textField = (name: string, label: string, value = ''): Html =>
  html`<p><label for="sp-${name}">${label}</label><input id="sp-${name}" name="${name}" value="${value}" autocomplete="off" required></p>`

/** What takes back the last edit, if there is one. */
export const undoForm = (last: string | undefined): Markup =>
  last !== undefined && formFor(html`data-action="undo"`, actions(html`<button>Undo: ${last}</button>`))

/** What is wrong, and what to do. */
export const inWords = ({ message, hint }: Diagnostic | UserError): string =>
  hint ? `${message}: ${hint}` : message

/** What the page of a form shows once the file was checked as it would be, by the ids of elements. */
export const partsOf = ({ kind, problems }: Checked, look: string): Readonly<Record<string, string>> => {
  const words = (key: string): string =>
    problems
      .filter((one) => one.key === key)
      .map(inWords)
      .join('; ')
  const keys = Object.keys(readSchema(kind).properties ?? {})
  const parts = keys.map((key) => [`e-${key}`, markupOf(html`${words(key)}`)])
  return { 'sp-view': look, 'sp-conflict': '', ...Object.fromEntries(parts) }
}

/** A file was changed on the disk: both versions, to choose from. */
export const conflictOf = (values: Data | undefined, { data, oid }: Draft): string =>
  markupOf(
    html`<dl>${Object.entries(mappingOf(values)).map(
      ([key, value]) =>
        html`<dt>${key} on the disk</dt><dd>${JSON.stringify(data[key])}</dd><dt>${key} here</dt><dd>${JSON.stringify(value)}</dd>`,
    )}</dl><p class="sp-actions"><button name="base" value="${oid}">Save mine into the new file</button><a class="sp-button" href="">Take what is on the disk</a></p>`,
  )

const field = (key: string, sub: Subschema, draft: Draft): Html => {
  const isRequired = readSchema(draft.kind).required?.includes(key)
  const { title = key, description = '', examples = [] } = sub
  const example = [examples[0] ?? []].flat().filter((one) => typeof one !== 'object')
  return html`<div class="sp-field" data-key="${key}"><label for="f-${key}">${title}${isRequired && html` <small>required</small>`}</label><p id="h-${key}" class="sp-help">${description.replace(/ Required\.$/, '')}${
    example.length > 0 && html` <span>Example: <bdi>${example.join(', ')}</bdi></span>`
  }</p>${controlOf(key, sub, draft)}<p id="e-${key}" class="sp-error sp-bad" aria-live="polite"></p></div>`
}

/** The right control for a key and what it says. */
const controlOf = (key: string, sub: Subschema, { file, data, projects }: Draft): Markup => {
  const { type = [], format, items, description = '' } = sub
  const value = data[key] ?? ''
  const named = html`id="f-${key}" aria-describedby="h-${key} e-${key}" name="${key}" autocomplete="off"`
  if (type.includes('array') && (value === '' || Array.isArray(value))) {
    const list: readonly Data[] = value === '' ? [] : value
    if (items?.properties !== undefined) return rows(key, list, items.properties)
    const add = html`<input ${named} enterkeyhint="enter"><template>${chip(key, '')}</template>`
    if (list.every((word) => typeof word === 'string'))
      return html`<ul class="sp-chips">${list.map((word) => chip(key, word))}</ul>${add}`
  }
  if (typeof value !== 'string' || type.includes('array')) {
    const text = JSON.stringify(value).slice(0, 200)
    return html`<p id="f-${key}"><bdi>${text}</bdi> ${openAt(file, 1)}</p>`
  }
  if (type.includes('boolean') && !type.includes('number')) {
    const checked = value === 'true' && html` checked`
    return html`<input type="checkbox" ${named} value="true"${checked}>`
  }
  if (key === 'id_project' && projects.length > 0) {
    const option = (id: string, label: string): Html =>
      html`<option value="${id}"${id === value && html` selected`}>${label}</option>`
    const all = projects.map(({ id, created }) => option(id, `Project ${id}, begun ${created.slice(0, 10)}`))
    const isKnown = ['', '0', ...projects.map(({ id }) => id)].includes(value)
    return html`<select ${named}>${option('', 'None')}${all}${!isKnown && option(value, value)}</select>`
  }
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)Z?)?$/.exec(value) ?? []
  if (format === 'timestamp' && day !== undefined)
    return html`<input type="datetime-local" step="1" ${named} value="${day}T${time}">`
  const text = html`<input ${named} value="${value}">`
  if (format === 'picture') return html`${text}${chooser('Choose a picture, or drop or paste one here')}`
  const isLong = /several lines/i.test(description) || value.includes('\n')
  return isLong ? html`<textarea ${named} rows="5">\n${value}</textarea>` : text
}

/** Takes files that are dropped on it, too. */
const chooser = (words: string, many = false): Html =>
  html`<label class="sp-drop">${words}<input type="file"${many && html` multiple`} accept="${Object.values(pictureTypes).join()}"></label>`

const rows = (key: string, list: readonly Data[], columns: Readonly<Record<string, Subschema>>): Html => {
  const row = (data: Data): Html =>
    html`<li>${Object.entries(columns).map(
      ([name, { title = name }]) =>
        html`<label>${title} <input data-name="${name}" value="${String(mappingOf(data)[name] ?? '')}" autocomplete="off"></label> `,
    )}<button type="button" class="sp-less">Remove</button></li>`
  return html`<ul class="sp-rows">${list.map(row)}</ul><button type="button" id="f-${key}" class="sp-more">Add one</button><template>${row('')}</template>`
}

const chip = (key: string, word: string): Html =>
  html`<li><input type="hidden" name="${key}" value="${word}"><bdi>${word}</bdi> <button type="button" class="sp-less" aria-label="Remove ${word}">×</button></li>`

/** The page on which works and members begin. */
export const newForms = (username: string): Markup => {
  const work = formFor(
    html`data-action="new-work" data-username="${username}"`,
    html`<h2>New works of <bdi>${username}</bdi></h2>${chooser('Choose pictures, or drop or paste them here: each becomes a work', true)}<h3>Or one whose picture has an address already</h3>${textField('title', 'Title')}${textField('image', 'Address of the picture')}${actions(html`<button>Make this work</button>`)}`,
  )
  const member = formFor(
    html`data-action="new-member"`,
    html`<h2>New member</h2>${textField('username', 'Username')}<p class="sp-help">The name in the address: letters, digits, and . _ - between them.</p>${textField('name', 'Display name')}${actions(html`<button>Make this member</button>`)}`,
  )
  return html`${username !== '' && work}${member}`
}
