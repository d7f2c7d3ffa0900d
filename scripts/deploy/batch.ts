import { memberFileAt } from '../api/member-file.ts'
import { contentType, errors, okHeaders, siteRouteAt } from '../api/routes.ts'
import type { StoredHeaders } from './store/store.ts'

/** Files that go to the remote, or from it, together. */
export type Batch = {
  readonly kind: 'upload' | 'remove'
  /** Batches are made in the order of their ranks. */
  readonly rank: number
  /** None for a removal. */
  readonly headers: StoredHeaders
}

/**
 * The batch of a change. No client may see the shots of a member without a profile: profiles come first and go last.
 * What is removed goes after all that is new has come.
 */
export const batchOf = (path: string, kind: Batch['kind']): Batch => {
  const isShots = memberFileAt(path)?.route.name === 'shots'
  return kind === 'upload'
    ? { kind, rank: isShots ? 1 : 0, headers: headersOf(path) }
    : { kind, rank: isShots ? 2 : 3, headers: {} }
}

/** What a store should send with a file of the snapshot. */
export const headersOf = (path: string): StoredHeaders => {
  const member = memberFileAt(path)
  if (member !== undefined) {
    const { encoding } = member
    return {
      'Content-Type': contentType,
      ...okHeaders,
      ...(encoding !== undefined && { 'Content-Encoding': encoding }),
    }
  }
  const error = Object.values(errors).find(({ file }) => file === path)
  if (error !== undefined) {
    return { 'Content-Type': contentType, 'Cache-Control': error.headers['Cache-Control'] }
  }
  const site = siteRouteAt(path)?.route
  if (site !== undefined) return { 'Content-Type': site.contentType, 'Cache-Control': site.cacheControl }
  return { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' }
}
