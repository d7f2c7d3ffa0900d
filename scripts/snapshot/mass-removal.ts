import { names as layout } from '../content/layout.ts'
import { type Diagnostic, fileStart } from '../diagnostics/diagnostic.ts'
import { diagnose } from '../diagnostics/messages.ts'
import { isMassRemoval } from './dist/member-count.ts'
import { listPublished } from './dist/published.ts'
import type { Folders } from './state/folders.ts'
import type { State } from './state/state.ts'

/**
 * An error if the snapshot would lose more than half of its members, and more than a few: part of the content is
 * likely missing, as in a checkout that was cut off. A name that is an alias now is not lost.
 */
export const findMassRemoval = (
  { out, content }: Folders,
  { state, names }: { readonly state: State; readonly names: readonly string[] },
): readonly Diagnostic[] => {
  const kept = new Set(names)
  const gone = [...state.offsets.keys()].filter((username) => !kept.has(username)).length
  // as nearly always: too few to be many, however many of them are in the snapshot
  if (state.offsets.size > 0 && !isMassRemoval({ removed: gone, published: gone })) return []
  const published = listPublished(out)
  // without a state, aliases can't be told from members
  const members =
    state.offsets.size === 0 ? published : published.filter((username) => state.offsets.has(username))
  const removed = members.filter((username) => !kept.has(username)).length
  if (!isMassRemoval({ removed, published: members.length })) return []
  const place = { file: `${content.name}/${layout.members}`, ...fileStart }
  return [diagnose('mass-removal', place, { removed, published: members.length })]
}
