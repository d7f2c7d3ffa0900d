import type { ContentFolder } from '../content/scan.ts'
import type { State } from './state.ts'
import type { GitListing } from './task.ts'

export const listFromGit = (
  _content: ContentFolder,
  _options: { members: readonly string[]; offsets: Int32Array; state: State },
): GitListing | undefined => undefined
