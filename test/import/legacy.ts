import { hash } from 'node:crypto'
import { times } from '../times.ts'
import type { Handler, Reply } from '../verify/reference-host.ts'

/** What the old server says of its members: any JSON values, as it may be wrong in any way. */
export type Legacy = Record<string, { user: Fields; shots: Fields[] }>

export type Fields = Record<string, unknown>

/** A member of the old server, all well. */
export const legacyMember = (
  username: string,
  id: number,
  { user = {}, shots = [] }: Partial<Legacy[string]> = {},
): Legacy[string] => ({
  user: {
    totalFollowers: '120',
    totalFollowing: '7',
    Likes: '0',
    totalShots: String(shots.length),
    Lists: '0',
    Listed: '3',
    Projects: '0',
    id: String(id),
    username,
    name: `${username} Example`,
    location: 'Lisbon',
    twitter: '',
    website: `https://${username}.example.com`,
    bio: 'I draw letters.',
    skills: 'type,print',
    avatar: `https://img.example.org/${username}.png`,
    type_account: '0',
    cover_image: '',
    ...user,
  },
  shots,
})

/** A server with one member, ana: shots by id or as they are, the newest first. */
export const ana = (shots: readonly (number | Fields)[] = [], user: Fields = {}) => {
  const list = shots.map((shot) => (typeof shot === 'number' ? legacyShot(shot, 1) : shot))
  return { ana: legacyMember('ana', 1, { user, shots: list }) }
}

/** A server with so many members, from m10 on. */
export const crowd = (count: number) =>
  Object.fromEntries(
    times(count, (index) => {
      const name = `m${index + 10}`
      return [name, legacyMember(name, index + 1)]
    }),
  )

/** A shot of the old server, all well. */
export const legacyShot = (id: number, owner: number, over: Fields = {}): Fields => ({
  id: String(id),
  id_project: '0',
  created_project: '0000-00-00 00:00:00',
  image: `https://img.example.org/${id}.png`,
  large_image: `https://img.example.org/${id}.png`,
  token_id: hash('sha1', `shot:${id}`),
  description: '',
  title: `Shot ${id}`,
  user_id: String(owner),
  status: '0',
  tags: '',
  date: dateOf(id),
  attachment: '',
  url_purchased: '',
  price_item: '',
  ...over,
})

/** Later shots have later dates. */
export const dateOf = (id: number) =>
  new Date(Date.UTC(2014, 0, 1) + id * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** Shots with these ids, the newest first. */
export const shotsOf = (owner: number, ids: readonly number[]): Fields[] =>
  ids.toSorted((a, b) => b - a).map((id) => legacyShot(id, owner))

/** What a body looks like on the wire. */
export type Dress = (text: string) => string | Uint8Array

/** A body of the old server: asset URLs follow the scheme. */
export const legacyBody = ({ user, shots }: Legacy[string], scheme: string, list: boolean) =>
  JSON.stringify(list ? { Shots: shots } : user).replaceAll(
    'https://img.',
    `${scheme}://img.`,
  )

/** The old server as a handler, which lists at most so many shots; tags follow the bytes. */
export const legacyHandler =
  (members: Legacy, dress: Dress = (text) => text, most = 15): Handler =>
  ({ scheme, target, headers }) => {
    const [, name = '', list] = /^\/api\/username\/([^/]+)(\/shots)?$/.exec(target) ?? []
    const member = members[name]
    if (member === undefined) return reply(404, '{"error":"unknown"}')
    const listed = { ...member, shots: member.shots.slice(0, most) }
    const body = Buffer.from(dress(legacyBody(listed, scheme, list !== undefined)))
    const tag = `"${hash('sha1', body)}"`
    if (headers['if-none-match'] === tag) return reply(304, '', { ETag: tag })
    return reply(200, body, { ETag: tag })
  }

export const reply = (
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Reply => ({
  status,
  headers: { 'Content-Type': 'text/html', ...headers },
  body: Buffer.from(body),
})
