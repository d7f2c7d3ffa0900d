import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { causeNames, causes, wording } from '../../scripts/verify/tell/causes.ts'

const page = readFileSync(new URL('../../docs/verify.md', import.meta.url), 'utf8')

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '\\*')

const rows = causeNames.map((name) => {
  const { severity, message, advice } = wording(name)
  return `| \`${name}\`${severity === 'warning' ? ' (warning)' : ''} | ${cell(message)} | ${cell(advice)} |`
})

test('docs/verify.md has a row for every cause, in the order of the table', () => {
  expect(
    page
      .split('## Causes')[1]!
      .split('\n')
      .filter((line) => line.startsWith('| `')),
  ).toEqual(rows)
})

test('every cause says what is wrong and what to change, in one sentence without a final period', () => {
  for (const name of causeNames) {
    const { message, advice } = wording(name)
    for (const text of [message, advice]) {
      expect(text).toMatch(/\S{2}/)
      expect(text).not.toMatch(/\.$|^[A-Z][a-z]+ /)
    }
  }
})

test('a part belongs to a cause that is named before it', () => {
  for (const name of causeNames) {
    const { partOf } = wording(name)
    if (partOf === undefined) continue
    expect(causes).toHaveProperty([partOf])
    expect(causeNames.indexOf(partOf as typeof name)).toBeLessThan(causeNames.indexOf(name))
  }
})
