import type { Site } from '../../content/site.ts'
import { withScheme } from '../../content/values/address.ts'
import { deriveShots, deriveUser } from '../derive.ts'
import { schemeFields } from '../fields.ts'
import { shotsLimit } from '../latest.ts'
import {
  commonHeaders,
  errors,
  methods,
  openapiRoute,
  preflight,
  type Route,
  requestPath,
  routes,
  variants,
} from '../routes.ts'
import { exampleMember } from './example.ts'
import { components, fresh, json, ref, sent } from './openapi-components.ts'

/** The OpenAPI document of a site's API, the same over both schemes. */
export const openapi = (site: Site) => ({
  openapi: '3.1.0',
  info: {
    title: 'Profiles and shots',
    summary: `The profile of a member, and the newest ${shotsLimit} shots.`,
    description: description(),
    version: '1.0.0',
  },
  servers: servers(site),
  security: [],
  paths: Object.fromEntries(
    routes.map((route) => [
      requestPath(route, '{username}'),
      {
        parameters: [ref('parameters', 'username'), ref('parameters', 'ifNoneMatch')],
        ...operations(route, site),
      },
    ]),
  ),
  components: components(),
})

const description = (): string => {
  const { status, headers, body } = errors.methodNotAllowed
  return `Two read operations on static JSON. They take no credentials, no query and no request body. The same paths answer over https and over http, without a redirect; ${list(schemeFields)} carry the scheme of the request, and all else is the same in both.

There is no list of members, no search and no paging.

What OpenAPI can't say:

- \`OPTIONS\` on any path gets ${preflight.status} with ${headerList(preflight.headers)}.
- Any method but ${list(methods)}, on any path, gets ${status} with ${headerList(headers)} and the body ${code(body.trim())}.
- Any path that is not described here gets the ${errors.notFound.status} of an unknown username, but for ${code(openapiRoute.path)}, which is this document.
- Those answers, too, have ${headerList(commonHeaders)}.
- A slash at the end of a path changes nothing, nor does a query.`
}

/** Both schemes of the base address. One port can't serve both, so a base with a port is given as it is. */
const servers = ({ baseUrl }: Site) =>
  new URL(baseUrl).port === ''
    ? variants.map((variant) => ({ url: withScheme(baseUrl, variant), description: `Over ${variant}.` }))
    : [{ url: baseUrl, description: 'As site.yaml gives it.' }]

const operations = (route: Route, site: Site) => {
  const { id, summary, content } = bodies(route, site)
  const ok = { description: summary, headers: sent(fresh) }
  const notModified = ref('responses', 'NotModified')
  return {
    get: {
      operationId: `get${id}`,
      summary,
      responses: { 200: { ...ok, content }, 304: notModified, 404: ref('responses', 'NotFound') },
    },
    head: {
      operationId: `head${id}`,
      summary: `${summary} The headers only.`,
      responses: { 200: ok, 304: notModified, 404: ref('responses', 'NotFoundWithoutBody') },
    },
  }
}

const bodies = (route: Route, site: Site) => {
  switch (route.name) {
    case 'user':
      return {
        id: 'Profile',
        summary: 'The profile of a member.',
        content: json(
          'User',
          examples((variant) => deriveUser(exampleMember, variant, site)),
        ),
      }
    case 'shots':
      return {
        id: 'Shots',
        summary: `The newest ${shotsLimit} shots of a member.`,
        content: json('Shots', {
          ...examples((variant) => deriveShots(exampleMember, variant, site)),
          none: {
            summary: 'A member without published shots',
            value: deriveShots({ ...exampleMember, latest: [] }, 'https', site),
          },
        }),
      }
    default:
      return route.name satisfies never
  }
}

const examples = (derive: (variant: (typeof variants)[number]) => unknown) =>
  Object.fromEntries(
    variants.map((variant) => [variant, { summary: `Over ${variant}`, value: derive(variant) }]),
  )

const code = (text: string): string => `\`${text}\``

const list = (names: readonly string[]): string =>
  [names.slice(0, -1).map(code).join(', '), code(names.at(-1)!)].filter((part) => part !== '').join(' and ')

const headerList = (headers: Readonly<Record<string, string>>): string =>
  list(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
