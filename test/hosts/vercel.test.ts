import { getTransformedRoutes, isHandler, type Route, routesSchema } from '@vercel/routing-utils'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import {
  commonHeaders,
  errors,
  filePath,
  okHeaders,
  preflight,
  requestPath,
  routes,
} from '../../scripts/api/routes.ts'
import { vercel } from '../../scripts/hosts/vercel.ts'
import { snapshotFiles, usernames } from './managed.ts'

const basePath = '/v1.0'
const files = snapshotFiles(vercel, basePath)
const config = JSON.parse(files.get('vercel.json')!)
const compiled = getTransformedRoutes(config)

type Answer = { status: number; file: string | undefined; headers: Record<string, string> }

/** Follows the compiled routes as Vercel documents them: in order, then those after the handle `error`. */
const answer = (path: string, method = 'GET', there: Pick<typeof files, 'has'> = files): Answer => {
  const list = compiled.routes!
  const handle = list.findIndex((route) => isHandler(route))
  const first = follow(list.slice(0, handle), path, method)
  const missing = first.file !== undefined && !there.has(first.file.slice(1))
  return missing ? { ...first, ...follow(list.slice(handle + 1), path, method, first.headers) } : first
}

const follow = (list: readonly Route[], path: string, method: string, before = {}): Answer => {
  let headers: Record<string, string> = before
  for (const route of list) {
    if (isHandler(route) || route.methods?.includes(method) === false) continue
    const match = new RegExp(`^(?:${route.src})$`, route.caseSensitive ? '' : 'i').exec(path)
    if (match === null) continue
    headers = { ...headers, ...route.headers }
    if (route.continue) continue
    return { status: route.status ?? 200, file: route.dest?.replace('$1', match[1] ?? ''), headers }
  }
  throw new Error(`no route for ${path}`)
}

describe('vercel.json', () => {
  it('is what the schema of its routes allows, and compiles', () => {
    const validate = new Ajv({ strict: false }).compile(routesSchema)
    expect(validate(config.routes), JSON.stringify(validate.errors)).toBe(true)
    expect(compiled.error).toBeNull()
  })

  it.each(usernames)('serves the https variant of %s', (username) => {
    for (const route of routes) {
      for (const method of ['GET', 'HEAD']) {
        for (const slash of ['', '/']) {
          expect(answer(basePath + requestPath(route, username) + slash, method)).toMatchObject({
            status: 200,
            file: `/${filePath(route, 'https', username)}`,
            headers: { ...commonHeaders, ...okHeaders },
          })
        }
      }
    }
  })

  it.each(['/v1.0/openapi.json', '/v1.0/openapi.json/'])('serves %s', (path) => {
    expect(answer(path)).toMatchObject({ status: 200, file: '/openapi.json', headers: okHeaders })
  })

  it('answers the path of an OpenAPI document that is not there with the JSON 404', () => {
    const { status, file, headers } = errors.notFound
    expect(answer('/v1.0/openapi.json', 'GET', new Set())).toMatchObject({
      status,
      file: `/${file}`,
      headers,
    })
  })

  it.each([
    '/',
    '/openapi.json',
    '/vercel.json',
    '/v1.0/api/username/nobody',
    '/v1.0/api/username/Ana',
    '/V1.0/api/username/ana',
    '/v1x0/api/username/ana',
    '/api/username/ana/index.json',
    '/http/api/username/ana/index.json',
  ])('answers %s with the JSON 404', (path) => {
    const { status, file, headers } = errors.notFound
    expect(answer(path)).toMatchObject({
      status,
      file: `/${file}`,
      headers: { ...commonHeaders, ...headers },
    })
  })

  it('answers OPTIONS and other methods by themselves', () => {
    for (const path of ['/v1.0/api/username/ana', '/']) {
      expect(answer(path, 'OPTIONS')).toMatchObject({
        status: 204,
        headers: { ...commonHeaders, ...preflight.headers },
      })
      const { status, file, headers } = errors.methodNotAllowed
      expect(answer(path, 'POST')).toMatchObject({ status, file: `/${file}`, headers })
    }
  })
})
