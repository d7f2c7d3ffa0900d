import fs from 'node:fs'
import fc from 'fast-check'
import glob from 'fast-glob'
import { describe, expect, test } from 'vitest'
import type { Data } from '../../scripts/content/parse/data.ts'
import { quickParse } from '../../scripts/content/parse/quick.ts'
import { createFit } from '../../scripts/content/quick-fit.ts'
import { createValidator, type SchemaName } from '../../scripts/content/schema.ts'
import { createFormats } from '../../scripts/content/values/formats.ts'
import { texts } from './parse/mutate.ts'

const formats = createFormats({ hostNames: [{ name: 'nginx' }], portsAllowed: false })
const validators = new Map(
  (['profile', 'shot'] as const).map((name) => [name, createValidator(name, formats, { latest: '2030' })]),
)

/** Texts that some value of the schemas may be, or nearly. */
const text = fc.oneof(
  fc.constantFrom(
    ...texts('¦0¦1¦007¦-3¦true¦no¦ ¦a b¦a,b¦2014-03-02¦2014-02-30¦x.png¦@lena', 'a'.repeat(40)),
  ),
  fc.constantFrom(...texts('https://a.example/x¦http://a.example:80/¦//a/b¦ftp://a/b¦../x')),
  fc.string({ maxLength: 8 }),
)

const anything: fc.Arbitrary<Data> = fc.letrec<{ data: Data }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    text,
    fc.array(tie('data'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('id', 'created', 'x', '__proto__'), tie('data'), { maxKeys: 3 }),
  ),
})).data

describe.each(['profile', 'shot'] as const satisfies readonly SchemaName[])('of a %s', (name) => {
  const { schema, surelyFits, breaches } = validators.get(name)!
  const keys = Object.keys(schema.properties!)

  test('what surely fits has no breach', () => {
    const base: Data = { id: '1', name: 'A', title: 'A', date: '2014-03-02', image: 'a.png' }
    const own = Object.fromEntries(Object.entries(base).filter(([key]) => keys.includes(key)))
    let fitted = 0
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys, 'unknown'), anything, { maxKeys: 4 }), (changes) => {
        const data = { ...own, ...changes }
        if (!surelyFits(data)) return true
        fitted++
        return breaches(data).count === 0
      }),
      { numRuns: 3000, seed: 7 },
    )
    expect(fitted).toBeGreaterThan(150)
  })

  test('every file of the example site that is right surely fits', () => {
    const files = glob.sync(`content/members/**/${name === 'shot' ? 'shots/*' : 'profile'}.yaml`)
    expect(files.length).toBeGreaterThan(5)
    for (const file of files) expect(surelyFits(quickParse(fs.readFileSync(file, 'utf8'))!), file).toBe(true)
  })
})

test.each([
  [{ type: 'string', maxLength: 3 }],
  [{ type: 'string', format: 'unknown' }],
  [{ $ref: '#/definitions/text' }],
  [{ not: {} }],
])('nothing is sure of a schema that is not understood: %j', (schema) => {
  expect(createFit(schema as object, { accepts: {}, unlikely: () => undefined })('x')).toBe(false)
})
