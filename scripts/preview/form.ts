import { readSchema } from '../content/schema.ts'
import { mappingIn } from '../edit/yaml/proof.ts'
import type { Groups, Index, MemberData } from '../gallery/data.ts'
import { type Html, html, type Content as Markup, markupOf, trusted } from '../text/html.ts'
import type { Draft, Outdated, Problem } from './edits.ts'
import { chooser, fieldOf, firstKeys, keysOf, type Texts } from './fields.ts'
import { openAt, wordsOf } from './layer.ts'

// Forms for files of content. All that they know of fields comes from the schemas: a new key
// has a field without a line here. The browser's part is in `typing.ts`, which reads fields
// by their kind. Until it runs, forms are disabled: the browser alone would send them
// nowhere, and what was typed would be lost.

/** Words that the site's members use already, by key. */
export const wordLists = ({ tags, skills }: Index): Texts => {
  const labels = (groups: Groups) =>
    [...groups.values()].slice(0, 1000).map(({ label }) => label)
  return { tags: labels(tags), skills: labels(skills) }
}

/** The form of a file, with what its page shows beside it: markup. */
export const formOf = (
  draft: Draft,
  { look, words }: { readonly look: string; readonly words: Texts },
): Markup => {
  const { file, kind, oid, refused } = draft
  const place = html`<p class="sp-file">${openAt(file, 1)}</p>`
  if (refused !== undefined) {
    const open = openAt(file, 1, 'Open it in the editor')
    const said = html`<p>This file can’t be edited in a form: ${refused}. Mend it in the editor, and its form comes by itself.</p><pre tabindex="0">${draft.text.slice(0, 5000)}</pre>`
    return [said, html`<p class="sp-actions">${open}</p>`, kind === 'shot' && removal(draft)]
  }
  const fieldsOf = (further: boolean): Markup =>
    keysOf(kind)
      .filter((key) => isFurther(key, draft) === further)
      .map((key) => field(key, draft, words[key] ?? []))
  const form = formFor(
    html`id="sp-form" novalidate data-action="save" data-file="${file}" data-base="${oid}"`,
    // what one presses in a conflict comes after Save, which Enter presses
    html`${fieldsOf(false)}<details class="sp-further"><summary>More</summary>${fieldsOf(true)}</details><div class="sp-actions"><button>Save</button><span class="sp-typed" hidden>Not saved yet <button type="button" class="sp-quiet sp-forget">Forget what I typed</button></span>${said}<div id="sp-conflict"></div></div>`,
  )
  const view = html`<section id="sp-view" class="${kind === 'shot' ? 'work' : 'member'}" aria-label="As it will look">${trusted(look)}</section>`
  return html`<div class="sp-edit">${form}${view}</div>${kind === 'shot' ? removal(draft) : renaming(draft)}${place}`
}

const removal = ({ file, oid }: Draft): Html =>
  html`<p class="sp-last"><button type="button" class="sp-quiet" data-action="delete" data-file="${file}" data-base="${oid}">Delete this work</button></p>`

const renaming = ({ username }: Draft): Html =>
  formFor(
    html`data-action="rename" data-from="${username}"`,
    html`<h2>Rename</h2>${textField('to', 'New username', username)}<p class="sp-field" data-key="alias"><label><input type="checkbox" value="yes" checked> The old name answers on</label></p>${action(['Rename ', username])}`,
  )

/** Whether few people touch it. */
const isFurther = (key: string, { projects }: Draft): boolean =>
  !firstKeys.includes(key) || (key === 'id_project' && projects.length === 0)

/** A form, whose `data-` attributes say what it does. */
const formFor = (attributes: Html, content: Markup): Html =>
  html`<form class="sp-do" ${attributes}><noscript class="sp-bad">This form needs JavaScript.</noscript><fieldset disabled>${content}</fieldset></form>`

/** Where a form says what became of it. */
const said = html`<p class="sp-said" role="status"></p>`

const action = (words: Markup): Html =>
  html`<div class="sp-actions"><button>${words}</button>${said}</div>`

const textField = (name: string, label: string, value = '', help = ''): Html =>
  html`<div class="sp-field" data-key="${name}"><label for="f-${name}">${label}</label><p id="h-${name}" class="sp-help">${help}</p><input id="f-${name}" value="${value}" aria-describedby="h-${name} e-${name}" autocomplete="off" required>${errorAt(name)}</div>`

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
  const markupAt = (key: string): string =>
    markupOf(html`${problems.filter((one) => one.key === key).map(inField)}`)
  return Object.fromEntries(keys.map((key) => [`e-${key}`, markupAt(key)]))
}

/**
 * A problem in words for a field, which takes the value alone and no line of YAML; with a
 * button for its one answer.
 */
const inField = ({ key, message, hint = '', fix }: Problem): Html => {
  const said = message
    .replace(`the key "${key}" is missing`, 'this is needed')
    .replace(/^the key (".*") is missing$/, '$1 is needed')
  const answer = fix === undefined ? undefined : mappingIn(`value: ${fix}`).value
  if (typeof answer === 'string')
    return html`<span>${said} <button type="button" class="sp-fix" value="${answer}">Write ${answer}</button></span> `
  const advice = hint
    .replace(/^add a line such as: (?:\w+: )?/, 'such as ')
    .replaceAll(`${key}: `, '')
    .replace(/leave \w+ out/, 'leave it empty')
    // brackets would be a part of a word; rows have a field for each value
    .replace(/^(?:(write )\[([^{\]]*)\]|write \[.*)/s, '$1$2')
  const words = inWords({ message: said, hint: advice }).replace(': such as ', ', such as ')
  return html`<span>${words}</span> `
}

/** A file was changed on the disk: both versions, to choose from. */
export const conflictOf = ({ typed, draft }: Outdated['cause']): string => {
  const { data, oid } = draft
  const rows = Object.entries(typed).map(([key, value]) => {
    const { title = key } = fieldOf(key, draft).schema
    return html`<tr><th scope="row">${title}</th><td>${wordsOf(value)}</td><td>${wordsOf(data[key] ?? '')}</td></tr>`
  })
  return markupOf(
    html`<table><tr><td></td><th>Yours</th><th>On the disk</th></tr>${rows}<tr><td></td><td><button name="base" value="${oid}">Save mine</button></td><td><button type="button" class="sp-forget">Take this</button></td></tr></table>`,
  )
}

const field = (key: string, draft: Draft, words: readonly string[]): Html => {
  const { control, ...one } = fieldOf(key, draft)
  const { title = key, description = '', examples = [] } = one.schema
  const needed =
    readSchema(draft.kind).required?.includes(key) && html` <small>required</small>`
  const help = control.help ?? helpOf(description)
  const named = html`id="f-${key}" aria-describedby="h-${key} e-${key}"`
  const target = !control.isNoInput && html` for="f-${key}"`
  const example = [examples[0] ?? ''].flat().join(', ')
  const typed = html`${named} autocomplete="off" placeholder="${example}"`
  const shown = control.show(one, { words, named, typed })
  return html`<div class="sp-field" data-key="${key}"><label${target}>${title}${needed}</label><p id="h-${key}" class="sp-help">${help}</p>${shown}${errorAt(key)}</div>`
}

/** What a schema says of a key, without what is about its line in a file. */
const helpOf = (description: string): string =>
  description
    .replace(/ (?:Required\.|Several lines go below a \|\.)/g, '')
    .replace(
      /^A list of words; a word holds no space and no comma/,
      'Words, with commas between them',
    )

/** The page on which works and members begin. */
export const newForms = ({ username = '', name = '' }: Partial<MemberData> = {}): Markup => {
  const work = formFor(
    html`data-action="new-work" data-username="${username}"`,
    html`<h2>New works of <bdi>${name}</bdi></h2>${chooser('Choose pictures, or drop or paste them here: each becomes a work', true)}<h3>Or one whose picture has an address already</h3>${textField('title', 'Title')}${textField('image', 'Address of the picture')}${action('Make this work')}`,
  )
  const member = formFor(
    html`data-action="new-member"`,
    html`<h2>New member</h2>${textField('username', 'Username', '', 'The name in the address: letters, digits, and . _ - between them.')}${textField('name', 'Display name')}${action('Make this member')}`,
  )
  const where = html`<p class="sp-help">To add works, open the page of their member and press New.</p>`
  return html`<div class="join">${username === '' ? where : work}${member}</div>`
}
