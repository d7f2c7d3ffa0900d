/** Any value of JSON. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }
type Mapping = { readonly [key: string]: Json }

/**
 * What clients of the first document would notice in answers that the second one describes: a
 * path, operation, status, header or field that is gone, a type, pattern or limit that is
 * another one. Words and examples may change, and all of it may grow: a new path, operation
 * or header breaks nobody.
 */
export const findBreaks = (before: Json, after: Json) =>
  compare(resolve(before, before), resolve(after, after), '')

/** What tells people something, and programs nothing. */
const words = 'description summary title examples example info servers operationId $id'.split(
  ' ',
)

/** Of these lists, nothing may go. */
const promises = ['required', 'enum']

const compare = (before: Json, after: Json | undefined, place: string): readonly string[] => {
  if (after === undefined) return [`${place} is gone`]
  if (Array.isArray(before)) {
    const now = Array.isArray(after) ? after : []
    const key = place.slice(place.lastIndexOf('/') + 1)
    if (!promises.includes(key))
      return before.flatMap((one, at) => compare(one, now[at], `${place}/${at}`))
    return before.filter((one) => !now.includes(one)).map((one) => `${place} lacks ${one}`)
  }
  if (isMapping(before)) {
    if (!isMapping(after)) return [`${place} is something else`]
    return Object.entries(before).flatMap(([key, value]) =>
      words.includes(key) ? [] : compare(value, after[key], `${place}/${key}`),
    )
  }
  return before === after ? [] : [`${place} was ${before}, and is ${JSON.stringify(after)}`]
}

/** The document with what `$ref` names in its place. */
const resolve = (node: Json, root: Json): Json => {
  if (Array.isArray(node)) return node.map((one) => resolve(one, root))
  if (!isMapping(node)) return node
  const { $ref, components: _, ...own } = node
  if (typeof $ref === 'string') return resolve(find(root, $ref), root)
  return Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, resolve(value, root)]),
  )
}

/** `#/components/schemas/User` */
const find = (root: Json, pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .reduce<Json>((node, key) => (node as Mapping)[key.replaceAll('~1', '/')]!, root)

const isMapping = (node: Json): node is Mapping =>
  typeof node === 'object' && node !== null && !Array.isArray(node)
