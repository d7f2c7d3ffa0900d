import { readFileSync } from 'node:fs'
import { routesSchema } from '@vercel/routing-utils'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import * as api from '../../scripts/api/routes.ts'
import type { Host } from '../../scripts/hosts/host.ts'
import type { Texts } from '../sandbox.ts'
import { texts } from '../tables.ts'
import { lowerCase } from './ask.ts'
import {
  type Emulated,
  emulateCloudfront,
  emulateFirebase,
  emulateNetlify,
  emulateServe,
  emulateVercel,
  viewerRequest,
  viewerResponse,
} from './emulations.ts'
import { body, siteRequests, snapshotFiles, usernames } from './managed.ts'
import { hostFacts, hostOptions } from './options.ts'
import { emulated } from './proofs.ts'

const { serve, firebase, netlify, vercel, cloudfront } = emulated

type Case = {
  readonly host: Host
  readonly start: () => Emulated | Promise<Emulated>
  readonly basePath?: string
  readonly variants?: readonly api.Variant[]
  /** What may stand at the end of a path. */
  readonly ends: readonly string[]
  /** What it does not find though it is there. */
  readonly misses?: (username: string, route: api.Route) => boolean
  /** Whether it makes ETags. */
  readonly tags?: boolean
  /** Paths of the origin where it finds nothing, besides those of all. */
  readonly notFound?: readonly string[]
}

const files = ['/api/username/ana/index.json', '/http/api/username/ana/index.json']
const takenForFile = (username: string, { suffix }: api.Route) =>
  username.includes('.') && suffix === ''
const served = { ends: ['', '?a=b'], tags: true } as const

const cases: readonly Case[] = [
  { ...served, host: serve, start: () => emulateServe(''), misses: takenForFile },
  {
    ...served,
    host: { ...serve, name: 'serve below http' },
    start: () => emulateServe('http/'),
    misses: takenForFile,
    variants: ['http'],
  },
  { ...served, host: firebase, start: emulateFirebase },
  {
    host: netlify,
    start: () => emulateNetlify('/v1'),
    basePath: '/v1',
    ends: ['', '/'],
    notFound: [...files, '/openapi.json', '/api/username/ana', '/SHA256SUMS'],
  },
  {
    host: vercel,
    start: () => emulateVercel('/v1.0'),
    basePath: '/v1.0',
    ends: ['', '/'],
    notFound: [
      ...files,
      '/openapi.json',
      '/vercel.json',
      '/V1.0/api/username/ana',
      '/v1x0/api/username/ana',
    ],
  },
  {
    host: cloudfront,
    start: () => emulateCloudfront("/it's.v1"),
    basePath: "/it's.v1",
    ends: ['', '/'],
    variants: api.variants,
    notFound: [
      ...files,
      '/api/username/ana',
      "/it'sXv1/api/username/ana",
      "/it's.v1/api/username/ana//",
    ],
  },
]

const common = { ...lowerCase(api.commonHeaders), 'content-type': api.contentType }

test('each host that is emulated is started', () => {
  const started = new Set(cases.map(({ host }) => host))
  expect(Object.values(emulated).filter((host) => !started.has(host))).toEqual([])
})

describe.each(cases)('$host.name', (given) => {
  const {
    basePath = '',
    variants = ['https'],
    ends,
    misses = () => false,
    notFound = [],
  } = given
  const { no = [] } = given.host
  let host: Emulated
  beforeAll(async () => {
    host = await given.start()
  })
  afterAll(() => host.close?.())

  const expectAnswer = async (
    asked: Parameters<Emulated['answer']>[0],
    { headers, ...expected }: { status: number; body: string; headers: Texts },
  ) => {
    const found = await host.answer(asked)
    expect(found, `${asked.method ?? 'GET'} ${asked.path}`).toMatchObject({
      ...expected,
      ...(found.headers && { headers }),
    })
  }
  const missing = { status: 404, body: api.errors.notFound.body, headers: common }

  // serve opens the file of a 304 and does not wait: it has to be there a little longer
  if (given.tags)
    it('answers HEAD, and 304 to its own tag', async () => {
      const ana = { path: '/api/username/ana', variant: 'https' } as const
      expect(await host.answer({ ...ana, method: 'HEAD' })).toMatchObject({
        status: 200,
        body: '',
      })
      const { headers } = await host.answer(ana)
      expect(
        (await host.answer({ ...ana, headers: [['If-None-Match', headers!.etag!]] })).status,
      ).toBe(304)
    })

  it.each(usernames)('serves %s', async (username) => {
    for (const variant of variants) {
      for (const route of api.routes) {
        const headers = { ...common, ...lowerCase(api.okHeaders) }
        const found = { status: 200, body: body(route, variant, username), headers }
        for (const end of ends) {
          const asked = { path: basePath + api.requestPath(route, username) + end, variant }
          if (misses(username, route)) expect((await host.answer(asked)).status).toBe(404)
          else await expectAnswer(asked, found)
        }
      }
    }
  })

  it.each(siteRequests)(
    'serves $path, where its root has it',
    async ({ route, path, text }) => {
      const own = { ...common, ...lowerCase(route.headers) }
      for (const variant of variants) {
        const has = route.variants || variants.includes('https')
        for (const end of ends) {
          const asked = { path: basePath + path + end, variant }
          if (has)
            await expectAnswer(asked, { status: 200, body: text(variant), headers: own })
          else expect((await host.answer(asked)).status).toBe(404)
        }
      }
    },
  )

  it.each([
    '/',
    ...texts('¦/nobody¦/nobody/shots¦/Ana¦/aXb-c_d¦/ana/shots/x').map(
      (end) => `${basePath}/api/username${end}`,
    ),
    `${basePath}/openapi.json/x`,
    ...notFound,
  ])('answers %s with the JSON 404', (path) =>
    expectAnswer({ path, variant: 'https' }, missing),
  )

  if (no.includes('405'))
    it('takes other methods for GET, as the list of hosts says', async () => {
      const asked = { path: `${basePath}/api/username/ana`, variant: 'https' } as const
      const { status } = await host.answer({ ...asked, method: 'POST' })
      expect([no.includes('OPTIONS'), status]).toEqual([true, 200])
    })
  else
    it('answers OPTIONS and refuses other methods, on any path', async () => {
      for (const path of [`${basePath}/api/username/ana`, '/', '/http/x']) {
        const to = (method: string) => ({ path, variant: 'https', method }) as const
        const allowed = {
          ...lowerCase(api.commonHeaders),
          ...lowerCase(api.preflight.headers),
        }
        await expectAnswer(to('OPTIONS'), { status: 204, body: '', headers: allowed })
        const { status, body, headers } = api.errors.methodNotAllowed
        for (const method of texts('POST¦PUT¦PATCH¦DELETE'))
          await expectAnswer(to(method), {
            status,
            body,
            headers: { ...common, ...lowerCase(headers) },
          })
      }
    })
})

test('what serve takes for a file, and lacks below http, is said', () => {
  const docs = readFileSync('docs/hosting/managed.md', 'utf8')
  expect(docs).toMatch(/username with a dot[^#]*openapi\.json is a 404 there/)
})

test('firebase.json keeps back what no client should see', () => {
  const { hosting } = JSON.parse(snapshotFiles(firebase).get('firebase.json')!)
  expect(hosting.ignore).toEqual(
    expect.arrayContaining(texts('firebase.json¦**/.*¦http/**¦SHA256SUMS¦404.json¦405.json')),
  )
})

test('vercel.json is what the schema of its routes allows', () => {
  const validate = new Ajv({ strict: false }).compile(routesSchema)
  const { routes } = JSON.parse(snapshotFiles(vercel).get('vercel.json')!)
  expect(validate(routes), JSON.stringify(validate.errors)).toBe(true)
})

const textsOf = (site: Partial<Parameters<typeof hostFacts>[0]>) =>
  netlify.files!(hostFacts({ basePath: '/v1', usernames, ...site })).map(({ text }) => text)

it('the files of netlify set the headers by path, and none twice', () => {
  const headers = textsOf({}).find((text) => text.includes('\n  Content-Type:'))!
  for (const [name, value] of Object.entries(api.commonHeaders))
    expect(headers).toContain(`  ${name}: ${value}\n`)
  const json = `  Content-Type: ${api.contentType}\n  Cache-Control: public, max-age=300\n`
  expect(headers).toContain(`\n/v1/api/username/*\n${json}`)
  expect(headers).toContain(`\n/v1/api/all\n${json}`)
  expect(headers).toContain(
    '\n/v1/pictures/*\n  Cache-Control: public, max-age=31536000, immutable\n',
  )
  expect(headers.match(/Content-Type: application\/x-ndjson/g)).toHaveLength(256)
  expect(/^\/\*\n((?: {2}.+\n)*)/m.exec(headers)![1]).not.toMatch(
    /Content-Type:|Cache-Control:/,
  )
})

const uri = '/api/username/ana/index.json'
const byName = (headers: Texts) =>
  Object.fromEntries(
    Object.entries(lowerCase(headers)).map(([name, value]) => [name, { value }]),
  )

it('the function of cloudfront gives the answers of S3 the headers of the contract, and leaves its errors alone', () => {
  const etag = { value: '"x"' }
  const ok = byName({ ...api.commonHeaders, ...api.okHeaders })
  const found = { etag, 'content-type': { value: 'binary/octet-stream' } }
  const type = { value: api.contentType }
  expect(viewerResponse(200, { uri, headers: found })).toEqual({
    ...ok,
    etag,
    'content-type': type,
  })
  expect(viewerResponse(304, { uri, headers: { etag } })).toEqual({ ...ok, etag })
  expect(viewerResponse(404, { uri, headers: { etag } })).toEqual({ etag })
})

it('the function of cloudfront says what is missing when CloudFront does not tell the scheme', () => {
  expect(viewerRequest('/openapi.json', {})).toMatchObject({ uri: '/openapi.json' })
  for (const scheme of texts('¦ftp¦HTTP¦constructor')) {
    const answer = viewerRequest('/api/username/ana', { scheme })
    expect(answer).toMatchObject({
      statusCode: 500,
      headers: { 'cache-control': { value: 'no-store' } },
    })
    expect(answer.body).toContain('CloudFront-Forwarded-Proto')
  }
})

it('the function of cloudfront is within the 10 KB that CloudFront takes', () => {
  const code = cloudfront.config!({ ...hostOptions({}), basePath: `/${'p'.repeat(1000)}` })
  expect(Buffer.byteLength(code)).toBeLessThanOrEqual(10 * 1024)
})
