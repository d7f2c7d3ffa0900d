import type { Route, Variant } from '../../scripts/api/routes.ts'
import { sumsOf } from '../deploy/snapshots.ts'
import { snapshotOf } from '../hosts/managed.ts'
import { sandbox } from '../sandbox.ts'

/**
 * Members of the fixture: plain, with every punctuation mark, without shots, of the greatest
 * length.
 */
export const members = ['a.b-c_d', 'ana', 'quiet', `z${'o'.repeat(62)}e`] as const

/** The JSON that answers a route, shaped as the API's, without the newline. */
const record = (route: Route, variant: Variant, username: string) => {
  const url = (name: string) => `${variant}://img.example.com/${username}/${name}`
  if (route.name === 'user') {
    return {
      totalFollowers: '7',
      id: '42',
      username,
      name: 'Ana',
      bio: 'pens '.repeat(40),
      avatar: url('a.png'),
    }
  }
  return {
    Shots:
      username === 'quiet'
        ? []
        : [{ id: '7', image: url('i.png'), title: 'One', attachment: '' }],
  }
}

export const bytesOf = (route: Route, variant: Variant, username: string) =>
  `${JSON.stringify(record(route, variant, username))}\n`

/**
 * Writes a snapshot by hand, as the build lays it out, into a folder as {@link sandbox} makes
 * it.
 */
export const writeSnapshot = (
  usernames: readonly string[] = members,
  {
    has = () => true,
    end,
  }: { has?: (file: string) => boolean; end?: Parameters<typeof sandbox>[1] } = {},
) => {
  const files = Object.fromEntries(
    [...snapshotOf(usernames, bytesOf), ['_headers', '']].filter(([file]) => has(file!)),
  )
  const { 'published.json': _, 'published.json.sig': __, ...listed } = files
  return sandbox({ ...files, SHA256SUMS: sumsOf(listed) }, end)
}
