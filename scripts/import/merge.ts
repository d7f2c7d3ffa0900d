import { fieldsAt, shown, textOf } from './body.ts'
import { isSame, profileFields, shotFields, textsOf } from './fields.ts'
import { mergeFields, tellProblems } from './judge.ts'
import { fieldAt } from './messages.ts'
import type { Sides } from './run.ts'
import { mergeShots, planned } from './shots.ts'

/**
 * Merges what the remote says now with what it said last and with what content says into the plan, and tells what somebody
 * must know. Says whether it could: not if the remote lacks what a profile needs.
 */
export const mergeMember = (sides: Sides): boolean => {
  const { remote, mine, base, plan, find } = sides
  const isRefused = tellProblems(remote.user, sides)
  const before = base.profile.id
  const now = textOf(remote.user, 'id')
  // the name may have been given to somebody else
  if (!isRefused && before != null && before !== now)
    find('other-id', { key: 'id' }, { before, now: String(now) })
  compareSchemes(sides)
  if (isRefused) return false
  const listed = mergeShots(sides)
  const all = new Set([...(mine?.shots.keys() ?? []), ...plan.shots.keys()])
  const published = [...all].filter((id) => !planned(id, 'draft', sides)).length
  const counts = { totalShots: String(published), Projects: String(listed) }
  const counting = { ...sides, site: { ...sides.site, counts } }
  const { changes, settled } = mergeFields(textsOf(remote.user, profileFields), counting)
  Object.assign(plan.profile, changes)
  Object.assign(plan.stated.profile, settled)
  return true
}

/** Tells what one value can't say for both schemes: https and http differ, and not only in the scheme of an asset. */
const compareSchemes = ({ remote, http, site, find }: Sides) => {
  for (const id of [undefined, ...remote.byId.keys()]) {
    const other = fieldsAt(http, id)
    for (const { key, kind } of id === undefined ? profileFields : [...shotFields, project]) {
      const https = shown(fieldsAt(remote, id)?.get(key))
      const plain = shown(other?.get(key))
      if (other && !isSame(kind, https, plain, site))
        find('scheme-differs', { id, key }, { what: fieldAt({ id, key }), https, http: plain })
    }
  }
}

const project = { key: 'created_project', kind: 'timestamp' } as const
