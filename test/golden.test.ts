import { describe, expect, test } from 'vitest'
import { expectedFolder, type Files, goldens, readFiles } from './golden/golden.ts'

/** `npm run bless` takes what is found for what is expected. */
describe.each(Object.entries(goldens))('test/golden/%s', (name, make) => {
  const expected = readFiles(expectedFolder(name))
  const found = make()

  test('holds the files that are made, and no others', () =>
    expect([...found.keys()].sort()).toEqual([...expected.keys()]))

  test.each([...expected.keys()])('%s', (file) => {
    expect(legible(found, file)).toEqual(legible(expected, file))
    expect(found.get(file)!.equals(expected.get(file)!), 'every byte').toBe(true)
  })
})

/** A file in a form whose differences read well: a key a line. */
function legible(files: Files, file: string) {
  const text = files.get(file)?.toString()
  return text !== undefined && file.endsWith('.json')
    ? JSON.stringify(JSON.parse(text), null, 2)
    : text
}
