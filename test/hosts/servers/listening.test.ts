import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apache } from '../../../scripts/hosts/servers/apache.ts'
import { caddy } from '../../../scripts/hosts/servers/caddy.ts'
import { lighttpd } from '../../../scripts/hosts/servers/lighttpd.ts'
import { nginx } from '../../../scripts/hosts/servers/nginx.ts'
import { apacheEngine } from './apache.ts'
import { ask } from './ask.ts'
import { caddyEngine } from './caddy.ts'
import { endStage, makeStage, type Stage, serving } from './contract.ts'
import { installed, titleOf } from './engine.ts'
import { lighttpdEngine } from './lighttpd.ts'
import { nginxEngine } from './nginx.ts'
import { body } from './snapshot.ts'

let stage: Stage
beforeAll(async () => {
  stage = await makeStage()
})
afterAll(() => endStage(stage))

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((found) => found?.address === '::1')

describe.each([
  [nginx, nginxEngine],
  [caddy, caddyEngine],
  [apache, apacheEngine],
  [lighttpd, lighttpdEngine],
] as const)('listening', (host, engine) => {
  test.skipIf(!installed(engine) || !hasIPv6).each(['127.0.0.1', '::1'])(
    `${titleOf(engine)} listens on %s`,
    async (address) => {
      await serving(host, engine, { ...stage, listen: address }, async ({ ports }) => {
        for (const scheme of ['https', 'http'] as const) {
          const answer = await ask({ port: ports[scheme], scheme, address, path: '/api/username/ana' })
          expect(answer.body.toString()).toBe(body(scheme, 'ana', 'user'))
        }
      })
    },
  )
})
