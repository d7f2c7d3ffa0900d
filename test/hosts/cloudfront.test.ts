import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import {
  commonHeaders,
  contentType,
  errors,
  filePath,
  okHeaders,
  preflight,
  requestPath,
  routes,
  variants,
} from '../../scripts/api/routes.ts'
import { cloudfront } from '../../scripts/hosts/cloudfront.ts'
import { usernames } from './managed.ts'
import { hostOptions } from './options.ts'

type Headers = Record<string, { value: string }>
type Outcome = {
  readonly uri?: string
  readonly querystring?: object
  readonly statusCode?: number
  readonly headers?: Headers
  readonly body?: string
}

/** Runs the generated function as CloudFront would, on a viewer request. */
const run = (
  uri: string,
  {
    method = 'GET',
    scheme = 'https',
    basePath = '',
  }: { method?: string; scheme?: string; basePath?: string } = {},
): Outcome => {
  const event = {
    version: '1.0',
    context: { eventType: 'viewer-request' },
    request: {
      method,
      uri,
      querystring: { a: { value: '1' } },
      cookies: {},
      headers: {
        host: { value: 'api.example.com' },
        ...(scheme !== '' && { 'cloudfront-forwarded-proto': { value: scheme } }),
      },
    },
  }
  return evaluate(event, basePath)
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { value }]))

/** Runs the generated function on a viewer response. */
const respond = (statusCode: number, headers: Headers = {}): Outcome =>
  evaluate({
    version: '1.0',
    context: { eventType: 'viewer-response' },
    request: { method: 'GET', uri: '/api/username/ana/index.json', headers: {} },
    response: { statusCode, headers, cookies: {} },
  })

const evaluate = (event: object, basePath = ''): Outcome => {
  const sandbox = createContext({ event }, { codeGeneration: { strings: false, wasm: false } })
  return runInContext(`${cloudfront.config!({ ...hostOptions({}), basePath })}\nhandler(event)`, sandbox)
}

describe('cloudfront function', () => {
  const paths = variants.flatMap((variant) =>
    routes.flatMap((route) => usernames.map((username) => ({ variant, route, username }))),
  )

  it.each(paths)(
    'asks the origin for the $variant file of $route.name of $username',
    ({ variant, route, username }) => {
      for (const slash of ['', '/']) {
        for (const method of ['GET', 'HEAD']) {
          const request = run(requestPath(route, username) + slash, { method, scheme: variant })
          expect(request).toMatchObject({ uri: `/${filePath(route, variant, username)}`, querystring: {} })
        }
      }
    },
  )

  it('asks the origin for the OpenAPI document, whatever the scheme', () => {
    for (const scheme of ['https', 'http', '']) {
      expect(run('/openapi.json/', { scheme })).toMatchObject({ uri: '/openapi.json', querystring: {} })
    }
  })

  it('answers OPTIONS on any path', () => {
    for (const uri of ['/api/username/ana', '/', '/http/x']) {
      const answer = run(uri, { method: 'OPTIONS' })
      expect(answer).toMatchObject({
        statusCode: 204,
        headers: lowerCase({ ...commonHeaders, ...preflight.headers }),
      })
      expect(answer).not.toHaveProperty('body')
    }
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('refuses %s', (method) => {
    expect(run('/api/username/ana', { method })).toMatchObject({
      statusCode: 405,
      body: errors.methodNotAllowed.body,
      headers: lowerCase({ ...commonHeaders, ...errors.methodNotAllowed.headers }),
    })
  })

  it.each([
    '/',
    '/404.json',
    '/http/api/username/ana',
    '/api/username/ana/index.json',
    '/api/username/ana//',
  ])('finds nothing at %s', (uri) => {
    const { body, ...rest } = errors.notFound
    const answer = { statusCode: rest.status, headers: lowerCase({ ...commonHeaders, ...rest.headers }) }
    expect(run(uri)).toMatchObject({ ...answer, body })
    expect(run(uri, { method: 'HEAD' })).toMatchObject(answer)
    expect(run(uri, { method: 'HEAD' })).not.toHaveProperty('body')
  })

  it('gives the answers of S3 the headers of the contract, and leaves its errors alone', () => {
    const etag = { value: '"x"' }
    const ok = lowerCase({ ...commonHeaders, ...okHeaders })
    const found = respond(200, { etag, 'content-type': { value: 'binary/octet-stream' } })
    expect(found.headers).toEqual({ ...ok, etag, 'content-type': { value: contentType } })
    expect(respond(304, { etag }).headers).toEqual({ ...ok, etag })
    expect(respond(404, { etag }).headers).toEqual({ etag })
  })

  it('says what is missing when CloudFront does not tell the scheme', () => {
    for (const scheme of ['', 'ftp', 'HTTP', 'constructor']) {
      const answer = run('/api/username/ana', { scheme })
      expect(answer).toMatchObject({ statusCode: 500, headers: { 'cache-control': { value: 'no-store' } } })
      expect(answer.body).toContain('CloudFront-Forwarded-Proto')
    }
  })

  it('answers below the path of base_url only', () => {
    const basePath = "/it's.v1"
    expect(run(`${basePath}/api/username/ana`, { basePath })).toMatchObject({
      uri: '/api/username/ana/index.json',
    })
    expect(run('/api/username/ana', { basePath })).toMatchObject({ statusCode: 404 })
    expect(run("/it'sXv1/api/username/ana", { basePath })).toMatchObject({ statusCode: 404 })
  })

  it('is within the 10 KB that CloudFront takes', () => {
    const code = cloudfront.config!({ ...hostOptions({}), basePath: `/${'p'.repeat(1000)}` })
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(10 * 1024)
  })
})
