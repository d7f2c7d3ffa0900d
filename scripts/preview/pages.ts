import type http from 'node:http'
import path from 'node:path'
import launchEditor from 'launch-editor'
import { createLoader } from '../advice/loader.ts'
import { pictureTypes } from '../api/routes.ts'
import type { ContentFolder } from '../content/layout.ts'
import type { Mapping } from '../content/parse/data.ts'
import type { Site } from '../content/site.ts'
import { shownPath } from '../edit/members.ts'
import { builtFile } from '../files/built.ts'
import { isPathBelow, readFile, type Spot } from '../files/folder.ts'
import { Changed } from '../files/write.ts'
import { createIndex } from '../gallery/data.ts'
import { addressOf, type Gallery } from '../gallery/page.ts'
import { notFoundPage } from '../gallery/pages.ts'
import { render } from '../gallery/render.ts'
import { basePathOf, hostNames } from '../hosts/hosts.ts'
import { mostPictureBytes, readPicture } from '../pictures/picture.ts'
import { hasErrors, UserError } from '../problems/diagnostic.ts'
import { amount } from '../text/amounts.ts'
import { html, type Content as Markup, markupOf } from '../text/html.ts'
import {
  type Answer,
  json,
  Live,
  nothingThere,
  ownPage,
  pageAnswer,
  plain,
  redirect,
  reply,
} from './answers.ts'
import { answerApi, apiView } from './api.ts'
import { changesOf } from './changes.ts'
import { type Content, type Found, watchedContent } from './content.ts'
import {
  act,
  checkFile,
  checkName,
  type Desk,
  type Draft,
  givenIn,
  Outdated,
  openDraft,
  Refused,
} from './edits.ts'
import { conflictOf, errorsOf, formOf, inWords, newForms, wordLists } from './form.ts'
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

/** What pages are made with. */
type Press = Desk & {
  readonly options: PagesOptions
  readonly live: Live
  /** What the snapshot was made from. */
  served: Site | undefined
  /** One report at a time: whoever asks meanwhile gets the same. */
  reporting: ReturnType<PagesOptions['report']> | undefined
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
  const { folder, out } = options
  const content = watchedContent(folder, createLoader({ hostNames }))
  const history = new History(folder, options.bin)
  const live = new Live()
  const press: Press = { options, content, history, live, served: undefined, reporting: undefined }
  const handle: Handler = async (request, response, asked) => {
    const { served } = press
    const isPicture = request.method === 'GET' && content.pictureAt(asked.path) !== undefined
    if (!isPicture && !isPage(request.method, asked.path)) {
      const variant = served?.schemes.includes(asked.scheme) === false ? 'https' : asked.scheme
      // pages are at the root, and their pictures with them
      const basePath = asked.path.startsWith('/pictures/') ? '' : basePathIn(press)
      return answerApi(request, response, { path: asked.path, variant, out, basePath })
    }
    if (isForeign(request, asked, options.ports)) {
      return live.send(response, plain(403, 'The preview answers its own pages only.'))
    }
    if (asked.path === '/-/live' && request.method === 'GET') return live.follow(response)
    live.send(response, await answer(request, asked, press))
  }
  return {
    handle,
    update: (found: Found, touched: Touched): void => {
      content.update(found, touched)
      if (press.served === undefined || !hasErrors(found.diagnostics)) press.served = found.site
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
      await live.answered(150)
    },
  }
}

const basePathIn = ({ served }: Press): string => (served === undefined ? '' : basePathOf(served))

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

const answer = async (
  request: http.IncomingMessage,
  asked: Asked,
  press: Press,
): Promise<Answer> => {
  const { method = 'GET', headers } = request
  const { content } = press
  const view = viewOf(asked, headers, press)
  if (method === 'POST' && asked.path === '/-/choose')
    return choose(await readBody(request, 100), headers)
  if (method === 'POST' && ['/-/open', '/-/check', '/-/do'].includes(asked.path)) {
    // a body is read for those only who have the key: many large ones would fill the memory
    const refusal = refusalOf(request, press.options)
    if (refusal !== undefined) return refusal
    const given = givenIn(await readBody(request, mostBodyBytes))
    if (given === undefined) return json(400, { said: noEdit })
    return asked.path === '/-/open' ? open(given, press.options) : edit(given, view, press)
  }
  if (method !== 'GET' && method !== 'HEAD') {
    return plain(405, 'The pages answer GET, HEAD and POST.', { Allow: 'GET, HEAD, POST' })
  }
  const picture = content.pictureAt(asked.path)
  if (picture !== undefined) return showPicture(picture, content)
  if (!asked.path.startsWith(ownPath)) return showPage(view, press)
  const own = await showOwn(view, asked.query, press)
  return own ?? pageAnswer(404, notFoundPage({ settings: settingsIn(view) }), view)
}

const viewOf = ({ path, query }: Asked, headers: http.IncomingHttpHeaders, press: Press): View => {
  const { content, history, live, options } = press
  const chosen = headers.cookie?.split('; ') ?? []
  return {
    path,
    content,
    version: live.version,
    building: live.building,
    readOnly: options.readOnly,
    undo: history.last(),
    file: query.get('file') ?? undefined,
    drafts: !chosen.includes('shotpress-drafts=no'),
    strangers: chosen.includes('shotpress-strangers=yes'),
  }
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

const showPage = async (view: View, { content, live }: Press): Promise<Answer> => {
  const asked = view.path
  if (!content.site().baseUrl && !/\.\w+$/.test(asked)) {
    const title = view.building ? 'The first build is under way' : 'There is nothing to show yet'
    return ownPage(
      { ...view, path: '/', file: undefined },
      title,
      waiting,
      view.building ? 503 : 200,
    )
  }
  const [, part, username = '', id = ''] = asked.split('/')
  const isMember = part === 'members' && content.member(username) !== undefined
  if (!isMember && asked.endsWith('/') && content.unread() > mostReadAtOnce) {
    // tabs that show this show the page then
    const renew = (): void => live.renew()
    void content.index().then(renew, renew)
    return ownPage(view, `Reading ${amount(content.unread(), 'member')}`, waiting, 503)
  }
  const index = isMember ? undefined : await content.index()
  const gallery = galleryOf(view, index)
  const { type, text: body, status } = render(asked, gallery)
  if (!type.startsWith('text/html')) return reply(200, type, body)
  if (status === 404) {
    const slash = `${asked}/`
    if (!asked.endsWith('/') && render(slash, gallery).status === 200)
      return redirect(encodeURI(slash))
    const now = part === 'members' && !isMember ? await content.movedTo(username) : undefined
    if (now !== undefined)
      return redirect(id === '' ? addressOf.member(now) : addressOf.work(now, id))
  }
  return pageAnswer(status, body, view)
}

/** What lies below `/-/`; `undefined` is nothing. */
const showOwn = async (
  view: View,
  query: URLSearchParams,
  press: Press,
): Promise<Answer | undefined> => {
  const { content, options } = press
  const { path: asked } = view
  if (asked === '/-/preview.css')
    return reply(200, 'text/css; charset=utf-8', builtFile('scripts/preview/preview.css'))
  if (asked === '/-/preview.js')
    return reply(200, 'text/javascript; charset=utf-8', builtFile('scripts/preview/script.ts'))
  if (!content.site().baseUrl) return showPage(view, press)
  if (asked === '/-/changes') return showChanges(view, press)
  if (asked === '/-/where') {
    const picture = query.get('picture') ?? ''
    const place = content.lineOf(picture, query.get('member') ?? '')
    const item = place && html`<li>${picture} ${openAt(place.file, place.line)}</li>`
    return item && reply(200, 'text/html; charset=utf-8', markupOf(item))
  }
  if (asked === '/-/edit' && !options.readOnly) {
    const draft = openDraft(view.file ?? '', press)
    if (draft === undefined) return undefined
    const title = `Edit ${path.posix.basename(draft.file)} of ${draft.username}`
    // large sites are read beside this: words are offered once they are there
    const words = content.unread() > 0 ? {} : wordLists(await content.index())
    return ownPage(view, title, formOf(draft, { look: lookOf(draft, view), words }))
  }
  if (asked === '/-/new' && !options.readOnly) {
    const username = query.get('member') ?? ''
    return ownPage(view, 'New', newForms(content.member(username) === undefined ? '' : username))
  }
  const [, username = ''] = /^\/-\/api\/([^/]+)$/.exec(asked) ?? []
  if (content.member(username) === undefined) return undefined
  const answers = await apiView(username, { ports: options.ports, basePath: basePathIn(press) })
  return ownPage(view, `What the API answers for ${username}`, answers)
}

const showChanges = async (view: View, press: Press): Promise<Answer> => {
  const { content, options } = press
  press.reporting ??= options.report().finally(() => {
    press.reporting = undefined
  })
  const { words, usernames } = await press.reporting
  const members = usernames.slice(0, mostChanged).map((name) => {
    const heading = html`<h2><a href="${addressOf.member(name)}">${name}</a></h2>`
    return [heading, changeList(changesOf(name, content), view)]
  })
  return ownPage(view, 'What changed', [words, members, stepsFor(options.folder.name)])
}

/** What the page of a member or a work will show if its file has this text. */
const lookOf = (
  { file, username, text }: Pick<Draft, 'file' | 'username' | 'text'>,
  view: View,
): string => {
  const shown = view.content.lookWith({ file, text })
  const id = shown?.parts.find((one) => one.file === file)?.id
  const gallery = galleryOf(view)
  const { layer: _, ...settings } = gallery.settings
  const address = `/members/${username}/${id ? `${id}/` : ''}`
  const { text: page } = render(address, { ...gallery, settings, member: () => shown?.member })
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? []
  // something may be typed beside it
  return main.replaceAll('<a ', '<a target=_blank ')
}

const edit = async (given: Mapping, view: View, press: Press): Promise<Answer> => {
  const { content, live, options } = press
  try {
    if (view.path === '/-/check' && given.file === undefined) {
      return json(200, { parts: errorsOf(checkName(given, press), ['to', 'username']) })
    }
    if (view.path === '/-/check') {
      const checked = checkFile(given, press)
      const parts = {
        'sp-view': lookOf(checked, view),
        'sp-conflict': '',
        ...errorsOf(checked.problems, checked.kind),
      }
      return json(200, { parts })
    }
    const { said, see, value, isSame } = act(given, press)
    if (!isSame) {
      const built = live.nextBuild(5000)
      options.onEdit?.()
      await built
    }
    return json(200, { said, to: content.pageOf(see), value })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    if (error instanceof Outdated) {
      return json(409, {
        said: error.message,
        parts: { 'sp-conflict': conflictOf(given.values, error.cause) },
      })
    }
    const parts = error instanceof Refused ? errorsOf(error.cause) : undefined
    return json(error instanceof Changed ? 409 : 422, { said: inWords(error), parts })
  }
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

/** What is published of a picture of the content, or would be: that of a draft, too. No script runs in it. */
const showPicture = (below: string, { folder, uploads }: Content): Answer => {
  const body = uploads.get(below) ?? readFile(folder.path, below, { limit: mostPictureBytes })
  if (body && below.endsWith('.svg')) return reply(200, 'image/svg+xml', body)
  const picture = body && readPicture(body)
  if (picture === undefined || 'problem' in picture) return nothingThere
  return reply(200, pictureTypes[picture.kind], picture.published)
}

const open = ({ file = '', line = '' }: Mapping, { folder, openEditor }: PagesOptions): Answer => {
  const below = String(file).slice(folder.name.length + 1)
  const isInside = shownPath(folder, below) === file && isPathBelow(below)
  if (!isInside || !/^\d+$/.test(String(line)))
    return json(400, { said: 'That is no file of the content' })
  const place = `${path.join(folder.path, below)}:${line}`
  const start = openEditor ?? ((one) => launchEditor(one, () => {}))
  start(place)
  return json(200, { said: '' })
}

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
