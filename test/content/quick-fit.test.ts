import fs from 'node:fs'
import glob from 'fast-glob'
import { expect, test } from 'vitest'
import { quickParse } from '../../scripts/content/parse/quick.ts'
import { createFit } from '../../scripts/content/quick-fit.ts'
import { createValidator } from '../../scripts/content/schema.ts'
import { createFormats } from '../../scripts/content/values/formats.ts'
import { unlikelyIn } from '../../scripts/content/values/meant.ts'

// that nothing surely fits that ajv refuses is in load.test.ts: any file comes out the same either way

const formats = createFormats({ hostNames: [], portsAllowed: false })

test.each([
  ['profile', 'content/members/**/profile.yaml'],
  ['shot', 'content/members/**/shots/*.yaml'],
] as const)('every %s of the example site surely fits, so that ajv is not asked', (name, pattern) => {
  const { surelyFits } = createValidator(name, { formats, unlikely: (code) => unlikelyIn(code, '2030') })
  const files = glob.sync(pattern)
  expect(files.length).toBeGreaterThan(5)
  for (const file of files) expect(surelyFits(quickParse(fs.readFileSync(file, 'utf8'))!), file).toBe(true)
})

test.each([
  [{ type: 'string', maxLength: 3 }],
  [{ type: 'string', format: 'unknown' }],
  [{ $ref: '#/definitions/text' }],
  [{ not: {} }],
])('nothing is sure of a schema that is not understood: %j', (schema) => {
  expect(createFit(schema as object, { formats: {}, unlikely: () => undefined })('x')).toBe(false)
})
