import { type Data, mappingOf } from '../content/parse/data.ts'
import type { MemberKind } from '../content/read/open.ts'
import { readSchema, type Subschema } from '../content/schema.ts'
import { mappingIn } from '../edit/change.ts'
import type { Group, Index } from '../gallery/data.ts'
import { type Html, html, type Content as Markup, markupOf, trusted } from '../text/html.ts'
import type { Draft, Problem } from './edits.ts'
import { chooser, openAt } from './layer.ts'

// Forms for files of content. All that they know of fields comes from the schemas: a new key has a field without a line
// here. The browser's part is in `typing.ts`, which knows some controls by their class. Until it runs, forms are
// disabled: the browser alone would send them nowhere, and what was typed would be lost.

/** Words that the site's members use already, by key, the commonest first. */
type WordLists = Readonly<Record<string, readonly string[]>>

export const wordLists = ({ tags, skills }: Index): WordLists => {
  const commonest = (groups: ReadonlyMap<string, Group<unknown>>) =>
    [...groups.values()]
      .sort((a, b) => b.items.length - a.items.length)
      .slice(0, 200)
      .map(({ label }) => label)
  return { tags: commonest(tags), skills: commonest(skills) }
}

/** The form of a file, with what its page shows beside it: markup. */
export const formOf = (
  draft: Draft,
  { look, words }: { readonly look: string; readonly words: WordLists },
): Markup => {
  const { file, kind, oid, refused, username } = draft
  const start = html`<p>${openAt(file, 1)}</p>`
  if (refused !== undefined) {
    return html`${start}<p class="sp-bad">This file can’t be edited in a form: ${refused}. Open it in the editor.</p>`
  }
  const about = html`id="sp-form" novalidate data-action="save" data-file="${file}" data-base="${oid}"`
  const keys = keysOf(kind)
  const fieldsOf = (some: readonly string[]): Markup =>
    some.map((key) => field(key, draft, words[key]))
  const more = html`<details class="sp-further"><summary>More</summary>${fieldsOf(keys.filter((key) => furtherKeys.has(key)))}</details>`
  const main = fieldsOf(keys.filter((key) => !furtherKeys.has(key)))
  const save = actions(
    html`<button>Save</button><span class="sp-typed" hidden>Not saved yet <button type="button" class="sp-quiet sp-forget">Forget what I typed</button></span>`,
  )
  // what one presses in a conflict comes after Save, which Enter presses
  const form = formFor(about, html`${main}${more}${save}<div id="sp-conflict"></div>`)
  const view = html`<section id="sp-view" class="${kind === 'shot' ? 'work' : 'member'}" aria-label="As it will look">${trusted(look)}</section>`
  const last = kind === 'shot' ? removal(draft) : renaming(username)
  return html`${start}<div class="sp-edit">${form}${view}</div>${last}`
}

const removal = ({ file, oid }: Draft): Html =>
  html`<p class="sp-last"><button type="button" class="sp-quiet" data-action="delete" data-file="${file}" data-base="${oid}">Delete this work</button></p>`

const renaming = (username: string): Html =>
  formFor(
    html`data-action="rename" data-from="${username}"`,
    html`<h2>Rename</h2>${textField('to', 'New username', username)}<p><label><input type="checkbox" name="alias" checked> The old name answers on</label></p>${actions(html`<button>Rename ${username}</button>`)}`,
  )

/** Which fields come first, in this order; the others follow in that of the schema. */
const firstKeys = ['title', 'image', 'alt', 'description', 'tags', 'date']

/** What few people touch. */
const furtherKeys = new Set([
  ...['id', 'status', 'token_id', 'attachment', 'large_image', 'type_account', 'owners'],
  ...['totalShots', 'totalFollowers', 'totalFollowing', 'Likes', 'Lists', 'Listed', 'Projects'],
])

export const keysOf = (kind: MemberKind): readonly string[] => {
  const keys = Object.keys(readSchema(kind).properties ?? {})
  return [...new Set([...firstKeys.filter((key) => keys.includes(key)), ...keys])]
}

/** A form, whose `data-` attributes say what it does. */
const formFor = (attributes: Html, content: Markup): Html =>
  html`<form class="sp-do" ${attributes}><noscript class="sp-bad">This form needs JavaScript.</noscript><fieldset disabled>${content}</fieldset></form>`

/** The buttons of a form, and where it says what became of it. */
const actions = (buttons: Html): Html =>
  html`<div class="sp-actions">${buttons}<p class="sp-said" role="status"></p></div>`

const textField = (name: string, label: string, value = ''): Html =>
  html`<p><label for="f-${name}">${label}</label><input id="f-${name}" name="${name}" value="${value}" aria-describedby="e-${name}" autocomplete="off" required></p>${errorAt(name)}`

const errorAt = (key: string): Html =>
  html`<p id="e-${key}" class="sp-error sp-bad" aria-live="polite"></p>`

/** What is wrong, and what to do. */
export const inWords = ({ message, hint }: Pick<Problem, 'message' | 'hint'>): string =>
  hint ? `${message}: ${hint}` : message

/** What the fields of these keys say is wrong, by the ids of elements. */
export const errorsOf = (
  problems: readonly Problem[],
  keys: readonly string[] = problems.map(({ key }) => key),
) => {
  const wordsOf = (key: string): string =>
    markupOf(html`${problems.filter((one) => one.key === key).map(inField)}`)
  return Object.fromEntries(keys.map((key) => [`e-${key}`, wordsOf(key)]))
}

/** A problem in words for a field, which takes the value alone and no line of YAML, with a button for its one answer. */
const inField = (problem: Problem): Html => {
  const { key, code, message, hint = '', fix } = problem
  const told = code === 'missing-key' ? 'this is needed' : message
  const advice = hint
    .replaceAll(`${key}: `, '')
    .replace(/^add a line such as: /, 'such as ')
    .replace(/leave \w+ out/, 'leave it empty')
  const answer = fix === undefined ? undefined : mappingIn(`value: ${fix}`).value
  const button =
    typeof answer === 'string' &&
    html` <button type="button" class="sp-fix" value="${answer}">Write ${answer}</button>`
  return html`<span>${inWords({ message: told, hint: advice })}${button}</span> `
}

/** A file was changed on the disk: both versions, to choose from. */
export const conflictOf = (values: Data | undefined, { data, oid }: Draft): string =>
  markupOf(
    html`<dl>${Object.entries(mappingOf(values)).map(
      ([key, value]) =>
        html`<dt>${key} on the disk</dt><dd>${JSON.stringify(data[key])}</dd><dt>${key} here</dt><dd>${JSON.stringify(value)}</dd>`,
    )}</dl><p class="sp-choose"><button name="base" value="${oid}">Save mine into the new file</button><button type="button" class="sp-forget">Take what is on the disk</button></p>`,
  )

const field = (key: string, draft: Draft, words: readonly string[] = []): Html => {
  const { properties = {}, required = [] } = readSchema(draft.kind)
  const { title = key, description = '', examples = [], type = [] } = properties[key] ?? {}
  const needed = required.includes(key) && html` <small>required</small>`
  const first = [examples[0] ?? []].flat()
  const hasExample =
    first.length > 0 && !type.includes('boolean') && first.every((one) => typeof one !== 'object')
  const example = hasExample && html` <span>Example: <bdi>${first.join(', ')}</bdi></span>`
  return html`<div class="sp-field" data-key="${key}"><label for="f-${key}">${title}${needed}</label><p id="h-${key}" class="sp-help">${helpOf(description)}${example}</p>${controlOf(key, draft, words)}${errorAt(key)}</div>`
}

/** What a schema says of a key, without what is about its line in a file. */
const helpOf = (description: string): string =>
  description
    .replace(/ (?:Required\.|Several lines go below a \|\.)/g, '')
    .replace('true keeps', 'Keeps')

/** The right control for a key and what it says. */
const controlOf = (key: string, draft: Draft, words: readonly string[]): Markup => {
  const { file, kind, data, projects } = draft
  const schema = readSchema(kind).properties?.[key] ?? {}
  const { type = [], items } = schema
  const value = data[key] ?? ''
  const named = html`id="f-${key}" aria-describedby="h-${key} e-${key}" name="${key}" autocomplete="off"`
  const list: readonly Data[] = Array.isArray(value) ? value : []
  if (type.includes('array') && (value === '' || Array.isArray(value))) {
    if (items?.properties !== undefined) return rows(key, list, items.properties)
    if (list.every((word) => typeof word === 'string')) return chips(key, list, { named, words })
  }
  if (typeof value !== 'string' || type.includes('array')) {
    const text = JSON.stringify(value).slice(0, 200)
    return html`<p id="f-${key}"><bdi>${text}</bdi> ${openAt(file, 1)}</p>`
  }
  if (key === 'id_project' && projects.length > 0) return projectChoice(value, { named, projects })
  return textControl(value, named, schema)
}

/** The control of a key that takes one text. */
const textControl = (value: string, named: Html, schema: Subschema): Markup => {
  const { type = [], format, description = '' } = schema
  if (type.includes('boolean') && !type.includes('number')) {
    const checked = value === 'true' && html` checked`
    return html`<input type="checkbox" ${named} value="true"${checked}>`
  }
  const [, day, time = '00:00:00'] = timestamp.exec(value) ?? []
  if (format === 'timestamp' && day !== undefined)
    return html`<input type="datetime-local" step="1" ${named} value="${day}T${time}">`
  const text = html`<input ${named} value="${value}">`
  if (format === 'picture')
    return html`${text}${chooser('Choose a picture, or drop or paste one here')}`
  const isLong = /several lines/i.test(description) || value.includes('\n')
  return isLong ? html`<textarea ${named} rows="5">\n${value}</textarea>` : text
}

const timestamp = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)Z?)?$/

const projectChoice = (
  value: string,
  { named, projects }: { readonly named: Html; readonly projects: Draft['projects'] },
): Html => {
  const option = (id: string, label: string): Html =>
    html`<option value="${id}"${id === value && html` selected`}>${label}</option>`
  const all = projects.map(({ id, created }) =>
    option(id, `Project ${id}, begun ${created.slice(0, 10)}`),
  )
  const isKnown = ['', '0', ...projects.map(({ id }) => id)].includes(value)
  return html`<select ${named}>${option('', 'None')}${all}${!isKnown && option(value, value)}</select>`
}

const rows = (
  key: string,
  list: readonly Data[],
  columns: Readonly<Record<string, Subschema>>,
): Html => {
  const row = (data: Data): Html =>
    html`<li>${Object.entries(columns).map(
      ([name, { title = name }]) =>
        html`<label>${title} <input data-name="${name}" value="${String(mappingOf(data)[name] ?? '')}" autocomplete="off"></label> `,
    )}<button type="button" class="sp-less">Remove</button></li>`
  return html`<ul class="sp-rows">${list.map(row)}</ul><button type="button" id="f-${key}" class="sp-more">Add one</button><template>${row('')}</template>`
}

const chips = (
  key: string,
  list: readonly string[],
  { named, words }: { readonly named: Html; readonly words: readonly string[] },
): Html => {
  const known = words.map((word) => html`<option value="${word}">`)
  const options = words.length > 0 && html`<datalist id="l-${key}">${known}</datalist>`
  return html`<ul class="sp-chips">${list.map((word) => chip(key, word))}</ul><input ${named} list="l-${key}" enterkeyhint="enter">${options}<template>${chip(key, '')}</template>`
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
