import type { Data } from '../content/parse/data.ts'
import { readSchema, type Subschema } from '../content/schema.ts'
import { type Html, html, type Content as Markup, trusted } from '../text/html.ts'
import type { Draft } from './edits.ts'
import { openAt } from './layer.ts'

/**
 * Forms for files of content. All that they know of fields comes from the schemas: a new key has a field without a line
 * here. The browser's part is in `form-script.ts`, which knows each control by `data-control`. Until it runs, forms are
 * disabled: the browser alone would send them nowhere, and what was typed would be lost.
 */
export type FormOptions = {
  /** Projects of the member, for works. */
  readonly projects: readonly { readonly id: string; readonly created: string }[]
  /** What the file's page shows: markup. */
  readonly look: string
  /** What can be undone, the last edit first. */
  readonly done: readonly string[]
}

/** Everything that a form's page shows besides its title. */
export const formOf = (draft: Draft, { projects, look, done }: FormOptions): Markup => {
  const { file, kind, base, refused, username } = draft
  const schema = readSchema(kind)
  const fields = Object.entries(schema.properties ?? {})
  const start = html`<p>${openAt(file, 1)}</p>`
  if (refused !== undefined) {
    return html`${start}<p class="sp-bad">This file can’t be edited in a form: ${refused}. Open it in the editor.</p>`
  }
  return html`${start}<div class="sp-edit"><form id="sp-form" data-file="${file}" data-base="${base}" novalidate><fieldset disabled>${fields.map(
    ([key, sub]) => field(key, { sub, draft, projects, isRequired: schema.required?.includes(key) === true }),
  )}<p class="sp-said" role="status"></p><div class="sp-conflict" hidden><dl></dl><p class="sp-actions"><button type="button" data-act="mine">Save mine into the new file</button><button type="button" data-act="reload">Take what is on the disk</button></p></div><p class="sp-actions"><button>Save</button>${
    kind === 'shot' && html`<button type="button" data-act="delete">Delete this work</button>`
  }${undoButton(done)}</p></fieldset></form><section id="sp-view" class="${kind === 'shot' ? 'work' : 'member'}" aria-label="As it will look">${trusted(look)}</section></div>${
    kind === 'profile' &&
    html`<form class="sp-do" data-act="rename" data-from="${username}"><fieldset disabled><h2>Rename</h2><p><label for="sp-to">New username</label><input id="sp-to" name="to" value="${username}" autocomplete="off" required></p><p><label><input type="checkbox" name="alias" checked> The old name answers on</label></p><p class="sp-said" role="status"></p><p class="sp-actions"><button>Rename ${username}</button></p></fieldset></form>`
  }`
}

export const undoButton = (done: readonly string[]): Markup =>
  done[0] !== undefined && html`<button type="button" data-act="undo" disabled>Undo: ${done[0]}</button>`

type FieldOptions = {
  readonly sub: Subschema
  readonly draft: Draft
  readonly projects: FormOptions['projects']
  readonly isRequired: boolean
}

const field = (key: string, options: FieldOptions): Html => {
  const { sub, isRequired } = options
  const { title = key, description = '', examples = [] } = sub
  const example = examples[0] === undefined ? '' : exampleOf(examples[0])
  const kind = controlOf(key, options)
  const control = controls[kind](key, options)
  return html`<div class="sp-field" data-key="${key}" data-control="${kind}"><label for="f-${key}">${title}${isRequired && html` <small>required</small>`}</label><p id="h-${key}" class="sp-help">${description.replace(/ Required\.$/, '')}${
    example !== '' && html` <span>Example: <bdi>${example}</bdi></span>`
  }</p>${control}<p id="e-${key}" class="sp-error sp-bad" aria-live="polite"></p></div>`
}

const exampleOf = (example: unknown): string =>
  Array.isArray(example) ? example.filter((one) => typeof one !== 'object').join(', ') : String(example)

type Control = 'other' | 'rows' | 'words' | 'flag' | 'choice' | 'date' | 'picture' | 'long' | 'text'

const controlOf = (key: string, { sub, draft, projects }: FieldOptions): Control => {
  const value = draft.data[key] ?? ''
  const types = typeof sub.type === 'string' ? [sub.type] : (sub.type ?? [])
  if (types.includes('array')) {
    if (value !== '' && !Array.isArray(value)) return 'other'
    return sub.items?.properties === undefined ? (isWords(value) ? 'words' : 'other') : 'rows'
  }
  if (typeof value !== 'string') return 'other'
  if (types.includes('boolean') && !types.includes('number')) return 'flag'
  if (key === 'id_project' && projects.length > 0) return 'choice'
  if (sub.format === 'timestamp') return 'date'
  if (sub.format === 'asset' || sub.format === 'picture') return 'picture'
  return /several lines/i.test(sub.description ?? '') || value.includes('\n') ? 'long' : 'text'
}

const isWords = (data: Data): boolean =>
  data === '' || (Array.isArray(data) && data.every((one: Data) => typeof one === 'string'))

const textOf = (key: string, { draft }: FieldOptions): string => String(draft.data[key] ?? '')

const about = (key: string): Html => html`id="f-${key}" aria-describedby="h-${key} e-${key}"`

const controls: Readonly<Record<Control, (key: string, options: FieldOptions) => Markup>> = {
  text: (key, options) => html`<input ${about(key)} value="${textOf(key, options)}" autocomplete="off">`,
  long: (key, options) => html`<textarea ${about(key)} rows="5">\n${textOf(key, options)}</textarea>`,
  flag: (key, options) =>
    html`<input type="checkbox" ${about(key)}${textOf(key, options) === 'true' && html` checked`}>`,
  date: (key, options) => {
    const [, day, time = '00:00:00'] =
      /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)Z?)?$/.exec(textOf(key, options)) ?? []
    return day === undefined
      ? html`<input ${about(key)} value="${textOf(key, options)}" autocomplete="off">`
      : html`<input type="datetime-local" step="1" ${about(key)} value="${day}T${time}">`
  },
  choice: (key, options) => {
    const now = textOf(key, options)
    const known = ['', '0', ...options.projects.map(({ id }) => id)].includes(now)
    return html`<select ${about(key)}><option value="">None</option>${options.projects.map(
      ({ id, created }) =>
        html`<option value="${id}"${id === now && html` selected`}>Project ${id}, begun ${created.slice(0, 10)}</option>`,
    )}${!known && html`<option value="${now}" selected>${now}</option>`}</select>`
  },
  words: (key, { draft }) => {
    const words = (draft.data[key] || []) as readonly string[]
    return html`<ul class="sp-chips">${words.map(chip)}</ul><input ${about(key)} autocomplete="off" enterkeyhint="enter"><template>${chip('')}</template>`
  },
  rows: (key, { sub, draft }) => {
    const rows = (draft.data[key] || []) as readonly Readonly<Record<string, Data>>[]
    const keys = Object.keys(sub.items?.properties ?? {})
    const row = (data: Readonly<Record<string, Data>>): Html =>
      html`<li>${keys.map((one) => {
        const title = sub.items?.properties?.[one]?.title ?? one
        return html`<label>${title} <input data-name="${one}" value="${String(data[one] ?? '')}" autocomplete="off"></label> `
      })}<button type="button" class="sp-less">Remove</button></li>`
    return html`<ul class="sp-rows">${rows.map(row)}</ul><button type="button" id="f-${key}" class="sp-more">Add one</button><template>${row({})}</template>`
  },
  picture: (key, options) =>
    html`<div class="sp-drop"><input ${about(key)} value="${textOf(key, options)}" autocomplete="off"><label class="sp-button">Choose a picture<input type="file" accept="image/jpeg,image/png,image/webp,image/gif,image/avif"></label> <span class="sp-help">or drop or paste one here</span></div>`,
  other: (key, { draft }) => {
    const text = JSON.stringify(draft.data[key] ?? '')
    return html`<p id="f-${key}"><bdi>${text.slice(0, 200)}</bdi> ${openAt(draft.file, 1)}</p>`
  },
}

const chip = (word: string): Html =>
  html`<li><bdi>${word}</bdi> <button type="button" class="sp-less" aria-label="Remove ${word}">×</button></li>`

/** The page on which works and members begin. */
export const newForms = (username: string, done: readonly string[]): Markup =>
  html`${
    username !== '' &&
    html`<form class="sp-do" data-act="new-work" data-username="${username}"><fieldset disabled><h2>New works of <bdi>${username}</bdi></h2><div class="sp-drop"><label class="sp-button">Choose pictures<input type="file" multiple accept="image/jpeg,image/png,image/webp,image/gif,image/avif"></label> <span class="sp-help">or drop or paste them here: each becomes a work</span></div><h3>Or one whose picture has an address already</h3><p><label for="sp-title">Title</label><input id="sp-title" name="title" autocomplete="off" required></p><p><label for="sp-image">Address of the picture</label><input id="sp-image" name="image" autocomplete="off" required></p><p class="sp-said" role="status"></p><p class="sp-actions"><button>Make this work</button></p></fieldset></form>`
  }<form class="sp-do" data-act="new-member"><fieldset disabled><h2>New member</h2><p><label for="sp-username">Username</label><input id="sp-username" name="username" autocomplete="off" aria-describedby="sp-username-help" required></p><p id="sp-username-help" class="sp-help">The name in the address: letters, digits, and . _ - between them.</p><p><label for="sp-name">Display name</label><input id="sp-name" name="name" autocomplete="off" required></p><p class="sp-said" role="status"></p><p class="sp-actions"><button>Make this member</button>${undoButton(done)}</p></fieldset></form>`
