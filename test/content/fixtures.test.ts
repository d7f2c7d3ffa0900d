import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { diagnosticsOf, expected, fixtures } from './fixture.ts'

/** Told by those who walk the tree, read bytes, and compare members; not by a file's own content. */
const elsewhere = [
  ...[
    'missing-site',
    'no-members',
    'stray-folder',
    'wrong-ending',
    'missing-profile',
    'twin-files',
    'stray-yaml',
    'git-repository',
    'bad-username',
    'untidy-username',
    'not-utf8',
  ],
  ...['duplicate-shot-id', 'duplicate-member-id', 'duplicate-token', 'duplicate-name', 'reserved-name'],
]

describe('what a file breaks is told once, at its place', () => {
  const codes = fs.readdirSync(fixtures).filter((code) => !elsewhere.includes(code))
  test.each(codes)('%s', (code) => {
    const told = diagnosticsOf(code).map(({ code, file, line, column, endLine, endColumn }) => ({
      code,
      file,
      line,
      column,
      endLine,
      endColumn,
    }))
    expect(told).toEqual(expected(code))
  })
})
