import { worthAThread } from '../scripts/snapshot/members.ts'
import type { Tree } from './sandbox.ts'
import { times } from './times.ts'

/**
 * So many that, of their members, enough are left for another thread after the first that are
 * compiled.
 */
export const manyMembers = worthAThread + 100

export const siteYaml = 'base_url: https://api.example.com\n'

/** A site of two members and three shots. */
export const site = {
  'content/site.yaml': siteYaml,
  'content/members/ana/profile.yaml': 'id: 1\nname: Ana Example\navatar: ana.png\n',
  'content/members/ana/shots/one.yaml':
    'id: 11\ntitle: One\ndate: 2014-03-02\nimage: one.png\n',
  'content/members/ana/shots/two.yaml':
    'id: 12\ntitle: Two\ndate: 2014-03-02\nimage: two.png\n',
  'content/members/bo/profile.yaml': 'id: 2\nname: Bo Example\n',
  'content/members/bo/shots/one.yaml':
    'id: 21\ntitle: Other\ndate: 2014-03-03\nimage: one.png\n',
} as const satisfies Tree

/** A profile.yaml with little in it. */
export const profileYaml = (id: number, name = 'Example') => `id: ${id}\nname: ${name}\n`

/** A shot's file with little in it. */
export const shotYaml = (id: number, title = 'Example', day = 1) =>
  `id: ${id}\ntitle: ${title}\ndate: 2014-03-${String(day).padStart(2, '0')}\nimage: shots/${id}.png\n`

/**
 * Drafts of the first of them, so that members like that one would be enough for another
 * thread.
 */
const draftsOf = (username: string) =>
  Object.fromEntries(
    times(20, (at) => [
      `content/members/${username}/shots/draft-${at}.yaml`,
      `${shotYaml(10_000 + at)}draft: true\n`,
    ]),
  )

/** A site of one member, ana, without shots. */
export const anaAlone = {
  'content/site.yaml': siteYaml,
  'content/members/ana/profile.yaml': profileYaml(1),
} as const satisfies Tree

/** A site of so many members, `m1` and so on. */
export const siteWith = (count: number) => ({
  'content/site.yaml': siteYaml,
  ...(count >= manyMembers && draftsOf('m1')),
  ...Object.fromEntries(
    times(count, (at) => [`content/members/m${at + 1}/profile.yaml`, profileYaml(at + 1)]),
  ),
})
