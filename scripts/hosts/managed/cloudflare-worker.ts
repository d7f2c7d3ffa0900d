import {
  commonHeaders,
  contentType,
  errors,
  indexFile,
  okHeaders,
  preflight,
  variantFolder,
} from '../../api/routes.ts'
import { comment } from '../config/comment.ts'
import type { Host } from '../config/host.ts'
import { sentPath, sentSitePath } from '../config/sent-path.ts'

/** The platform compresses as it sees fit: caches must know, and a tag must not claim bytes that may differ. */
const everyAnswer = { ...commonHeaders, Vary: 'Accept-Encoding' }

export type WorkerParts = {
  readonly about: Host
  /** What the file says of itself first. */
  readonly lines: readonly string[]
  readonly basePath: string
  /**
   * A function `find(env, file, request)` of the worker: the file at that path, as `{ tag, body }` or
   * `{ failure }`; nothing if there is none.
   */
  readonly find: string
}

/** The code that answers every request, in Cloudflare's runtime. */
export const workerCode = ({ about, lines, basePath, find }: WorkerParts): string => `${comment(
  '//',
  [...lines, 'Made by Shotpress from its route table: do not edit.'],
  about,
)}

const memberPath = ${new RegExp(sentPath(basePath))}
const sitePath = ${new RegExp(sentSitePath(basePath))}
const folders = ${json({ 'https:': variantFolder.https, 'http:': variantFolder.http })}
const ok = ${json({ ...everyAnswer, ...okHeaders })}
const preflight = ${json({ ...everyAnswer, ...preflight.headers })}
const errors = ${json({ notFound: answer(errors.notFound), methodNotAllowed: answer(errors.methodNotAllowed) })}

export default {
  async fetch(request, env) {
    if (request.method === 'OPTIONS') return new Response(null, { status: ${preflight.status}, headers: preflight })
    if (request.method !== 'GET' && request.method !== 'HEAD') return failure('methodNotAllowed')

    const url = new URL(request.url)
    const file = fileOf(url)
    if (file === undefined) return failure('notFound')

    const found = await find(env, file, request)
    if (found === undefined) return failure('notFound')
    if (found.failure !== undefined) return found.failure

    const headers = new Headers(ok)
    const { tag, body } = found
    if (tag !== undefined) headers.set('ETag', 'W/' + tag)
    if (tag !== undefined && matches(request.headers.get('If-None-Match'), tag)) {
      await body?.cancel()
      return new Response(null, { status: 304, headers })
    }
    headers.set('Content-Type', ${JSON.stringify(contentType)})
    return new Response(body, { headers })
  },
}

const fileOf = ({ protocol, pathname }) => {
  const path = memberPath.exec(pathname)?.[1]
  if (path === undefined) return sitePath.exec(pathname)?.[1]
  const folder = folders[protocol]
  return (folder && '/' + folder) + path + '/${indexFile}'
}

${find}

const failure = (name) => new Response(errors[name].body, errors[name])

// RFC 9110, 13.1.2: a list of tags or a star, compared weakly
const matches = (condition, tag) =>
  condition !== null && (condition.trim() === '*' || (condition.match(/"[^"]*"/g) ?? []).includes(tag))
`

const answer = ({ status, body, headers }: (typeof errors)[keyof typeof errors]) => ({
  status,
  headers: { ...everyAnswer, 'Content-Type': contentType, ...headers },
  body,
})

export const json = (value: object): string => JSON.stringify(value, null, 2)
