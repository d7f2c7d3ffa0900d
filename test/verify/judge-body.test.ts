import { expect, test } from 'vitest'
import { routes } from '../../scripts/api/routes.ts'
import type { Answer } from '../../scripts/http/exchange.ts'
import { judgeBody } from '../../scripts/verify/judge-answer.ts'
import { memberResource } from '../../scripts/verify/snapshot.ts'
import { bytesOf, record } from './snapshot.ts'

const [user, shots] = routes as [(typeof routes)[0], (typeof routes)[0]]
const subject = {
  ...memberResource(user, 'ana'),
  basePath: { https: '', http: '' },
  bytes: {
    https: Buffer.from(bytesOf(user, 'https', 'ana')),
    http: Buffer.from(bytesOf(user, 'http', 'ana')),
  },
}

const answer = (body: string | Buffer, extra: Partial<Answer> = {}): Answer => {
  const bytes = Buffer.from(body as string)
  return { status: 200, headers: [], body: bytes, content: bytes, cut: false, surplus: false, ...extra }
}

const right = bytesOf(user, 'https', 'ana')

test.each([
  ['right', answer(right)],
  ['other-variant', answer(bytesOf(user, 'http', 'ana'))],
  ['other-variant', answer(JSON.stringify(record(user, 'http', 'ana'), null, 2))],
  ['reformatted', answer(JSON.stringify(record(user, 'https', 'ana'), null, 2))],
  ['reformatted', answer(right.trimEnd().concat('\r\n'))],
  ['reformatted', answer(right.replace('Ana', '\\u0041na'))],
  ['truncated', answer(right.slice(0, 40))],
  ['truncated', answer('')],
  ['other-file', answer(bytesOf(shots, 'https', 'ana'))],
  ['other-file', answer(bytesOf(user, 'https', 'quiet'))],
  ['older', answer(right.replace('"7"', '"8"'))],
  ['foreign', answer('<html>')],
  ['foreign', answer('[]')],
  ['foreign', answer('{"error":"not_found"}\n')],
  ['undecodable', answer(right, { content: undefined })],
] as const)('a body is %s', (expected, given) => {
  expect(judgeBody(given, subject, 'https')).toBe(expected)
})

test('an answer that was cut is never right', () => {
  expect(judgeBody(answer(right, { cut: true }), subject, 'https')).not.toBe('right')
})
