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

let stage: Stage
beforeAll(async () => {
  stage = await makeStage()
})
afterAll(() => endStage(stage))

/** Requests that no client should send, and where the answer of an engine is its own: the status, and * for JSON. */
const requests = [
  ['GET', '/%zz', { nginx: '404*', caddy: '400', apache: '400*', lighttpd: '404*' }],
  ['GET', '/api/username/ana%', { nginx: '404*', caddy: '400', apache: '400*', lighttpd: '404*' }],
  ['GET', '/api/username/an%00a', { nginx: '404*', caddy: '404*', apache: '404*', lighttpd: '404*' }],
  ['GET', '/api/username/ana%00', { nginx: '404*', caddy: '404*', apache: '404*', lighttpd: '404*' }],
  ['GET', `/${'x'.repeat(20_000)}`, { nginx: '404*', caddy: '404*', apache: '414*', lighttpd: '431*' }],
  ['GET', 'api/username/ana', { nginx: '404*', caddy: '400', apache: '400*', lighttpd: '400*' }],
  ['get', '/api/username/ana', { nginx: '404*', caddy: '405*', apache: '405*', lighttpd: '501*' }],
] as const

describe.each([
  [nginx, nginxEngine],
  [caddy, caddyEngine],
  [apache, apacheEngine],
  [lighttpd, lighttpdEngine],
] as const)('malformed requests', (host, engine) => {
  test.skipIf(!installed(engine))(`${titleOf(engine)} refuses them as its host entry says`, async () => {
    await serving(host, engine, stage, async ({ ports }) => {
      for (const [method, path, expected] of requests) {
        const { status, headers, body } = await ask({ port: ports.http, scheme: 'http', method, path })
        const json =
          headers['content-type'] === 'application/json; charset=utf-8' && body.includes('{"error":')
        const name = `${method} ${path.slice(0, 30)}`
        expect([name, `${status}${json ? '*' : ''}`]).toEqual([
          name,
          expected[host.name as keyof typeof expected],
        ])
      }
    })
  })
})
