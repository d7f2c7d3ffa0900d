import { memberFileAt } from '../api/member-file.ts'
import { sumsFile } from '../api/routes.ts'
import { names as layout } from '../content/layout.ts'
import { type Diagnostic, fileStart } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { UserError } from '../problems/user-error.ts'
import { createMemberCount, isMassRemoval, type MemberCount } from '../sums/member-count.ts'
import { readSums } from '../sums/read.ts'
import { listPublished } from './dist/look/published.ts'
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
  const count = state.offsets.size > 0 ? countKnown(out, { state, kept }) : countUnknown(out, kept)
  if (!isMassRemoval(count)) return []
  return [diagnose('mass-removal', { file: `${content.name}/${layout.members}`, ...fileStart }, count)]
}

/** Members of the list that a snapshot holds. */
export const countListed = (out: string, kept: ReadonlySet<string>): MemberCount => {
  const count = createMemberCount()
  for (const sum of readSums({ root: out, below: sumsFile, name: sumsFile })) {
    count.add(sum, kept.has(memberFileAt(sum.path)?.username ?? ''))
  }
  return count.result()
}

/** The state tells members from aliases. */
const countKnown = (
  out: string,
  { state, kept }: { readonly state: State; readonly kept: ReadonlySet<string> },
): MemberCount => {
  const known = countNames([...state.offsets.keys()], kept)
  // as nearly always: too few to be many, however many of them are in the snapshot
  if (!isMassRemoval({ ...known, published: known.removed })) return known
  return countNames(
    listPublished(out).filter((username) => state.offsets.has(username)),
    kept,
  )
}

/** Without a state the list tells them; a snapshot that has lost its list is counted by its folders. */
const countUnknown = (out: string, kept: ReadonlySet<string>): MemberCount => {
  const folders = countNames(listPublished(out), kept)
  try {
    const listed = countListed(out, kept)
    return listed.published === 0 ? folders : listed
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return folders
  }
}

const countNames = (names: readonly string[], kept: ReadonlySet<string>): MemberCount => ({
  published: names.length,
  removed: names.filter((username) => !kept.has(username)).length,
})
