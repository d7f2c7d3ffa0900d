import { assetUrl } from '../api/records.ts'
import { isPicturePath } from '../content/layout.ts'
import { pictureKeys } from '../content/member.ts'
import { once } from '../content/once.ts'
import type { Data } from '../content/parse/data.ts'
import { type Layer, picture, placeOf, type Settings, settingsOf } from '../gallery/page.ts'
import { selectorOf } from '../gallery/pages.ts'
import { cut } from '../gallery/words.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { amount } from '../text/amounts.ts'
import { type Html, html, type Content as Markup, markupOf } from '../text/html.ts'
import { changesOf, type FileChange } from './changes.ts'
import type { Content } from './content.ts'
import { type Desk, isFixable } from './edits.ts'
import { chooser } from './fields.ts'

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
  readonly live: { readonly version: string; readonly building: boolean }
  readonly options: { readonly readOnly: boolean }
}

/** Where the preview's own lies: no username and no path of the API is like it. */
export const ownPath = '/-/'

/** What lies on a page. */
export const layerOf = (view: View): Layer => {
  const { content, path, live } = view
  const { readOnly } = view.options
  const [, room, username = '', last = ''] = path.split('/')
  const id = last.startsWith('~') ? '' : last // a further page of the member
  const isMember = room === 'members' && username !== ''
  const parts = (isMember && content.member(username)?.parts) || []
  /** The file that the page shows. */
  const file = parts.find((one) => one.id === id)?.file
  const changes = parts.length === 0 ? [] : changesOf(username, content)
  const own = changes.filter((one) => one.id === id)
  const flags = once(() => flagsOf(changes, view))
  return {
    head: html`<link rel=stylesheet href=/-/preview.css>`,
    start: () => {
      const problems = content.found().diagnostics.filter((one) => {
        if (view.file !== undefined) return one.file === view.file
        if (id !== '' && file !== undefined) return one.file === file
        return !isMember || content.ownerOf(one.file) === username
      })
      return html`${problemList(problems, view)}${changeList(own, view)}`
    },
    onTile: (work) => flags().get(work),
    onEmpty: () => html`${!readOnly && firstWork(content)}`,
    end: (main) => {
      const changed = selectorsOf(own)
      const hasDrawings = markupOf(main).includes('<i class=t')
      const member = content.member(username) && encodeURIComponent(username)
      return html`<aside id="sp-bar" aria-label="Preview" data-version="${live.version}"${changed !== '' && html` data-changed="${changed}"`}><p role="status">${stateOf(view)}</p><p class="sp-offline" role="status"><b>offline</b> the preview does not answer: is it still running?</p><p class="sp-said" role="status"></p><nav aria-label="Preview">${[
        undoButton(view.history.last()),
        !readOnly && file !== undefined && html`<a href="${formAt(file)}">Edit</a>`,
        !readOnly && html`<a href="/-/new${member && html`?member=${member}`}">New</a>`,
        html`<a href="/-/changes">What changed</a>`,
        member && html`<a href="/-/api?member=${member}">API</a>`,
        choice(view, 'drafts', { off: 'Hide drafts', on: 'Show drafts' }),
        (hasDrawings || view.strangers) &&
          choice(view, 'strangers', {
            off: 'Hide pictures of other sites',
            on: 'Load pictures of other sites',
          }),
      ]}</nav><details id="sp-dead" class="sp-box" hidden><summary></summary><ul></ul></details></aside><script src=/-/preview.js></script>`
    },
  }
}

/** Where a file is edited. */
export const formAt = (file: string): string => `/-/edit?file=${encodeURIComponent(file)}`

const undoButton = (undo: string | undefined): Markup =>
  undo !== undefined &&
  html`<button type="button" data-action="undo" title="${undo}">Undo: ${cut(undo, 60)}</button>`

/** What one does first on a site without works. */
const firstWork = (content: Content): Html => {
  const [username] = content.found().usernames
  if (username === undefined)
    return html`<p class="sp-first"><a class="sp-button" href="/-/new">Make the first member</a></p>`
  return html`<form class="sp-do sp-first" data-action="new-work" data-username="${username}"><fieldset disabled>${chooser('Drop your first pictures', true)}<p class="sp-said" role="status"></p></fieldset></form>`
}

/**
 * Settings of pages that the server sends: it says their policy, and links begin at the root, since a page may be shown at
 * another's address.
 */
export const settingsIn = (view: View): Settings => {
  const shared = settingsOf(view.content.found().site)
  const settings = { ...shared, policy: '', url: '', root: '', layer: layerOf(view) }
  return view.strangers ? { ...settings, hosts: allHosts } : settings
}

/** Whether what one sees is served. */
const stateOf = ({ content, live }: View): Html => {
  const { diagnostics } = content.found()
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const link = ([first]: readonly Diagnostic[], words: string): Markup =>
    first && html`<a href="${content.pageOf(first.file)}#sp-problems">${words}</a>`
  if (live.building) return html`<b>building</b>`
  return errors.length > 0
    ? html`<b class="sp-bad">${link(errors, amount(errors.length, 'error'))}</b> not served: the last snapshot that was right stays up`
    : html`<b class="sp-good">✓ served</b> ${link(diagnostics, amount(diagnostics.length, 'warning'))}`
}

/** A link that turns something on or off. */
const choice = (
  view: View,
  name: 'drafts' | 'strangers',
  { off, on }: { readonly off: string; readonly on: string },
): Html =>
  html`<a href="/-/choose?${name}=${view[name] ? 'no' : 'yes'}">${view[name] ? off : on}</a>`

/** Where the keys of changed files are on their page. */
const selectorsOf = (changes: readonly FileChange[]): string => {
  const keys = changes
    .filter(({ state }) => state === 'changed')
    .flatMap(({ changes }) => changes.map(({ key }) => key))
  return [...new Set(keys.flatMap((key) => selectorOf[key] ?? []))].join()
}

/** Flags on tiles, by work: what is wrong, else what is new. */
const flagsOf = (changes: readonly FileChange[], view: View): ReadonlyMap<string, Html> => {
  const flag = (kind: string, words: string): Html =>
    html`<em class="sp-flag sp-${kind}">${words}</em>`
  const flags = new Map<string, Html>()
  for (const { id, state } of changes) flags.set(id, flag('new', state))
  for (const { file, severity } of view.content.found().diagnostics.toReversed()) {
    const part = view.content.partOf(file)
    if (part?.id) flags.set(part.id, flag(severity, severity))
  }
  return flags
}

/** Problems that one page shows; the bar counts them all. */
const mostProblems = 20

const problemList = (problems: readonly Diagnostic[], view: View): Markup =>
  problems.length > 0 &&
  html`<section id="sp-problems" class="sp-box" aria-label="Problems" tabindex="-1"><ol>${problems
    .slice(0, mostProblems)
    .map((one) => problem(one, view))}</ol>${
    problems.length > mostProblems &&
    html`<p>and ${amount(problems.length - mostProblems, 'other')}: npx shotpress check shows all</p>`
  }</section>`

const problem = (one: Diagnostic, view: View): Markup => {
  const { severity, message, hint, file, line, related = [] } = one
  const { content, path, options } = view
  const address = content.pageOf(file)
  return html`<li><b class="${severity === 'error' ? 'sp-bad' : ''}">${severity}</b> <bdi>${cut(message, 400)}</bdi>${[
    codeOf(one, content),
    hint && html`<span>${cut(hint, 400)}</span>`,
    ' ',
    openAt(file, line),
    isFixable(one) &&
      !options.readOnly &&
      html` <button type="button" data-action="fix" data-file="${file}">Fix</button>`,
    address !== path && html` <a href="${address}">see it</a>`,
    related.map(
      (other) =>
        html`<span>${cut(other.message, 200)}: ${openAt(other.file, other.line)} <a href="${content.pageOf(other.file)}">see it</a></span>`,
    ),
  ]}</li>`
}

/** The line that a problem is in, with the place marked; nothing for a problem of the file as a whole. */
const codeOf = (
  { file, line, endLine, column, endColumn }: Diagnostic,
  content: Content,
): Markup => {
  const text = content.partOf(file)?.text?.split('\n')[line - 1]?.replace(/\r$/, '') ?? ''
  const isWhole = line === 1 && endLine === 1 && column === 1 && endColumn === 1
  if (isWhole || text === '') return undefined
  const from = Math.max(0, column - 40)
  const end = endLine === line ? endColumn - 1 : text.length
  const marked = text.slice(column - 1, Math.min(end, column + 200))
  return html`<code>${from > 0 && '…'}${text.slice(from, column - 1)}<mark>${marked}</mark>${text.slice(end, end + 80)}</code>`
}

/** A button that opens a line in the editor. */
export const openAt = (file: string, line: number): Markup =>
  html`<button type="button" data-file="${file}" data-line="${line}"><bdi>${cut(file, 200)}:${line}</bdi></button>`

/** What is different from the last commit, in words and pictures. */
export const changeList = (changes: readonly FileChange[], view: View): Markup =>
  changes.length > 0 &&
  html`<details class="sp-box sp-changes" ${view.path.startsWith(ownPath) && 'open'}><summary>Changed since the last commit</summary>${changes.map(
    ({ file, state, changes }) =>
      html`<p>${state === 'changed' ? '' : `${state}: `}<a href="${view.content.pageOf(file)}"><bdi>${file}</bdi></a></p>${
        state !== 'gone' && html`<dl>${changes.map((change) => changed(change, file, view))}</dl>`
      }`,
  )}</details>`

const changed = (
  { key, before, after }: FileChange['changes'][number],
  file: string,
  { content, path }: View,
): Markup => {
  const side = (data: Data | undefined): Markup => {
    if (data === undefined) return html`<em>nothing</em>`
    if (typeof data !== 'string' || !namesPicture.has(key)) return wordsOf(data)
    const url = isPicturePath(data) ? content.pictures.urlOf(file, data) : data
    const { site } = content.found()
    const place = placeOf(path, { settings: { ...settingsOf(site), hosts: allHosts } })
    return html`${picture(assetUrl(url, 'https', site), place, { seed: data })}${data}`
  }
  return html`<dt>${key}</dt><dd><del>${side(before)}</del> <ins>${side(after)}</ins></dd>`
}

const namesPicture: ReadonlySet<string> = new Set([...pictureKeys.profile, ...pictureKeys.shot])

/** The policy of the page decides which pictures load. */
export const allHosts: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true })

const wordsOf = (data: Data): string => {
  if (typeof data === 'string') return cut(data, 300)
  return Array.isArray(data) ? data.map(wordsOf).join(', ') : JSON.stringify(data)
}
