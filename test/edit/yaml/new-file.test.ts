import { expect, test } from 'vitest'
import { readSchema } from '../../../scripts/content/schema.ts'
import { writeNewFile } from '../../../scripts/edit/yaml/new-file.ts'

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
  expect(writeNewFile({ data, name: 'shot', schema: readSchema('shot') }).text).toBe(
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
