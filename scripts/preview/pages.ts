import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type http from 'node:http'
import path from 'node:path'
import launchEditor from 'launch-editor'
import { createLoader } from '../advice/loader.ts'
import { contentType, pictureTypes } from '../api/routes.ts'
import type { ContentFolder } from '../content/layout.ts'
import type { Mapping } from '../content/parse/data.ts'
import type { Site } from '../content/site.ts'
import { shownPath } from '../edit/members.ts'
import { builtFile } from '../files/built.ts'
import { isPathBelow, readFile, type Spot } from '../files/folder.ts'
import { createIndex } from '../gallery/data.ts'
import { addressOf, type Gallery, page, placeOf, type Settings, settingsOf } from '../gallery/page.ts'
import { notFoundPage } from '../gallery/pages.ts'
import { render } from '../gallery/render.ts'
import { basePathOf, hostNames } from '../hosts/hosts.ts'
import { mostPictureBytes, readPicture } from '../pictures/picture.ts'
import { hasErrors, UserError } from '../problems/diagnostic.ts'
import { amount } from '../text/amounts.ts'
import { html, type Content as Markup, markupOf } from '../text/html.ts'
import { answerApi, apiView } from './api.ts'
import { type Found, watchedContent } from './content.ts'
import { Changed, createEdits, type Draft, givenIn } from './edits.ts'
import { conflictOf, formOf, inWords, newForms, partsOf, undoForm } from './form.ts'
import { allHosts, changeList, layerOf, openAt, ownPath, type View } from './layer.ts'
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

/**
 * Whether a request is for a page or what pages need; the API answers all others. Other methods than a page's are the
 * API's where a page has no form: the preview differs from a host in what it answers to GET only.
 */
export const isPage = (method: string | undefined, asked: string): boolean =>
  asked.startsWith(ownPath) || ((method === 'GET' || method === 'HEAD') && galleryPaths.test(asked))

const galleryPaths =
  /^\/(?:$|(?:members|tags|skills|places|search|join)\/|(?:search\.js|gallery\.js|gallery\.css|icon\.svg|feed\.xml)$)/

/** Answers with pages and what they need, else as the API, from the last snapshot. */
export const createPages = (options: PagesOptions) => {
  const { folder, out, ports, readOnly } = options
  const content = watchedContent(folder, createLoader({ hostNames }))
  const edits = createEdits(content, options.bin)
  let version = randomUUID()
  let building = true
  /** What the snapshot was made from. */
  let served: Site | undefined
  /** One report at a time: whoever asks meanwhile gets the same. */
  let reporting: ReturnType<PagesOptions['report']> | undefined
  const events = new EventEmitter().setMaxListeners(0)
  const heard = (event: 'answer' | 'update', mostMs: number): Promise<unknown> =>
    once(events, event, { signal: AbortSignal.timeout(mostMs) }).catch(() => {})
  const tellVersion = (): void => {
    version = randomUUID()
    events.emit('version')
  }
  const basePath = (): string => (served === undefined ? '' : basePathOf(served))

  const viewOf = (path: string, { cookie = '' }: http.IncomingHttpHeaders): View => {
    const chosen = cookie.split('; ')
    return {
      path,
      content,
      version,
      building,
      readOnly,
      drafts: !chosen.includes('shotpress-drafts=no'),
      strangers: chosen.includes('shotpress-strangers=yes'),
    }
  }

  const galleryOf = (view: View, index = createIndex([])): Gallery => ({
    settings: settingsIn(view),
    index,
    member: (username: string) => {
      const member = content.member(username)?.member
      if (member === undefined || view.drafts) return member
      return { ...member, works: member.works.filter(({ draft, id }) => !draft || id.startsWith('!')) }
    },
  })

  const showPage = async (view: View): Promise<Answer> => {
    const asked = view.path
    if (!content.site().baseUrl && !/\.\w+$/.test(asked)) {
      const title = building ? 'The first build is under way' : 'There is nothing to show yet'
      return ownPage({ ...view, path: '/' }, title, waiting, building ? 503 : 200)
    }
    const [, part, username = '', id = ''] = asked.split('/')
    const isMember = part === 'members' && content.member(username) !== undefined
    if (!isMember && asked.endsWith('/') && content.unread() > mostReadAtOnce) {
      // tabs that show this show the page then
      void content.index().then(tellVersion, tellVersion)
      return ownPage(view, `Reading ${amount(content.unread(), 'member')}`, waiting, 503)
    }
    const gallery = galleryOf(view, isMember ? undefined : await content.index())
    const { type, text: body, status } = render(asked, gallery)
    if (!type.startsWith('text/html')) return reply(200, type, body)
    if (status === 404) {
      const slash = `${asked}/`
      if (!asked.endsWith('/') && render(slash, gallery).status === 200) return redirect(encodeURI(slash))
      const now = part === 'members' && !isMember ? await content.movedTo(username) : undefined
      if (now !== undefined) return redirect(id === '' ? addressOf.member(now) : addressOf.work(now, id))
    }
    return pageAnswer(status, body, view)
  }

  /** What lies below `/-/`; `undefined` is nothing. */
  const showOwn = async (view: View, query: URLSearchParams): Promise<Answer | undefined> => {
    const { path: asked } = view
    const undo = undoForm(edits.last())
    if (asked === '/-/preview.css')
      return reply(200, 'text/css; charset=utf-8', builtFile('scripts/preview/preview.css'))
    if (asked === '/-/preview.js')
      return reply(200, 'text/javascript; charset=utf-8', builtFile('scripts/preview/script.ts'))
    if (!content.site().baseUrl) return showPage(view)
    if (asked === '/-/changes') {
      reporting ??= options.report().finally(() => {
        reporting = undefined
      })
      const { words, usernames } = await reporting
      const members = usernames.slice(0, mostChanged).map((name) => {
        const heading = html`<h2><a href="${addressOf.member(name)}">${name}</a></h2>`
        return [heading, changeList(content.changesOf(name), view)]
      })
      return ownPage(view, 'What changed', [words, members, undo, stepsFor(folder.name)])
    }
    if (asked === '/-/where') {
      const picture = query.get('picture') ?? ''
      const place = content.lineOf(picture, query.get('member') ?? '')
      const item = place && html`<li>${picture} ${openAt(place.file, place.line)}</li>`
      return item && reply(200, 'text/html; charset=utf-8', markupOf(item))
    }
    if (asked === '/-/edit' && !readOnly) {
      const draft = edits.open(query.get('file') ?? '')
      if (draft === undefined) return undefined
      const form = formOf(draft, lookOf(draft, view))
      return ownPage(view, `Edit ${path.posix.basename(draft.file)} of ${draft.username}`, [form, undo])
    }
    if (asked === '/-/new' && !readOnly) {
      const username = query.get('member') ?? ''
      const owner = content.member(username) === undefined ? '' : username
      return ownPage(view, 'New', [newForms(owner), undo])
    }
    const [, username = ''] = /^\/-\/api\/([^/]+)$/.exec(asked) ?? []
    if (content.member(username) === undefined) return undefined
    const answers = await apiView(username, { ports, basePath: basePath() })
    return ownPage(view, `What the API answers for ${username}`, answers)
  }

  /** What the page of a member or a work will show if its file has this text. */
  const lookOf = ({ file, username, text }: Draft, view: View): string => {
    const shown = content.lookWith({ file, text })
    const id = shown?.parts.find((one) => one.file === file)?.id
    const gallery = galleryOf(view)
    const { layer: _, ...settings } = gallery.settings
    const address = `/members/${username}/${id ? `${id}/` : ''}`
    const { text: page } = render(address, { ...gallery, settings, member: () => shown?.member })
    const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? []
    // something may be typed beside it
    return main.replaceAll('<a ', '<a target=_blank ')
  }

  const edit = async (given: Mapping, view: View): Promise<Answer> => {
    try {
      if (view.path === '/-/check') {
        const checked = edits.check(given)
        return json(200, { parts: partsOf(checked, lookOf(checked, view)) })
      }
      const { said, see, value, isSame } = edits.act(given)
      if (!isSame) {
        options.onEdit?.()
        await heard('update', 5000)
      }
      return json(200, { said, to: content.pageOf(see), value })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      if (!(error instanceof Changed)) return json(422, { said: inWords(error) })
      const parts = error.cause && { 'sp-conflict': conflictOf(given.values, error.cause) }
      return json(409, { said: error.message, parts })
    }
  }

  /** Why an edit is refused before it is looked at. */
  const refusalOf = ({ headers }: http.IncomingMessage): Answer | undefined => {
    const { 'content-type': type = '' } = headers
    if (readOnly) return json(403, { said: 'This preview is read-only' })
    if (!/^application\/json(?:;|$)/i.test(type))
      return json(415, { said: 'Edits are sent as application/json' })
    if (headers['shotpress-edit'] === options.token) return undefined
    return json(403, { said: 'To edit, open the address with #edit= that the terminal shows' })
  }

  /** What is published of a picture of the content, or would be: that of a draft, too. No script runs in it. */
  const showPicture = (below: string): Answer => {
    const body = readFile(folder.path, below, { limit: mostPictureBytes })
    if (body && below.endsWith('.svg')) return reply(200, 'image/svg+xml', body)
    const picture = body && readPicture(body)
    if (picture === undefined || 'problem' in picture) return nothingThere
    return reply(200, pictureTypes[picture.kind], picture.published)
  }

  /** A tab stays connected until it is hidden or closed. */
  const follow = (response: http.ServerResponse): void => {
    response.writeHead(200, { ...guards, 'Content-Type': 'text/event-stream' })
    const tell = () => response.write(`retry: 1000\nevent: version\ndata: ${version}\n\n`)
    tell()
    events.on('version', tell)
    response.on('close', () => events.off('version', tell))
  }

  const open = ({ file = '', line = '' }: Mapping): Answer => {
    const below = String(file).slice(folder.name.length + 1)
    const isInside = shownPath(folder, below) === file && isPathBelow(below)
    if (!isInside || !/^\d+$/.test(String(line))) return json(400, { said: 'That is no file of the content' })
    const place = `${path.join(folder.path, below)}:${line}`
    ;(options.openEditor ?? ((one) => launchEditor(one, () => {})))(place)
    return json(200, { said: place })
  }

  const answer = async (request: http.IncomingMessage, asked: Parameters<Handler>[2]): Promise<Answer> => {
    const { method = 'GET', headers } = request
    const isOwn = isOwnOrigin(headers.origin, asked.scheme, ports)
    const needsOrigin = headers.origin !== undefined || method === 'POST'
    if (isOthers(request, asked.path) || (needsOrigin && !isOwn)) {
      return plain(403, 'The preview answers its own pages only.')
    }
    const view = viewOf(asked.path, headers)
    if (method === 'POST' && asked.path === '/-/choose') return choose(await readBody(request, 100), headers)
    if (method === 'POST' && ['/-/open', '/-/check', '/-/do'].includes(asked.path)) {
      // a body is read for those only who have the key: many large ones would fill the memory
      const refusal = refusalOf(request)
      if (refusal !== undefined) return refusal
      const given = givenIn(await readBody(request, mostBodyBytes))
      if (given === undefined) return json(400, { said: noEdit })
      return asked.path === '/-/open' ? open(given) : edit(given, view)
    }
    if (method !== 'GET' && method !== 'HEAD') {
      return plain(405, 'The pages answer GET, HEAD and POST.', { Allow: 'GET, HEAD, POST' })
    }
    const picture = content.pictureAt(asked.path)
    if (picture !== undefined) return showPicture(picture)
    if (!asked.path.startsWith(ownPath)) return showPage(view)
    return (
      (await showOwn(view, asked.query)) ??
      pageAnswer(404, notFoundPage({ settings: settingsIn(view) }), view)
    )
  }

  return {
    update: (found: Found, touched: Touched): void => {
      content.update(found, touched)
      if (served === undefined || !hasErrors(found.diagnostics)) served = found.site
      building = false
      tellVersion()
      events.emit('update')
    },
    /**
     * Shows members as they are on the disk, before a build that takes long has checked them. It settles when a tab has its
     * page, since nothing is answered while a build runs; no build waits longer than 150 ms.
     */
    showEarly: async (touched: Touched): Promise<void> => {
      if (events.listenerCount('version') === 0 || touched === undefined) return
      content.update({}, touched)
      building = true
      tellVersion()
      await heard('answer', 150)
    },
    handle: (async (request, response, asked) => {
      const isPicture = request.method === 'GET' && content.pictureAt(asked.path) !== undefined
      if (!isPicture && !isPage(request.method, asked.path)) {
        const variant = served?.schemes.includes(asked.scheme) === false ? 'https' : asked.scheme
        // pages are at the root, and their pictures with them
        const base = asked.path.startsWith('/pictures/') ? '' : basePath()
        return answerApi(request, response, { path: asked.path, variant, out, basePath: base })
      }
      if (asked.path === '/-/live' && request.method === 'GET' && !isOthers(request, asked.path))
        return follow(response)
      const { status, headers, body = '' } = await answer(request, asked)
      const bytes = Buffer.from(body)
      response.writeHead(status, { ...guards, ...headers, 'Content-Length': bytes.length })
      response.end(bytes, () => events.emit('answer'))
    }) satisfies Handler,
  }
}

type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** No other site may read, frame or run anything of the preview. */
const guards = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // without a referrer, a form would not say which page it comes from
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/**
 * Settings of pages that the server sends: it says their policy, and links begin at the root, since a page may be shown at
 * another's address.
 */
const settingsIn = (view: View): Settings => {
  const shared = settingsOf(view.content.site())
  const settings = { ...shared, policy: '', url: '', root: '', layer: layerOf(view) }
  return view.strangers ? { ...settings, hosts: allHosts } : settings
}

const reply = (status: number, type: string, body: string | Buffer, headers = {}): Answer => ({
  status,
  headers: { 'Content-Type': type, ...headers },
  body,
})

const plain = (status: number, text: string, headers = {}): Answer =>
  reply(status, 'text/plain; charset=utf-8', `${text}\n`, headers)

const nothingThere = plain(404, 'There is nothing.')

const json = (status: number, value: object): Answer => reply(status, contentType, JSON.stringify(value))

const redirect = (to: string): Answer => ({ status: 302, headers: { Location: to } })

/** A page may load pictures of hosts that the site names, of others only if somebody said so. */
const pageAnswer = (status: number, body: string, { content, strangers }: View): Answer => {
  const hosts = [...settingsOf(content.site()).hosts].map((host) => ` https://${host}`)
  const policy = [
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'",
    `img-src 'self' blob:${strangers ? ' https: http:' : hosts.join('')}`,
    "base-uri 'none'; frame-ancestors 'none'",
  ]
  return reply(status, 'text/html; charset=utf-8', body, { 'Content-Security-Policy': policy.join('; ') })
}

/** A page of the preview's own, in the gallery's clothes. */
const ownPage = (view: View, title: string, content: Markup, status = 200): Answer => {
  const main = html`<div class=sp-page><h1>${title}</h1>${content}</div>`
  return pageAnswer(status, page(placeOf(view.path, { settings: settingsIn(view) }), { title, main }), view)
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

const noEdit = 'This is no edit, or it has over 200,000 characters, or a picture of more than 10 MiB'

/**
 * Whether a page of another site asks: it can't read an answer, but could have work done. It may lead people to a page, and
 * nowhere below `/-/`.
 */
const isOthers = ({ method, headers }: http.IncomingMessage, asked: string): boolean => {
  const { 'sec-fetch-site': site = 'same-origin', 'sec-fetch-dest': kind } = headers
  if (site === 'same-origin') return false
  if (method === 'POST') return true
  return site !== 'none' && (kind !== 'document' || asked.startsWith(ownPath))
}

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
