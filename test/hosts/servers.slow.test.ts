import { once } from 'node:events'
import { copyFile, cp, mkdir, rm } from 'node:fs/promises'
import http2 from 'node:http2'
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { Host } from '../../scripts/hosts/host.ts'
import { freePorts } from '../ports.ts'
import { rowsOf, texts } from '../tables.ts'
import { ask, askAna } from './ask.ts'
import * as contract from './contract.ts'
import { describeWith, type Engine, running } from './engine.ts'
import { htaccessEngine, lighttpdEngine, servers } from './engines.ts'
import { hostFacts, hostOptions } from './options.ts'
import { served } from './proofs.ts'
import { differences } from './questions.ts'
import { body } from './snapshot.ts'

const { nginx, lighttpd, htaccess } = served
const stage = contract.staged()

test('each server is started', () => {
  const started = new Set([...servers.map(([host]) => host), htaccess])
  expect(new Set(Object.values(served))).toEqual(started)
})

describe.each(servers.filter(([host]) => host !== lighttpd))('a server', (host, engine) => {
  describeWith(engine, () => {
    contract.holdsTheContract(host, engine)
    // before 1.23 nginx sees the first line only, as its host entry says
    contract.believesListedPeers(host, engine, host === nginx ? 'https' : undefined)
    contract.sendsToHttps(host, engine)
  })
})

describeWith(lighttpdEngine, () => {
  const stage = contract.staged([], `it's "a" $HOME {x} %1 [b] #c; ü`)

  test('answers as the contract says, but for the methods that it refuses by itself', async () => {
    const options = { ...stage(), basePath: '/v1/a+b' }
    const all = await contract.serving(
      lighttpd,
      lighttpdEngine,
      options,
      contract.judging(stage()),
    )
    const refused = [
      'FOO: status 501',
      'GETT: status 501',
      'POST with X-HTTP-Method-Override: GET: status 411',
    ]
    expect(all.map((line) => line.replace(' /v1/a+b/api/username/ana', ''))).toEqual(
      ['https', 'http'].flatMap((scheme) =>
        refused.map((line) => `${scheme} ${line}, not 405`),
      ),
    )
    expect([lighttpd.no, lighttpd.part]).toEqual([undefined, ['405']])
  })

  test('refuses the paths that it keeps for its own errors', async () =>
    await contract.serving(lighttpd, lighttpdEngine, stage(), async ({ ports }) => {
      for (const path of texts('/error%20404¦/error%20405¦/error¦/-')) {
        const { status } = await ask({ port: ports.http, scheme: 'http', path })
        expect(`${path}: ${status}`).toMatch(/: 40[04]$/)
      }
    }))

  contract.noticesChanges(lighttpd, lighttpdEngine)
  contract.believesListedPeers(lighttpd, lighttpdEngine)
  contract.isAccepted(lighttpd, lighttpdEngine, stage)
})

const anyEngine = htaccessEngine(hostOptions({}))

describeWith(anyEngine, () => {
  const compressed = contract.staged(['br', 'gzip'], 'v1')

  const found = async (given: Parameters<typeof hostOptions>[0], judge = differences) => {
    const options = hostOptions(given)
    const [http, https] = await freePorts()
    const config = htaccess.files!(hostFacts(options))[0]!.text
    return running(
      htaccessEngine(options),
      config,
      { ports: [http, https], root: options.root },
      () => judge({ ...options, ports: { http, https } }),
    )
  }

  /** What Apache answers before it reads a .htaccess file, as docs/hosting/servers.md says. */
  const escaped = 'GET \\S*(?:%2[fF]|x{60,}…)'
  const gap = new RegExp(`^https? (?:TRACE|${escaped})|^trace-answered$`)

  test('answers as the contract says', async () => {
    const all = await found(stage(), contract.judging(stage()))
    expect(all.filter((line) => !gap.test(line))).toEqual([])
    for (const part of texts('TRACE¦%2f¦xxx¦trace-answered'))
      expect(all.join('\n')).toContain(part)
    // TRACE is one method of many
    expect([htaccess.no, htaccess.part]).toEqual([undefined, ['405']])
  })

  test('serves precompressed files from a folder of the web', async () => {
    const all = await found({ ...compressed(), basePath: '/v1', precompress: ['br', 'gzip'] })
    const outside = /^https? [A-Z]+ \/(?!v1\/)/
    expect(all.filter((line) => !gap.test(line) && !outside.test(line))).toEqual([])
  })
})

/** Starts a server that has a profile for either scheme. */
const expectProfiles = (
  host: Host,
  engine: Engine,
  options: Parameters<typeof contract.serving>[2],
) =>
  contract.serving(host, engine, options, async ({ ports }) => {
    for (const scheme of ['https', 'http'] as const) {
      const address = options.listen ?? '127.0.0.1'
      const answer = await askAna(ports, scheme, { address })
      expect(answer.body.toString()).toBe(body(scheme, 'ana', 'user'))
    }
  })

/** Names of folders that hold what some config language reads as something else. */
const names = [
  'back\\slash star*?[a-z] $(id) $1 %1 "quote\\"',
  `{block} {$HOME} {env.HOME} {$HOME:x} \${HOME} semi; } {`,
  '-dash tick` 日本 ünï ✓  blanks ',
  '~tilde',
]

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((found) => found?.address === '::1')

/**
 * Requests that no client should send, and where the answer of an engine is its own: the
 * status, and * for JSON.
 */
const requests = rowsOf(`
  GET → /%zz → nginx 404*, caddy 400, apache 400*, lighttpd 404*
  GET → /api/username/an%00a → nginx 404*, caddy 404*, apache 404*, lighttpd 404*
  GET → /${'x'.repeat(20_000)} → nginx 404*, caddy 404*, apache 414*, lighttpd 431*
  GET → api/username/ana → nginx 404*, caddy 400, apache 400*, lighttpd 400*
  get → /api/username/ana → nginx 404*, caddy 405*, apache 405*, lighttpd 501*
`)

describe.each(servers)('each server', (host, engine) => {
  describeWith(engine, () => {
    test.each(names)('serves from a folder with an awkward name: %j', async (name) => {
      const folder = `${stage().folder}/${name}`
      const root = `${folder}/${name}`
      await mkdir(folder)
      await cp(stage().root, root, { recursive: true })
      const cert = `${folder}/cert.pem`
      const key = `${folder}/key.pem`
      await copyFile(stage().cert, cert)
      await copyFile(stage().key, key)
      try {
        await expectProfiles(host, engine, { root, cert, key })
      } finally {
        await rm(folder, { recursive: true })
      }
    })

    test.skipIf(!hasIPv6)('listens on ::1', () =>
      expectProfiles(host, engine, { ...stage(), listen: '::1' }),
    )

    test('answers over HTTP/2', async () =>
      await contract.serving(host, engine, stage(), async ({ ports }) => {
        const session = http2.connect(`https://127.0.0.1:${ports.https}`, {
          rejectUnauthorized: false,
        })
        const request = session.request({ ':path': '/api/username/ana' })
        const [headers] = await once(request, 'response')
        const text = await request.setEncoding('utf8').reduce((all, part) => all + part, '')
        session.close()
        expect([headers[':status'], text]).toEqual([200, body('https', 'ana', 'user')])
      }))

    test('refuses malformed requests as its host entry says', async () =>
      await contract.serving(host, engine, stage(), async ({ ports }) => {
        for (const [method, path, expected] of requests) {
          const { status, headers, body } = await askAna(ports, 'http', { method, path })
          const json =
            headers['content-type'] === 'application/json; charset=utf-8' &&
            body.includes('{"error":')
          const said = `${host.name} ${status}${json ? '*' : ''}`
          expect(expected.split(', '), `${method} ${path.slice(0, 30)}`).toContain(said)
        }
      }))
  })
})
