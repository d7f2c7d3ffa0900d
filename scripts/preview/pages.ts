import type http from 'node:http'
import path from 'node:path'
import launchEditor from 'launch-editor'
import { createLoader } from '../advice/loader.ts'
import { pictureTypes, variants } from '../api/routes.ts'
import type { ContentFolder } from '../content/layout.ts'
import type { Site } from '../content/site.ts'
import { builtFile } from '../files/built.ts'
import { findEntry, type Spot } from '../files/folder.ts'
import { Changed } from '../files/write.ts'
import { createIndex } from '../gallery/data.ts'
import {
  addressOf,
  type Gallery,
  page,
  placeOf,
  settingsOf,
  usernameIn,
} from '../gallery/page.ts'
import { render, typeOf } from '../gallery/render.ts'
import { basePathOf } from '../hosts/hosts.ts'
import { kindOfName } from '../pictures/picture.ts'
import { hasErrors, UserError } from '../problems/diagnostic.ts'
import { amount } from '../text/amounts.ts'
import { html, type Content as Markup } from '../text/html.ts'
import { type Answer, json, Live, plain, reply } from './answers.ts'
import { apiAnswer, sendApi } from './api.ts'
import { changedIn } from './changes.ts'
import { type Found, lookWith, pageOf, type Shown, watchedContent } from './content.ts'
import {
  act,
  checkFile,
  checkName,
  type Draft,
  type Given,
  givenIn,
  Outdated,
  openDraft,
  Refused,
} from './edits.ts'
import { keysOf } from './fields.ts'
import { conflictOf, errorsOf, formOf, inWords, newForms, wordLists } from './form.ts'
import { createHistory } from './history.ts'
import { changeList, ownPath, settingsIn, type View } from './layer.ts'
import { type Asked, type Handler, isOwnOrigin, type Ports } from './servers.ts'
import type { Touched } from './watch.ts'

// A request, what it asks for, and the answer from the content as it is on the disk.

type PagesOptions = {
  readonly folder: ContentFolder
  /** The snapshot, a real path. */
  readonly out: string
  readonly ports: Ports
  readonly readOnly: boolean
  /** What edits must come with: pages of the web and other users of the machine don't know it. */
  readonly token: string
  /** Where files go that are deleted. */
  readonly bin: Spot
  /** Called after an edit, which is answered when the next build has come. */
  readonly onEdit?: () => void
  /** Called with what is told in the terminal. */
  readonly onFailure?: (error: unknown) => void
  /** Opens a file of the content at a line; a test gives another. */
  readonly openEditor?: (place: string) => void
}

/** What a page is made with. */
type Sheet = View & {
  readonly live: Live
  readonly options: PagesOptions
  readonly query: URLSearchParams
}

/**
 * Whether a request is for a page or what pages need; the API answers all others. Other
 * methods than a page's are the API's where a page has no form: the preview differs from a
 * host in what it answers to GET only.
 */
const isPage = (method: string | undefined, asked: string): boolean =>
  asked.startsWith(ownPath) || (isRead(method) && galleryPaths.some((one) => one.test(asked)))

const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD'

const galleryPaths = [
  /^\/(?:$|(?:members|tags|skills|places|search|join)\/)/,
  /^\/(?:search\.js|gallery\.(?:js|css)|icon\.svg|feed\.xml)$/,
]

/** Answers with pages and what they need, else as the API, from the last snapshot. */
export const createPages = (options: PagesOptions) => {
  const { folder, out, ports } = options
  const content = watchedContent(folder, createLoader())
  const live = new Live()
  const shared = {
    content,
    live,
    history: createHistory(folder, options.bin, options.onFailure),
  }
  /** What the snapshot was made from. */
  let served: Site | undefined
  const handle: Handler = async (request, response, asked) => {
    const { method, headers } = request
    const { path, scheme, query } = asked
    const basePath = served === undefined ? '' : basePathOf(served)
    const api = { out, basePath, schemes: served?.schemes ?? variants }
    const isPicture = method === 'GET' && content.pictures.has(path)
    if (!isPicture && !isPage(method, path)) {
      // pages are at the root, and their pictures with them
      const place = path.startsWith('/pictures/') ? { ...api, basePath: '' } : api
      const known = headers['if-none-match']
      return sendApi(request, response, apiAnswer({ path, scheme, method, known }, place))
    }
    if (isForeign(headers, asked, ports))
      return live.send(response, plain(403, 'The preview answers its own pages only.'))
    if (path === '/-/live' && method === 'GET') return live.follow(response)
    // tabs that were open before this preview ask as soon as it listens
    if (live.version === '') await live.next(firstBuildMs)
    const chosen = headers.cookie?.split('; ') ?? []
    const sheet: Sheet = {
      ...shared,
      options,
      path,
      query,
      file: query.get('file') ?? undefined,
      drafts: !chosen.includes('shotpress-drafts=no'),
      strangers: chosen.includes('shotpress-strangers=yes'),
    }
    live.send(response, await answer(request, sheet))
  }
  return {
    handle,
    update: (found: Found, touched: Touched): void => {
      content.update(found, touched)
      if (served === undefined || !hasErrors(found.diagnostics)) served = found.tools.site
      live.built()
    },
  }
}

/**
 * Whether a page of another site asks: it can't read an answer, but could have work done. It
 * may lead people to a page, and nowhere below `/-/`.
 */
const isForeign = (
  { origin, 'sec-fetch-site': site, 'sec-fetch-dest': kind }: http.IncomingHttpHeaders,
  { scheme, path }: Asked,
  ports: Ports,
): boolean => {
  if (origin !== undefined && !isOwnOrigin(origin, scheme, ports)) return true
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  return kind !== 'document' || path.startsWith(ownPath)
}

const answer = async (request: http.IncomingMessage, sheet: Sheet): Promise<Answer> => {
  const { method } = request
  const { path, content } = sheet
  const act = method === 'POST' && acts.get(path)
  if (act) return answerAct(act, request, sheet)
  if (!isRead(method))
    return plain(405, 'The pages answer GET, HEAD and POST.', { Allow: 'GET, HEAD, POST' })
  if (content.pictures.has(path)) return showPicture(sheet)
  const built = builtFiles.get(path)
  if (built) return reply(200, typeOf(path), builtFile(`scripts/preview/${built}`))
  const own = content.found().site.baseUrl === '' ? undefined : ownPages.get(path)?.(sheet)
  return own ?? showPage(sheet)
}

const builtFiles = new Map([
  ['/-/preview.css', 'preview.css'],
  ['/-/preview.js', 'script.ts'],
])

/** A page may load pictures of hosts that the site names, of others only if somebody said so. */
const pageAnswer = (status: number, body: string, { content, strangers }: View): Answer => {
  const shown = strangers ? ['https:', 'http:'] : settingsOf(content.found().site).origins
  const policy = [
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'",
    `img-src 'self' blob: ${shown.join(' ')}`,
    "base-uri 'none'; frame-ancestors 'none'",
  ]
  return reply(status, 'text/html; charset=utf-8', body, {
    'Content-Security-Policy': policy.join('; '),
  })
}

/** A page of the preview's own, in the gallery's clothes. */
const ownPage = (view: View, title: string, content: Markup): Answer => {
  const main = html`<div class=sp-page><h1>${title}</h1>${content}</div>`
  const place = placeOf(view.path, settingsIn(view))
  return pageAnswer(200, page(place, { title, main }), view)
}

const galleryOf = (view: View, index = createIndex([])): Gallery => ({
  settings: settingsIn(view),
  index,
  member: (username: string) => {
    const { member } =
      view.content.member(username) ??
      view.content.member(index.aliases.get(username) ?? '') ??
      {}
    if (member === undefined || view.drafts) return member
    const works = member.works.filter(({ draft, id }) => !draft || id.startsWith('!'))
    return { ...member, works }
  },
})

const showPage = async (view: Sheet): Promise<Answer> => {
  const { path: asked, content } = view
  const isFile = /\.\w+$/.test(asked)
  if (!content.found().site.baseUrl && !isFile) {
    const home = { ...view, path: '/', file: undefined }
    return ownPage(
      home,
      'There is nothing to show yet',
      html`<p class=sp-wait>The page comes by itself.</p>`,
    )
  }
  const isMember = content.member(usernameIn(asked)) !== undefined
  const gallery = galleryOf(view, isMember ? undefined : await content.summaries.index())
  const { type, text, status } = render(asked, gallery)
  if (!type.startsWith('text/html')) return reply(200, type, text)
  const slash = `${asked}/`
  const isLost = status !== 200 && !asked.endsWith('/')
  return isLost && render(slash, gallery).status === 200
    ? { status: 302, headers: { Location: encodeURI(slash) } }
    : pageAnswer(status, text, view)
}

type OwnPage = (sheet: Sheet) => Answer | undefined

const showNew: OwnPage = (sheet) => {
  const { content, query, options } = sheet
  if (options.readOnly) return undefined
  return ownPage(sheet, 'New', newForms(content.member(query.get('member') ?? '')?.member))
}

const showForm: OwnPage = (sheet) => {
  const { content, options, file = '' } = sheet
  const draft = options.readOnly ? undefined : openDraft(file, sheet)
  if (draft === undefined) return undefined
  const { shown } = draft
  const title = `Edit ${'title' in shown ? shown.title : shown.name}`
  const look = lookOf(draft, lookWith(draft, draft.text, content), sheet)
  return ownPage(
    sheet,
    title,
    formOf(draft, { look, words: wordLists(content.summaries.known()) }),
  )
}

const showChanges: OwnPage = (sheet) => ownPage(sheet, 'What changed', changesIn(sheet))

const changesIn = (sheet: Sheet): Markup => {
  const { content } = sheet
  const steps = html`<h2>Publish it</h2><p>With git, in a terminal:</p><pre tabindex="0">git add ${content.folder.name}\ngit commit -m "Update content"\ngit push</pre><p>In GitHub Desktop: write a summary, press “Commit to …”, then “Push origin”.</p><p>In VS Code: open Source Control, write a message, press “Commit”, then “Sync Changes”.</p>`
  try {
    const { members, others, changesOf } = changedIn(content)
    if (members.length + others.length === 0) return 'All is as it was at the last commit.'
    const shown = members.slice(0, mostChanged).map((name) => {
      const member = content.member(name)?.member
      const heading = html`<h2><a href="${addressOf.member(name)}">${member?.name ?? name}</a></h2>`
      const isGone = member === undefined && html`<p>is gone</p>`
      return [heading, isGone, changeList(changesOf(name), sheet)]
    })
    const left = members.length - shown.length
    return [
      shown,
      left > 0 && html`<p>and ${amount(left, 'other member')}</p>`,
      others.length > 0 && html`<p>Also: ${others.slice(0, mostChanged).join(', ')}</p>`,
      steps,
    ]
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return /no revision|no git repository/.test(error.message)
      ? [
          'Nothing was committed yet: all of it is new. Where there is no git repository, git init makes one.',
          steps,
        ]
      : error.message
  }
}

/** What lies below `/-/`. */
const ownPages = new Map([
  ['/-/changes', showChanges],
  ['/-/edit', showForm],
  ['/-/new', showNew],
])

/** What the page of a file will show when the member is shown so. */
const lookOf = ({ file, username }: Draft, { member, parts }: Shown, view: View): string => {
  const id = parts.find((one) => one.file === file)?.id
  const gallery = galleryOf(view)
  const { layer: _, ...settings } = gallery.settings
  const address = `/members/${username}/${id ?? ''}`.replace(/[^/]$/, '$&/')
  const { text } = render(address, { ...gallery, settings, member: () => member })
  const [, main = ''] = text.split(/<main[^<>]*>|<\/main>/)
  // something may be typed beside it
  return main.replaceAll('<a ', '<a target=_blank ')
}

/** What a page may ask for that has the key. */
type Act = (given: Given, sheet: Sheet) => Answer | Promise<Answer>

const answerAct = async (
  act: Act,
  request: http.IncomingMessage,
  sheet: Sheet,
): Promise<Answer> => {
  const { readOnly, token } = sheet.options
  if (readOnly) return json(403, { said: 'This preview is read-only' })
  // a body is read for those only who have the key: many large ones would fill the memory
  if (request.headers['shotpress-edit'] !== token)
    return json(403, {
      said: 'To edit, open the address with #edit= that the terminal shows',
    })
  const given = givenIn(await readBody(request))
  if (given === undefined)
    return json(400, {
      said: 'This is no edit, or it has over 200,000 characters, or a picture of more than 10 MiB',
    })
  try {
    return await act(given, sheet)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const parts = partsOf(error)
    return json(error instanceof Changed ? 409 : 422, { said: inWords(error), parts })
  }
}

/** What is said where a form or the bar was, at the fields that it is about. */
const partsOf = (error: UserError) => {
  if (error instanceof Refused) return errorsOf(error.cause)
  if (!(error instanceof Outdated)) return {}
  // what else is wrong is said of what one chooses
  const fields = errorsOf([], keysOf(error.cause.draft.kind))
  return { ...fields, 'sp-conflict': conflictOf(error.cause) }
}

/** What was typed into a form is checked, and nothing written. */
const check: Act = (given, sheet) => {
  if (given.file === undefined) {
    return json(200, { parts: errorsOf(checkName(given, sheet), ['to', 'username']) })
  }
  const { draft, shown, problems } = checkFile(given, sheet)
  const view = { 'sp-view': lookOf(draft, shown, sheet), 'sp-conflict': '' }
  return json(200, { parts: { ...view, ...errorsOf(problems, keysOf(draft.kind)) } })
}

/** What others claim is known from a build, so the next edit waits for that of the one before. */
const edit: Act = (given, sheet) => {
  const { content, live, options } = sheet
  return live.inTurn(async () => {
    const { said, see, value, isSame } = act(given, sheet)
    if (!isSame) {
      const built = live.next(5000)
      options.onEdit?.()
      await built
    }
    return json(200, { said, to: pageOf(see, content), value })
  })
}

const open: Act = ({ file = '', line = '' }, { content, options }) => {
  const { folder, openEditor = (place: string) => launchEditor(place, () => {}) } = options
  const below = content.belowOf(file)
  const isFile = below !== '' && findEntry(folder.path, below)?.isFile()
  if (!isFile || !/^\d+$/.test(line))
    return json(400, { said: 'That is no file of the content' })
  openEditor(`${path.join(folder.path, below)}:${line}`)
  return json(200, { said: '' })
}

const acts = new Map([
  ['/-/open', open],
  ['/-/check', check],
  ['/-/do', edit],
])

/** No script runs in a logo: the answer's policy allows none. */
const showPicture = ({ path: asked, content }: Sheet): Answer => {
  const bytes = content.pictures.read(asked)
  const kind = kindOfName(asked)
  return bytes
    ? reply(200, kind ? pictureTypes[kind] : 'image/svg+xml', bytes)
    : plain(404, 'There is nothing.')
}

/** A picture of 10 MiB in Base64, and some. */
const mostBodyBytes = 15 * 1024 * 1024

/** A body as text; one of more bytes is read as empty. */
const readBody = async (request: http.IncomingMessage): Promise<string> => {
  let text = ''
  // read it to its end: a browser that still sends may not read the answer
  for await (const chunk of request.setEncoding('utf8'))
    if (text.length <= mostBodyBytes) text += chunk
  return text.length <= mostBodyBytes ? text : ''
}

/** How long a page waits for the first build. */
const firstBuildMs = 600_000

/** Members whose changes are shown file by file. */
const mostChanged = 50
