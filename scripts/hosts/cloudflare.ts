import {
  commonHeaders,
  contentType,
  encodings,
  errors,
  indexFile,
  okHeaders,
  preflight,
  variantFolder,
} from '../api/routes.ts'
import { comment } from './comment.ts'
import type { Host, HostOptions } from './host.ts'
import { sentPath, sentSitePath } from './sent-path.ts'

const about: Host = {
  name: 'cloudflare',
  title: 'Cloudflare Workers static assets, or Pages',
  support: 'proved',
  can: [
    'both schemes on a custom domain, chosen by the URL that the client asked for',
    'every status, header, error body and method of the contract',
    'ETag and 304, also for lists and for the weak tags of compressed answers',
    'hides every file but the ones of the API',
  ],
  cannot: [
    'plain http on *.workers.dev and *.pages.dev: only a custom domain answers it, with "Always Use HTTPS" off',
    'more than 100,000 requests a day on the free plan: every request runs the worker',
    'tell a path from what it resolves to: /x/../api/username/ana answers as /api/username/ana does',
  ],
  limits: { files: 20_000, fileBytes: 25 * 1024 * 1024 },
}

const workerFile = '_worker.js'
const ignoreFile = '.assetsignore'
const notUploaded = [workerFile, ignoreFile, ...encodings.map(({ suffix }) => `*${suffix}`)]

/** The platform compresses as it sees fit: caches must know, and a tag must not claim bytes that may differ. */
const everyAnswer = { ...commonHeaders, Vary: 'Accept-Encoding' }

/** The code that answers, for Workers and Pages alike; it reads the files through the binding `ASSETS`. */
const worker = (basePath: string): string => `${comment(
  '//',
  ['Answers every request to the snapshot. Made by Shotpress from its route table: do not edit.'],
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

    const asset = await env.ASSETS.fetch(new Request(new URL(file, url.origin), { method: request.method }))
    if (asset.status === 404) return failure('notFound')
    if (!asset.ok) return asset

    const headers = new Headers(ok)
    const tag = asset.headers.get('ETag')?.replace(/^W\\//, '')
    if (tag !== undefined) headers.set('ETag', 'W/' + tag)
    if (tag !== undefined && matches(request.headers.get('If-None-Match'), tag)) {
      await asset.body?.cancel()
      return new Response(null, { status: 304, headers })
    }
    headers.set('Content-Type', ${JSON.stringify(contentType)})
    return new Response(asset.body, { headers })
  },
}

const fileOf = ({ protocol, pathname }) => {
  const path = memberPath.exec(pathname)?.[1]
  if (path === undefined) return sitePath.exec(pathname)?.[1]
  const folder = folders[protocol]
  return (folder && '/' + folder) + path + '/${indexFile}'
}

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

const json = (value: object): string => JSON.stringify(value, null, 2)

/** wrangler.jsonc, for the folder above the snapshot. */
const wrangler = ({ root, name }: HostOptions): string => {
  const folder = root.split(/[\\/]/).filter(Boolean).at(-1) ?? 'dist'
  return `${comment(
    '//',
    [
      'wrangler.jsonc, beside the snapshot. site.yaml needs hosts: [cloudflare], which adds the worker to it.',
      'In the zone: SSL/TLS > Edge Certificates > "Always Use HTTPS" and HSTS off, or http clients get no answer.',
    ],
    about,
  )}
${json({
  name: workerName(name),
  main: `${folder}/${workerFile}`,
  compatibility_date: '2026-04-01',
  workers_dev: false,
  preview_urls: false,
  routes: [{ pattern: name, custom_domain: true }],
  assets: {
    directory: folder,
    binding: 'ASSETS',
    run_worker_first: true,
    html_handling: 'none',
    not_found_handling: 'none',
  },
})}
`
}

/** A worker's name holds lower-case letters, digits and dashes, 63 at most. */
const workerName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '') || 'shotpress'

export const cloudflare: Host = {
  ...about,
  config: wrangler,
  files: ({ basePath }) => [
    { path: workerFile, text: worker(basePath) },
    { path: ignoreFile, text: `${notUploaded.join('\n')}\n` },
  ],
}
