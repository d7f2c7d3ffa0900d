import { expect, test } from 'vitest'
import { readJson } from '../sandbox.ts'
import { findBreaks, type Json } from './breaks.ts'

const released: Json = readJson('test/api/released/openapi.json')

test('the document breaks no client of the last release', () =>
  expect(findBreaks(released, readJson('schemas/api/openapi.json'))).toEqual([]))

test('it would tell what clients notice, and nothing else', () => {
  const changed = structuredClone(released) as never as {
    paths: Record<string, object>
    components: { schemas: { User: { description: string; required: string[] } } }
  }
  const { User } = changed.components.schemas
  User.description = 'Other words.'
  changed.paths['/new'] = {}
  expect(findBreaks(released, changed as never)).toEqual([])
  User.required.shift()
  expect(findBreaks(released, changed as never).join()).toContain(
    '/required lacks totalFollowers',
  )
})
