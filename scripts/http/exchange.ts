import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { Variant } from '../api/routes.ts'

/** One request as it goes over the wire. */
export type Request = {
  readonly scheme: Variant
  readonly method: string
  /** The request target, sent as it stands: base path, path, query. */
  readonly path: string
  /** `shared` sends the host's bare name on both schemes, as a cache in front of two ports would see it. */
  readonly host: 'own' | 'shared'
  readonly headers: Readonly<Record<string, string>>
  /** Most bytes of a body that are read. */
  readonly limit: number
  /** Whether it goes over a connection that others use, also if its answer may have no body. */
  readonly shared?: boolean
}

/** A GET of a path, without headers, unless `more` says otherwise. */
export const requestFor = (scheme: Variant, path: string, more: Partial<Request> = {}): Request => ({
  scheme,
  method: 'GET',
  path,
  host: 'own',
  headers: {},
  limit: 262144,
  ...more,
})

export type Answer = {
  readonly status: number
  /** In the order of arrival, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** As it came. */
  readonly body: Uint8Array
  /** The body without its content codings; `undefined` when it could not be decoded. */
  readonly content: Uint8Array | undefined
  /** Whether there was more than the request's limit. */
  readonly cut: boolean
  /** Whether bytes followed an answer that has no body (HEAD, 204, 304). */
  readonly surplus: boolean
}

/** Why there is no answer. */
export type Failure = {
  readonly failure: 'refused' | 'name' | 'certificate' | 'tls' | 'timeout' | 'closed' | 'garbled' | 'gave-up'
  readonly detail: string
}

export type Outcome = Answer | Failure

export const failed = (outcome: Outcome): outcome is Failure => 'failure' in outcome

/** All values of a header, one an occurrence. */
export const values = (answer: Pick<Answer, 'headers'>, name: string): readonly string[] => {
  const wanted = name.toLowerCase()
  return answer.headers.filter(([key]) => key === wanted).map(([, value]) => value)
}

/** The one value of a header, several occurrences joined as HTTP says; `undefined` when absent. */
export const header = (answer: Pick<Answer, 'headers'>, name: string): string | undefined => {
  const all = values(answer, name)
  return all.length === 0 ? undefined : all.join(', ')
}

/** The elements of a comma-separated header, in lower case. */
export const elements = (value: string | undefined): readonly string[] =>
  (value ?? '')
    .split(',')
    .map((element) => element.trim().toLowerCase())
    .filter((element) => element !== '')

/** The headers by which a request differs from the plainest one of its method and path. */
export const tellingHeaders = ({ headers }: Request): readonly (readonly [name: string, value: string])[] =>
  Object.entries(headers).filter(
    ([name, value]) => name !== 'Content-Length' && !(name === 'Accept-Encoding' && value === 'identity'),
  )

/** The opaque part of an entity tag, quotes included; `undefined` when it is not one (RFC 9110, 8.8.3). */
export const opaque = (tag: string): string | undefined =>
  /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")$/.exec(tag)?.[1]

/** Whether two tags name the same thing, by weak comparison: Apache's are weak as long as a file is young. */
export const sameTag = (a: string, b: string): boolean => (opaque(a) ?? a) === (opaque(b) ?? b)

/** The content of an answer without its codings; `undefined` where they can't be undone within the limit. */
export const decode = (answer: Pick<Answer, 'headers' | 'body'>, limit: number): Uint8Array | undefined => {
  const codings = elements(header(answer, 'Content-Encoding')).filter((coding) => coding !== 'identity')
  if (answer.body.length === 0 || codings.length === 0) return answer.body
  if (codings.length > mostCodings) return undefined
  try {
    return codings.reduceRight<Uint8Array>((bytes, coding) => {
      if (coding === 'br') return brotliDecompressSync(bytes, { maxOutputLength: limit })
      if (coding === 'gzip' || coding === 'x-gzip') return gunzipSync(bytes, { maxOutputLength: limit })
      if (coding === 'deflate') return inflate(bytes, { maxOutputLength: limit })
      throw new RangeError(`unknown coding ${coding}`)
    }, answer.body)
  } catch {
    return undefined
  }
}

/** What is called deflate should have the head of zlib, and often has none. */
const inflate: typeof inflateSync = (bytes, options) =>
  ((bytes as Uint8Array)[0]! & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options)

/** No host has a reason for more; each may make a thousand times the bytes of the one before. */
const mostCodings = 3
