import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { expectedFolder, type Files, goldens, readFiles } from './golden/golden.ts'

/** `npm run bless` takes what is found for what is expected. */
describe.each(Object.entries(goldens))('test/golden/%s', (name, make) => {
  const expected = readFiles(expectedFolder(name))
  const found = make()

  test('holds the files that are made, and no others', () => {
    expect([...found.keys()].sort()).toEqual([...expected.keys()])
  })

  test.each([...expected.keys()])('%s', (file) => {
    expect(legible(found, file)).toEqual(legible(expected, file))
    expect(found.get(file)!.equals(expected.get(file)!), 'every byte').toBe(true)
  })
})

/** A file in a form whose differences read well: a key a line. */
function legible(files: Files, file: string): string | undefined {
  const text = files.get(file)?.toString()
  return text !== undefined && file.endsWith('.json') ? JSON.stringify(JSON.parse(text), null, 2) : text
}

test('content of 0.1.0 gives the bytes of 0.1.0: an update changes nothing for clients', () => {
  const now = fs.readFileSync('test/golden/dist/SHA256SUMS', 'utf8').split('\n')
  const released = fs.readFileSync('test/golden/released-0.1.0.sha256', 'utf8').split('\n')
  expect(released.filter((line) => !now.includes(line))).toEqual([])
})
