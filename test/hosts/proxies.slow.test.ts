import { describe, expect, test } from 'vitest'
import { type Variant, variants } from '../../scripts/api/routes.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { freePorts } from '../ports.ts'
import { causesOf, verifyPorts } from '../verify/verifying.ts'
import { type Answer, askAna } from './ask.ts'
import { serving, staged } from './contract.ts'
import { installed, running, titleOf } from './engine.ts'
import { documentedConfig, haproxyEngine, nginxEngine, varnishEngine } from './engines.ts'

const stage = staged()

type Ports = Readonly<Record<Variant, number>>

/** Puts haproxy in front of a port, as the docs show it. */
const behindHaproxy = async <T>(origin: number, act: (ports: Ports) => Promise<T>) => {
  const [http, https] = await freePorts()
  const config = documentedConfig('haproxy', {
    'bind :80': `bind 127.0.0.1:${http}`,
    'bind :443 ssl crt /etc/haproxy/api.example.com.pem': `bind 127.0.0.1:${https} ssl crt ${stage().both}`,
    '127.0.0.1:8080': `127.0.0.1:${origin}`,
  })
  return running(haproxyEngine, config, { ports: [http, https] }, () => act({ http, https }))
}

/** Puts Varnish in front of a port, as the docs show it. */
const behindVarnish = async <T>(origin: number, act: (port: number) => Promise<T>) => {
  const [port] = await freePorts()
  const config = documentedConfig('vcl', { '"8080"': `"${origin}"` })
  return running(varnishEngine, config, { ports: [port] }, () => act(port))
}

const variantOf = ({ body }: Answer) =>
  variants.find((variant) => body.includes(`"${variant}://`))

const askAs = (ports: Ports, scheme: Variant, claim: string) =>
  askAna(ports, scheme, { host: 'api.example.com', headers: [['X-Forwarded-Proto', claim]] })

describe('Varnish as a shared cache', () => {
  const needed = [haproxyEngine, varnishEngine, nginxEngine]
  const skip = !needed.every(installed)
  const names = needed.map(titleOf).join(', ')

  test.skipIf(skip)(`keeps the variants apart, as documented (${names})`, async () => {
    await serving(nginx, nginxEngine, { ...stage(), trust: ['127.0.0.1'] }, ({ ports }) =>
      behindVarnish(ports.http, (cache) =>
        behindHaproxy(cache, async (front) => {
          const answers: Answer[] = []
          for (const scheme of ['http', 'https', 'http'] as const)
            answers.push(await askAs(front, scheme, 'https'))
          expect(answers.map(variantOf)).toEqual(['http', 'https', 'http'])
          // and Varnish had the last one
          const hits = answers.map(({ headers }) => headers['x-varnish']!.includes(' '))
          expect(hits).toEqual([false, false, true])
          expect(causesOf(await verifyPorts(front, { folder: stage().root }))).toEqual([])
        }),
      ),
    )
  })
})
