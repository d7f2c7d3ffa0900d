import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messages } from '../../scripts/problems/messages.ts'
import { ofTheSnapshot, onTheFly } from '../fixtures/on-the-fly.ts'

const docs = readFileSync('docs/diagnostics.md', 'utf8')

const codes = Object.keys(messages).sort()
const matches = (pattern: RegExp): string[] =>
  Array.from(docs.matchAll(pattern), ([, name]) => name!).sort()

test('every code has a heading of its own in docs/diagnostics.md', () => {
  expect(matches(/^### (.+)$/gm)).toEqual(codes)
})

test('every code has a fixture: a folder, or a tree made on the fly', () => {
  const made = [...Object.keys(onTheFly), ...ofTheSnapshot]
  expect([...readdirSync('test/fixtures/diagnostics'), ...made].sort()).toEqual(codes)
})
