import { type CheckOptions, checkMembers, type OpenSite } from './check.ts'
import { emptyState } from './entry.ts'
import type { SnapshotFolders } from './folders.ts'
import { openPlace, type Place } from './place.ts'
import type { Product } from './product.ts'
import { knownState } from './state.ts'

type StageOptions = Pick<CheckOptions, 'onProgress' | 'onDoubt' | 'touched'> & {
  readonly folders: SnapshotFolders
  /** Absent where something is wrong already: then members are only checked. */
  readonly target: { readonly place: Place; readonly product: Product } | undefined
  /** Believes nothing of the state. */
  readonly distrust?: boolean | undefined
}

/** Looks at all members, and stages what differs from what is published; with `last`, the state that was believed. */
export const stageMembers = async (found: OpenSite, options: StageOptions) => {
  const { target, distrust = false } = options
  // where a folder is gone, or a link stands for it, what is published is not what the state tells of
  const isWhole = target?.product.memberFolders.every(openPlace(target.place).isFolder)
  const last = isWhole && !distrust ? knownState(found, options) : emptyState
  return { last, ...(await checkMembers(found, { ...options, ...target, state: last })) }
}
