import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { endStage, makeStage, type Stage } from '../hosts/contract.ts'
import { installed, type Running, start, titleOf } from '../hosts/engine.ts'
import { haproxyEngine, nginxEngine, varnishEngine } from '../hosts/engines.ts'
import { hostOptions } from '../hosts/options.ts'
import { freePorts } from '../ports.ts'
import { causesOf, verifyPorts } from './verifying.ts'

/** Ends TLS, and says which scheme the client used. */
const terminator = (ports: { http: number; https: number; cache: number }, both: string): string => `\
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend clients
  bind 127.0.0.1:${ports.http}
  bind 127.0.0.1:${ports.https} ssl crt ${both}
  http-request set-header X-Forwarded-Proto https if { ssl_fc }
  http-request set-header X-Forwarded-Proto http if !{ ssl_fc }
  default_backend cache
backend cache
  server cache 127.0.0.1:${ports.cache}
`

const vcl = (origin: number, key: string): string => `\
vcl 4.1;
backend origin {
  .host = "127.0.0.1";
  .port = "${origin}";
}
sub vcl_hash {
  ${key}
}
`

const needed = [haproxyEngine, varnishEngine, nginxEngine]

describe.skipIf(!needed.every(installed))(`a shared cache (${needed.map(titleOf).join(', ')})`, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await makeStage()
  })
  afterAll(() => endStage(stage))

  /** What the verifier names behind haproxy and Varnish with this much more in the cache key. */
  const causesBehind = async (key: string) => {
    const [http, https, cache, origin, unused] = (await freePorts(5)) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const options = hostOptions({ ...stage, http: origin, https: unused, trust: ['127.0.0.1'] })
    const running: Running[] = []
    try {
      running.push(await start(nginxEngine, nginx.config!(options), { ports: [origin] }))
      running.push(await start(varnishEngine, vcl(origin, key), { ports: [cache] }))
      const config = terminator({ http, https, cache }, stage.both)
      running.push(await start(haproxyEngine, config, { ports: [http, https] }))
      return causesOf(await verifyPorts({ http, https }, { folder: stage.root }))
    } finally {
      for (const each of running.toReversed()) await each.stop()
    }
  }

  test('that knows no scheme is named', async () => {
    expect(await causesBehind('')).toEqual(['schemes-mixed-by-cache'])
  })

  test('that knows the scheme passes', async () => {
    expect(await causesBehind('hash_data(req.http.X-Forwarded-Proto);')).toEqual([])
  })
})
