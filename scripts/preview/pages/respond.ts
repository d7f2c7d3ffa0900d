import type http from 'node:http'
import type { Variant } from '../../api/routes.ts'
import type { ContentFolder } from '../../content/read/scan.ts'
import { icon } from '../../explorer/page.ts'
import { policy } from '../../explorer/parts/images.ts'
import { script } from '../../explorer/script.ts'
import { style } from '../../explorer/style.ts'
import { basePathOf } from '../../hosts/in-snapshot.ts'
import type { Ports } from '../servers.ts'
import { type Choices, choicesIn, choose, cookiesOf } from './choices.ts'
import type { Pages, Surroundings } from './pages.ts'

export type Answer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
}

export type Question = {
  readonly scheme: Variant
  readonly method: string
  /** Escapes are read. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: http.IncomingHttpHeaders
  /** Whether it is a page of the preview that asks, if it is a page at all. */
  readonly own: 'yes' | 'no' | 'unknown'
  /** A form that was sent. */
  readonly form: () => Promise<URLSearchParams>
}

export type Server = {
  readonly pages: Pages
  readonly ports: Ports
  readonly content: ContentFolder
  /** The file that holds the certificate, if there is one. */
  readonly certificate: string | undefined
}

/** Where all of the preview's own lies but for the pages: no username and no path of the API is like it. */
export const ownPath = '/-/'

const files: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  '/-/explorer.css': { type: 'text/css', text: style },
  '/-/explorer.js': { type: 'text/javascript', text: script },
  '/-/explorer.svg': { type: 'image/svg+xml', text: icon },
}

/** Answers a question to the pages. No other site may read, frame or run anything of it. */
export const respond = async (question: Question, server: Server): Promise<Answer> => {
  const answer = await answerTo(question, server)
  return { ...answer, headers: { ...guards, ...answer.headers } }
}

const guards = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // without a referrer, a form would not say which page it comes from
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

const answerTo = async (question: Question, server: Server): Promise<Answer> => {
  const { method, path, own, headers } = question
  if (own === 'no') return plain(403, 'The preview answers its own pages only.')
  if (method === 'POST')
    return own === 'yes' ? press(question) : plain(403, 'The preview answers its own pages only.')
  if (method !== 'GET' && method !== 'HEAD')
    return { ...plain(405, 'The pages answer GET, HEAD and POST.'), headers: { Allow: 'GET, HEAD, POST' } }
  if (path === '/-/live') return live(server.pages.version(), headers['if-none-match'])
  const file = files[path]
  if (file !== undefined)
    return { status: 200, headers: { 'Content-Type': `${file.type}; charset=utf-8` }, body: file.text }
  return path.startsWith(ownPath) ? plain(404, 'There is nothing.') : showPage(question, server)
}

const live = (version: string, known: string | undefined): Answer => {
  const tag = `"${version}"`
  return known === tag
    ? { status: 304, headers: { ETag: tag } }
    : { ...plain(200, version), headers: { ...textHeaders, ETag: tag } }
}

/** Remembers what somebody chose, and leads back to the page. */
const press = async ({ path, form, headers }: Question): Promise<Answer> => {
  const sent = await form()
  const choices = choose(path, sent, choicesIn(headers.cookie))
  if (choices === undefined) return plain(400, 'This is not a choice that the preview knows.')
  const back = sent.get('back') ?? '/'
  return {
    status: 303,
    headers: { Location: /^\/(?![/\\])[!-~]*$/.test(back) ? back : '/', 'Set-Cookie': cookiesOf(choices) },
  }
}

const showPage = async (question: Question, server: Server): Promise<Answer> => {
  const { scheme, path, query, headers } = question
  const { pages } = server
  const choices = choicesIn(headers.cookie)
  const search = query.size > 0 ? `?${query}` : ''
  const view = viewOf(choices, { scheme, path: `${encodeURI(path)}${search}`, server })
  const send = (status: number, body: string): Answer => ({
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${policy(view)}; frame-ancestors 'none'`,
    },
    body,
  })
  if (path === '/') {
    const page = Number(query.get('page') ?? 1)
    const options = { page: Number.isSafeInteger(page) ? page : 1, pageSize, view }
    return send(200, await pages.members((query.get('q') ?? '').slice(0, 200), options))
  }
  const username = path.slice('/members/'.length).replace(/\/$/, '')
  const shown = await pages.member(username, { view, drafts: true })
  if (shown !== undefined) return send(200, shown)
  const owner = pages.ownerOf(username)
  return owner === undefined
    ? plain(404, 'There is no such member.')
    : { status: 302, headers: { Location: view.links.member(owner) } }
}

/** Members on one page. */
const pageSize = 60

type ViewOptions = { readonly scheme: Variant; readonly path: string; readonly server: Server }

const viewOf = ({ images, editor }: Choices, { scheme, path, server }: ViewOptions): Surroundings => {
  const { ports, content, certificate, pages } = server
  const site = pages.site()
  const base = site === undefined ? '' : basePathOf(site)
  const trust = certificate === undefined ? '--insecure' : `--cacert ${shellWord(certificate)}`
  return {
    scheme,
    path,
    allowed: images,
    open:
      editor === 'vscode'
        ? (file, line) => vscode(content.path + file.slice(content.name.length), line)
        : undefined,
    links: {
      home: '/',
      member: (username) => `/members/${encodeURIComponent(username)}`,
      style: '/-/explorer.css',
      script: '/-/explorer.js',
      icon: '/-/explorer.svg',
    },
    curl: (path, variant) =>
      `curl ${variant === 'https' ? `${trust} ` : ''}${variant}://localhost:${ports[variant]}${base}${path}`,
  }
}

/** As VS Code takes it: `vscode://file/home/ana/site/content/…:12`. */
const vscode = (file: string, line: number): string => {
  const path = file.replaceAll('\\', '/').replace(/^\/?/, '/')
  return `vscode://file${path.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':')}:${line}`
}

const shellWord = (text: string): string => (/^[\w./:\\-]+$/.test(text) ? text : `"${text}"`)

const textHeaders = { 'Content-Type': 'text/plain; charset=utf-8' }

const plain = (status: number, text: string): Answer => ({ status, headers: textHeaders, body: `${text}\n` })
