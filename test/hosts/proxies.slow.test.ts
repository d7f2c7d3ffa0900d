import { describe, expect, test } from 'vitest'
import { type Variant, variants } from '../../scripts/api/routes.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { freePorts } from '../ports.ts'
import { causesOf, verifyPorts } from '../verify/verifying.ts'
import { type Answer, ask } from './ask.ts'
import { serving, staged } from './contract.ts'
import { installed, running, titleOf } from './engine.ts'
import { documentedConfig, haproxyEngine, nginxEngine, servers, varnishEngine } from './engines.ts'

const stage = staged()

type Ports = Readonly<Record<Variant, number>>

/** Puts haproxy in front of a port, as the docs show it. */
const behindHaproxy = async <T>(origin: number, act: (ports: Ports) => Promise<T>): Promise<T> => {
  const [http, https] = (await freePorts(2)) as [number, number]
  const config = documentedConfig('haproxy', {
    'bind :80': `bind 127.0.0.1:${http}`,
    'bind :443 ssl crt /etc/haproxy/api.example.com.pem': `bind 127.0.0.1:${https} ssl crt ${stage().both}`,
    '127.0.0.1:8080': `127.0.0.1:${origin}`,
  })
  return running(haproxyEngine, config, { ports: [http, https] }, () => act({ http, https }))
}

/** Puts Varnish in front of a port, as the docs show it but for `changes`. */
const behindVarnish = async <T>(
  origin: number,
  changes: Readonly<Record<string, string>>,
  act: (port: number) => Promise<T>,
): Promise<T> => {
  const [port] = (await freePorts(1)) as [number]
  const config = documentedConfig('vcl', { '"8080"': `"${origin}"`, ...changes })
  return running(varnishEngine, config, { ports: [port] }, () => act(port))
}

const variantOf = ({ body }: Answer): Variant | undefined =>
  variants.find((variant) => body.includes(`"${variant}://`))

const askAs = (ports: Ports, scheme: Variant, claim: string): Promise<Answer> =>
  ask({
    port: ports[scheme],
    scheme,
    host: 'api.example.com',
    path: '/api/username/ana',
    headers: [['X-Forwarded-Proto', claim]],
  })

describe.each(servers)('haproxy in front of $name', (host, engine) => {
  const needed = [haproxyEngine, engine]
  test.skipIf(!needed.every(installed))(needed.map(titleOf).join(' and '), async () => {
    const got = await serving(host, engine, { ...stage(), trust: ['127.0.0.1'] }, ({ ports }) =>
      behindHaproxy(ports.http, async (front) => [
        variantOf(await askAs(front, 'https', 'http')),
        variantOf(await askAs(front, 'http', 'https')),
      ]),
    )
    expect(got).toEqual(['https', 'http'])
  })
})

describe('Varnish as a shared cache', () => {
  const needed = [haproxyEngine, varnishEngine, nginxEngine]
  const skip = !needed.every(installed)
  const names = needed.map(titleOf).join(', ')

  /** http, https and http again with one Host header, how often Varnish had the answer, and what verify names. */
  const askThree = (changes: Readonly<Record<string, string>>) =>
    serving(nginx, nginxEngine, { ...stage(), trust: ['127.0.0.1'] }, ({ ports }) =>
      behindVarnish(ports.http, changes, (cache) =>
        behindHaproxy(cache, async (front) => {
          const answers: Answer[] = []
          for (const scheme of ['http', 'https', 'http'] as const) {
            answers.push(await askAs(front, scheme, 'https'))
          }
          return {
            causes: causesOf(await verifyPorts(front, { folder: stage().root })),
            variants: answers.map(variantOf),
            hits: answers.filter(({ headers }) => headers['x-varnish']!.includes(' ')).length,
          }
        }),
      ),
    )

  test.skipIf(skip)(`keeps the variants apart, as documented (${names})`, async () => {
    expect(await askThree({})).toEqual({
      causes: [],
      variants: ['http', 'https', 'http'],
      hits: 1,
    })
  })

  test.skipIf(skip)(`mixes them without the documented hash (${names})`, async () => {
    expect(await askThree({ 'hash_data(req.http.X-Forwarded-Proto);': '' })).toEqual({
      causes: ['schemes-mixed-by-cache'],
      variants: ['http', 'http', 'http'],
      hits: 2,
    })
  })
})
