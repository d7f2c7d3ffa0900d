import { hash } from 'node:crypto'
import type { Request } from '../http/exchange.ts'
import { differ, type Finding } from './judge-answer.ts'
import type { View } from './judge-file.ts'

/** What a mirror reads: an index of `/api/all`, or the sha256 of a file that it names. */
export type Served = {
  readonly request: Request
  /** sha256 by the name of the file; `undefined` if this is a file. */
  readonly index?: ReadonlyMap<unknown, unknown>
  readonly digest?: string
}

/** What a host served of `/api/all`, of this snapshot or another; what else a body may be has a cause of its own. */
export const servedOf = ({ subject, exchanges, ok }: View): readonly Served[] => {
  if (ok === undefined || (ok.body !== 'right' && ok.body !== 'older')) return []
  const { request } = exchanges.find(({ question }) => question === 'plain')!
  const content = ok.answer.content!
  if (subject.kind === 'bins') return [{ request, digest: hash('sha256', content) }]
  const index = subject.kind === 'all' ? readIndex(content) : undefined
  return index === undefined ? [] : [{ request, index }]
}

const readIndex = (content: Uint8Array): Served['index'] => {
  try {
    const { bins } = JSON.parse(new TextDecoder().decode(content))
    return new Map(bins.map(({ name, sha256 }: Record<string, unknown>) => [name, sha256]))
  } catch {
    // what it is instead is told as the body of that path
    return undefined
  }
}

/** Holds each file against the index that the host served over the same scheme, as a mirror does. */
export const judgeBins = (served: readonly Served[]): readonly Finding[] =>
  served.flatMap(({ request, digest }) => {
    const { index } =
      served.find((one) => one.index !== undefined && one.request.scheme === request.scheme) ?? {}
    if (digest === undefined || index === undefined) return []
    const [name] = /[0-9a-f]+(?=\.ndjson$)/.exec(request.path) ?? []
    const listed = index.get(name)
    if (listed === digest) return []
    const expected =
      typeof listed === 'string'
        ? `the sha256 of the index, ${listed.slice(0, 64)}`
        : 'a line of it in the index'
    return [{ ...differ('bin-not-indexed', expected, digest), request }]
  })
