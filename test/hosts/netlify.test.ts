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
  siteFile,
} from '../../scripts/api/routes.ts'
import { netlify } from '../../scripts/hosts/netlify.ts'
import { siteRequests, usernames } from './managed.ts'
import { snapshotFacts } from './options.ts'

type Rule = { readonly from: string; readonly query: object }

const basePath = '/v1'
const files = new Map(
  netlify.files!(snapshotFacts({ basePath, usernames })).map(({ path, text }) => [path, text]),
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

  it.each(siteRequests)('rewrites $path to its file, where the site may have one', ({ route, path }) => {
    const to = { status: 200, to: `/${siteFile(route, { request: path })}`, force: true }
    expect(match(`/v1${path}`)).toMatchObject(to)
    expect(match(`/v1${path}/`)).toMatchObject(to)
    const without = netlify.files!(snapshotFacts({ basePath, siteRoutes: [], usernames }))
    expect(without.map(({ text }) => text).join()).not.toMatch(/openapi|api.members|api.all/)
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
  it('set the headers by path, and none twice', () => {
    const headers = files.get('_headers')!
    for (const [name, value] of Object.entries(commonHeaders))
      expect(headers).toContain(`  ${name}: ${value}\n`)
    const json = `  Content-Type: ${contentType}\n  Cache-Control: public, max-age=300\n`
    expect(headers).toContain(`\n/v1/api/username/*\n${json}`)
    expect(headers).toContain(`\n/v1/api/all\n${json}`)
    expect(headers).toContain('\n/v1/pictures/*\n  Cache-Control: public, max-age=31536000, immutable\n')
    expect(headers.match(/Content-Type: application\/x-ndjson/g)).toHaveLength(256)
    expect(/^\/\*\n((?: {2}.+\n)*)/m.exec(headers)![1]).not.toMatch(/Content-Type:|Cache-Control:/)
  })
})
