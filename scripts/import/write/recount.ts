import type { Subschema } from '../../content/schema.ts'
import { changeKeys } from '../../edit/change.ts'
import { byId, renderBase } from '../merge/base.ts'
import { hiddenHere } from '../merge/merge-profile.ts'
import { basePath, readBase } from './base-file.ts'
import type { ContentSite } from './content-site.ts'
import { readMember } from './read-member.ts'
import { writeChanges } from './write-changes.ts'

/**
 * A total that content gave by itself is written after shots of the member moved to another one, if the API still counts
 * more than are left. Says which files it wrote.
 */
export const recount = (
  username: string,
  { found, profile: schema }: { readonly found: ContentSite; readonly profile: Subschema },
): readonly string[] => {
  const { base, text } = readBase(found.content.path, username)
  const { member: files } = readMember(username, found)
  const total = base?.profile.totalShots
  if (base === undefined || files === undefined || total == null) return []
  const { mine, profile } = files
  if (mine.profile.totalShots !== undefined || !base.counted.includes('totalShots')) return []
  const published = [...mine.shots.values()].filter(({ draft }) => !draft).length
  if (!/^[1-9][0-9]*$/.test(total) || byId(total, String(published + hiddenHere({ base, mine }))) <= 0)
    return []
  const edited = changeKeys(profile.text, { totalShots: total }, schema)
  if (edited.refused !== undefined) return []
  const counted = base.counted.filter((key) => key !== 'totalShots')
  const changes = [
    { path: profile.path, before: profile.text, after: edited.text },
    { path: basePath(username), before: text, after: renderBase({ ...base, counted }) },
  ]
  return writeChanges(changes, found)
}
