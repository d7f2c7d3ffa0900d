import { pictureTypes } from '../api/routes.ts'
import type { Profile } from '../content/member.ts'
import { type Data, type Mapping, mappingOf } from '../content/parse/data.ts'
import type { MemberKind } from '../content/read/open.ts'
import { readSchema, type Subschema } from '../content/schema.ts'
import { UserError } from '../problems/diagnostic.ts'
import { type Html, html } from '../text/html.ts'

// The fields of forms: for each kind of value what shows it, and what makes a value of the texts that come back. Which kind
// a key has follows from its schema.

/** What fields are about: a file of a member. */
export type Described = {
  readonly kind: MemberKind
  readonly data: Mapping
  /** Those of the member. */
  readonly projects: Profile['projects']
}

/** What the inputs of fields say, by key. */
export type Texts = Readonly<Record<string, readonly string[]>>

/** Takes files that are chosen, dropped or pasted. */
export const chooser = (words: string, many = false): Html =>
  html`<label class="sp-drop">${words}<input type="file"${many && html` multiple`} accept="${Object.values(pictureTypes).join()}"></label>`

/** Which control a key has, for what it says. */
export const kindOf = (key: string, { kind, data, projects }: Described): keyof typeof controls => {
  const { type = [], format, items, description = '' } = readSchema(kind).properties?.[key] ?? {}
  const value = data[key] ?? ''
  const isList = type.includes('array')
  const isText = typeof value === 'string'
  if (isList && items?.properties && (Array.isArray(value) || value === '')) return 'rows'
  if (isList && !items?.properties && [value].flat().every((one) => typeof one === 'string'))
    return 'words'
  if (isList || !isText) return 'other'
  if (type.includes('boolean') && !type.includes('number')) return 'check'
  if (key === 'id_project' && projects.length > 0) return 'project'
  if (format === 'picture') return 'picture'
  if (format === 'timestamp' && timestamp.test(value)) return 'time'
  return /several lines/i.test(description) || value.includes('\n') ? 'lines' : 'text'
}

const timestamp = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)Z?)?$/

type Field = Pick<Described, 'projects'> & {
  readonly key: string
  readonly value: Data
  readonly schema: Subschema
  readonly words: readonly string[]
  /** What a control has that stands alone. */
  readonly named: Html
}

/** A control; `read` makes a value of what its inputs say, and `help` stands for what the schema says of the key in a file. */
export type Control = {
  readonly help?: string
  readonly show: (field: Field) => Html
  readonly read?: (texts: readonly string[], schema: Subschema) => Data
}

const text: Control = {
  show: ({ named, value }) => html`<input ${named} value="${String(value)}">`,
}

export const controls = {
  text,
  lines: {
    show: ({ named, value }) => html`<textarea ${named} rows="5">\n${String(value)}</textarea>`,
  },
  check: {
    help: 'Nobody else sees it, and it is not counted.',
    show: ({ named, value }) =>
      html`<input type="checkbox" ${named} value="true"${value === 'true' && html` checked`}>`,
  },
  picture: {
    help: 'Choose one here, or write its address: https://…',
    show: (field) =>
      html`${text.show(field)}${chooser('Choose a picture, or drop or paste one here')}`,
  },
  time: {
    help: 'When the work was made. The 15 newest are served.',
    show: ({ named, value }) => {
      const [, day = '', time = '00:00:00'] = timestamp.exec(String(value)) ?? []
      return time === '00:00:00'
        ? html`<input type="date" ${named} value="${day}">`
        : html`<input type="datetime-local" step="1" ${named} value="${day}T${time}">`
    },
    read: ([text = '']) => text.replace('T', ' ').replace(/ \d\d:\d\d$/, '$&:00'),
  },
  words: {
    show: ({ key, named, value, words }) => {
      const known = words.map((word) => html`<option value="${word}" data-word="${word}">`)
      return html`<input ${named} list="l-${key}" value="${[value].flat().join(', ')}"><datalist id="l-${key}">${known}</datalist>`
    },
    // one of several words is joined, as `tea-time`
    read: ([text = '']) => {
      const words = text.split(/[,、，،]/).map((one) => one.trim().replace(/^#+/, ''))
      return [...new Set(words.flatMap((one) => one.replace(/\s+/g, '-') || []))]
    },
  },
  project: {
    help: 'Projects stand in the member’s profile.',
    show: ({ named, value, projects }) => {
      const option = (id: string, label: string): Html =>
        html`<option value="${id}"${id === value && html` selected`}>${label}</option>`
      const all = projects.map(({ id, title, created }) =>
        option(id, title || `Project ${id}, begun ${created.slice(0, 10)}`),
      )
      const isKnown = ['', '0', ...projects.map(({ id }) => id)].includes(`${value}`)
      return html`<select ${named}>${option('', 'None')}${all}${!isKnown && option(`${value}`, `${value}`)}</select>`
    },
  },
  rows: {
    help: 'What works can belong to. Fill in the last row to add one.',
    show: ({ key, value, schema }) => {
      const columns = Object.entries(schema.items?.properties ?? {})
      const row = (data: Data): Html =>
        html`<li>${columns.map(
          ([name, { title = name }]) =>
            html`<label>${title} <input value="${String(mappingOf(data)[name] ?? '')}" autocomplete="off"></label> `,
        )}<button type="button" class="sp-less">Remove</button></li>`
      return html`<ul id="f-${key}" class="sp-rows" tabindex="-1">${[value, {}].flat().map(row)}</ul>`
    },
    // a row that says nothing is none
    read: (texts, { items }) => {
      const columns = Object.keys(items?.properties ?? {})
      const rows: Mapping[] = []
      for (let at = 0; at < texts.length; at += columns.length) {
        const cells = columns.map((name, column) => [name, texts[at + column] ?? ''] as const)
        const filled = cells.filter(([, text]) => text !== '')
        if (filled.length > 0) rows.push(Object.fromEntries(filled))
      }
      return rows
    },
  },
  other: {
    show: ({ key, value }) =>
      html`<p id="f-${key}"><bdi>${JSON.stringify(value).slice(0, 200)}</bdi></p>`,
  },
} satisfies Record<string, Control>

/** What the fields of a form say, by key. Keys that it has no field for are refused. */
export const valuesOf = (texts: Texts, described: Described): Mapping => {
  const { properties = {} } = readSchema(described.kind)
  return Object.fromEntries(
    Object.entries(texts).map(([key, all]) => {
      const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (schema === undefined) throw new UserError(`there is no key "${key}"`)
      const control: Control = controls[kindOf(key, described)]
      return [key, control.read?.(all, schema) ?? all[0] ?? '']
    }),
  )
}
