import { expect, test } from 'vitest'
import { formats } from '../../scripts/problems/formats.ts'

const surroundings = { source: () => undefined, color: false, columns: 80 }

// what they say of problems is golden
test.each([
  ['pretty', ''],
  ['github', ''],
  ['lines', ''],
  ['json', '[]\n'],
] as const)('%s says of nothing what its readers expect', async (name, text) => {
  expect(await formats[name]([], surroundings)).toBe(text)
})
