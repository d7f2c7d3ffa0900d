import type { PathRoute, Route } from '../route.ts'
import { contentType, requestPath } from '../route.ts'

// A path in the OpenAPI document, and what outputs describe theirs with.

export type Operation = {
  readonly path: string
  /** What varies in the path. */
  readonly parameters: readonly object[]
  readonly id: string
  readonly summary: string
  readonly content: object
  /** What a 404 says, where it isn't about a username. */
  readonly missing?: { readonly description: string }
  /**
   * What in its body differs between the schemes besides the fields that carry one, as a
   * phrase.
   */
  readonly differs?: string
}

type Path = Pick<Operation, 'path' | 'parameters'>

export const memberPath = (route: Route): Path => ({
  path: requestPath(route, '{username}'),
  parameters: [ref('parameters', 'username')],
})

export const sitePath = (
  { path, headers }: PathRoute,
  schema: object,
): Path & Pick<Operation, 'content' | 'missing'> => ({
  path: path.replace('<xx>', '{bin}'),
  parameters: [],
  content: { [mediaType(headers['Content-Type'])]: { schema } },
  missing: { description: 'There is no such file.' },
})

const mediaType = (type: string) => type.replace(/;.*/, '')

export const text = { type: 'string' }

export const object = (properties: object) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

export const strings = (...names: readonly string[]) =>
  object(Object.fromEntries(names.map((name) => [name, text])))

export const ref = (
  kind: 'parameters' | 'headers' | 'responses' | 'schemas',
  name: string,
) => ({
  $ref: `#/components/${kind}/${name}`,
})

/** A JSON body of a schema that the document names. */
export const bodyOf = (
  schema: string,
  examples: Readonly<Record<string, { summary: string; value: unknown }>>,
) => ({
  [mediaType(contentType)]: { schema: ref('schemas', schema), examples },
})

export const code = (text: string): string => `\`${text}\``
