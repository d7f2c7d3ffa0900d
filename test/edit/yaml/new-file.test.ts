import path from 'node:path'
import { expect, test } from 'vitest'
import { readSchema, schemasBeside } from '../../../scripts/content/schema.ts'
import { writeNewFile } from '../../../scripts/edit/write.ts'

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
  expect(writeNewFile({ data, name: 'shot', schema: readSchema('shot'), schemas: 'schemas' }).text).toBe(
    [
      '# yaml-language-server: $schema=../../../../schemas/shot.schema.json',
      'id: 12',
      'title: "Poster #1"',
      'date: 2014-03-02 18:30:00',
      'image: https://a.example/p.png',
      'description: |',
      '  One.',
      '  Two.',
      'tags: [poster, c#]',
      'price_item: "1.50"',
      '',
    ].join('\n'),
  )
})

test('a new file leads its editor to the schemas of the program, wherever that is installed', () => {
  const firstLine = (schemas: string | undefined) =>
    writeNewFile({ data: { id: '1' }, name: 'profile', schema: readSchema('profile'), schemas }).text!.split(
      '\n',
    )[0]
  expect(firstLine('node_modules/shotpress/schemas')).toBe(
    '# yaml-language-server: $schema=../../../node_modules/shotpress/schemas/profile.schema.json',
  )
  expect(firstLine(undefined)).toBe('id: 1')
})

test('the schemas are named from the folder that holds the content, and not at all where they lie outside', () => {
  expect(schemasBeside(path.resolve('content'))).toBe('schemas')
  expect(schemasBeside(path.resolve('..', 'content'))).toBe(`${path.basename(process.cwd())}/schemas`)
  expect(schemasBeside(path.resolve('test/content'))).toBe(undefined)
})
