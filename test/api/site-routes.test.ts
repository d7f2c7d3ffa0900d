import { expect, test } from 'vitest'
import { fileOf, routeOf, routes, servedAt, siteRoutes } from '../../scripts/api/routes.ts'

/** A path of each route. */
const requests = [...routes, ...siteRoutes].map(({ path }) =>
  path.replace('<username>', 'ana').replace('<xx>', '0f').replace('<h>', '0a'.repeat(16)),
)

test('each path has one route, and its files and their copies lead back to it', () => {
  expect(requests.map((request) => routeOf(request))).toEqual([...routes, ...siteRoutes])
  for (const request of requests) {
    const route = routeOf(request)!
    const username = 'suffix' in route ? 'ana' : undefined
    for (const variant of route.variants
      ? (['https', 'http'] as const)
      : (['https'] as const)) {
      const served = { route, variant, request, username }
      const file = fileOf(route, { variant, request })
      expect(servedAt(file)).toEqual({ ...served, encoding: undefined })
      expect(servedAt(`${file}.gz`)).toEqual({ ...served, encoding: 'gzip' })
    }
  }
})

test('a file of something else belongs to no route', () => {
  for (const file of [
    'api/members',
    'http/api/members/index.json',
    'api/all/0F.ndjson',
    'api/all/00.ndjson/index.json',
    'http/openapi.json',
    `pictures/${'0a'.repeat(16)}.svg`,
    'api/username/ana',
    'api/username/.ana/index.json',
    'api/username/ana/index.json.xz',
  ])
    expect(servedAt(file), file).toBeUndefined()
})
