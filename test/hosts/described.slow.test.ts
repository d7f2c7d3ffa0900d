import { chmod, cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { variants } from '../../scripts/api/routes.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { ask } from './ask.ts'
import { endStage, makeStage, type Stage, serving } from './contract.ts'
import { type Ask, type Document, holdAgainst, namedIn } from './described.ts'
import { installed, titleOf } from './engine.ts'
import { nginxEngine } from './engines.ts'

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

test.skipIf(!installed(nginxEngine))(
  `the OpenAPI document is what ${titleOf(nginxEngine)} does, and all of it`,
  async () => {
    await serving(nginx, nginxEngine, { ...stage, basePath }, async ({ ports }) => {
      for (const scheme of variants) {
        await holds(async ({ path, headers, ...request }) => {
          const place = { port: ports[scheme], scheme, path: basePath + path }
          const answer = await ask({ ...request, ...place, headers: Object.entries(headers) })
          return { ...answer, body: `${answer.body}` }
        })
      }
    })
  },
)

test('what is not as the document says is told', async () => {
  const asking: Ask = async () => ({ status: 200, headers: { etag: 'x' }, body: '{}' })
  const { came, wrong } = await holdAgainst(document, { usernames, ask: asking })
  expect(came).not.toContain('get /api/username/{username} 404')
  expect(wrong.join('\n')).toMatch(/ETag: x[\s\S]*no Cache-Control|no Cache-Control[\s\S]*ETag: x/)
  expect(wrong.join('\n')).toContain('must have required property')
})
