import { pictureTypes } from '../api/routes.ts'
import type { Profile } from '../content/member.ts'
import { type Data, isMapping, type Mapping, mappingOf } from '../content/parse/data.ts'
import type { MemberKind } from '../content/read/open.ts'
import { readSchema, type Subschema } from '../content/schema.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { UserError } from '../problems/diagnostic.ts'
import { type Html, html, trusted } from '../text/html.ts'

// The fields of forms: for each kind of value what shows it, and what makes a value of the
// texts that come back. Which kind a key has follows from its schema.

/** What fields are about: a file of a member. */
export type Described = {
  readonly kind: MemberKind
  readonly data: Mapping
  /** Those of the member. */
  readonly projects: Profile['projects']
}

/** What the inputs of each field say, in their order, by the field's key. */
export type Texts = Readonly<Record<string, readonly string[]>>

/**
 * Which keys come first, in this order; the others, which few people touch, follow in that of
 * the schema.
 */
export const firstKeys: readonly string[] = [
  // of a shot
  'title',
  'image',
  'alt',
  'description',
  'tags',
  'date',
  'id_project',
  'draft',
  // of a profile
  'name',
  'bio',
  'avatar',
  'cover_image',
  'location',
  'website',
  'twitter',
  'skills',
  'projects',
]

export const keysOf = (kind: MemberKind): readonly string[] => {
  const keys = Object.keys(readSchema(kind).properties ?? {})
  return [...new Set([...firstKeys.filter((key) => keys.includes(key)), ...keys])]
}

/** Takes files that are chosen, dropped or pasted. */
export const chooser = (words: string, many = false): Html =>
  html`<label class="sp-drop">${words}<input type="file"${many && html` multiple`} accept="${Object.values(pictureTypes).join()}"></label>`

/** A key of a file, and what it says there. */
type Field = Pick<Described, 'projects'> & {
  readonly key: string
  readonly value: Data
  readonly schema: Subschema
}

type Shown = {
  /** Words that are offered. */
  readonly words: readonly string[]
  /** What a control has that stands alone; of one that takes any text, with an example. */
  readonly named: Html
  readonly typed: Html
}

/** How a key is shown in a form. */
type Control = {
  readonly fits: (field: Field) => unknown
  /** In place of what the schema says of the key in a file. */
  readonly help?: string
  readonly show: (field: Field, shown: Shown) => Html
  /** It has several inputs with labels of their own, or none. */
  readonly isNoInput?: true
  /** Makes a value of what the inputs say; the first one's text if absent. */
  readonly read?: (texts: readonly string[], schema: Subschema) => Data
}

const isList = ({ schema: { type = [] } }: Field): boolean => type.includes('array')

const isText = (value: Data): boolean => typeof value === 'string'

const isRow = (value: Data): boolean => isMapping(value) && Object.values(value).every(isText)

const rows: Control = {
  isNoInput: true,
  fits: ({ value, schema }) =>
    schema.items?.properties &&
    (value === '' || (Array.isArray(value) && value.every(isRow))),
  help: 'What works can belong to. Fill in an empty row to add one.',
  show: ({ key, value, schema }) => {
    const columns = Object.entries(schema.items?.properties ?? {})
    const cell = (text: Data = '', title: string): Html =>
      html`<label><span>${title}</span> <input value="${String(text)}" placeholder=" " autocomplete="off"></label> `
    const row = (data: Data): Html => {
      const cells = columns.map(([name, { title = name }]) =>
        cell(mappingOf(data)[name], title),
      )
      return html`<li>${cells}<button type="button" class="sp-quiet sp-less">Remove</button></li>`
    }
    return html`<ul id="f-${key}" class="sp-rows" tabindex="-1">${[value, {}, {}].flat().map(row)}</ul>`
  },
  // a row that says nothing is none
  read: (texts, { items }) => {
    const columns = Object.keys(items?.properties ?? {})
    const all: Mapping[] = []
    for (let at = 0; at < texts.length; at += columns.length) {
      const cells = columns.map((name, column) => [name, texts[at + column] ?? ''] as const)
      all.push(Object.fromEntries(cells.filter(([, text]) => text !== '')))
    }
    return all.filter((row) => Object.keys(row).length > 0)
  },
}

const words: Control = {
  fits: (field) =>
    isList(field) && !field.schema.items?.properties && [field.value].flat().every(isText),
  show: ({ key, value }, { typed, words }) => {
    const known = words.map((word) => html`<option value="${word}" data-word="${word}">`)
    const text = [value].flat().join(', ')
    return html`<input ${typed} list="l-${key}" value="${text}"><datalist id="l-${key}">${known}</datalist>`
  },
  // one of several words is joined, as `tea-time`
  read: ([text = '']) => {
    const all = text.split(/[,、，،;|；]/).map((one) => one.trim().replace(/^#+/, ''))
    return [...new Set(all.flatMap((one) => one.replace(/\s+/g, '-') || []))]
  },
}

/** What is not written as it should be. */
const other: Control = {
  isNoInput: true,
  fits: (field) => isList(field) || !isText(field.value),
  show: ({ key, value }) =>
    html`<p id="f-${key}"><bdi>${JSON.stringify(value).slice(0, 200)}</bdi></p>`,
}

const check: Control = {
  fits: ({ schema: { type = [] } }) => type.includes('boolean') && !type.includes('number'),
  help: 'Nobody else sees it, and it is not counted.',
  show: ({ value }, { named }) =>
    html`<input type="checkbox" ${named} value="true"${value === 'true' && trusted(' checked')}>`,
}

const project: Control = {
  fits: ({ key, projects }) => key === 'id_project' && projects.length > 0,
  help: 'Projects stand in the member’s profile.',
  show: ({ value, projects }, { named }) => {
    const own = value === '0' ? '' : String(value)
    const labels = new Map([
      [own, own],
      ['', 'None'],
    ])
    for (const { id, title, created } of projects)
      labels.set(id, title || `Project ${id}, begun ${created.slice(0, 10)}`)
    const options = Array.from(
      labels,
      ([id, label]) =>
        html`<option value="${id}"${id === own && trusted(' selected')}>${label}</option>`,
    )
    return html`<select ${named}>${options}</select>`
  },
}

const picture: Control = {
  fits: ({ schema: { format } }) => format === 'picture',
  help: 'Choose one, drop or paste it here, or write its address: https://…',
  show: (field, shown) => html`${text.show(field, shown)}${chooser('Choose a picture')}`,
}

const time: Control = {
  // one that is wrong is shown as it is written
  fits: ({ schema: { format }, value }) =>
    format === 'timestamp' && (value === '' || !timestampProblem(String(value))),
  help: 'When the work was made. The 15 newest are served.',
  show: ({ value }, { named }) => {
    const [day = '', hour = ''] = normalTimestamp(String(value)).split(' ')
    return /[1-9]/.test(hour)
      ? html`<input type="datetime-local" step="1" ${named} value="${day}T${hour}">`
      : html`<input type="date" ${named} value="${day}">`
  },
  read: ([text = '']) => text.replace('T', ' ').replace(/ \d\d:\d\d$/, '$&:00'),
}

const lines: Control = {
  fits: ({ schema: { description = '' }, value }) =>
    /several lines/i.test(description) || String(value).includes('\n'),
  show: ({ value }, { typed }) =>
    html`<textarea ${typed} rows="5">\n${String(value)}</textarea>`,
}

/** Words that are long and one line. */
const wrapped: Control = {
  fits: ({ key, value }) => key === 'alt' && !String(value).includes('\n'),
  show: ({ value }, { typed }) =>
    html`<textarea ${typed} rows="2">${String(value)}</textarea>`,
  read: ([text = '']) => text.replace(/(?<!\s)\s*\n\s*/g, ' ').trim(),
}

const text: Control = {
  fits: () => true,
  show: ({ value }, { typed }) => html`<input ${typed} value="${String(value)}">`,
}

/** The first one that fits. */
const controls = [rows, words, other, check, project, picture, time, wrapped, lines, text]

/** A key of a file with its control, if the schema has it. */
export const fieldOf = (key: string, { kind, data, projects }: Described) => {
  const { properties = {} } = readSchema(kind)
  const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
  if (schema === undefined) throw new UserError(`there is no key "${key}"`)
  const field = { key, value: data[key] ?? '', schema, projects }
  return { ...field, control: controls.find(({ fits }) => fits(field)) ?? text }
}

/** What the fields of a form say, by key. Keys that it has no field for are refused. */
export const valuesOf = (texts: Texts, described: Described): Mapping =>
  Object.fromEntries(
    Object.entries(texts).map(([key, all]) => {
      const { control, schema } = fieldOf(key, described)
      return [key, control.read?.(all, schema) ?? all[0] ?? '']
    }),
  )
