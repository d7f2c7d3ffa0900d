import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse as parseCore } from 'yaml'
import { parse } from '../../../scripts/content/parse/parse.ts'
import { schemasBeside } from '../../../scripts/content/schema.ts'
import { changeKeys, firstLine } from '../../../scripts/edit/yaml/change.ts'
import { shotFileName, slug, takenBy, writeScalar } from '../../../scripts/edit/yaml/write.ts'
import { rowsOf } from '../../tables.ts'

test('a new shot is written in the order of the schema, with its modeline', () => {
  const data = {
    title: 'Poster #1',
    id: '12',
    tags: ['poster', 'c#'],
    date: '2014-03-02 18:30:00',
    image: 'https://a.example/p.png',
    description: 'One.\nTwo.\n',
    price_item: '1.50',
    status: undefined,
  }
  expect(
    changeKeys(firstLine('shot', 'schemas'), data, 'shot').text,
  ).toBe(`# yaml-language-server: $schema=../../../../schemas/shot.schema.json
id: 12
title: "Poster #1"
date: 2014-03-02 18:30:00
image: https://a.example/p.png
description: |
  One.
  Two.
tags: [poster, c#]
price_item: "1.50"
`)
})

test('a new file leads its editor to the schemas of the program, wherever that is installed', () => {
  expect(firstLine('profile', 'node_modules/shotpress/schemas')).toBe(
    '# yaml-language-server: $schema=../../../node_modules/shotpress/schemas/profile.schema.json\n',
  )
  expect(firstLine('profile', undefined)).toBe('')
})

test('in groups, the schema is one folder further up', () => {
  expect(firstLine('shot', 'schemas', { groups: 2 })).toContain(
    '=../../../../../schemas/shot',
  )
  expect(firstLine('site', 'schemas', { groups: 2 })).toContain('=../schemas/site')
})

test('the schemas are named from the folder that holds the content, and not at all where they lie outside', () => {
  expect(schemasBeside(path.resolve('content'))).toBe('schemas')
  expect(schemasBeside(path.resolve('..', 'content'))).toBe(
    `${path.basename(process.cwd())}/schemas`,
  )
  expect(schemasBeside(path.resolve('test/content'))).toBe(undefined)
})

test.each(
  rowsOf(`
    ﬁne №5 → fine-no5
    ${'a'.repeat(59)} b → ${'a'.repeat(59)}
    İstanbul → istanbul
    Straße ẞ Ærø Œuvre Łódź → strasse-ss-aero-oeuvre-lodz
    Đorđe Þór Ðís ırmak → dorde-thor-dis-irmak
  `),
)('the slug of %j is %j', (title, wanted) => expect(slug(title)).toBe(wanted))

test.each([
  ['Poster', ['Poster.YAML'], 'poster-7.yaml'],
  ['Poster', ['poster.yml', 'poster-7.yaml'], 'poster-7-2.yaml'],
] as const)('a shot %j beside %j is %j', (title, present, wanted) =>
  expect(shotFileName({ id: '7', title }, new Set(present.map(takenBy)))).toBe(wanted),
)

const read = (text: string) => parse({ file: 'a.yaml', text }).data

const pieces = [...'aÜ \n#:-"\'|[,\t\r\\1.', 'null']
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0')),
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
)
const styles = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL'] as const

test('any text in any style, and between brackets, reads as this text, here and in an editor', () =>
  fc.assert(
    fc.property(anyText, fc.constantFrom(...styles), (text, style) => {
      const flow = writeScalar(text, { flow: true })
      const yaml = `a: ${writeScalar(text, { style })}\nb: [${flow}, ${flow}]\nc: end\n`
      const said = { a: text, b: [text, text], c: 'end' }
      expect(read(yaml)).toEqual(said)
      expect(parseCore(yaml)).toEqual(said)
    }),
    { numRuns: 300 },
  ))

test.each(
  rowsOf(`
    Poster for a jazz night
    Poster #1 → "Poster #1"
    https://a.example/#x
    2014-03-02 18:30:00
    1.50 → "1.50"
    yes → "yes"
    ∅ → ""
    a\u200bb → "a\\u200Bb"
  `),
)('%j is written as people write it', (text, written = text) =>
  expect(writeScalar(text)).toBe(written),
)

test.each(
  rowsOf(`
    QUOTE_SINGLE → it's → 'it''s'
    QUOTE_DOUBLE → one⏎two → "one\\ntwo"
    BLOCK_FOLDED → one → |-⏎  one
  `),
)('the style %s is kept where it can say the new text %j', (style, text, written) =>
  expect(writeScalar(text, { style: style as 'PLAIN' })).toBe(written),
)
