import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createAsk } from '../../scripts/cli/ask.ts'

test('an answer that is typed before its question counts', async () => {
  const input = new PassThrough()
  const { ask, end } = createAsk(input, new PassThrough())
  const first = ask('Title:', () => {})
  input.write('Poster\nposter.png\n')
  expect(await first).toBe('Poster')
  expect(await ask('Image:', () => {})).toBe('poster.png')
  const third = ask('Date:', () => {})
  input.write('2014-03-02\n')
  expect(await third).toBe('2014-03-02')
  end()
})
