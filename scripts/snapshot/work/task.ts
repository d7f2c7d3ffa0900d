import type { Source } from '../../content/load.ts'
import type { ContentFolder } from '../../content/read/scan.ts'
import type { Site } from '../../content/site.ts'
import type { Diagnostic } from '../../problems/diagnostic.ts'
import type { Changes, FileCounts, Target } from '../dist/changes.ts'
import type { Broken } from '../member/broken.ts'
import type { MadeEntries } from '../state/entries.ts'

/** What every thread needs before it draws members; it is sent to the threads as it is. */
export type Task = {
  readonly content: ContentFolder
  readonly site: Site | undefined
  /** site.yaml, if it can be read. */
  readonly source: Source | undefined
  readonly hostNames: readonly string[]
  /** Every member, in the order of the paths. */
  readonly members: readonly string[]
  /** Members that may have changed, if that is known; the others are taken from their entries without a look. */
  readonly touched: ReadonlySet<string> | undefined
  /** Bytes of the state, which threads share. */
  readonly entries: Uint8Array<ArrayBufferLike>
  /** Where each member's entry begins, or -1. */
  readonly offsets: Int32Array<ArrayBufferLike>
  /** Whether the entries come from this same program and site, so that equal content means equal results. */
  readonly sameEpoch: boolean
  /** Absent if the content is only to be checked. */
  readonly target: Target | undefined
  /** Whether most files of the snapshot have other stats than the entries know: then all are read at once. */
  readonly targetLooksNew: boolean
  /** Shared by the threads; see {@link control}. */
  readonly control: Int32Array<ArrayBufferLike>
  /** By the positions of the members; shared by the threads. */
  readonly broken: Broken
}

/**
 * What stands where in {@link Task.control}: the next to draw, how many are done, whether something is wrong, how much is
 * broken.
 */
export const control = { next: 0, done: 1, wrong: 2, broken: 3 } as const

/** Counters, as they are at the beginning. */
export const createControl = (): Task['control'] => new Int32Array(new SharedArrayBuffer(16))

/** The result of a thread, for the members that it drew. */
export type Part = {
  /** New or renewed entries. */
  readonly made: MadeEntries
  /** What is wrong with members, by their positions. */
  readonly problems: readonly Problems[]
  /** How many members were read and checked. */
  readonly compiled: number
  readonly changes: Changes
  readonly counts: FileCounts
}

export type Problems = { readonly index: number; readonly diagnostics: readonly Diagnostic[] }
