import { encodings } from '../../api/routes.ts'
import { comment } from '../config/comment.ts'
import type { Host, HostOptions } from '../config/host.ts'
import { json, workerCode } from './cloudflare-worker.ts'

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
    'answer plain http on *.workers.dev and *.pages.dev: only a custom domain answers it, with "Always Use HTTPS" off',
    'answer more than 100,000 requests a day on the free plan: every request runs the worker',
    'tell a path from what it resolves to: /x/../api/username/ana answers as /api/username/ana does',
  ],
  limits: { files: 20_000, fileBytes: 25 * 1024 * 1024 },
}

const workerFile = '_worker.js'
const ignoreFile = '.assetsignore'
const notUploaded = [workerFile, ignoreFile, ...encodings.map(({ suffix }) => `*${suffix}`)]

/** For Workers and Pages alike; it reads the files through the binding `ASSETS`. */
const worker = (basePath: string): string =>
  workerCode({ about, lines: ['Answers every request to the snapshot.'], basePath, find })

const find = `const find = async (env, file, { method, url }) => {
  const asset = await env.ASSETS.fetch(new Request(new URL(file, new URL(url).origin), { method }))
  if (asset.status === 404) return undefined
  if (!asset.ok) return { failure: asset }
  return { tag: asset.headers.get('ETag')?.replace(/^W\\//, ''), body: asset.body }
}`

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
