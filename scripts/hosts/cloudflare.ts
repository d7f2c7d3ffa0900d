import * as api from '../api/routes.ts'
import type { Host, HostFacts } from './host.ts'
import { json, limitsOf, lines, textOf } from './lines.ts'
import { folderOf, otherTypes, rulesAsCode } from './rules.ts'

export const cloudflare: Host = {
  name: 'cloudflare',
  title: 'Cloudflare Workers static assets, or Pages',
  support: 'proved',
  lead: '//',
  cannot: [
    'answer plain http on *.workers.dev and *.pages.dev: only a custom domain answers it, with "Always Use HTTPS" off',
    'answer more than 100,000 requests a day on the free plan: every request runs the worker',
    'tell a path from what it resolves to: /x/../api/username/ana answers as /api/username/ana does',
  ],
  limits: ({ files, largest }) => [
    ['files', files, 20_000],
    ['bytes in the largest file', largest, 25 * 1024 * 1024],
  ],
  /** wrangler.jsonc, for the folder above the snapshot. */
  config: ({ root, name, hasHttp }) => {
    const folder = root.split(/[\\/]/).filter(Boolean).at(-1) ?? 'dist'
    return textOf(lines`
      // wrangler.jsonc, beside the snapshot. site.yaml needs hosts: [cloudflare], which adds
      // the worker to it. ${hasHttp && zone}
      ${limitsOf(cloudflare, hasHttp)}
      {
        "name": "${workerName(name)}",
        "main": ${JSON.stringify([folder, workerFile].join('/'))},
        ${deployed(name)}
        "assets": {
          "directory": ${JSON.stringify(folder)},
          "binding": "ASSETS",
          "run_worker_first": true,
          "html_handling": "none",
          "not_found_handling": "none"
        }
      }
      `)
  },
  files: (facts) => [
    {
      path: workerFile,
      text:
        [
          '// Answers every request to the snapshot.',
          `// ${made}`,
          ...limitsOf(cloudflare, facts.hasHttp),
        ].join('\n') + workerCode(facts, findAsset),
    },
    { path: ignoreFile, text: textOf(notUploaded) },
  ],
}

const workerFile = '_worker.js'
const ignoreFile = '.assetsignore'
const notUploaded = [
  workerFile,
  ignoreFile,
  ...api.encodings.map(({ suffix }) => `*${suffix}`),
]

const zone =
  'In the zone: SSL/TLS > Edge Certificates > "Always Use HTTPS" and HSTS off, or http clients get no answer.'

/** What wrangler is told of a worker that answers for a name alone. */
const deployed = (name: string) => lines`
  "compatibility_date": "2026-04-01",
  "workers_dev": false,
  "preview_urls": false,
  "routes": [
    {
      "pattern": "${name}",
      "custom_domain": true
    }
  ],
  `

/** A worker's name holds lower-case letters, digits and dashes, 63 at most. */
const workerName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|(?<!-)-+$/g, '') || 'shotpress'

const findAsset = `const find = async (env, file, { method, url }) => {
  const asset = await env.ASSETS.fetch(new Request(new URL(file, new URL(url).origin), { method }))
  if (asset.status === 404) return undefined
  if (!asset.ok) return { failure: asset }
  return { tag: asset.headers.get('ETag')?.replace(/^W\\//, ''), body: asset.body }
}`

export const cloudflareR2: Host = {
  name: 'cloudflare-r2',
  title: 'Cloudflare Worker on R2',
  support: 'proved',
  lead: '//',
  cannot: [
    'answer plain http on *.workers.dev: only a custom domain answers it, with "Always Use HTTPS" off',
    'answer more than 100,000 requests a day on the free plan: every request runs the worker and reads the bucket',
    'tell a path from what it resolves to: /x/../api/username/ana answers as /api/username/ana does',
  ],
  /** The worker, with the wrangler.jsonc around it in its head. */
  config: ({ name, ...facts }) => {
    const head = lines`
      // Answers every request from the keys of an R2 bucket, to which npx shotpress deploy
      // uploads the snapshot. Save this as worker.js, and beside it as wrangler.jsonc, with
      // the name of your bucket: {
      //   "name": "shotpress",
      //   "main": "worker.js",
      //   ${deployed(name)}
      //   "r2_buckets": [
      //     {
      //       "binding": "SNAPSHOT",
      //       "bucket_name": "BUCKET"
      //     }
      //   ],
      //   "vars": {
      //     "FOLDER": ""
      //   }
      // } FOLDER is the path inside the bucket, if the remote of npx shotpress deploy has
      // one: "path/". ${facts.hasHttp && zone} ${made}
      ${limitsOf(cloudflareR2, facts.hasHttp)}
      `
    return head.join('\n') + workerCode(facts, findObject)
  },
}

const findObject = `const find = async (env, file, { method }) => {
  const key = (env.FOLDER ?? '') + file.slice(1)
  const object = await (method === 'HEAD' ? env.SNAPSHOT.head(key) : env.SNAPSHOT.get(key))
  return object === null ? undefined : { tag: object.httpEtag, body: object.body }
}`

/**
 * The platform compresses as it sees fit: caches must know, and a tag must not claim bytes
 * that may differ.
 */
const everyAnswer = { ...api.commonHeaders, Vary: 'Accept-Encoding' }

const made = 'Made by Shotpress from its route table: do not edit.'

/**
 * The code that answers every request, in Cloudflare's runtime. `find` is that of `const find
 * = async (env, file, request)`: the file at that path as `{ tag, body }` or `{ failure }`;
 * nothing if there is none.
 */
const workerCode = ({ basePath, hasHttp }: HostFacts, find: string) => `

// where the file of a path is: in the folder of the scheme or not, and what follows the path
const rules = ${rulesAsCode(basePath)}
const folders = ${json({ 'https:': folderOf('https'), 'http:': folderOf('http') })}
const common = ${json(everyAnswer)}
const jsonType = ${json({ 'Content-Type': api.contentType, ...api.okHeaders })}
const otherTypes = ${json(Object.fromEntries(otherTypes.map(({ ending, headers }) => [ending, headers])))}
const preflight = ${json({ ...everyAnswer, ...api.preflight.headers })}
const errors = ${json({ notFound: answer(api.errors.notFound), methodNotAllowed: answer(api.errors.methodNotAllowed) })}

export default {
  async fetch(request, env) {
    if (request.method === 'OPTIONS') return new Response(null, { status: ${api.preflight.status}, headers: preflight })
    if (request.method !== 'GET' && request.method !== 'HEAD') return failure('methodNotAllowed')

    const url = new URL(request.url)
${hasHttp ? '' : toHttps}\
    const file = fileOf(url)
    if (file === undefined) return failure('notFound')

    const found = await find(env, file, request)
    if (found === undefined) return failure('notFound')
    if (found.failure !== undefined) return found.failure

    const ending = Object.keys(otherTypes).find((one) => file.endsWith(one))
    const { 'Content-Type': type, ...fresh } = otherTypes[ending] ?? jsonType
    const headers = new Headers({ ...common, ...fresh })
    const { tag, body } = found
    if (tag !== undefined) headers.set('ETag', 'W/' + tag)
    if (tag !== undefined && matches(request.headers.get('If-None-Match'), tag)) {
      await body?.cancel()
      return new Response(null, { status: 304, headers })
    }
    headers.set('Content-Type', type)
    return new Response(body, { headers })
  },
}

const fileOf = ({ protocol, pathname }) => {
  for (const { path, variants, ending } of rules) {
    const found = path.exec(pathname)
    if (found !== null) return (variants ? folders[protocol] : '') + found[1] + ending
  }
}

${find}

const failure = (name) => new Response(errors[name].body, errors[name])

// RFC 9110, 13.1.2: a list of tags or a star, compared weakly
const matches = (condition, tag) =>
  condition !== null && (condition.trim() === '*' || (condition.match(/"[^"]*"/g) ?? []).includes(tag))
`

const toHttps = `\
    if (url.protocol === 'http:') {
      return new Response(null, { status: 308, headers: { Location: request.url.replace(/^http:/, 'https:') } })
    }
`

const answer = ({ status, body, headers }: api.ErrorAnswer) => ({
  status,
  headers: { ...everyAnswer, 'Content-Type': api.contentType, ...headers },
  body,
})
