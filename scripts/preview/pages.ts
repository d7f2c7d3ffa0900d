import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import http from 'node:http'
import path from 'node:path'
import launchEditor from 'launch-editor'
import { contentType, pictureTypes, requestPath, routes, type Variant, variants } from '../api/routes.ts'
import { createLoader } from '../content/load.ts'
import type { ContentFolder } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import { builtFile } from '../files/built.ts'
import { readFile, type Spot } from '../files/folder.ts'
import { createIndex } from '../gallery/data.ts'
import { addressOf, type Gallery, page, placeOf, type Settings, settingsOf } from '../gallery/page.ts'
import { render } from '../gallery/render.ts'
import { basePathOf, hostNames } from '../hosts/hosts.ts'
import { failed, requestFor } from '../http/exchange.ts'
import { createSender } from '../http/send.ts'
import { mostPictureBytes, readPicture } from '../pictures/picture.ts'
import { hasErrors } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'
import { amount } from '../text/amounts.ts'
import { html, type Content as Markup, markupOf } from '../text/html.ts'
import { answerApi } from './answer-api.ts'
import { type Found, nowhere, watchedContent } from './content.ts'
import { Changed, createEdits, type Given, type MemberText } from './edits.ts'
import { conflictOf, formOf, inWords, keyMissing, newForms, partsOf, undoForm } from './form.ts'
import {
  addressOfFile,
  allHosts,
  apiView,
  changeList,
  type Heard,
  layerOf,
  openAt,
  ownerOf,
  ownPath,
  type View,
} from './layer.ts'
import { address, type Handler, isOwnOrigin, type Ports } from './servers.ts'
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

/** Answers with pages and what they need, else as the API, always as the last build left it. */
export const createPages = (options: PagesOptions) => {
  const { folder, out, ports, readOnly } = options
  const loader = createLoader({ hostNames })
  const content = watchedContent(folder, loader)
  const edits = createEdits(folder, { bin: options.bin, loader, site: content.site })
  const start = randomUUID()
  let count = 0
  let building = true
  let isReading = false
  /** What the snapshot was made from. */
  let served: Site | undefined
  const tabs = new Set<http.ServerResponse>()
  const events = new EventEmitter()
  const heard = (event: 'answer' | 'update', mostMs: number): Promise<unknown> =>
    once(events, event, { signal: AbortSignal.timeout(mostMs) }).catch(() => {})
  const news = (): string => `event: version\ndata: ${start}-${count}\n\n`
  const tellVersion = (): void => {
    count++
    for (const tab of tabs) tab.write(news())
  }
  const readAll = (): void => {
    isReading = false
    tellVersion()
  }

  const viewOf = ({ headers, url: asked = '/' }: http.IncomingMessage, path: string): View => {
    const chosen = (headers.cookie ?? '').split('; ')
    return {
      ...{ path, asked, content, folder: folder.name, version: `${start}-${count}`, building, readOnly },
      drafts: !chosen.includes('shotpress-drafts=no'),
      strangers: chosen.includes('shotpress-strangers=yes'),
    }
  }

  const galleryOf = (view: View, index = createIndex([])): Gallery => ({
    ...{ settings: settingsIn(view), index },
    member: (username: string) => {
      const member = content.member(username)?.member
      if (member === undefined || view.drafts) return member
      return { ...member, works: member.works.filter(({ draft, id }) => !draft || id.startsWith('!')) }
    },
  })

  const showPage = async (view: View): Promise<Answer> => {
    const asked = view.path
    if (content.site() === undefined && !/\.\w+$/.test(asked)) {
      const title = building ? 'The first build is under way' : 'There is nothing to show yet'
      return { ...ownPage({ ...view, path: '/' }, title, ''), status: building ? 503 : 200 }
    }
    const [, part, username = '', id = ''] = asked.split('/')
    const isMember = part === 'members' && content.member(username) !== undefined
    if (!isMember && asked.endsWith('/') && content.unread() > mostReadAtOnce) {
      // tabs that show this show the page then
      if (!isReading) void content.index().then(readAll, readAll)
      isReading = true
      return { ...ownPage(view, `Reading ${amount(content.unread(), 'member')}`, ''), status: 503 }
    }
    const gallery = galleryOf(view, isMember ? undefined : await content.index())
    const { moved, type, text: body, status } = render(asked, gallery)
    if (moved !== undefined) return redirect(moved)
    if (!type.startsWith('text/html')) return reply(200, type, body)
    if (status === 404) {
      const slash = `${asked}/`
      if (!asked.endsWith('/') && render(slash, gallery).status === 200) return redirect(encodeURI(slash))
      const now = part === 'members' && !isMember ? await content.movedTo(username) : undefined
      if (now !== undefined) return redirect(id === '' ? addressOf.member(now) : addressOf.work(now, id))
    }
    return pageAnswer(status, body, view)
  }

  /** What lies below `/-/`, by its name there. */
  const own: Readonly<Record<string, (view: View, query: URLSearchParams) => OwnAnswer>> = {
    'preview.css': () => reply(200, 'text/css; charset=utf-8', builtFile('scripts/preview/preview.css')),
    'preview.js': () => reply(200, 'text/javascript; charset=utf-8', builtFile('scripts/preview/script.ts')),
    changes: async (view) => {
      const { words, usernames } = await options.report()
      const members = usernames
        .slice(0, mostChanged)
        .map((name) => memberChanges(name, changeList(content.changesOf(name), view)))
      const report = html`${words}${members}`
      return ownPage(view, 'What changed', changesPage(report, { done: edits.done(), name: folder.name }))
    },
    where: (_, query) => {
      const picture = query.get('picture') ?? ''
      const place = lineOf(picture, query.get('member') ?? '')
      const item = place && html`<li>${picture} ${openAt(place.file, place.line)}</li>`
      return item && reply(200, 'text/html; charset=utf-8', markupOf(item))
    },
    edit: (view, query) => {
      const draft = readOnly ? undefined : edits.open(query.get('file') ?? '')
      if (draft === undefined) return undefined
      const projects = content.member(draft.username)?.member.projects ?? []
      const form = formOf({ draft, projects, look: lookOf(draft, view), done: edits.done() })
      return ownPage(view, `Edit ${path.posix.basename(draft.file)} of ${draft.username}`, form)
    },
    new: (view, query) => {
      const username = query.get('member') ?? ''
      const owner = content.member(username) === undefined ? '' : username
      return readOnly ? undefined : ownPage(view, 'New', newForms(owner, edits.done()))
    },
  }

  const showOwn = async (view: View, query: URLSearchParams): Promise<Answer | undefined> => {
    const [name = '', username, ...rest] = view.path.slice(ownPath.length).split('/')
    const isFile = name.startsWith('preview.')
    if (content.site() === undefined && !isFile) return showPage(view)
    if (username === undefined) return Object.hasOwn(own, name) ? own[name]!(view, query) : undefined
    if (name !== 'api' || rest.length > 0 || content.member(username) === undefined) return undefined
    const pairs = routes.map((route) =>
      Promise.all(variants.map((scheme) => hear(scheme, requestPath(route, encodeURIComponent(username))))),
    )
    const title = `What the API answers for ${username}`
    return ownPage(view, title, apiView(username, await Promise.all(pairs)))
  }

  /** The line of a member's files that names a picture. */
  const lineOf = (url: string, username: string): { file: string; line: number } | undefined => {
    const { https, http } = (content.site() ?? nowhere).assets
    const start = [https, http].find((one) => url.startsWith(`${one}/`))
    const asset = start === undefined ? url.replace(/^https?:/, '') : url.slice(start.length + 1)
    for (const { file, text = '' } of asset === '' ? [] : (content.member(username)?.parts ?? [])) {
      const line = text.split('\n').findIndex((one) => one.includes(asset))
      if (line !== -1) return { file, line: line + 1 }
    }
    return undefined
  }

  /** What the page of a member or a work will show if its file has this text. */
  const lookOf = ({ file, username, kind, text }: MemberText, view: View): string => {
    const shown = content.member(username, { file, text: text.replace(/^\ufeff/, '') })
    const part = shown?.parts.find((one) => one.file === file)
    const isWork = kind === 'shot' && part !== undefined
    const gallery = galleryOf(view)
    const { layer: _, ...settings } = gallery.settings
    const { text: page } = render(isWork ? `/members/${username}/${part.id}/` : `/members/${username}/`, {
      ...{ ...gallery, settings, member: () => shown?.member },
    })
    return /<main[^>]*>(.*)<\/main>/s.exec(page)?.[1] ?? ''
  }

  const editFor = async (given: Given, view: View): Promise<Answer> => {
    try {
      if (view.path === '/-/check') {
        const checked = edits.check(given)
        return json(200, { parts: partsOf(checked, lookOf(checked, view)) })
      }
      const { said, see, value, isSame } = edits.act(String(given.action), given)
      if (!isSame) {
        options.onEdit?.()
        await heard('update', 5000)
      }
      const to = see && addressOfFile(see, { content, folder: folder.name })
      return json(200, { said, to, value })
    } catch (error) {
      if (error instanceof UserError) return json(422, { said: inWords(error) })
      if (!(error instanceof Changed)) throw error
      const parts = error.now && { 'sp-conflict': conflictOf(given.values, error.now) }
      return json(409, { said: error.message, parts })
    }
  }

  /** Why an edit is refused before it is looked at. */
  const refusalOf = ({ headers }: http.IncomingMessage): Answer | undefined => {
    const refused = (status: number, said: string): Answer => json(status, { said })
    if (readOnly) return refused(403, 'This preview is read-only')
    if (!/^application\/json(?:;|$)/i.test(headers['content-type'] ?? ''))
      return refused(415, 'Edits are sent as application/json')
    if (!['same-origin', undefined].includes(headers['sec-fetch-site'] as string | undefined))
      return refused(403, 'The preview answers its own pages only')
    if (headers['shotpress-edit'] === options.token) return undefined
    return refused(403, keyMissing)
  }

  const place = (scheme: Variant) => ({ hostname: address, port: ports[scheme], path: '' })
  const addresses = { https: place('https'), http: place('http') }
  const sender = createSender({ addresses, insecure: true, timeoutMs: 10_000 })

  /** Asks this very server, as a client does. */
  const hear = async (scheme: Variant, below: string): Promise<Heard> => {
    const asked = `${served ? basePathOf(served) : ''}${below}`
    const url = `${scheme}://localhost:${ports[scheme]}${asked}`
    const curl = `curl ${scheme === 'https' ? '--insecure ' : ''}${url}`
    const answer = await sender.send(requestFor(scheme, asked, { limit: 1 << 24 }))
    if (failed(answer)) return { url, curl, status: answer.detail, headers: [], body: '' }
    const status = `${answer.status} ${http.STATUS_CODES[answer.status]}`
    return { url, curl, status, headers: answer.headers, body: Buffer.from(answer.body).toString() }
  }

  /** What is published of a picture of the content, or would be: that of a draft, too. No script runs in it. */
  const showPicture = (below: string): Answer => {
    const body = readFile(folder.path, below, { limit: mostPictureBytes })
    if (body && below.endsWith('.svg')) return reply(200, 'image/svg+xml', body)
    const picture = body && readPicture(body)
    if (picture === undefined || 'problem' in picture) return plain(404, 'There is nothing.')
    return reply(200, pictureTypes[picture.kind], Buffer.concat(picture.published))
  }

  /** A tab stays connected until it is hidden or closed. */
  const follow = (response: http.ServerResponse): void => {
    response.writeHead(200, { ...guards, 'Content-Type': 'text/event-stream' })
    response.write(`retry: 1000\n${news()}`)
    tabs.add(response)
    response.on('close', () => tabs.delete(response))
  }

  const open = ({ file, line }: Given): Answer => {
    const known = typeof file === 'string' && typeof line === 'number' && Number.isSafeInteger(line)
    const below = known ? file.slice(folder.name.length + 1) : ''
    const isInside = known && file.startsWith(`${folder.name}/`) && !below.split('/').includes('..')
    if (!isInside) return json(400, { said: 'That is no file of the content' })
    const place = `${path.join(folder.path, below)}:${line}`
    ;(options.openEditor ?? ((one) => launchEditor(one, () => {})))(place)
    return json(200, { said: place })
  }

  const answer = async (request: http.IncomingMessage, asked: Asked): Promise<Answer> => {
    const { method = 'GET', headers } = request
    const isOwn = isOwnOrigin(headers.origin, asked.scheme, ports)
    if (!isOwn && (headers.origin !== undefined || method === 'POST')) {
      return plain(403, 'The preview answers its own pages only.')
    }
    const view = viewOf(request, asked.path)
    if (method === 'POST') {
      if (asked.path === '/-/choose') return choose(await readBody(request, 5000))
      if (asked.path === '/-/open') return open(parseJson(await readBody(request, 5000)) ?? {})
      if (asked.path === '/-/check' || asked.path === '/-/do') {
        const refusal = refusalOf(request)
        const given = parseJson(await readBody(request, mostBytesOfEdit))
        if (refusal !== undefined) return refusal
        if (given === undefined) return json(400, { said: 'This is no edit, or one of more than 15 MiB' })
        return editFor(given, view)
      }
    }
    if (method !== 'GET' && method !== 'HEAD') {
      const { headers, ...refusal } = plain(405, 'The pages answer GET, HEAD and POST.')
      return { ...refusal, headers: { ...headers, Allow: 'GET, HEAD, POST' } }
    }
    const picture = content.pictureAt(asked.path)
    if (picture !== undefined) return showPicture(picture)
    if (!asked.path.startsWith(ownPath)) return showPage(view)
    return (await showOwn(view, asked.query)) ?? plain(404, 'There is nothing.')
  }

  return {
    update: (found: Found, touched: Touched): void => {
      content.update(found, touched)
      if (served === undefined || !hasErrors(found.diagnostics)) served = content.site()
      building = false
      tellVersion()
      events.emit('update')
    },
    /**
     * Shows members as they are on the disk, before a build that takes long has checked them. It settles when a tab has its
     * page, since nothing is answered while a build runs.
     */
    showEarly: async (touched: Touched): Promise<void> => {
      if (tabs.size === 0 || touched === 'all') return
      const diagnostics = content.diagnostics().filter(({ file }) => !touched.has(ownerOf(file, folder.name)))
      content.update({ diagnostics }, touched)
      building = true
      tellVersion()
      await heard('answer', mostMsForTabs)
    },
    handle: (async (request, response, asked) => {
      const isPicture = request.method === 'GET' && content.pictureAt(asked.path) !== undefined
      if (!isPicture && !isPage(request.method, asked.path)) {
        // pages are at the root, and their pictures with them
        const basePath = served === undefined || asked.path.startsWith('/pictures/') ? '' : basePathOf(served)
        const variant = served?.schemes.includes(asked.scheme) === false ? 'https' : asked.scheme
        return answerApi(request, response, { path: asked.path, variant, out, basePath })
      }
      if (asked.path === '/-/live' && request.method === 'GET') return follow(response)
      const { status, headers, body = '' } = await answer(request, asked)
      const bytes = Buffer.from(body)
      response.writeHead(status, { ...guards, ...headers, 'Content-Length': bytes.length })
      response.end(bytes, () => events.emit('answer'))
    }) satisfies Handler,
  }
}

type Asked = Parameters<Handler>[2]

type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}
type OwnAnswer = Answer | undefined | Promise<Answer | undefined>

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
  const site = view.content.site() ?? nowhere
  const settings = { ...settingsOf(site), policy: '', url: '', root: '', layer: layerOf(view) }
  return view.strangers ? { ...settings, hosts: allHosts } : settings
}

const reply = (status: number, type: string, body: string | Buffer): Answer => ({
  status,
  headers: { 'Content-Type': type },
  body,
})

const plain = (status: number, text: string): Answer =>
  reply(status, 'text/plain; charset=utf-8', `${text}\n`)

const json = (status: number, value: object): Answer => reply(status, contentType, JSON.stringify(value))

const redirect = (to: string): Answer => ({ status: 302, headers: { Location: to } })

/** A page may load pictures of hosts that the site names, of others only if somebody said so. */
const pageAnswer = (status: number, body: string, { content, strangers }: View): Answer => {
  const hosts = [...settingsOf(content.site() ?? nowhere).hosts].map((host) => ` https://${host}`)
  const policy = [
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'",
    `img-src 'self' blob:${strangers ? ' https: http:' : hosts.join('')}`,
    "base-uri 'none'; frame-ancestors 'none'",
  ]
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy.join('; ') }
  return { status, headers, body }
}

/** A page of the preview's own, in the gallery's clothes. */
const ownPage = (view: View, title: string, content: Markup): Answer => {
  const main = html`<div class=sp-page><h1>${title}</h1>${content}</div>`
  return pageAnswer(200, page(placeOf(view.path, { settings: settingsIn(view) }), { title, main }), view)
}

/** Remembers what somebody chose, for a year, and leads back to the page. */
const choose = (body: string): Answer => {
  const chosen = /&((?:drafts|strangers)=(?:yes|no))&/.exec(`&${body}&`)?.[1]
  if (chosen === undefined) return plain(400, 'This is not a choice that the preview knows.')
  const back = new URLSearchParams(body).get('back') ?? '/'
  return {
    status: 303,
    headers: {
      Location: /^\/(?![/\\])[!-~]*$/.test(back) ? back : '/',
      'Set-Cookie': `shotpress-${chosen}; Path=/; Max-Age=31536000; SameSite=Strict; HttpOnly`,
    },
  }
}

/** A body as text; one that is too long is read as empty. */
const readBody = async (request: http.IncomingMessage, most: number): Promise<string> => {
  let text = ''
  // read it to its end: a browser that still sends may not read the answer
  for await (const chunk of request.setEncoding('utf8')) if (text.length <= most) text += chunk
  return text.length <= most ? text : ''
}

/** The longest that a build waits until a tab shows the change. */
const mostMsForTabs = 150

/** Members that a page waits for. More of them are read beside it, which takes some seconds per 1,000. */
const mostReadAtOnce = 1000

/** Members whose changes are shown file by file. */
const mostChanged = 50

/** A picture of 10 MiB in Base64, and some. */
const mostBytesOfEdit = 15 * 1024 * 1024

const parseJson = (text: string): Given | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const memberChanges = (username: string, changes: Markup): Markup =>
  html`<h2><a href="${addressOf.member(username)}">${username}</a></h2>${changes}`

/** The difference from the last commit, and how it is published. */
const changesPage = (
  report: Markup,
  { done, name }: { readonly done: readonly string[]; readonly name: string },
): Markup =>
  html`${report}<h2>Edits of this session</h2>${
    done.length === 0
      ? html`<p>None.</p>`
      : html`<ol reversed>${done.map((one) => html`<li><bdi>${one}</bdi></li>`)}</ol>${undoForm(done)}`
  }<h2>Publish it</h2><p>With git, in a terminal:</p><pre tabindex="0">git add ${name}\ngit commit -m "Update content"\ngit push</pre><p>In GitHub Desktop: write a summary, press “Commit to …”, then “Push origin”. In VS Code: open Source Control, write a message, press “Commit”, then “Sync Changes”. The preview itself runs no git that writes.</p>`
