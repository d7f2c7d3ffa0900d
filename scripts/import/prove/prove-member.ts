import type { ShotRecord } from '../../api/records.ts'
import { renderRoute } from '../../api/render.ts'
import { routes, variants } from '../../api/routes.ts'
import { scanMember } from '../../content/read/scan.ts'
import { compileMember } from '../../snapshot/compile.ts'
import type { Base } from '../merge/base.ts'
import { besideShots, shown } from '../merge/listed-shots.ts'
import type { Theirs } from '../merge/plan.ts'
import { profileFields } from '../values/fields.ts'
import type { ContentSite } from '../write/content-site.ts'
import { compareRecord } from './compare-record.ts'
import { compareShots } from './compare-shots.ts'
import type { Losses } from './losses.ts'
import type { Comparison } from './verdict.ts'

/** How many fields, as https sent them, could not be compared over http. */
export type Proof = { readonly comparisons: readonly Comparison[]; readonly unseen: number }

export type Subject = {
  /** The name that was asked for, and that of the member's folder. */
  readonly name: string
  readonly username: string
  readonly base: Base | undefined
  readonly https: Theirs
  /** Absent if that is unknown. */
  readonly http: Partial<Theirs>
  /** What an import would tell. */
  readonly losses: Losses
  /** Ids of the shots that are no drafts. */
  readonly published: ReadonlySet<string>
}

/** Builds a member as a build would, and compares every field with what the API says; nothing is written. */
export const proveMember = (
  { name, username, base, https, http, losses, published }: Subject,
  { found, tokenOf }: { readonly found: ContentSite; readonly tokenOf: (id: string) => string },
): Proof | undefined => {
  const { content, site } = found
  const { member } = compileMember(scanMember(username, content), found)
  if (member === undefined) return undefined
  const { profile } = member
  const comparisons: Comparison[] = []
  let unseen = 0
  for (const variant of variants) {
    const said = variant === 'https' ? https : http
    const [user, shots] = routes.map((route) => JSON.parse(renderRoute(route, variant, member, site)))
    if (said.user === undefined) unseen += https.user.size
    else {
      const compared = compareRecord(said.user, user, {
        variant,
        fields: profileFields,
        about: { part: 'profile' },
        base: base?.profile,
        fallbacks: {
          ...Object.fromEntries(profileFields.map(({ key, kind }) => [key, kind === 'count' ? '0' : ''])),
          type_account: site.defaults.type_account,
          ...(profile.totalShots === undefined && { totalShots: user.totalShots }),
          ...(profile.Projects === undefined && { Projects: user.Projects }),
        },
        counted: (['totalShots', 'Projects'] as const).filter((key) => profile[key] === undefined),
        isAlias: name !== username,
        portsAllowed: site.portsAllowed,
        derived: () => 'different',
        lossesOf: losses.ofField,
        https: https.user,
      })
      for (const comparison of compared) comparisons.push(comparison)
    }
    if (said.shots === undefined)
      unseen += https.shots.reduce((sum, fields) => sum + fields.size, 1 + (https.others?.size ?? 0))
    else {
      const facts = { variant, site, base, tokenOf, losses, https: https.shots, published }
      const compared = compareShots(
        { shots: said.shots, strays: said.strays },
        shots.Shots as readonly ShotRecord[],
        facts,
      )
      for (const comparison of compared) comparisons.push(comparison)
      for (const [key, other] of said.others ?? []) {
        const texts = { what: besideShots(key), legacy: shown(other), ours: 'missing' }
        const about = { part: 'shots' } as const
        comparisons.push({ variant, about, ...texts, verdict: 'rule', rule: 'unknown-field', fields: 1 })
      }
    }
  }
  return { comparisons, unseen }
}
