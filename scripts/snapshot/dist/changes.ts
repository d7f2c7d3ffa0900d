/** The snapshot as a build finds it. */
export type Target = {
  /** The snapshot. */
  readonly folder: string
  /** Whether the snapshot is known to be empty. */
  readonly empty: boolean
  /** Folders of the snapshot that hold members' files, in whose place stands something else, such as a link. */
  readonly blocked: readonly string[]
  /** What the build needs for itself. */
  readonly own: string
  /** Where changed files are put until all is ready, in the build's own folder. */
  readonly stage: string
  /** Time of change for the files of this build, in seconds; see file-times.ts. */
  readonly baseTime: number
}

/** Paths below the snapshot's root. */
export type Changes = {
  /** Files that are staged. */
  readonly write: readonly string[]
  /** Files that no longer belong. */
  readonly remove: readonly string[]
  /** What stands in the way of files that belong: links, folders, strangers. */
  readonly clear: readonly string[]
}

/** All that a commit does. */
export type Commit = Changes & {
  /** Members' folders, where the file system has them in another letter case. */
  readonly respell: readonly string[]
}

/** Of files in the snapshot. */
export type FileCounts = {
  readonly written: number
  readonly unchanged: number
  readonly removed: number
}
