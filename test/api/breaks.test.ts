import fs from 'node:fs'
import { expect, test } from 'vitest'
import { findBreaks, type Json } from './breaks.ts'

const read = (file: string): Json => JSON.parse(fs.readFileSync(file, 'utf8'))
const released = read('test/api/released/openapi.json')

test('the document breaks no client of the last release', () => {
  expect(findBreaks(released, read('schemas/api/openapi.json'))).toEqual([])
})

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
  expect(findBreaks(released, changed as never).join()).toContain('/required lacks totalFollowers')
})
