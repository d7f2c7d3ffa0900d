import { formats } from '../fields.ts'
import { commonHeaders, contentType, errors, okHeaders } from '../routes.ts'
import { exampleMember } from './example.ts'
import { type BodyName, bodySchemas } from './schemas.ts'

/** A reference to one of the {@link components}. */
export const ref = (kind: 'parameters' | 'headers' | 'responses' | 'schemas', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

/** A body as JSON, with examples by name. */
export const json = (schema: BodyName, examples: Readonly<Record<string, Example>>) => ({
  [contentType.split(';')[0]!]: { schema: ref('schemas', schema), examples },
})

type Example = { readonly summary: string; readonly value: unknown }

/** Headers of a response by the names that they are sent under: those of every answer, then these. */
export const sent = (own: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries({ ...ownName(commonHeaders), ...own }).map(([name, component]) => [
      name,
      ref('headers', component),
    ]),
  )

const ownName = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, name]))

/** Headers of a 200 and a 304. */
export const fresh = { 'Cache-Control': 'Fresh', ETag: 'ETag' } as const

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
    description: 'The ETag of an earlier answer. If the body is still the same, the answer is a 304.',
    schema: { type: 'string' },
    example: tag,
  },
}

const constant = (value: string, description: string) => ({
  description,
  required: true,
  schema: { type: 'string', const: value },
})

const purposes: Readonly<Record<keyof typeof commonHeaders, string>> = {
  'Access-Control-Allow-Origin': 'Pages of every origin may read the answer.',
  'Access-Control-Expose-Headers': 'Pages may read the ETag, too.',
  'X-Content-Type-Options': 'The type is what Content-Type says.',
}

const caching = 'How long the answer may be used before asking again.'

const ownHeaders = {
  ETag: {
    description: 'Stands for the body. Send it as If-None-Match to ask whether there is a newer one.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]*"$' },
    example: tag,
  },
  Fresh: constant(okHeaders['Cache-Control'], caching),
  Brief: constant(errors.notFound.headers['Cache-Control'], caching),
}

const headers = () => ({
  ...Object.fromEntries(
    Object.entries(commonHeaders).map(([name, value]) => [
      name,
      constant(value, purposes[name as keyof typeof purposes]),
    ]),
  ),
  ...ownHeaders,
})

const unknown = 'No member has this username, in this letter case.'

const responses = () => ({
  NotModified: { description: 'The body is still the one that the ETag stands for.', headers: sent(fresh) },
  NotFound: {
    description: unknown,
    headers: sent({ 'Cache-Control': 'Brief' }),
    content: json('NotFound', {
      unknown: { summary: 'An unknown username', value: JSON.parse(errors.notFound.body) },
    }),
  },
  NotFoundWithoutBody: { description: unknown, headers: sent({ 'Cache-Control': 'Brief' }) },
})

/** What the operations have in common. */
export const components = () => ({
  parameters,
  headers: headers(),
  responses: responses(),
  schemas: bodySchemas(),
})
