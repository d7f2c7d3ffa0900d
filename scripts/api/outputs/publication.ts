import { code } from '../document/operation.ts'
import type { Output } from '../output.ts'
import { jsonHeaders, pathRoute } from '../route.ts'

const soonOld = { 'Cache-Control': 'public, max-age=60' } as const

/** When the snapshot was published, and from what; the list of checksums doesn't have it. */
export const publishedRoute = pathRoute('published', '/published.json', {
  headers: { ...jsonHeaders, ...soonOld },
  rank: 5,
})

/** What `ssh-keygen -Y sign -n shotpress` makes of it. */
export const signatureRoute = pathRoute('signature', '/published.json.sig', {
  headers: { 'Content-Type': 'application/octet-stream', ...soonOld },
  rank: 5,
})

/** Written by `--published` alone, once the snapshot is whole. */
export const publication: Output = {
  name: 'publication',
  routes: [publishedRoute, signatureRoute],
  mention: `${code(publishedRoute.path)} and its signature ${code(signatureRoute.path)}, which a site may have`,
}
