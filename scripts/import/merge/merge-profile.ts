import type { Project } from '../../content/member.ts'
import { textsOf } from '../read/said.ts'
import { profileFields } from '../values/fields.ts'
import { problemOf } from '../values/keep-text.ts'
import { profileValues } from '../values/mine.ts'
import { toData } from '../values/to-data.ts'
import type { Base, BaseFields } from './base.ts'
import type { Finding } from './finding.ts'
import { mergeFields, pick, type Side, sayable } from './merge-fields.ts'
import { mergeProjects } from './merge-projects.ts'
import { mergeTotal, type Total } from './merge-total.ts'
import type { Changes, MergeInput } from './plan.ts'

export type MergedProfile = Pick<Base, 'profile' | 'counted' | 'projects'> & {
  readonly changes: Changes
  readonly changed: readonly Project[]
  readonly findings: readonly Finding[]
}

export type ShotFigures = {
  /** How many more shots are published than before. */
  readonly published: number
  /** The projects that the imported shots name, and their dates. */
  readonly projects: ReadonlyMap<string, string>
  readonly used: ReadonlySet<string>
}

/** Merges the profile: its fields, the projects that its shots belong to, then the totals that depend on both. */
export const mergeProfile = (input: MergeInput, shots: ShotFigures): MergedProfile => {
  const { base, mine, theirs, site, side } = input
  const texts = textsOf(theirs.user, profileFields)
  const fields = profileFields.filter(({ kind }) => kind !== 'total')
  const values = mine && profileValues(mine.profile, site)
  const news = sayable(fields, texts, input)
  const merged =
    values === undefined
      ? { changes: news, base: pick(texts, fields), conflicts: [] }
      : mergeFields(fields, { base: base?.profile, mine: values, theirs: texts }, input)
  const projects = mergeProjects(
    { base: base?.projects, mine: mine?.profile.projects ?? [], theirs: shots.projects, used: shots.used },
    side,
  )
  const listed = mine?.profile.projects ?? []
  const added = projects.changed.filter(({ id }) => !listed.some((one) => one.id === id)).length
  const published = [...(mine?.shots.values() ?? [])].filter(({ draft }) => !draft).length
  const totals = mergeTotals(texts, {
    input,
    held: {
      totalShots: { before: published, after: published + shots.published, hidden: hiddenHere(input) },
      Projects: {
        before: listed.length,
        after: listed.length + added,
        hidden: Object.keys(base?.projects ?? {}).filter((id) => !listed.some((one) => one.id === id)).length,
      },
    },
  })
  const conflicts = [...merged.conflicts, ...projects.conflicts].map(
    (args): Finding => ({ code: 'conflict', about: { part: 'profile', key: args.key }, args }),
  )
  return {
    profile: { ...merged.base, ...totals.base },
    counted: totals.counted,
    projects: projects.base,
    changes: {
      ...toData(fields, merged.changes, { ...values, ...merged.changes }, input),
      ...totals.changes,
    },
    changed: projects.changed,
    findings: [...conflicts, ...totals.findings],
  }
}

/** How many of the shots that were imported somebody here removed, or made drafts. */
export const hiddenHere = ({ base, mine }: Pick<MergeInput, 'base' | 'mine'>): number =>
  Object.keys(base?.shots ?? {}).filter((id) => {
    const shot = mine?.shots.get(id)
    return shot === undefined || (shot.draft && !base?.drafted.includes(id))
  }).length

type Held = Pick<Total, 'before' | 'after' | 'hidden'>

const mergeTotals = (
  texts: BaseFields,
  {
    input,
    held,
  }: { readonly input: MergeInput; readonly held: Readonly<Record<'totalShots' | 'Projects', Held>> },
) => {
  const changes: Record<string, string | undefined> = {}
  const nextBase: Record<string, string | null> = {}
  const counted: string[] = []
  const findings: Finding[] = []
  for (const key of ['totalShots', 'Projects'] as const) {
    const text = texts[key] ?? null
    const isSayable =
      text !== null && problemOf({ kind: 'text', text }, { kind: 'total' }, input.site) === undefined
    const old = input.base?.profile[key]
    const my = input.mine?.profile[key]
    const sides = {
      mine: my,
      base: old === null ? '' : old,
      wasCounted: input.base?.counted.includes(key) === true,
      theirs: isSayable ? text : undefined,
      ...held[key],
    }
    const side: Side = input.mine === undefined ? 'theirs' : input.side
    const merged = mergeTotal(sides, side)
    if (merged.total !== my) changes[key] = merged.total
    if (merged.counted) counted.push(key)
    const about = { part: 'profile', key } as const
    if (merged.below)
      findings.push({
        code: 'total-below-content',
        about,
        args: { key, theirs: text!, counted: held[key].after },
      })
    if (merged.conflict) {
      const mine = my ?? String(held[key].after)
      findings.push({
        code: 'conflict',
        about,
        args: { key, base: old ?? undefined, mine, theirs: text ?? 'null' },
      })
    }
    if (!merged.conflict) nextBase[key] = text
    else if (old !== undefined) nextBase[key] = old
  }
  return { changes, base: nextBase, counted, findings }
}
