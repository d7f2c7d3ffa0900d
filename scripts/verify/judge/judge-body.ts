import { isDeepStrictEqual } from 'node:util'
import type { Variant } from '../../api/routes.ts'
import { type Answer, sameBytes } from '../../http/exchange.ts'
import { codingOf, otherScheme, type Subject } from '../ask/member-probes.ts'
import { excerpt } from './judge-outcome.ts'

/** What a body turned out to be, compared with the file that it should be. */
export type Body =
  | 'right'
  | 'other-variant'
  | 'reformatted'
  | 'truncated'
  | 'other-file'
  | 'older'
  | 'undecodable'
  | 'foreign'

export const judgeBody = (answer: Answer, subject: Subject, scheme: Variant): Body => {
  const wanted = subject.bytes[scheme]
  const { content } = answer
  if (content === undefined) return 'undecodable'
  if (!answer.cut && sameBytes(content, wanted)) return 'right'
  if (!answer.cut && sameBytes(content, subject.bytes[otherScheme(scheme)])) return 'other-variant'
  if (content.length < wanted.length && sameBytes(content, wanted.subarray(0, content.length))) {
    return 'truncated'
  }
  const found = parse(content)
  const expected = parse(wanted)
  if (!isRecord(found) || !isRecord(expected)) return 'foreign'
  if (isDeepStrictEqual(found, expected)) return 'reformatted'
  if (isDeepStrictEqual(found, parse(subject.bytes[otherScheme(scheme)]))) return 'other-variant'
  if (!sameKeys(found, expected)) return isPublished(found) ? 'other-file' : 'foreign'
  return 'username' in expected && found.username !== expected.username ? 'other-file' : 'older'
}

/** What a body is, in words; may hold text of it, so it is not printable yet. */
export const describeBody = (body: Body, answer: Answer): string => {
  const start = excerpt(new TextDecoder().decode((answer.content ?? answer.body).subarray(0, 200)))
  const length = `${answer.cut ? 'more than ' : ''}${(answer.content ?? answer.body).length} bytes`
  switch (body) {
    case 'right':
      return 'the right bytes'
    case 'other-variant':
      return 'the other variant'
    case 'reformatted':
      return `the same data in other bytes (${length})`
    case 'truncated':
      return `only the first ${length}`
    case 'other-file':
      return `another file of the API (${length})`
    case 'older':
      return `other data (${length})`
    case 'undecodable':
      return `bytes that are not ${codingOf(answer)}`
    case 'foreign':
      return `${length} that begin with ${start}`
    default:
      return body satisfies never
  }
}

/** Whether the two files of a resource differ at all. */
export const variantsDiffer = ({ bytes }: Subject): boolean => !sameBytes(bytes.https, bytes.http)

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

type Json = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sameKeys = (a: Json, b: Json): boolean => isDeepStrictEqual(Object.keys(a), Object.keys(b))

/** Whether it is one of the two kinds of body that the API has, whoever's. */
const isPublished = (found: Json): boolean => 'Shots' in found || 'username' in found
