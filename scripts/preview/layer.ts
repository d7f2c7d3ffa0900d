import { assetUrl } from '../api/records.ts'
import { requestPath, userRoute } from '../api/routes.ts'
import { isPicturePath } from '../content/layout.ts'
import { pictureKeys } from '../content/member.ts'
import { once } from '../content/once.ts'
import type { Data } from '../content/parse/data.ts'
import { readSchema } from '../content/schema.ts'
import {
  type Layer,
  picture,
  placeOf,
  type Settings,
  settingsOf,
  usernameIn,
} from '../gallery/page.ts'
import { cut } from '../gallery/words.ts'
import { basePathOf } from '../hosts/hosts.ts'
import type { Diagnostic, Related } from '../problems/diagnostic.ts'
import { amount } from '../text/amounts.ts'
import { type Html, html, type Content as Markup } from '../text/html.ts'
import { compareText } from '../text/order.ts'
import type { FileChange } from './changes.ts'
import { type Content, type Part, pageOf } from './content.ts'
import { type Desk, isFixable } from './edits.ts'
import { chooser, keysOf } from './fields.ts'

/** A page as somebody looks at it. */
export type View = Desk & {
  /** Its address, unescaped: `/members/ana/`. */
  readonly path: string
  /** The file that a form is about. */
  readonly file?: string | undefined
  readonly drafts: boolean
  /** Whether pictures of other hosts are loaded. */
  readonly strangers: boolean
  /** Tabs ask for the page again when it is of another version. */
  readonly live: { readonly version: string }
  readonly options: { readonly readOnly: boolean }
}

/** Where the preview's own lies: no username and no path of the API is like it. */
export const ownPath = '/-/'

/** What lies on a page. */
const layerOf = (view: View): Layer => {
  const { content, path, options } = view
  const username = usernameIn(path)
  const [, , , last = ''] = path.split('/')
  const id = last.startsWith('~') ? '' : last // a further page of the member
  const parts = content.member(username)?.parts ?? []
  /** The file that the page shows. */
  const shown = parts.find((one) => one.id === id)?.file
  const flags = once(() => flagsOf(parts, content))
  const isAbout = ({ file }: Diagnostic): boolean => {
    if (path.startsWith(ownPath)) return file === view.file
    if (id !== '' && shown !== undefined) return file === shown
    return parts.length === 0 || content.ownerOf(file) === username
  }
  return {
    head: html`<link rel=stylesheet href=/-/preview.css>`,
    start: () => problemList(content.found().diagnostics.filter(isAbout), view),
    onTile: (work) => flags().get(work),
    onEmpty: () => !options.readOnly && firstWork(parts[0]?.username, content),
    end: () => {
      const nav = navOf(view, shown, parts[0]?.username)
      const last = view.history.last()
      const undo =
        last &&
        html`<button type="button" data-action="undo" title="${last.see}">Undo: ${cut(last.said, 60)}</button>`
      return html`<aside id="sp-bar" aria-label="Preview" data-version="${view.live.version}"><p role="status">${stateOf(view)}</p><p class="sp-offline" role="status"><b>offline</b> the preview does not answer: is it still running?</p>${undo}<p class="sp-said" role="status"></p><nav aria-label="Preview">${nav}</nav></aside><script src=/-/preview.js></script>`
    },
  }
}

/**
 * What one can do at a page that shows a file, and is a member's. Styles hide choices that
 * would change nothing.
 */
const navOf = (view: View, shown: string | undefined, username = ''): Markup => {
  const { content, options } = view
  const about = username && `?member=${encodeURIComponent(username)}`
  const link = (href: string, words: string) => html`<a href="${href}">${words}</a>`
  const choice = (name: 'drafts' | 'strangers', what: string): Html => {
    const [words, next] = view[name] ? ['Hide', 'no'] : ['Show', 'yes']
    return html`<button type="button" data-choice="${name}=${next}">${words} ${what}</button>`
  }
  const api = () =>
    encodeURI(basePathOf(content.found().site) + requestPath(userRoute, username))
  return [
    !options.readOnly && shown && link(formAt(shown), 'Edit'),
    !options.readOnly && link(`/-/new${about}`, 'New'),
    link('/-/changes', 'What changed'),
    username && link(api(), 'API'),
    choice('drafts', 'drafts'),
    choice('strangers', 'pictures of other sites'),
  ]
}

/** Where a file is edited. */
const formAt = (file: string): string => `/-/edit?file=${encodeURIComponent(file)}`

/** What one does first where no works are: those of a member, or of the first one. */
const firstWork = (member: string | undefined, content: Content): Html => {
  const username = member ?? content.found().usernames[0]
  if (username === undefined)
    return html`<p class="sp-first"><a class="sp-button" href="/-/new">Make the first member</a></p>`
  return html`<form class="sp-do sp-first" data-action="new-work" data-username="${username}"><fieldset disabled>${chooser('Drop your first pictures here, or choose them', true)}<p class="sp-said" role="status"></p></fieldset></form>`
}

/**
 * Settings of pages that the server sends: it says their policy, and links begin at the root,
 * since a page may be shown at another's address.
 */
export const settingsIn = (view: View): Settings => {
  const shared = settingsOf(view.content.found().site)
  const settings = { ...shared, policy: '', url: '', root: '', layer: layerOf(view) }
  return view.strangers ? { ...settings, origins: anywhere } : settings
}

/** Whether what one sees is served. */
const stateOf = ({ content }: View): Html => {
  const { diagnostics, usernames } = content.found()
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const isEmpty = usernames.length === 0 && errors.every(({ code }) => code === 'no-members')
  if (isEmpty) return html`<b>nothing to serve yet</b>`
  const link = ([first]: readonly Diagnostic[], words: string): Markup =>
    first && html`<a href="${pageOf(first.file, content)}#sp-problems">${words}</a>`
  return errors.length > 0
    ? html`<b class="sp-bad">${link(errors, amount(errors.length, 'error'))}</b>, so this is not served`
    : html`<b class="sp-good">✓ served</b> ${link(diagnostics, amount(diagnostics.length, 'warning'))}`
}

/** Flags on tiles, by work: what is wrong. */
const flagsOf = (parts: readonly Part[], content: Content) => {
  const flags = new Map<string, Html>()
  for (const { file, severity } of content.found().diagnostics.toReversed()) {
    const { id = '' } = parts.find((one) => one.file === file) ?? {}
    flags.set(id, flag(severity))
  }
  return flags
}

const flag = (words: string): Html => html`<em class="sp-flag sp-${words}">${words}</em>`

/** Problems that one page shows; the bar counts them all. */
const mostProblems = 20

const problemList = (problems: readonly Diagnostic[], view: View): Markup => {
  const sorted = problems
    // what to do then is a button
    .filter(({ code }) => code !== 'no-members' || view.options.readOnly)
    .toSorted((a, b) => compareText(a.severity, b.severity))
  const shown = sorted.slice(0, mostProblems).map((one) => problem(one, view))
  const others = sorted.length - shown.length
  const rest = html`<p>and ${amount(others, 'other')}: npx shotpress check shows all</p>`
  return (
    shown.length > 0 &&
    html`<section id="sp-problems" class="sp-box" aria-label="Problems" tabindex="-1"><ul>${shown}</ul>${others > 0 && rest}</section>`
  )
}

const problem = (one: Diagnostic, { content, path, options, file: edited }: View): Markup => {
  const { severity, message, hint, file, related = [] } = one
  const at = ({ file, line }: Diagnostic | Related): Markup => {
    const part = content.partOf(file)
    const verb = part && !options.readOnly ? 'Edit' : 'See'
    const address = verb === 'Edit' ? formAt(file) : pageOf(file, content)
    const link = html`<a href="${address}">${verb} ${cut(titleOf(part) ?? 'it', 160)}</a> `
    return [file !== edited && address !== path && link, openAt(file, line)]
  }
  const fix = html`<button type="button" class="sp-fix" data-action="fix" data-file="${file}">Fix</button> `
  const advice = hint && html`<p>${cut(hint, 400)}</p>`
  const further = related.map(
    (other) => html`<p>${cut(other.message, 200)}: ${at(other)}</p>`,
  )
  return html`<li><b class="${severity === 'error' && 'sp-bad'}">${severity}</b> <bdi>${cut(message, 400)}</bdi>${codeOf(one, content)}${advice}<p>${isFixable(one) && !options.readOnly && fix}${at(one)}</p>${further}</li>`
}

/** The title of the work in a file. */
const titleOf = ({ shown }: Partial<Part> = {}): string | undefined =>
  shown && 'title' in shown ? shown.title : undefined

/**
 * The line that a problem is in, with the place marked; nothing for a problem of the file as
 * a whole.
 */
const codeOf = (
  { file, line, endLine, column, endColumn }: Diagnostic,
  content: Content,
): Markup => {
  const text = content.partOf(file)?.text?.split('\n')[line - 1] ?? ''
  const end = endLine === line ? endColumn - 1 : text.length
  const before = text.slice(Math.max(0, column - 40), column - 1)
  const marked = text.slice(column - 1, Math.min(end, column + 200))
  return (
    marked !== '' &&
    html`<code>${before}<mark>${marked}</mark>${text.slice(end, end + 80)}</code>`
  )
}

/** A button that opens a line in the editor. */
export const openAt = (
  file: string,
  line: number,
  words = `${cut(file, 200)}:${line}`,
): Markup =>
  html`<button type="button" data-file="${file}" data-line="${line}"><bdi>${words}</bdi></button>`

/** What is different from the last commit, in words and pictures. */
export const changeList = (changes: readonly FileChange[], view: View): Markup =>
  changes.map(({ file, state, changes }) => {
    const part = view.content.partOf(file)
    const { shown, kind = 'shot' } = part ?? {}
    const { properties = {} } = readSchema(kind)
    const { before } = changes.find(({ key }) => key === 'title') ?? {}
    const name = titleOf(part) ?? shortOf(before ?? 'Profile')
    const link = html`<a href="${pageOf(file, view.content)}">${name}</a>`
    const order = [...keysOf(kind), ...changes.map(({ key }) => key)]
    const sorted = changes.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
    const keys = sorted.map((change) => {
      const { title = change.key } = properties[change.key] ?? {}
      return html`<div><dt>${title}</dt>${changed(change, file, view)}</div>`
    })
    const list = shown && html`<dl>${keys}</dl>`
    return html`<section class="sp-change"><h3>${flag(state)} ${shown ? link : name} <small><bdi>${file}</bdi></small></h3>${list}</section>`
  })

const changed = (
  { key, before, after }: FileChange['changes'][number],
  file: string,
  { content, path }: View,
): Markup => {
  const side = (data: Data): Markup => {
    if (typeof data !== 'string' || !namesPicture.has(key)) return shortOf(data)
    const url = isPicturePath(data) ? content.pictures.urlOf(file, data) : data
    const { site } = content.found()
    const place = placeOf(path, { ...settingsOf(site), origins: anywhere })
    return [picture({ id: data, image: assetUrl(url, 'https', site) }, place), data]
  }
  const old = before !== undefined && html`<dd><del>${side(before)}</del></dd>`
  const now = after !== undefined && html`<dd><ins>${side(after)}</ins></dd>`
  return [old, now]
}

const namesPicture: ReadonlySet<string> = new Set([
  ...pictureKeys.profile,
  ...pictureKeys.shot,
])

/** The policy of the page decides which pictures load. */
const anywhere = ['https://']

const shortOf = (data: Data): string => cut(wordsOf(data), 300)

export const wordsOf = (data: Data): string => {
  if (typeof data === 'string') return data
  return Array.isArray(data) ? data.map(wordsOf).join(', ') : JSON.stringify(data)
}
