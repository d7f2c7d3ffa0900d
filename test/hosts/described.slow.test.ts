import { chmod, cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { variants } from '../../scripts/api/routes.ts'
import { apache } from '../../scripts/hosts/apache.ts'
import { caddy } from '../../scripts/hosts/caddy.ts'
import { cloudflare } from '../../scripts/hosts/cloudflare.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { inCi } from '../posix.ts'
import { ask } from './ask.ts'
import { endStage, makeStage, type Stage, serving } from './contract.ts'
import { type Ask, type Document, holdAgainst, namedIn } from './described.ts'
import { installed, titleOf } from './engine.ts'
import { apacheEngine, caddyEngine, nginxEngine } from './engines.ts'
import { snapshotFacts } from './options.ts'

const basePath = '/v1'
let stage: Stage
let document: Document
let usernames: readonly string[]

beforeAll(async () => {
  stage = await makeStage()
  await rm(stage.root, { recursive: true })
  await cp('test/golden/dist', stage.root, { recursive: true })
  await chmod(stage.root, 0o755)
  document = JSON.parse(await readFile(join(stage.root, 'openapi.json'), 'utf8'))
  usernames = await readdir(join(stage.root, 'api/username'))
})
afterAll(() => endStage(stage))

/** Every answer is described, and every response that the document names came. */
const holds = async (asking: Ask): Promise<void> => {
  const { body } = await asking({ method: 'GET', path: '/openapi.json', headers: {} })
  expect(JSON.parse(body)).toEqual(document)
  const { came, wrong } = await holdAgainst(document, { usernames, ask: asking })
  expect(wrong).toEqual([])
  expect(came).toEqual([...namedIn(document)].sort())
}

describe.each([
  [nginx, nginxEngine],
  [caddy, caddyEngine],
  [apache, apacheEngine],
] as const)('the OpenAPI document', (host, engine) => {
  test.skipIf(!installed(engine))(`is what ${titleOf(engine)} does, and all of it`, async () => {
    await serving(host, engine, { ...stage, basePath }, async ({ ports }) => {
      for (const scheme of variants) {
        await holds(async ({ path, headers, ...request }) => {
          const place = { port: ports[scheme], scheme, path: basePath + path }
          const answer = await ask({ ...request, ...place, headers: Object.entries(headers) })
          return { ...answer, body: `${answer.body}` }
        })
      }
    })
  })
})

const miniflare = await import('miniflare').catch(() => undefined)
if (miniflare === undefined && inCi) throw new Error('miniflare is missing')

test.skipIf(miniflare === undefined)(
  'the OpenAPI document is what the Worker does, and all of it',
  async () => {
    const [worker] = cloudflare.files!(snapshotFacts({ basePath }))
    const server = new miniflare!.Miniflare({
      modules: true,
      script: worker!.text,
      compatibilityDate: '2026-04-01',
      assets: {
        directory: stage.root,
        binding: 'ASSETS',
        routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
        assetConfig: { html_handling: 'none', not_found_handling: 'none' },
      },
    })
    try {
      for (const scheme of variants) {
        await holds(async ({ path, ...request }) => {
          const answer = await server.dispatchFetch(`${scheme}://api.example.com${basePath}${path}`, request)
          return {
            status: answer.status,
            headers: Object.fromEntries(answer.headers as unknown as Iterable<[string, string]>),
            body: await answer.text(),
          }
        })
      }
    } finally {
      await server.dispose()
    }
  },
)

test('what is not as the document says is told', async () => {
  const asking: Ask = async () => ({ status: 200, headers: { etag: 'x' }, body: '{}' })
  const { came, wrong } = await holdAgainst(document, { usernames, ask: asking })
  expect(came).not.toContain('get /api/username/{username} 404')
  expect(wrong.join('\n')).toMatch(/ETag: x[\s\S]*no Cache-Control|no Cache-Control[\s\S]*ETag: x/)
  expect(wrong.join('\n')).toContain('must have required property')
})
