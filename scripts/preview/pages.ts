import type http from 'node:http'
import path from 'node:path'
import launchEditor from 'launch-editor'
import { createLoader } from '../advice/loader.ts'
import { pictureTypes } from '../api/routes.ts'
import type { ContentFolder } from '../content/layout.ts'
import type { Site } from '../content/site.ts'
import { shownPath } from '../edit/members.ts'
import { builtFile } from '../files/built.ts'
import { isPathBelow, type Spot } from '../files/folder.ts'
import { Changed } from '../files/write.ts'
import { createIndex } from '../gallery/data.ts'
import { addressOf, type Gallery } from '../gallery/page.ts'
import { notFoundPage } from '../gallery/pages.ts'
import { render } from '../gallery/render.ts'
import { basePathOf, hostNames } from '../hosts/hosts.ts'
import { kindOfName } from '../pictures/picture.ts'
import { hasErrors, UserError } from '../problems/diagnostic.ts'
import { amount } from '../text/amounts.ts'
import { html, type Content as Markup, markupOf } from '../text/html.ts'
import { type Answer, json, Live, ownPage, pageAnswer, plain, redirect, reply } from './answers.ts'
import { answerApi, apiView } from './api.ts'
import { changesOf } from './changes.ts'
import { type Content, type Found, lineNaming, type Shown, watchedContent } from './content.ts'
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
import { conflictOf, errorsOf, formOf, inWords, keysOf, newForms, wordLists } from './form.ts'
import { History } from './history.ts'
import { changeList, openAt, ownPath, settingsIn, type View } from './layer.ts'
import { type Handler, isOwnOrigin, type Ports } from './servers.ts'
import type { Touched } from './watch.ts'

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
  /** The difference from the last commit, for people. */
  readonly report: () => Promise<{ readonly words: Markup; readonly usernames: readonly string[] }>
  /** Called after an edit, which is answered when the next build has come. */
  readonly onEdit?: () => void
  /** Opens a file of the content at a line; a test gives another. */
  readonly openEditor?: (place: string) => void
}

/** What a page is made with. */
type Sheet = View & {
  readonly live: Live
  readonly options: PagesOptions
  readonly query: URLSearchParams
  /** The path of `base_url` in the snapshot. */
  readonly basePath: string
}

/**
 * Whether a request is for a page or what pages need; the API answers all others. Other methods than a page's are the
 * API's where a page has no form: the preview differs from a host in what it answers to GET only.
 */
export const isPage = (method: string | undefined, asked: string): boolean =>
  asked.startsWith(ownPath) || ((method === 'GET' || method === 'HEAD') && galleryPaths.test(asked))

const rooms = 'members|tags|skills|places|search|join'
const files = String.raw`search\.js|gallery\.js|gallery\.css|icon\.svg|feed\.xml`
const galleryPaths = new RegExp(`^/(?:$|(?:${rooms})/|(?:${files})$)`)

/** Answers with pages and what they need, else as the API, from the last snapshot. */
export const createPages = (options: PagesOptions) => {
  const { folder, out, ports } = options
  const content = watchedContent(folder, createLoader({ hostNames }))
  const live = new Live()
  const desk = { content, history: new History(folder, options.bin), live }
  const shared = { ...desk, options: { ...options, report: oneAtATime(options.report) } }
  /** What the snapshot was made from. */
  let served: Site | undefined
  const handle: Handler = async (request, response, asked) => {
    const { method } = request
    const { path, scheme } = asked
    const basePath = served === undefined ? '' : basePathOf(served)
    const isPicture = method === 'GET' && content.pictures.has(path)
    if (!isPicture && !isPage(method, path)) {
      const variant = served?.schemes.includes(scheme) === false ? 'https' : scheme
      // pages are at the root, and their pictures with them
      const below = path.startsWith('/pictures/') ? '' : basePath
      return answerApi(request, response, { path, variant, out, basePath: below })
    }
    if (isForeign(request, asked, ports)) {
      return live.send(response, plain(403, 'The preview answers its own pages only.'))
    }
    if (path === '/-/live' && method === 'GET') return live.follow(response)
    const sheet = { ...shared, basePath, ...lookIn(asked, request.headers) }
    live.send(response, await answer(request, sheet))
  }
  return {
    handle,
    update: (found: Found, touched: Touched): void => {
      content.update(found, touched)
      if (served === undefined || !hasErrors(found.diagnostics)) served = found.site
      live.built()
    },
    /**
     * Shows members as they are on the disk, before a build that takes long has checked them. It settles when a tab has its
     * page, since nothing is answered while a build runs; no build waits longer than 150 ms.
     */
    showEarly: async (touched: Touched): Promise<void> => {
      if (!live.isWatched() || touched === undefined) return
      content.update({}, touched)
      live.building = true
      live.renew()
      await live.next('answer', 150)
    },
  }
}

/** Whoever asks while it is made gets the same. */
const oneAtATime = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().finally(() => {
      made = undefined
    })
    return made
  }
}

/** What somebody looks at, and how. */
const lookIn = ({ path, query }: Asked, { cookie = '' }: http.IncomingHttpHeaders) => {
  const chosen = cookie.split('; ')
  return {
    path,
    query,
    file: query.get('file') ?? undefined,
    drafts: !chosen.includes('shotpress-drafts=no'),
    strangers: chosen.includes('shotpress-strangers=yes'),
  }
}

type Asked = Parameters<Handler>[2]

/**
 * Whether a page of another site asks: it can't read an answer, but could have work done. It may lead people to a page, and
 * nowhere below `/-/`.
 */
const isForeign = (
  { method, headers }: http.IncomingMessage,
  asked: Asked,
  ports: Ports,
): boolean => {
  const { origin, 'sec-fetch-site': site = 'same-origin', 'sec-fetch-dest': kind } = headers
  const needsOrigin = origin !== undefined || method === 'POST'
  if (needsOrigin && !isOwnOrigin(origin, asked.scheme, ports)) return true
  if (site === 'same-origin') return false
  const leads = kind === 'document' && !asked.path.startsWith(ownPath)
  return method === 'POST' || (site !== 'none' && !leads)
}

const answer = async (request: http.IncomingMessage, sheet: Sheet): Promise<Answer> => {
  const { method = 'GET', headers } = request
  const { path, content } = sheet
  if (method === 'POST' && path === '/-/choose')
    return choose(await readBody(request, 100), headers)
  const act = method === 'POST' && acts.get(path)
  if (act) return answerAct(act, request, sheet)
  if (method !== 'GET' && method !== 'HEAD') {
    return plain(405, 'The pages answer GET, HEAD and POST.', { Allow: 'GET, HEAD, POST' })
  }
  if (content.pictures.has(path)) return showPicture(path, content)
  if (!path.startsWith(ownPath)) return showPage(sheet)
  return (
    (await showOwn(sheet)) ?? pageAnswer(404, notFoundPage({ settings: settingsIn(sheet) }), sheet)
  )
}

const galleryOf = (view: View, index = createIndex([])): Gallery => ({
  settings: settingsIn(view),
  index,
  member: (username: string) => {
    const member = view.content.member(username)?.member
    if (member === undefined || view.drafts) return member
    return {
      ...member,
      works: member.works.filter(({ draft, id }) => !draft || id.startsWith('!')),
    }
  },
})

const showPage = async (view: Sheet): Promise<Answer> => {
  const { path: asked, content, live } = view
  const { summaries } = content
  if (!content.found().site.baseUrl && !/\.\w+$/.test(asked)) {
    const title = live.building ? 'The first build is under way' : 'There is nothing to show yet'
    const status = live.building ? 503 : 200
    return ownPage({ ...view, path: '/', file: undefined }, title, waiting, status)
  }
  const [, part, username = '', id = ''] = asked.split('/')
  const isMember = part === 'members' && content.member(username) !== undefined
  if (!isMember && asked.endsWith('/') && summaries.unread() > mostReadAtOnce) {
    // tabs that show this show the page then
    const renew = (): void => live.renew()
    void summaries.index().then(renew, renew)
    return ownPage(view, `Reading ${amount(summaries.unread(), 'member')}`, waiting, 503)
  }
  const index = isMember ? undefined : await summaries.index()
  const gallery = galleryOf(view, index)
  const { type, text: body, status } = render(asked, gallery)
  if (!type.startsWith('text/html')) return reply(200, type, body)
  if (status === 404) {
    const slash = `${asked}/`
    if (!asked.endsWith('/') && render(slash, gallery).status === 200)
      return redirect(encodeURI(slash))
    const now = part === 'members' && !isMember ? await summaries.movedTo(username) : undefined
    if (now !== undefined)
      return redirect(id === '' ? addressOf.member(now) : addressOf.work(now, id))
  }
  return pageAnswer(status, body, view)
}

/** What lies below `/-/`; `undefined` is nothing. */
const showOwn = async (sheet: Sheet): Promise<Answer | undefined> => {
  const { path: asked, content, query, options, basePath } = sheet
  const { site } = content.found()
  if (asked === '/-/preview.css')
    return reply(200, 'text/css; charset=utf-8', builtFile('scripts/preview/preview.css'))
  if (asked === '/-/preview.js')
    return reply(200, 'text/javascript; charset=utf-8', builtFile('scripts/preview/script.ts'))
  if (!site.baseUrl) return showPage(sheet)
  if (asked === '/-/changes') return showChanges(sheet)
  const isApi = asked.startsWith('/-/api/')
  const username = isApi ? asked.slice('/-/api/'.length) : (query.get('member') ?? '')
  const member = content.member(username)
  if (asked === '/-/where') {
    const picture = query.get('picture') ?? ''
    const place = lineNaming(picture, member?.parts ?? [], site)
    const item = place && html`<li>${picture} ${openAt(place.file, place.line)}</li>`
    return item && reply(200, 'text/html; charset=utf-8', markupOf(item))
  }
  if (asked === '/-/edit' && !options.readOnly) return showForm(sheet)
  if (asked === '/-/new' && !options.readOnly)
    return ownPage(sheet, 'New', newForms(member ? username : ''))
  if (!isApi || member === undefined) return undefined
  const answers = await apiView(username, { ports: options.ports, basePath })
  return ownPage(sheet, `What the API answers for ${username}`, answers)
}

const showForm = async (sheet: Sheet): Promise<Answer | undefined> => {
  const { content, file = '' } = sheet
  const { summaries } = content
  const draft = openDraft(file, sheet)
  if (draft === undefined) return undefined
  const title = `Edit ${path.posix.basename(file)} of ${draft.username}`
  // large sites are read beside this: words are offered once they are there
  const words = summaries.unread() > 0 ? {} : wordLists(await summaries.index())
  const look = lookOf(draft, content.lookWith(draft, draft.text), sheet)
  return ownPage(sheet, title, formOf(draft, { look, words }))
}

const showChanges = async (sheet: Sheet): Promise<Answer> => {
  const { content, options } = sheet
  const { words, usernames } = await options.report()
  const members = usernames.slice(0, mostChanged).map((name) => {
    const heading = html`<h2><a href="${addressOf.member(name)}">${name}</a></h2>`
    return [heading, changeList(changesOf(name, content), sheet)]
  })
  return ownPage(sheet, 'What changed', [words, members, stepsFor(options.folder.name)])
}

/** What the page of a file will show when the member is shown so. */
const lookOf = ({ file, username }: Draft, { member, parts }: Shown, view: View): string => {
  const id = parts.find((one) => one.file === file)?.id
  const gallery = galleryOf(view)
  const { layer: _, ...settings } = gallery.settings
  const address = `/members/${username}/${id ? `${id}/` : ''}`
  const { text: page } = render(address, { ...gallery, settings, member: () => member })
  const [, main = ''] = page.split(/<main[^<>]*>|<\/main>/)
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
  // a body is read for those only who have the key: many large ones would fill the memory
  const refusal = refusalOf(request, sheet.options)
  if (refusal !== undefined) return refusal
  const given = givenIn(await readBody(request, mostBodyBytes))
  if (given === undefined) return json(400, { said: noEdit })
  try {
    return await act(given, sheet)
  } catch (error) {
    return inWordsOf(error, given)
  }
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

const edit: Act = async (given, sheet) => {
  const { content, live, options } = sheet
  const { said, see, value, isSame } = act(given, sheet)
  if (!isSame) {
    const built = live.next('built', 5000)
    options.onEdit?.()
    await built
  }
  return json(200, { said, to: content.pageOf(see), value })
}

/** Says why it is refused, at the fields that it is about. */
const inWordsOf = (error: unknown, { values }: Given): Answer => {
  if (!(error instanceof UserError)) throw error
  if (error instanceof Outdated) {
    const parts = { 'sp-conflict': conflictOf(values, error.cause) }
    return json(409, { said: error.message, parts })
  }
  const parts = error instanceof Refused ? errorsOf(error.cause) : undefined
  return json(error instanceof Changed ? 409 : 422, { said: inWords(error), parts })
}

/** Why an edit is refused before it is looked at. */
const refusalOf = (
  { headers }: http.IncomingMessage,
  options: PagesOptions,
): Answer | undefined => {
  const { 'content-type': type = '' } = headers
  if (options.readOnly) return json(403, { said: 'This preview is read-only' })
  if (!/^application\/json(?:;|$)/i.test(type))
    return json(415, { said: 'Edits are sent as application/json' })
  if (headers['shotpress-edit'] === options.token) return undefined
  return json(403, { said: 'To edit, open the address with #edit= that the terminal shows' })
}

/** No script runs in a logo: the answer's policy allows none. */
const showPicture = (asked: string, content: Content): Answer => {
  const bytes = content.pictures.read(asked)
  const kind = kindOfName(asked)
  return bytes
    ? reply(200, kind ? pictureTypes[kind] : 'image/svg+xml', bytes)
    : plain(404, 'There is nothing.')
}

const open: Act = ({ file = '', line = '' }, { options }) => {
  const { folder, openEditor } = options
  const below = file.slice(folder.name.length + 1)
  const isInside = shownPath(folder, below) === file && isPathBelow(below)
  if (!isInside || !/^\d+$/.test(line)) return json(400, { said: 'That is no file of the content' })
  const place = `${path.join(folder.path, below)}:${line}`
  const start = openEditor ?? ((one) => launchEditor(one, () => {}))
  start(place)
  return json(200, { said: '' })
}

const acts: ReadonlyMap<string, Act> = new Map([
  ['/-/open', open],
  ['/-/check', check],
  ['/-/do', edit],
])

/** What stands in place of a page that can't be made yet. */
const waiting = html`<p class=sp-wait>The page comes by itself.</p>`

/** Remembers what somebody chose, for a year, and leads back to the page. */
const choose = (chosen: string, { referer = '' }: http.IncomingHttpHeaders): Answer => {
  if (!/^(?:drafts|strangers)=(?:yes|no)$/.test(chosen)) {
    return plain(400, 'This is not a choice that the preview knows.')
  }
  const back = /^https?:\/\/[^/]*(\/(?![/\\])[!-~]*)$/.exec(referer)?.[1] ?? '/'
  const cookie = `shotpress-${chosen}; Path=/; Max-Age=31536000; SameSite=Strict; HttpOnly`
  return { status: 303, headers: { Location: back, 'Set-Cookie': cookie } }
}

const noEdit =
  'This is no edit, or it has over 200,000 characters, or a picture of more than 10 MiB'

/** A picture of 10 MiB in Base64, and some. */
const mostBodyBytes = 15 * 1024 * 1024

/** A body as text; one of more than so many bytes is read as empty. */
const readBody = async (request: http.IncomingMessage, most: number): Promise<string> => {
  let text = ''
  // read it to its end: a browser that still sends may not read the answer
  for await (const chunk of request.setEncoding('utf8')) if (text.length <= most) text += chunk
  return text.length <= most ? text : ''
}

/** Members that a page waits for. More of them are read beside it, which takes some seconds per 1,000. */
const mostReadAtOnce = 1000

/** Members whose changes are shown file by file. */
const mostChanged = 50

/** How what is different from the last commit is published. */
const stepsFor = (folder: string): Markup =>
  html`<h2>Publish it</h2><p>With git, in a terminal:</p><pre tabindex="0">git add ${folder}\ngit commit -m "Update content"\ngit push</pre><p>In GitHub Desktop: write a summary, press “Commit to …”, then “Push origin”. In VS Code: open Source Control, write a message, press “Commit”, then “Sync Changes”. The preview itself runs no git that writes.</p>`
