import type { Host, HostOptions } from '../config/host.ts'
import { json, workerCode } from './cloudflare-worker.ts'

const about: Host = {
  name: 'cloudflare-r2',
  title: 'Cloudflare Worker on R2',
  support: 'proved',
  can: [
    'both schemes on a custom domain, chosen by the URL that the client asked for',
    'every status, header, error body and method of the contract',
    'ETag and 304, also for lists and for the weak tags of compressed answers',
    'snapshots of any size, of which npm run deploy uploads what changed',
  ],
  cannot: [
    'answer plain http on *.workers.dev: only a custom domain answers it, with "Always Use HTTPS" off',
    'answer more than 100,000 requests a day on the free plan: every request runs the worker and reads the bucket',
    'tell a path from what it resolves to: /x/../api/username/ana answers as /api/username/ana does',
  ],
}

/** The worker, with the wrangler.jsonc around it in its head. */
const worker = ({ name, basePath }: HostOptions): string =>
  workerCode({
    about,
    basePath,
    find,
    lines: [
      'Answers every request from the keys of an R2 bucket, to which npm run deploy uploads the snapshot.',
      'Save this as worker.js, and beside it as wrangler.jsonc, with the name of your bucket:',
      ...json({
        name: 'shotpress',
        main: 'worker.js',
        compatibility_date: '2026-04-01',
        workers_dev: false,
        preview_urls: false,
        routes: [{ pattern: name, custom_domain: true }],
        r2_buckets: [{ binding: 'SNAPSHOT', bucket_name: 'BUCKET' }],
        vars: { FOLDER: '' },
      }).split('\n'),
      'FOLDER is the path inside the bucket, if the remote of npm run deploy has one: "path/".',
      'In the zone: SSL/TLS > Edge Certificates > "Always Use HTTPS" and HSTS off, or http clients get no answer.',
    ],
  })

const find = `const find = async (env, file, { method }) => {
  const key = (env.FOLDER ?? '') + file.slice(1)
  const object = await (method === 'HEAD' ? env.SNAPSHOT.head(key) : env.SNAPSHOT.get(key))
  return object === null ? undefined : { tag: object.httpEtag, body: object.body }
}`

export const cloudflareR2: Host = { ...about, config: worker }
