import { encodings, type Variant } from '../api/routes.ts'
import { opaque } from '../http/etag.ts'
import {
  type Answer,
  elements,
  failed,
  header,
  type Outcome,
  type Request,
  requestFor,
} from '../http/exchange.ts'
import type { Resource } from './snapshot.ts'

/** A resource with the bytes of its files, and where it is asked for. */
export type Subject = Resource & {
  /** Path in front of the routes on each scheme. */
  readonly basePath: Readonly<Record<Variant, string>>
  readonly bytes: Readonly<Record<Variant, Uint8Array>>
}

/** What a request wants to know. */
export type Question =
  /** One Host header on both schemes, as a shared cache sees it. */
  | 'shared'
  | 'plain'
  /** As plain, but without Accept-Encoding; also the second look at the ETag. */
  | 'again'
  | 'slash'
  | 'query'
  | 'head'
  | 'spoof'
  | 'encoded'
  /** If-None-Match with the tag that the same request had; or with one of something else. */
  | 'own-tag'
  | 'other-tag'

export type Probe<Q extends string = Question> = { readonly question: Q; readonly request: Request }
export type Exchange<Q extends string = Question> = Probe<Q> & { readonly outcome: Outcome }

export type Look = {
  /** Schemes to ask, in the order of asking. */
  readonly schemes: readonly Variant[]
  /** Whether to ask everything, or for the content only. */
  readonly close: boolean
}

/** A query that no client sends, so that no cache holds an answer to it. */
const query = '?verify=shotpress&page=2'

/** Headers by which a stranger could claim that the request came over another scheme. */
const claims = (scheme: string) => ({
  'X-Forwarded-Proto': scheme,
  'X-Forwarded-Protocol': scheme,
  'X-Forwarded-Scheme': scheme,
  'X-Url-Scheme': scheme,
  'X-Forwarded-Ssl': scheme === 'https' ? 'on' : 'off',
  'Front-End-Https': scheme === 'https' ? 'on' : 'off',
  Forwarded: `proto=${scheme}`,
})

/** Values of Accept-Encoding; each allows what stands in it without `q=0`, and identity. */
const accepted = [
  ...encodings.map(({ name }) => name),
  ['deflate', ...encodings.map(({ name }) => name)].join(', '),
  encodings.map(({ name }) => `${name};q=0`).join(', '),
]

/**
 * The first round of requests about one file, to be sent one after another. Which scheme comes first matters: a
 * cache that mixes the schemes gives both what was asked for first.
 */
export const firstRound = (subject: Subject, { schemes, close }: Look): readonly Probe[] => {
  const identity = { 'Accept-Encoding': 'identity' }
  const probe = (question: Question, scheme: Variant, extra: Partial<Request> = {}): Probe => ({
    question,
    request: { ...request(subject, scheme), headers: identity, ...extra },
  })
  const [first, ...rest] = schemes
  return [
    ...[...schemes, ...(rest.length > 0 ? [first!] : [])].map((scheme) =>
      probe('shared', scheme, { headers: {}, host: 'shared' }),
    ),
    ...schemes.map((scheme) => probe('plain', scheme)),
    ...schemes.flatMap((scheme) => {
      const [path, other] = [pathOf(subject, scheme), otherScheme(scheme)]
      const spoofs = [{ 'X-Forwarded-Proto': other }, claims(other)]
      return [
        ...accepted.map((value) => probe('encoded', scheme, { headers: { 'Accept-Encoding': value } })),
        ...(close
          ? [
              probe('again', scheme, { headers: {} }),
              probe('query', scheme, { path: path + query }),
              probe('slash', scheme, { path: `${path}/` }),
              probe('head', scheme, { method: 'HEAD' }),
              ...spoofs.map((headers) => probe('spoof', scheme, { headers: { ...identity, ...headers } })),
            ]
          : []),
      ]
    }),
  ]
}

/** The second round: questions about the ETags that the first one brought. */
export const secondRound = (subject: Subject, { schemes }: Look, answers: readonly Exchange[]): Probe[] =>
  schemes.flatMap((scheme) => {
    const tag = tagOf(answers, scheme)
    if (tag === undefined) return []
    const ask = (question: Question, value: string, coding = 'identity'): Probe => ({
      question,
      request: {
        ...request(subject, scheme),
        headers: { 'Accept-Encoding': coding, 'If-None-Match': value },
      },
    })
    const other = schemes.includes(otherScheme(scheme)) ? tagOf(answers, otherScheme(scheme)) : undefined
    return [
      ask('own-tag', tag),
      ask('other-tag', '"shotpress-verify"'),
      ...(other === undefined || opaque(other) === opaque(tag) ? [] : [ask('other-tag', other)]),
      ...encodedTags(answers, scheme).map(({ coding, value }) => ask('own-tag', value, coding)),
    ]
  })

export const otherScheme = (scheme: Variant): Variant => (scheme === 'https' ? 'http' : 'https')

/** The codings that an Accept-Encoding of ours allows. */
export const allowedCodings = (request: Request): readonly string[] =>
  elements(request.headers['Accept-Encoding'])
    .filter((element) => !element.endsWith(';q=0'))
    .concat('identity')

const request = (subject: Subject, scheme: Variant): Request =>
  requestFor(scheme, pathOf(subject, scheme), {
    limit: Math.max(subject.bytes.https.length, subject.bytes.http.length) + 65536,
  })

const pathOf = ({ basePath, path }: Subject, scheme: Variant): string => basePath[scheme] + path

const tagOf = (answers: readonly Exchange[], scheme: Variant): string | undefined => {
  const plain = answers.find(({ question, request }) => question === 'plain' && request.scheme === scheme)
  return plain === undefined || failed(plain.outcome) ? undefined : validTag(plain.outcome)
}

/** The ETag of a 200, if it is one. */
const validTag = (answer: Answer): string | undefined => {
  const tag = answer.status === 200 ? header(answer, 'ETag') : undefined
  return tag !== undefined && opaque(tag) !== undefined ? tag : undefined
}

const encodedTags = (answers: readonly Exchange[], scheme: Variant) => {
  const tags = new Map<string, string>()
  for (const { question, request, outcome } of answers) {
    if (question !== 'encoded' || request.scheme !== scheme || failed(outcome)) continue
    const coding = codingOf(outcome)
    const tag = validTag(outcome)
    if (coding !== 'identity' && tag !== undefined) tags.set(coding, tag)
  }
  return Array.from(tags, ([coding, value]) => ({ coding, value }))
}

/** The content coding of an answer; `identity` is none. */
export const codingOf = (answer: Answer): string =>
  elements(header(answer, 'Content-Encoding')).join(', ') || 'identity'
