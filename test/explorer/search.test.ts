import { describe, expect, test } from 'vitest'
import { entryOf, search } from '../../scripts/explorer/data/search.ts'

const entries = [
  { username: 'ana', name: 'Ana Müller', location: 'São Paulo' },
  { username: 'noor', name: 'نور مثال', location: 'عمّان' },
  { username: 'haruka', name: '例示 はるか', location: '' },
].map(entryOf)

describe('a search', () => {
  test.each([
    ['ana', ['ana']],
    ['MULLER', ['ana']],
    ['paulo ana', ['ana']],
    ['sao', ['ana']],
    ['عمان', ['noor']],
    ['はる', ['haruka']],
    ['', ['ana', 'noor', 'haruka']],
    ['a', ['ana', 'haruka']],
    ['ana noor', []],
  ])('for %j finds %j', (query, found) => {
    expect(search(entries, query)).toEqual(found)
  })
})
