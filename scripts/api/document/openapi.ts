import type { Site } from '../../content/site.ts'
import { withScheme } from '../../content/values/address.ts'
import { deriveShots, deriveUser } from '../derive.ts'
import { schemeFields } from '../fields.ts'
import { shotsLimit } from '../latest.ts'
import {
  allRoute,
  binsRoute,
  commonHeaders,
  errors,
  membersRoute,
  methods,
  openapiRoute,
  pictureRoutes,
  preflight,
  type Route,
  requestPath,
  routes,
  type SiteRoute,
  type Variant,
} from '../routes.ts'
import { exampleMember } from './example.ts'
import { components, fresh, json, ref, sent } from './openapi-components.ts'

/** The OpenAPI document of a site's API, the same over both schemes. */
export const openapi = (site: Site) => ({
  openapi: '3.1.0',
  info: {
    title: 'Profiles and shots',
    summary: `The profile of a member, and the newest ${shotsLimit} shots.`,
    description: description(site),
    version: '1.0.0',
  },
  servers: servers(site),
  security: [],
  paths: {
    ...Object.fromEntries(
      routes.map((route) => [
        requestPath(route, '{username}'),
        {
          parameters: [ref('parameters', 'username'), ref('parameters', 'ifNoneMatch')],
          ...operations(bodies(route, site)),
        },
      ]),
    ),
    ...lists(site),
  },
  components: components(),
})

const description = ({ members, all, schemes }: Site): string => {
  const { status, headers, body } = errors.methodNotAllowed
  const pictures = pictureRoutes[0]!.path.replace(/<.*/, '')
  const answers = schemes.includes('http')
    ? `The same paths answer over https and over http, without a redirect; ${list(schemeFields)} carry the scheme of the request, and all else is the same in both${all ? `, but for the sizes and checksums that ${code(allRoute.path)} lists` : ''}.`
    : 'They answer over https only.'
  return `${members || all ? 'Read' : 'Two read'} operations on static JSON. They take no credentials, no query and no request body. ${answers}

There is no ${members || all ? '' : 'list of members, no '}search and no paging.

What OpenAPI can't say:

- \`OPTIONS\` on any path gets ${preflight.status} with ${headerList(preflight.headers)}.
- Any method but ${list(methods)}, on any path, gets ${status} with ${headerList(headers)} and the body ${code(body.trim())}.
- Any path that is not described here gets the ${errors.notFound.status} of an unknown username, but for ${code(openapiRoute.path)}, which is this document, and for pictures below ${code(pictures)} that bodies name.
- Those answers, too, have ${headerList(commonHeaders)}.
- A slash at the end of a path changes nothing, nor does a query.`
}

/** Both schemes of the base address. One port can't serve both, so a base with a port is given as it is. */
const servers = ({ baseUrl, schemes }: Site) =>
  new URL(baseUrl).port === ''
    ? schemes.map((variant) => ({ url: withScheme(baseUrl, variant), description: `Over ${variant}.` }))
    : [{ url: baseUrl, description: 'As site.yaml gives it.' }]

/** The paths of the site's own lists. */
const lists = ({ members, all }: Site) => {
  const text = { type: 'string' }
  const listOf = (properties: object) => ({
    type: 'array',
    items: { type: 'object', required: Object.keys(properties), properties },
  })
  const row = { id: text, username: text, name: text, totalShots: text, date: text }
  const bin = { name: text, members: text, bytes: text, sha256: text }
  const bodyOf = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
  const path = (
    route: SiteRoute,
    about: { id: string; summary: string; schema: object },
    own: readonly object[] = [],
  ) => ({
    [route.path.replace('<xx>', '{bin}')]: {
      parameters: [...own, ref('parameters', 'ifNoneMatch')],
      ...operations({
        ...about,
        content: { [route.contentType.split(';')[0]!]: { schema: about.schema } },
        missing: { description: 'There is no such file.' },
      }),
    },
  })
  const name = {
    name: 'bin',
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-f]{2}$' },
  }
  return {
    ...(members &&
      path(membersRoute, {
        ...{ id: 'Members', summary: 'All members, sorted by username.' },
        schema: bodyOf({ Members: listOf(row) }),
      })),
    ...(all && {
      ...path(allRoute, {
        ...{ id: 'Everything', summary: 'The files that hold every body, with their checksums.' },
        schema: bodyOf({ members: text, bins: listOf(bin) }),
      }),
      ...path(
        binsRoute,
        {
          ...{ id: 'Bin', summary: 'The bodies of some members, a member a line.' },
          schema: { type: 'string', description: 'NDJSON: username, profile and shots.' },
        },
        [name],
      ),
    }),
  }
}

const operations = ({ id, summary, content, missing }: Operation) => {
  const ok = { description: summary, headers: sent(fresh) }
  const notModified = ref('responses', 'NotModified')
  return {
    get: {
      operationId: `get${id}`,
      summary,
      responses: {
        200: { ...ok, content },
        304: notModified,
        404: { ...ref('responses', 'NotFound'), ...missing },
      },
    },
    head: {
      operationId: `head${id}`,
      summary: `${summary} The headers only.`,
      responses: {
        200: ok,
        304: notModified,
        404: { ...ref('responses', 'NotFoundWithoutBody'), ...missing },
      },
    },
  }
}

type Operation = {
  readonly id: string
  readonly summary: string
  readonly content: object
  /** What a 404 says, where it isn't about a username. */
  readonly missing?: { readonly description: string }
}

const bodies = (route: Route, site: Site): Operation => {
  switch (route.name) {
    case 'user':
      return {
        id: 'Profile',
        summary: 'The profile of a member.',
        content: json(
          'User',
          examples(site, (variant) => deriveUser(exampleMember, variant, site)),
        ),
      }
    case 'shots':
      return {
        id: 'Shots',
        summary: `The newest ${shotsLimit} shots of a member.`,
        content: json('Shots', {
          ...examples(site, (variant) => deriveShots(exampleMember, variant, site)),
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

const examples = ({ schemes }: Site, derive: (variant: Variant) => unknown) =>
  Object.fromEntries(
    schemes.map((variant) => [variant, { summary: `Over ${variant}`, value: derive(variant) }]),
  )

const code = (text: string): string => `\`${text}\``

const list = (names: readonly string[]): string =>
  [names.slice(0, -1).map(code).join(', '), code(names.at(-1)!)].filter((part) => part !== '').join(' and ')

const headerList = (headers: Readonly<Record<string, string>>): string =>
  list(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
