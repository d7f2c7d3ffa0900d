import { hash } from 'node:crypto'
import {
  fileOf,
  publishedRoute,
  type SiteRoute,
  signatureRoute,
  sumsFile,
  type Variant,
} from '../api/routes.ts'
import { timestampProblem } from '../content/values/timestamp.ts'
import { readFile } from '../files/folder.ts'
import { checkSignature, type Keys } from '../files/signature.ts'
import type { Addresses } from '../http/addresses.ts'
import { type Answer, failed, requestFor, type Sender } from '../http/exchange.ts'
import { UserError } from '../problems/diagnostic.ts'
import { jsonIn } from '../text/json.ts'
import { quote } from '../text/printable.ts'
import { fits, texts } from '../text/shape.ts'
import { type Difference, differ, judgeExchange, statusOf, unless } from './judge.ts'

// When the host was published: how old that is, whether a key signed it, and of which
// snapshot it tells.

export type Freshness = {
  /** Milliseconds. */
  readonly maxAge: number | undefined
  /** Keys of which one should have signed it; none if that is not asked. */
  readonly keys: Keys
}

/** Reads `90m`, `26h` or `2d`, in milliseconds. */
export const parseAge = (text: string): number => {
  const [, number, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  const minutes = { m: 1, h: 60, d: 1440 }[unit ?? '']
  if (minutes !== undefined) return Number(number) * minutes * 60_000
  throw new UserError(`--max-age takes minutes, hours or days, not ${quote(text)}`, {
    hint: 'write --max-age 26h where it is published once a day',
  })
}

type Options = {
  /** The folder of the snapshot that the host should serve. */
  readonly folder: string
  readonly addresses: Addresses
  readonly send: Sender['send']
  readonly freshness: Freshness
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Asks over one scheme. `told` is what to say where nothing is wrong. */
export const checkPublication = async (scheme: Variant, options: Options) => {
  const { addresses, send, freshness } = options
  const ask = async (route: SiteRoute) => {
    const request = requestFor(scheme, addresses[scheme].path + route.path, { limit: 65536 })
    return { request, outcome: await send(request) }
  }
  const asked = await ask(publishedRoute)
  const findings = judgeExchange(asked, (answer) => judgePublished(answer, options))
  const published = failed(asked.outcome) ? undefined : read(asked.outcome)
  if (!published || freshness.keys.length === 0)
    return { findings, told: published && toldOf(published) }
  const { request, outcome } = await ask(signatureRoute)
  const signature = failed(outcome) || outcome.status !== 200 ? undefined : outcome.content
  const verdict = signature
    ? checkSignature(published.bytes, { signature, keys: freshness.keys })
    : {
        doubt: `${signatureRoute.path} answers ${failed(outcome) ? 'nothing' : statusOf(outcome)}`,
      }
  if ('signer' in verdict)
    return { findings, told: `${toldOf(published)}, signed by the key ${verdict.signer}` }
  const difference = differ('not-signed', 'a signature by the key of --key', verdict.doubt)
  return { findings: [...findings, { ...difference, request }], told: undefined }
}

/** What `published.json` says. */
type Published = Readonly<Record<'published' | 'commit' | 'sums' | 'all', string>>

const read = ({ status, content }: Pick<Answer, 'status' | 'content'>) => {
  const value = status === 200 && content && jsonIn(Buffer.from(content).toString('utf8'))
  if (!content || !fits(value, texts('published', 'commit', 'sums', 'all'))) return undefined
  const said = value as Published
  return timestampProblem(said.published) ? undefined : { ...said, bytes: content }
}

const toldOf = ({ published, commit }: Published) =>
  ['published at', published, 'UTC', ...(commit ? ['from commit', commit] : [])].join(' ')

const judgePublished = (
  answer: Answer,
  { folder, freshness: { maxAge = Number.POSITIVE_INFINITY }, now }: Options,
): readonly Difference[] => {
  const found = read(answer)
  if (!found) {
    const got =
      answer.status === 200 ? 'something else than published.json' : statusOf(answer)
    return [differ('not-published', `200 for ${publishedRoute.path}`, got)]
  }
  const age = now - Date.parse(`${found.published.replace(' ', 'T')}Z`)
  const told = toldOf(found)
  const when = age < 0 ? 'a time to come' : `${lasting(age)} ago`
  const isFresh = age <= maxAge && (age >= -clockErrorMs || !Number.isFinite(maxAge))
  const seen = read({ status: 200, content: readFile(folder, fileOf(publishedRoute)) })
  const isEarlier = seen !== undefined && found.published < seen.published
  const sums = hash('sha256', readFile(folder, sumsFile) ?? '')
  return [
    ...unless(
      isFresh,
      'not-fresh',
      `published within ${lasting(maxAge)}`,
      `${told}, ${when}`,
    ),
    ...(isEarlier
      ? [differ('published-earlier', `${toldOf(seen)}, as in --out`, told)]
      : unless(
          found.sums === sums,
          'published-otherwise',
          'the snapshot in --out',
          `another one, ${told}`,
        )),
  ]
}

/** Clocks may differ by so much. */
const clockErrorMs = 3_600_000

/** `45 minutes`, `26 hours`, `4 days` */
const lasting = (milliseconds: number) => {
  const hours = milliseconds / 3_600_000
  if (hours < 2) return `${Math.round(hours * 60)} minutes`
  return hours < 72 ? `${Math.round(hours)} hours` : `${Math.floor(hours / 24)} days`
}
