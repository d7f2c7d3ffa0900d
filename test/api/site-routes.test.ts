import { expect, test } from 'vitest'
import { siteFile, siteRouteAt, siteRouteOf, siteRoutes } from '../../scripts/api/routes.ts'

const requests = ['/openapi.json', '/api/members', '/api/all', '/api/all/0f.ndjson'].concat(
  ['jpg', 'png', 'webp', 'gif', 'avif'].map((ending) => `/pictures/${'0a'.repeat(16)}.${ending}`),
)

test('each path of the site has one route, and its files lead back to it', () => {
  expect(requests.map((request) => siteRouteOf(request))).toEqual(siteRoutes)
  for (const request of requests) {
    const route = siteRouteOf(request)!
    for (const variant of route.variants ? (['https', 'http'] as const) : (['https'] as const))
      expect(siteRouteAt(siteFile(route, { variant, request }))).toEqual({ route, variant, request })
  }
})

test('a file of something else belongs to no route of the site', () => {
  for (const file of [
    'api/members',
    'http/api/members/index.json',
    'api/all/0F.ndjson',
    'api/all/00.ndjson/index.json',
    'http/openapi.json',
    `pictures/${'0a'.repeat(16)}.svg`,
    'api/username/all/index.json',
  ])
    expect(siteRouteAt(file), file).toBeUndefined()
})
