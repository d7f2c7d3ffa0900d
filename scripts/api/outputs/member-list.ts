import { texts } from '../../text/shape.ts'
import { object, sitePath, strings } from '../document/operation.ts'
import type { Output } from '../output.ts'
import { type Member, noTimestamp } from '../records.ts'
import { fileOf, pathRoute } from '../route.ts'

const route = pathRoute('members', '/api/members', { index: true, rank: 4 })
const keys = ['id', 'username', 'name', 'totalShots', 'date'] as const

/** The list of members: who there is, without aliases. */
export const memberList: Output = {
  name: 'members',
  isOn: ({ members }) => members,
  routes: [route],
  keeps: {
    /** In the order of the keys; `date` is that of the newest published shot. */
    of: ({ username, profile, published, latest }: Member) => ({
      id: profile.id,
      username,
      name: profile.name,
      totalShots: profile.totalShots ?? String(published),
      date: latest[0]?.date ?? noTimestamp,
    }),
    shape: texts(...keys),
  },
  ofSite: ({ members }) => [
    {
      paths: [fileOf(route)],
      bytes: () =>
        `${JSON.stringify({ Members: members().map(({ kept }) => kept.members) })}\n`,
      copies: true,
    },
  ],
  describe: () => [
    {
      ...sitePath(route, object({ Members: { type: 'array', items: strings(...keys) } })),
      id: 'Members',
      summary: 'All members, sorted by username.',
    },
  ],
}
