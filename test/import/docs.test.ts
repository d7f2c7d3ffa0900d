import fs from 'node:fs'
import { expect, test } from 'vitest'
import { tolerances } from '../../scripts/import/body.ts'
import { messages } from '../../scripts/import/messages.ts'
import { losses } from '../../scripts/import/prove.ts'

const page = fs.readFileSync('docs/import.md', 'utf8')

test('docs/import.md explains every message', () => {
  const headings = [...page.matchAll(/<a id="(\S+)"><\/a>/g)].map(([, heading]) => heading)
  expect(headings).toEqual(Object.keys(messages).sort((a, b) => headings.indexOf(a) - headings.indexOf(b)))
})

test.each([...Object.keys(tolerances), ...losses])('docs/import.md names %s', (name) => {
  expect(page).toContain(`\`${name}\``)
})
