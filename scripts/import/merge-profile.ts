import type { Project } from '../content/member.ts'
import { normalTimestamp } from '../content/values/timestamp.ts'
import { type Base, isLess, own } from './base.ts'
import {
  type Changes,
  canSay,
  profileFields,
  profileValues,
  sayable,
  type Texts,
  textsOf,
  toChanges,
  totals,
} from './fields.ts'
import { type MergeInput, mergeFields, type Side } from './merge-fields.ts'
import { type Finding, find } from './messages.ts'

export type MergedProfile = Pick<Base, 'profile' | 'counted' | 'projects'> & {
  readonly changes: Changes
  /** Projects to list, or to list with another date. */
  readonly listed: readonly Project[]
  readonly findings: readonly Finding[]
}

export type ShotFigures = {
  /** How many more shots are published than before. */
  readonly published: number
  /** The projects that the imported shots name, and their dates. */
  readonly projects: ReadonlyMap<string, string>
  /** Projects that shots name after the merge. */
  readonly used: ReadonlySet<string>
}

/** Merges the profile: its fields, the projects that its shots belong to, then the totals that depend on both. */
export const mergeProfile = (input: MergeInput, shots: ShotFigures): MergedProfile => {
  const { base, mine, remote } = input
  const texts = textsOf(remote.user, profileFields)
  const fields = profileFields.filter(({ key }) => !(totals as readonly string[]).includes(key))
  const values = mine && profileValues(mine.profile, input.site)
  const merged =
    values === undefined
      ? { changed: sayable(fields, texts, input.site), base: textsOf(remote.user, fields), findings: [] }
      : mergeFields(
          fields,
          { base: base?.profile, mine: values, remote: texts },
          { about: { part: 'profile' }, input },
        )
  const projects = mergeProjects(input, shots)
  const held = mine?.profile.projects ?? []
  const published = [...(mine?.shots.values() ?? [])].filter(({ draft }) => !draft).length
  const hiddenShots = Object.keys(base?.shots ?? {}).filter((id) => {
    const shot = mine?.shots.get(id)
    return shot === undefined || (shot.draft && !base?.drafted.includes(id))
  })
  const added = projects.listed.filter(({ id }) => !held.some((one) => one.id === id)).length
  const hiddenProjects = Object.keys(base?.projects ?? {}).filter((id) => !held.some((one) => one.id === id))
  const merging = [
    mergeTotal('totalShots', {
      texts,
      input,
      held: { before: published, after: published + shots.published, hidden: hiddenShots.length },
    }),
    mergeTotal('Projects', {
      texts,
      input,
      held: { before: held.length, after: held.length + added, hidden: hiddenProjects.length },
    }),
  ]
  const all = { ...values, ...merged.changed }
  return {
    profile: Object.assign({}, merged.base, ...merging.map(({ base }) => base)),
    counted: totals.filter((_, index) => merging[index]!.isCounted),
    projects: projects.base,
    changes: Object.assign(
      { ...toChanges(fields, { changed: merged.changed, all }, input.site) },
      ...merging.map(({ changes }) => changes),
    ),
    listed: projects.listed,
    findings: [...merged.findings, ...projects.findings, ...merging.flatMap(({ findings }) => findings)],
  }
}

/** Merges lists of projects. They grow and never shrink: the remote shows only the projects of the last shots. */
const mergeProjects = ({ base, mine, side }: MergeInput, { projects, used }: ShotFigures) => {
  const held = new Map(mine?.profile.projects.map(({ id, created }) => [id, created]))
  const listed: Project[] = []
  const nextBase: Record<string, string | null> = { ...base?.projects }
  const findings: Finding[] = []
  for (const [id, created] of projects) {
    const [my, their] = [held.get(id), normalTimestamp(created)]
    const before = own(base?.projects, id)
    const old = before == null ? undefined : normalTimestamp(before)
    if (my === undefined) {
      // a project that was removed here stays out, unless a shot needs it
      if (old === undefined || used.has(id)) listed.push({ id, created })
    } else if (my !== their && my !== old && old !== their && side === undefined) {
      const [mineIs, remoteIs] = [`${id}: ${my}`, `${id}: ${their}`]
      const args = { key: 'projects', base: old && `${id}: ${old}`, mine: mineIs, remote: remoteIs }
      findings.push(find('conflict', { part: 'profile', key: 'projects' }, args))
      continue
    } else if (my !== their && (my === old || (old !== their && side === 'theirs'))) {
      listed.push({ id, created })
    }
    nextBase[id] = created
  }
  return { listed, base: nextBase, findings }
}

type Held = {
  /** What content held before this import, and what it will hold. */
  readonly before: number
  readonly after: number
  /** How many more it would hold if nobody had hidden or removed what was imported. */
  readonly hidden: number
}

type MergedTotal = {
  readonly changes: Changes
  readonly base: Texts
  /** Whether the key is left out because of this import, and not by somebody here. */
  readonly isCounted: boolean
  readonly findings: readonly Finding[]
}

/** `totalShots` or `Projects`: content counts them, and only a higher figure can be written. */
const mergeTotal = (
  key: (typeof totals)[number],
  { texts, input, held }: { readonly texts: Texts; readonly input: MergeInput; readonly held: Held },
): MergedTotal => {
  const about = { part: 'profile', key } as const
  const text = texts[key] ?? null
  const field = profileFields.find((one) => one.key === key)!
  const remote = canSay(text, field, input.site) ? text : undefined
  const after = String(held.after)
  const isBelow = remote !== undefined && isLess(remote, after)
  const findings = isBelow ? [find('total-below-content', about, { key, remote, counted: held.after })] : []
  const my = input.mine?.profile[key]
  const before = input.base?.profile[key]
  const wasCounted = input.base?.counted.includes(key) === true
  const wanted = isBelow || remote === after ? undefined : remote
  const keep: MergedTotal = { changes: {}, base: { [key]: text }, isCounted: wasCounted, findings }
  const changes = wanted === my ? {} : { [key]: wanted }
  const follow: MergedTotal = { ...keep, changes, isCounted: wanted === undefined }
  const isTooLow = my !== undefined && isLess(my, after)
  if (before === undefined) {
    const agrees = my === undefined ? wanted === undefined : remote === undefined || my === remote || isBelow
    if (agrees) return isTooLow ? follow : { ...keep, isCounted: my === undefined }
  } else if (my === undefined ? wasCounted : my === (before ?? '')) {
    const isCounted = held.before === held.after && !isLess(String(held.after + held.hidden), remote ?? '0')
    const isSettled = remote === before && (my === undefined ? isCounted : !isBelow)
    return isSettled ? keep : follow
  } else if (
    !isTooLow &&
    (remote === undefined || remote === before || (my ?? String(held.before)) === remote)
  ) {
    // a kill may have come before the base said that the key was written
    return my !== undefined && my === remote ? { ...keep, isCounted: false } : keep
  }
  const side: Side = input.mine === undefined ? 'theirs' : input.side
  if (side !== undefined) return side === 'theirs' ? follow : keep
  const args = { key, base: before ?? undefined, mine: my ?? after, remote: text ?? 'null' }
  return {
    ...keep,
    base: before === undefined ? {} : { [key]: before },
    findings: [...findings, find('conflict', about, args)],
  }
}
