import type { Site } from '../../content/site.ts'
import { withScheme } from '../../content/values/address.ts'
import { formats, schemeFields } from '../fields.ts'
import { shotsLimit } from '../records.ts'
import * as api from '../route.ts'
import { exampleMember } from './example.ts'
import { bodyOf, code, type Operation, ref, text } from './operation.ts'
import { bodySchemas, mapped } from './schemas.ts'

/** The text of a document that people read, too. */
export const renderDocument = (document: object): string =>
  `${JSON.stringify(document, null, 2)}\n`

/**
 * The OpenAPI document of a site's API, the same over both schemes; `mentions` are of what
 * else it answers.
 */
export const openapi = (
  site: Site,
  operations: readonly Operation[],
  mentions: readonly string[],
) => ({
  openapi: '3.1.0',
  info: {
    title: 'Profiles and shots',
    summary: `The profile of a member, and the newest ${shotsLimit} shots.`,
    description: description(site, operations, mentions),
    version: '1.0.0',
  },
  servers: servers(site),
  security: [],
  paths: Object.fromEntries(operations.map(pathItem)),
  components: { parameters, headers, responses, schemas: bodySchemas() },
})

const description = (
  { schemes }: Site,
  operations: readonly Operation[],
  mentions: readonly string[],
) => {
  const { status, headers, body } = api.errors.methodNotAllowed
  const isMore = operations.length > 2
  const differing = operations.flatMap(({ differs }) => differs ?? [])
  const besides = differing.map((one) => `, but for ${one}`).join('')
  const answers = schemes.includes('http')
    ? `The same paths answer over https and over http, without a redirect; ${list(schemeFields)} carry the scheme of the request, and all else is the same in both${besides}.`
    : 'They answer over https only.'
  const others = [...mentions.slice(0, -1), `and for ${mentions.at(-1)}`]
    .join(', for ')
    .replace(', for and', ', and')
  return `${isMore ? 'Read' : 'Two read'} operations on static JSON. They take no credentials, no query and no request body. ${answers}

There is no ${isMore ? '' : 'list of members, no '}search and no paging.

What OpenAPI can't say:

- \`OPTIONS\` on any path gets ${api.preflight.status} with ${headerList(api.preflight.headers)}.
- Any method but ${list(api.methods)}, on any path, gets ${status} with ${headerList(headers)} and the body ${code(body.trim())}.
- Any path that is not described here gets the ${api.errors.notFound.status} of an unknown username, but for ${others}.
- Those answers, too, have ${headerList(api.commonHeaders)}.
- A slash at the end of a path changes nothing, nor does a query.`
}

const list = (names: readonly string[]) =>
  [names.slice(0, -1).map(code).join(', '), code(names.at(-1)!)]
    .filter((part) => part !== '')
    .join(' and ')

const headerList = (headers: Readonly<Record<string, string>>) =>
  list(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))

/**
 * Both schemes of the base address. One port can't serve both, so a base with a port is given
 * as it is.
 */
const servers = ({ baseUrl, schemes }: Site) =>
  new URL(baseUrl).port === ''
    ? schemes.map((variant) => ({
        url: withScheme(baseUrl, variant),
        description: `Over ${variant}.`,
      }))
    : [{ url: baseUrl, description: 'As site.yaml gives it.' }]

const pathItem = ({ path, parameters, id, summary, content, missing }: Operation) => {
  const ok = { description: summary, headers: sent(fresh) }
  const operation = <T>(method: string, summary: string, ok: T, notFound: string) => ({
    operationId: method + id,
    summary,
    responses: {
      200: ok,
      304: ref('responses', 'NotModified'),
      404: { ...ref('responses', notFound), ...missing },
    },
  })
  const item = {
    parameters: [...parameters, ref('parameters', 'ifNoneMatch')],
    get: operation('get', summary, { ...ok, content }, 'NotFound'),
    head: operation('head', `${summary} The headers only.`, ok, 'NotFoundWithoutBody'),
  }
  return [path, item] as const
}

/**
 * Headers of a response by the names that they are sent under: those of every answer, then
 * these.
 */
const sent = (own: Readonly<Record<string, string>>) =>
  Object.fromEntries([
    ...Object.keys(api.commonHeaders).map((name) => [name, ref('headers', name)]),
    ...Object.entries(own).map(([name, component]) => [name, ref('headers', component)]),
  ])

/** Headers of a 200 and a 304, and of a 404. */
const fresh = { 'Cache-Control': 'Fresh', ETag: 'ETag' }
const brief = { 'Cache-Control': 'Brief' }

const tag = '"532b2ac0-1c2"'

const parameters = {
  username: {
    name: 'username',
    in: 'path',
    required: true,
    description: 'The exact username, letter case included.',
    schema: { type: 'string', pattern: formats.username.pattern },
    example: exampleMember.username,
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The ETag of an earlier answer. If the body is still the same, the answer is a 304.',
    schema: text,
    example: tag,
  },
}

const purposes = {
  'Access-Control-Allow-Origin': 'Pages of every origin may read the answer.',
  'Access-Control-Expose-Headers': 'Pages may read the ETag, too.',
  'X-Content-Type-Options': 'The type is what Content-Type says.',
} satisfies Record<keyof typeof api.commonHeaders, string>

const constant = (value: string, description: string) => ({
  description,
  required: true,
  schema: { type: 'string', const: value },
})

const caching = 'How long the answer may be used before asking again.'

const headers = {
  ...mapped(api.commonHeaders, (value, name) => constant(value, purposes[name])),
  ETag: {
    description:
      'Stands for the body. Send it as If-None-Match to ask whether there is a newer one.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]*"$' },
    example: tag,
  },
  Fresh: constant(api.okHeaders['Cache-Control'], caching),
  Brief: constant(api.errors.notFound.headers['Cache-Control'], caching),
}

const unknown = {
  description: 'No member has this username, in this letter case.',
  headers: sent(brief),
}

const responses = {
  NotModified: {
    description: 'The body is still the one that the ETag stands for.',
    headers: sent(fresh),
  },
  NotFound: {
    ...unknown,
    content: bodyOf('NotFound', {
      unknown: {
        summary: 'An unknown username',
        value: JSON.parse(api.errors.notFound.body),
      },
    }),
  },
  NotFoundWithoutBody: unknown,
}
