import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllRedirects } from '@netlify/redirect-parser'
import { parseJSON } from 'netlify-redirector'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  commonHeaders,
  contentType,
  filePath,
  requestPath,
  routes,
  servedSiteRoutes,
} from '../../../scripts/api/routes.ts'
import { netlify } from '../../../scripts/hosts/managed/netlify.ts'
import { usernames } from './snapshot.ts'

type Rule = { readonly from: string; readonly query: object }

const basePath = '/v1'
const files = new Map(
  netlify.files!({ basePath, precompress: [], siteRoutes: servedSiteRoutes, usernames }).map(
    ({ path, text }) => [path, text],
  ),
)

describe('netlify _redirects', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shotpress-netlify-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  let match: (path: string) => { status: number; to: string; force: boolean } | undefined
  beforeAll(async () => {
    const file = join(folder, '_redirects')
    writeFileSync(file, files.get('_redirects')!)
    const parsed = await parseAllRedirects({ redirectsFiles: [file], configRedirects: [], minimal: false })
    expect(parsed.errors).toEqual([])
    // the engine names two fields otherwise than the parser
    const rules = (parsed.redirects as Rule[]).map(({ from, query, ...rule }) => ({
      ...rule,
      origin: from,
      params: query,
    }))
    const matcher = await parseJSON(JSON.stringify(rules), { jwtSecret: '', jwtRole: '' })
    match = (path) =>
      matcher.match({
        scheme: 'https',
        host: 'api.example.com',
        path,
        query: '',
        headers: {},
        cookieValues: {},
      })
  })

  it.each(usernames)('rewrites the paths of %s, with or without a slash', (username) => {
    for (const route of routes) {
      for (const slash of ['', '/']) {
        expect(match(basePath + requestPath(route, username) + slash)).toMatchObject({
          status: 200,
          to: `/${filePath(route, 'https', username)}`,
          force: true,
        })
      }
    }
  })

  it('rewrites the path of the OpenAPI document to its file, where the site has one', () => {
    const to = { status: 200, to: '/openapi.json', force: true }
    expect(match('/v1/openapi.json')).toMatchObject(to)
    expect(match('/v1/openapi.json/')).toMatchObject(to)
    const without = netlify.files!({ basePath, precompress: [], siteRoutes: [], usernames })
    expect(without.map(({ text }) => text).join()).not.toContain('openapi')
  })

  it.each([
    '/',
    '/openapi.json',
    '/v1/api/username/nobody',
    '/v1/api/username/Ana',
    '/api/username/ana',
    '/v1/api/username/ana/shots/more',
    '/v1/api/username/ana/index.json',
    '/http/api/username/ana/index.json',
    '/SHA256SUMS',
  ])('sends %s to the JSON 404', (path) => {
    expect(match(path)).toMatchObject({ status: 404, to: '/404.json', force: true })
  })
})

describe('netlify files', () => {
  it('set the headers by path', () => {
    expect(files.get('_headers')).toMatch(
      new RegExp(`^/\\*\\n(?:  .+\\n)*  Content-Type: ${contentType.replace('/', '/')}\\n`, 'm'),
    )
    for (const [name, value] of Object.entries(commonHeaders))
      expect(files.get('_headers')).toContain(`  ${name}: ${value}\n`)
    expect(files.get('_headers')).toContain(
      `\n${basePath}/api/username/*\n  Cache-Control: public, max-age=300\n`,
    )
  })

  it('say what the host cannot do', () => {
    for (const text of files.values()) for (const phrase of netlify.cannot) expect(text).toContain(phrase)
  })
})
