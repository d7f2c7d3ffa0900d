import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { withQuestions } from '../../scripts/cli/ask.ts'

test('an answer that is typed before its question counts', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const asking = async (ask: Parameters<Parameters<typeof withQuestions>[0]>[0]) => {
    const first = ask!('Title:', () => {})
    input.write('Poster\nposter.png\n')
    expect(await first).toBe('Poster')
    expect(await ask!('Image:', () => {})).toBe('poster.png')
    const third = ask!('Date:', () => {})
    input.write('2014-03-02\n')
    return third
  }
  expect(await withQuestions(asking, { input, output: new PassThrough() })).toBe('2014-03-02')
})
