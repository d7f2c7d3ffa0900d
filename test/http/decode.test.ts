import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decode } from '../../scripts/http/exchange.ts'

const answerOf = (body: Uint8Array, coding: string) => ({
  status: 200,
  headers: [['content-encoding', coding]] as const,
  body: Buffer.from(body),
  cut: false,
  surplus: false,
})

test('codings are undone, the last one first', () => {
  const twice = brotliCompressSync(brotliCompressSync(Buffer.from('text')))
  expect(Buffer.from(decode(answerOf(twice, 'br, br'), 100)!).toString()).toBe('text')
})

test('more codings than any host has reason for are not undone', () => {
  let body: Uint8Array = Buffer.from('text')
  for (let count = 0; count < 4; count++) body = brotliCompressSync(body)
  expect(decode(answerOf(body, 'br, br, br, br'), 100)).toBe(undefined)
  expect(decode(answerOf(body, Array(20_000).fill('br').join()), 1 << 20)).toBe(undefined)
})
