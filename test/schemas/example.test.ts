import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSchema, type SchemaName } from '../../scripts/content/schema.ts'
import { readText } from '../sandbox.ts'

const example = 'test/example/content'
const files = fs
  .readdirSync(example, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.ya?ml$/.test(file))
  .map((file) => ({
    file: file.split(path.sep),
    text: readText(`${example}/${file}`),
  }))

test.each(['site', 'profile', 'shot'] as const satisfies readonly SchemaName[])(
  'the example site uses every key of a %s, or shows it in a comment',
  (name) => {
    const texts = files
      .filter(
        ({ file }) => (file.includes('shots') ? 'shot' : file.at(-1)!.split('.')[0]) === name,
      )
      .map(({ text }) => text)
    const shown = (key: string) =>
      texts.some((text) => new RegExp(`^(?:# )?${key}:`, 'm').test(text))
    expect(Object.keys(readSchema(name).properties!).filter((key) => !shown(key))).toEqual([])
  },
)
