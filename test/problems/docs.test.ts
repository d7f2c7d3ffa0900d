import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messages } from '../../scripts/problems/messages.ts'
import { captured } from '../captured.ts'
import { ofTheSnapshot, onTheFly } from '../fixtures/on-the-fly.ts'

const docs = readFileSync('docs/diagnostics.md', 'utf8')

const codes = Object.keys(messages).sort()
test('every code has a heading of its own in docs/diagnostics.md', () =>
  expect(captured(docs, /^### (.+)$/gm).sort()).toEqual(codes))

test('every code has a fixture: a folder, or a tree made on the fly', () => {
  const made = [...Object.keys(onTheFly), ...ofTheSnapshot]
  expect([...readdirSync('test/fixtures/diagnostics'), ...made].sort()).toEqual(codes)
})
