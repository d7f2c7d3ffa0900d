import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { variants } from '../../scripts/api/routes.ts'
import { inCi } from '../posix.ts'
import { rowsOf } from '../tables.ts'
import { causesOf, verifyPorts } from '../verify/verifying.ts'
import { staged } from './contract.ts'
import { hostFacts, hostOptions as optionsWith } from './options.ts'
import { run } from './proofs.ts'
import { differences } from './questions.ts'
import { body } from './snapshot.ts'

const { cloudflare, cloudflareR2 } = run
const engine = await import('miniflare').catch(() => undefined)
if (engine === undefined && inCi)
  throw new Error('miniflare is missing, and CI must not do without')

/**
 * How the asset server is set up: as the printed wrangler.jsonc does it, and as Pages always
 * has it.
 */
const assetServers = {
  Workers: { html_handling: 'none', not_found_handling: 'none' },
  Pages: { html_handling: 'auto-trailing-slash', not_found_handling: '404-page' },
} as const

type Bucket = { readonly put: (key: string, text: string) => Promise<unknown> }

const hostOptions = optionsWith({ name: 'api.example.com', root: '/srv/api/dist' })

/** The printed configuration; JSON with comments up to its first brace. */
const wrangler = (options = hostOptions) => {
  const text = cloudflare.config!(options)
  return parse(text.slice(text.indexOf('\n{')))
}

type Kind = 'Workers' | 'Pages' | 'R2'

const start = async (root: string, kind: Kind, { https = false, basePath = '' }) => {
  const common = {
    host: '127.0.0.1',
    port: 0,
    https,
    modules: true,
    compatibilityDate: wrangler().compatibility_date,
  } as const
  for (const { path, text } of cloudflare.files!(hostFacts({ basePath })))
    writeFileSync(`${root}/${path}`, text)
  if (kind !== 'R2') {
    return new engine!.Miniflare({
      ...common,
      script: readFileSync(`${root}/_worker.js`, 'utf8'),
      assets: {
        directory: root,
        binding: 'ASSETS',
        routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
        assetConfig: assetServers[kind],
      },
    })
  }
  const server = new engine!.Miniflare({
    ...common,
    script: cloudflareR2.config!({ ...hostOptions, basePath }),
    r2Buckets: ['SNAPSHOT'],
    bindings: { FOLDER: 'a/folder/' },
  })
  // its type is of another copy of the runtime's
  const bucket = (await server.getR2Bucket('SNAPSHOT')) as unknown as Bucket
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }))
    if (statSync(`${root}/${file}`).isFile())
      await bucket.put(`a/folder/${file}`, readFileSync(`${root}/${file}`, 'utf8'))
  return server
}

/**
 * What the runtime does before the worker: compression, methods that it does not know, whole
 * URLs, dots resolved.
 */
const dots = 'GET \\S*(?:/\\.|%2e)'
const gap = new RegExp(`: content-encoding is |GET http:|FOO|GETT|${dots}`)

describe.skipIf(engine === undefined).each(
  rowsOf(`
    Workers → ∅
    Pages → ∅
    R2 → ∅
    Workers → /v1/a+b
    R2 → /v1/a+b
  `),
)('cloudflare %s in workerd, below the path "%s"', (kind, basePath) => {
  const stage = staged()
  const servers: Miniflare[] = []
  const ports = { https: 0, http: 0 }

  beforeAll(async () => {
    for (const variant of variants) {
      const server = await start(stage().root, kind as Kind, {
        https: variant === 'https',
        basePath,
      })
      servers.push(server)
      ports[variant] = Number((await server.ready).port)
    }
  }, 60_000)
  afterAll(() => Promise.all(servers.map((server) => server.dispose())))

  it('answers as the contract says', async () => {
    const all = await differences({ ports, basePath, varies: true })
    expect(all.filter((line) => !gap.test(line))).toEqual([])
    const { no, part } = kind === 'R2' ? cloudflareR2 : cloudflare
    expect([no, part]).toEqual([undefined, undefined])
  })

  it('passes shotpress verify', async () =>
    expect(causesOf(await verifyPorts(ports, { folder: stage().root, basePath }))).toEqual(
      [],
    ))

  it('keeps the variants apart for one name, asked http, https, http', async () => {
    for (const variant of ['http', 'https', 'http'] as const) {
      const url = `${variant}://api.example.com${basePath}/api/username/ana`
      expect(await (await servers[0]!.dispatchFetch(url)).text()).toBe(
        body(variant, 'ana', 'user'),
      )
    }
  })
})

it('cloudflare files keep the worker itself from being uploaded as an asset', () => {
  const ignored = cloudflare.files!(hostFacts()).find(({ path }) => path === '.assetsignore')!
  expect(ignored.text.split('\n')).toContain('_worker.js')
  expect(wrangler()).toMatchObject({
    main: 'dist/_worker.js',
    assets: { directory: 'dist', run_worker_first: true, html_handling: 'none' },
  })
})

it.each(['EXAMPLE.com', '[::1]', `${'a-'.repeat(60)}.org`])(
  'the worker for %s has a valid name',
  (name) => {
    const valid = expect.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)
    expect(wrangler({ ...hostOptions, name })).toMatchObject({ name: valid })
  },
)
