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
import { statusOf } from './answer.ts'
import { type Difference, differ, judgeExchange } from './judge.ts'

// When the host was published: how old that is, whether a key signed it, and of which snapshot it tells.

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
  if (published === undefined || freshness.keys.length === 0) {
    return { findings, told: published && toldOf(published) }
  }
  const signed = await ask(signatureRoute)
  let signer = ''
  const judge = (answer: Answer): readonly Difference[] => {
    const isThere = answer.status === 200 && answer.content !== undefined
    const verdict = isThere
      ? checkSignature(published.bytes, { signature: answer.content, keys: freshness.keys })
      : { doubt: `${signatureRoute.path} answers ${statusOf(answer)}` }
    if ('doubt' in verdict)
      return [differ('not-signed', 'a signature by the key of --key', verdict.doubt)]
    signer = verdict.signer
    return []
  }
  return {
    findings: [...findings, ...judgeExchange(signed, judge)],
    told: `${toldOf(published)}, signed by the key ${signer}`,
  }
}

/** What `published.json` says. */
type Published = Readonly<Record<'published' | 'commit' | 'sums' | 'all', string>>

const read = ({ status, content }: Pick<Answer, 'status' | 'content'>) => {
  const value = content && jsonIn(Buffer.from(content).toString('utf8'))
  const { published, commit, sums, all } = (value ?? {}) as Partial<Published>
  if (status !== 200 || content === undefined || typeof published !== 'string') return undefined
  if (timestampProblem(published) !== undefined || typeof commit !== 'string') return undefined
  if (typeof sums !== 'string' || typeof all !== 'string') return undefined
  return { published, commit, sums, all, bytes: content }
}

const toldOf = ({ published, commit }: Published): string =>
  ['published at', published, 'UTC', ...(commit ? ['from commit', commit] : [])].join(' ')

const judgePublished = (
  answer: Answer,
  { folder, freshness, now }: Options,
): readonly Difference[] => {
  const found = read(answer)
  if (found === undefined) {
    const got = answer.status === 200 ? 'something else than published.json' : statusOf(answer)
    return [differ('not-published', `200 for ${publishedRoute.path}`, got)]
  }
  const age = now - Date.parse(`${found.published.replace(' ', 'T')}Z`)
  const { maxAge } = freshness
  const told = toldOf(found)
  const differences: Difference[] = []
  if (maxAge !== undefined && age > maxAge) {
    differences.push(
      differ('not-fresh', `published within ${lasting(maxAge)}`, `${told}, ${lasting(age)} ago`),
    )
  } else if (maxAge !== undefined && age < -clockErrorMs) {
    differences.push(
      differ('not-fresh', `published within ${lasting(maxAge)}`, `${told}, a time to come`),
    )
  }
  const seen = read({ status: 200, content: readFile(folder, fileOf(publishedRoute)) })
  if (seen !== undefined && found.published < seen.published) {
    differences.push(differ('published-earlier', `${toldOf(seen)}, as in --out`, told))
  } else if (found.sums !== hash('sha256', readFile(folder, sumsFile) ?? '')) {
    differences.push(differ('published-otherwise', 'the snapshot in --out', `another one, ${told}`))
  }
  return differences
}

/** Clocks may differ by so much. */
const clockErrorMs = 3_600_000

/** `45 minutes`, `26 hours`, `4 days` */
const lasting = (milliseconds: number): string => {
  const hours = milliseconds / 3_600_000
  if (hours < 2) return `${Math.round(hours * 60)} minutes`
  return hours < 72 ? `${Math.round(hours)} hours` : `${Math.floor(hours / 24)} days`
}
