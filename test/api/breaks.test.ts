import fs from 'node:fs'
import { expect, test } from 'vitest'
import { findBreaks, type Json } from './breaks.ts'

const read = (file: string): Json => JSON.parse(fs.readFileSync(file, 'utf8'))
const released = read('test/api/released/openapi.json')

test('the document breaks no client of the last release', () => {
  expect(findBreaks(released, read('schemas/api/openapi.json'))).toEqual([])
})

/** The released document with another value at a path of keys; without the last key if there is none. */
const changed = (keys: readonly string[], value?: Json): Json => {
  const document = structuredClone(released) as Record<string, Json>
  let node = document
  for (const key of keys.slice(0, -1)) node = node[key] as Record<string, Json>
  if (value === undefined) delete node[keys.at(-1)!]
  else node[keys.at(-1)!] = value
  return document
}

const profile = ['paths', '/api/username/{username}']
const { components } = released as { components: { schemas: { User: { required: string[] } } } }
const user = ['components', 'schemas', 'User']

test.each([
  ['a path that is gone', changed(profile), '/paths//api/username/{username} is gone'],
  [
    'a status that is gone',
    changed([...profile, 'get', 'responses', '304']),
    '/get/responses/304 is gone',
  ],
  [
    'a header that is gone',
    changed(['components', 'responses', 'NotFound', 'headers', 'Cache-Control']),
    '/headers/Cache-Control is gone',
  ],
  [
    'a field that is promised no more',
    changed([...user, 'required'], components.schemas.User.required.slice(1)),
    '/required lacks totalFollowers',
  ],
  ['another type', changed([...user, 'properties', 'id', 'type'], 'integer'), '/type was string'],
  [
    'another limit',
    changed(['components', 'schemas', 'Shots', 'properties', 'Shots', 'maxItems'], 30),
    '/maxItems was 15, and is 30',
  ],
])('clients notice: %s', (_, document, told) => {
  expect(findBreaks(released, document).join('\n')).toContain(told)
})

test.each([
  ['other words', changed([...user, 'description'], 'Other words.')],
  ['a new header', changed(['components', 'responses', 'NotFound', 'headers', 'New'], {})],
])('clients do not notice: %s', (_, document) => {
  expect(findBreaks(released, document)).toEqual([])
})
