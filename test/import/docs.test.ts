import fs from 'node:fs'
import { expect, test } from 'vitest'
import { rules } from '../../scripts/import/prove/compare-field.ts'
import { tolerances } from '../../scripts/import/read/tolerance.ts'
import { messages } from '../../scripts/import/tell/messages.ts'

const page = fs.readFileSync('docs/import.md', 'utf8')

test('docs/import.md explains every message', () => {
  const headings = [...page.matchAll(/^### (\S+)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(Object.keys(messages).sort((a, b) => headings.indexOf(a) - headings.indexOf(b)))
})

test.each([...Object.keys(tolerances), ...Object.keys(rules)])('docs/import.md names %s', (name) => {
  expect(page).toContain(`\`${name}\``)
})
