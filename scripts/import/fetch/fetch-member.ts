import { type Route, requestPath, routes, type Variant } from '../../api/routes.ts'
import type { Addresses } from '../../http/addresses.ts'
import { failed } from '../../http/exchange.ts'
import type { Answers, Kept, Part } from '../keep/answers.ts'
import { bodyLimit } from '../keep/bodies.ts'
import type { Store } from '../keep/store.ts'
import type { Asker } from './asker.ts'
import { bodyOf, isAbsent, readAnswer, sendable } from './read-answer.ts'
import { sameButScheme } from './same-but-scheme.ts'

/** When the plain-http address is asked: where https says something new, always, or never. */
export type HttpAsked = 'changed' | 'always' | 'never'

export type FetchTools = {
  readonly addresses: Addresses
  readonly store: Store
  readonly ask: Asker
  readonly http: HttpAsked
  /** Whether plain http turned out to have no bodies. */
  readonly isHttpUseless: () => boolean
}

/** Asks for a member: with conditions where a body is kept, so that what did not change costs two short answers. */
export const fetchMember = async (
  { name, before }: { readonly name: string; readonly before: Answers },
  tools: FetchTools,
): Promise<Answers> => {
  const https: Partial<Record<Part, Kept>> = {}
  const http: Partial<Record<Part, Kept>> = {}
  const bodies: Partial<Record<Part, Uint8Array>> = {}
  for (const route of routes) {
    if (https.user?.failure !== undefined) {
      https[route.name] = { ...bodyOf(before.https[route.name]), status: 0, problem: notAskedEither }
      continue
    }
    const { kept, body } = await askOne('https', { name, route, before }, tools)
    https[route.name] = kept
    if (body !== undefined) bodies[route.name] = body
  }
  const absent = isAbsent(https.user)
  for (const route of routes) {
    const [now, old] = [https[route.name]!, before.https[route.name]]
    const known = before.http[route.name]
    const changed = now.body !== old?.body || known === undefined
    const isAnswer = now.problem === undefined || isAbsent(now)
    const isWanted = tools.http === 'always' || (tools.http === 'changed' && changed)
    const isDue = isAnswer && !absent && isWanted
    if (isDue && tools.isHttpUseless()) http[route.name] = { ...known, status: 0, problem: notAsked }
    else if (isDue) {
      const { kept, body } = await askOne('http', { name, route, before }, tools)
      const isLike = kept.problem === undefined && sameButScheme(bodies[route.name], body)
      http[route.name] = isLike ? { ...kept, like: now.body! } : kept
    } else if (known !== undefined) http[route.name] = known
  }
  return { https, http }
}

const notAsked = 'it was not asked, as it had no body for other members'

const notAskedEither = 'it was not asked, as the profile got no answer'

type Question = { readonly name: string; readonly route: Route; readonly before: Answers }

/** What is to be kept of an answer, and the body that came with it: none if the one that is kept still holds. */
type Asked = { readonly kept: Kept; readonly body?: Uint8Array | undefined }

const askOne = async (
  scheme: Variant,
  { name, route, before }: Question,
  { addresses, store, ask }: FetchTools,
): Promise<Asked> => {
  const known = before[scheme][route.name]
  const usable = known?.body !== undefined && store.body(known.body) !== undefined ? known : undefined
  const outcome = await ask({
    scheme,
    method: 'GET',
    path: addresses[scheme].path + requestPath(route, name),
    host: 'own',
    headers: headersOf(usable),
    limit: bodyLimit,
    shared: true,
  })
  // what other members ask goes out before this is kept, so the server has work meanwhile
  await new Promise(setImmediate)
  const kept = readAnswer(outcome, { before: known, conditional: usable !== undefined, store })
  return failed(outcome) || outcome.status !== 200 ? { kept } : { kept, body: outcome.content }
}

/** The log may have been damaged: what no request can carry is left out. */
const headersOf = ({ etag, modified }: Partial<Kept> = {}): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Encoding': 'gzip, br',
    'User-Agent': 'shotpress-import',
  }
  const [tag, time] = [sendable(etag), sendable(modified)]
  if (tag !== undefined) headers['If-None-Match'] = tag
  if (time !== undefined) headers['If-Modified-Since'] = time
  return headers
}
