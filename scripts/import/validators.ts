import { hash } from 'node:crypto'
import { type Answer, header } from '../http/exchange.ts'
import { printable } from '../text/printable.ts'

/** What a server gives to ask whether its answer still holds. */
export type Validators = {
  readonly etag?: string | undefined
  readonly modified?: string | undefined
}

export const validatorsOf = (answer: Answer): Validators => ({
  etag: sendable(header(answer, 'ETag')),
  modified: sendable(header(answer, 'Last-Modified')),
})

/** Headers that ask whether an earlier answer still holds, if one is known; the file that says so may hold anything. */
export const headersOf = (known: Validators | undefined): Readonly<Record<string, string>> => {
  const etag = sendable(known?.etag)
  const modified = sendable(known?.modified)
  return {
    'User-Agent': 'shotpress-import',
    ...(etag && { 'If-None-Match': etag }),
    ...(modified && { 'If-Modified-Since': modified }),
  }
}

/** A header of an answer, if it can be sent back in a request. */
const sendable = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  /^[\x20-\x7e\x80-\xff]{1,999}$/.test(value) &&
  printable(value) === value
    ? value
    : undefined

/** The sha256, in hex. */
export const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes)
