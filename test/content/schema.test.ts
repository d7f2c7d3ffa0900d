import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Data } from '../../scripts/content/parse/data.ts'
import {
  createJudgeData,
  createValidator,
  readSchema,
  type Subschema,
} from '../../scripts/content/schema.ts'
import { createJudge } from '../../scripts/content/values/formats.ts'
import { messages } from '../../scripts/problems/messages.ts'
import { readJson } from '../sandbox.ts'
import { editorCheck } from './editor.ts'

const read = (name: string) => readJson(`schemas/${name}.schema.json`)

const content = ['profile', 'shot', 'site'] as const
const judge = createJudge([{ name: 'netlify' }], { portsAllowed: false, latest: '2030' })
const { formats } = judge
const judgeData = createJudgeData(judge)

type Node = Subschema & Readonly<Record<string, unknown>>

/** Every subschema, with its place in the schema. */
const subschemas = (schema: Node, at = ''): readonly [string, Node][] => [
  [at, schema],
  ...['properties', 'definitions'].flatMap((keyword) =>
    Object.entries((schema[keyword] ?? {}) as Record<string, Node>).flatMap(([key, sub]) =>
      subschemas(sub, `${at}/${keyword}/${key}`),
    ),
  ),
  ...(schema.items === undefined ? [] : subschemas(schema.items as Node, `${at}/items`)),
]

const draft07 = { Dialect: Ajv, $schema: 'http://json-schema.org/draft-07/schema#' } as const
const draft2020 = {
  Dialect: Ajv2020,
  $schema: 'https://json-schema.org/draft/2020-12/schema',
} as const

describe.each([
  ...content.map((name) => ({ name, ...draft07 })), // what editors know best
  ...['api/user', 'api/shots'].map((name) => ({ name, ...draft2020 })), // as OpenAPI 3.1
])('the schema $name', ({ name, Dialect, $schema }) => {
  const schema = read(name)

  test(`is valid JSON Schema of ${$schema}, without unknown words`, () => {
    const known = Object.fromEntries(
      Object.keys(formats).map((format) => [format, true as const]),
    )
    const ajv = new Dialect({ strict: true, allowUnionTypes: true, formats: known })
    ajv.addVocabulary(['x-code', 'markdownDescription', 'patternErrorMessage'])
    expect(() => ajv.compile(schema)).not.toThrow()
    expect(schema.$schema).toBe($schema)
  })

  test('describes every key, with an example', () => {
    // the number of an account would be somebody's
    const others = ['/properties/Shots', '/properties/owners']
    for (const [at, sub] of subschemas(schema)) {
      if (!/\/properties\/[^/]+$/.test(at) || others.includes(at)) continue
      expect(sub, at).toMatchObject({
        description: expect.stringMatching(/\.$/),
        examples: expect.anything(),
      })
    }
  })
})

describe.each(content)('the schema %s', (name) => {
  const schema = read(name)
  const breaches = createValidator(readSchema(name), judge)

  test('uses keywords that the quick check or a rule knows, and no others', () => {
    const known =
      'type pattern format enum items properties required additionalProperties minimum maxItems uniqueItems $schema $id $ref definitions title description markdownDescription patternErrorMessage x-code default examples'
    for (const [at, sub] of subschemas(schema))
      expect(known.split(' '), at).toEqual(expect.arrayContaining(Object.keys(sub)))
  })

  test('puts nothing beside a $ref that the YAML language server drops there', () => {
    for (const [at, sub] of subschemas(schema)) {
      if (!('$ref' in sub)) continue
      expect(['$ref', 'title', 'description', 'default', 'examples'], at).toEqual(
        expect.arrayContaining(Object.keys(sub)),
      )
    }
  })

  test('says of every keyword on text which diagnostic its breach is', () => {
    for (const [at, sub] of subschemas(schema)) {
      if (!('pattern' in sub || 'format' in sub || 'enum' in sub)) continue
      expect(Object.keys(messages), at).toContain(sub['x-code'])
    }
  })

  test('is fitted by what ajv finds nothing in, and by nothing else', () => {
    const examples = subschemas(schema).flatMap(([, { examples = [] }]) =>
      examples.map(asTexts),
    )
    const text = fc.constantFrom<Data>(...examples, '', ' ', '-1', 'a b', './')
    const entry = fc.dictionary(fc.constantFrom('id', 'created', 'https', 'other'), text)
    const value = fc.oneof(text, entry, fc.array(fc.oneof(text, entry), { maxLength: 2 }))
    const key = fc.constantFrom(...Object.keys(schema.properties), 'other')
    fc.assert(
      fc.property(fc.oneof(value, fc.dictionary(key, value)), (data) => {
        expect(judgeData(data, readSchema(name)).fits).toBe(breaches(data).length === 0)
      }),
      { numRuns: 1000 },
    )
  })

  test('fits its own examples and defaults, for the build and for an editor', () => {
    const required = Object.fromEntries(
      schema.required.map((key: string) => [key, schema.properties[key].examples[0]]),
    )
    const inEditor = editorCheck(name)
    for (const [key, { examples = [], default: absent }] of Object.entries(
      schema.properties,
    ) as [string, Node][]) {
      for (const value of [...examples, ...(absent === undefined ? [] : [absent])]) {
        const file = { ...required, [key]: value }
        expect(breaches(asTexts(file)), key).toEqual([])
        expect(inEditor(file), key).toEqual([])
      }
    }
  })
})

/** Typed data as the build reads it. */
const asTexts = (value: unknown): never => {
  if (Array.isArray(value)) return value.map(asTexts) as never
  if (typeof value !== 'object' || value === null) return String(value) as never
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, asTexts(item)]),
  ) as never
}
