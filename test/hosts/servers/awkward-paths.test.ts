import { copyFile, cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apache } from '../../../scripts/hosts/servers/apache.ts'
import { caddy } from '../../../scripts/hosts/servers/caddy.ts'
import { lighttpd } from '../../../scripts/hosts/servers/lighttpd.ts'
import { nginx } from '../../../scripts/hosts/servers/nginx.ts'
import { UserError } from '../../../scripts/problems/user-error.ts'
import { apacheEngine } from './apache.ts'
import { ask } from './ask.ts'
import { caddyEngine } from './caddy.ts'
import { endStage, makeStage, type Stage, serving } from './contract.ts'
import { installed, titleOf } from './engine.ts'
import { lighttpdEngine } from './lighttpd.ts'
import { nginxEngine } from './nginx.ts'
import { hostOptions } from './options.ts'
import { body } from './snapshot.ts'

let stage: Stage
beforeAll(async () => {
  stage = await makeStage()
})
afterAll(() => endStage(stage))

/** Names of folders that hold what some config language reads as something else. */
const names = [
  'back\\slash',
  'before a "quote\\"',
  "it's",
  'tick`',
  'star*?[a-z]',
  '{block} {$HOME} {env.HOME} {$HOME:x}',
  `$HOME \${HOME} $(id) $1`,
  '%{HTTPS} %1 %h',
  '#hash; semi } {',
  '~tilde',
  ' blanks  inside ',
  '日本 ünï ✓',
  '-dash',
]

describe.each([
  [nginx, nginxEngine],
  [caddy, caddyEngine],
  [apache, apacheEngine],
  [lighttpd, lighttpdEngine],
] as const)('folders with awkward names', (host, engine) => {
  test.skipIf(!installed(engine)).each(names)(`${titleOf(engine)} serves from %j`, async (name) => {
    const folder = join(stage.folder, name)
    const root = join(folder, name)
    await mkdir(folder)
    await cp(stage.root, root, { recursive: true })
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    await copyFile(stage.cert, cert)
    await copyFile(stage.key, key)
    try {
      await serving(host, engine, { root, cert, key }, async ({ ports }) => {
        for (const scheme of ['https', 'http'] as const) {
          const answer = await ask({ port: ports[scheme], scheme, path: '/api/username/ana' })
          expect(answer.body.toString()).toBe(body(scheme, 'ana', 'user'))
        }
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

test('a Caddyfile that can not hold a path is not written', () => {
  expect(() => caddy.config!(hostOptions({ root: '/srv/`\\' }))).toThrow(UserError)
})
