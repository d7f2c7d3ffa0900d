import { linesOf, type Sum } from '../files/sums.ts'
import type { Diagnostic, Place } from '../problems/diagnostic.ts'
import type { Shard } from './shard.ts'

// What the threads, the state and a commit have in common.

/**
 * Files that are made together, as a build left them: those of one member, or those of the
 * site.
 */
export type Made = {
  /**
   * A line for each file: the sha256 of its bytes; if it is known, a digest of what it was
   * made from; its path. One text, since there are hundreds of thousands of files.
   */
  readonly files: string
  /** Of the stats of the files and their folders; empty if they can't be relied on. */
  readonly stat: string
  /** Bytes of the largest file. */
  readonly largest: number
}

export const nothingMade: Made = { files: '', stat: '', largest: 0 }

/** How a picture looks as it stands upright: pixels, and whether something shines through. */
export type Look = {
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
}

/**
 * What is known of a picture that is right, so that nobody need read it again; the sum is
 * that of what is published.
 */
export type Seen = Sum & {
  /** Fingerprint of its stat; empty if it can't be relied on. */
  readonly stat: string
  /** What it tells on people, in words. */
  readonly tells: readonly string[]
  /** Whether more than drafts name it. */
  readonly isPublished: boolean
  /** What pages have to know of it. */
  readonly look: Look
}

/** By path below the member's folder. */
export type SeenPictures = Readonly<Record<string, Seen>>

/** What is compared across members. */
export type ClaimKind = 'member' | 'shot' | 'token' | 'name'

/** Something that one member holds, and nobody else may. */
export type Holding = {
  readonly kind: ClaimKind
  /** As it is written. */
  readonly text: string
  /** Of the shot's file, without its ending, or of the member's folder. */
  readonly name: string
  readonly place: Place
  /** Whether it follows from something else: a token from an id, a username from its folder. */
  readonly made: boolean
}

/** What the state keeps of one member: a line of its file. */
export type Entry = Made & {
  readonly username: string
  /** Its other names, under each of which there are the same files. */
  readonly aliases: readonly string[]
  /** Shots, drafts too. */
  readonly shots: number
  readonly from: {
    /** Of the files' names and bytes; empty if the member has to be compiled again. */
    readonly key: string
    /** Of the files' names and stats; empty if they can't be relied on. */
    readonly stat: string
    /** Pictures that are right, by path below the member's folder. */
    readonly pictures?: SeenPictures
  }
  /** What outputs keep of it, by their names. */
  readonly kept: Readonly<Record<string, unknown>>
  /** See `compileMember`. */
  readonly claims: string
  /**
   * Told again while the member is unchanged. Those about the tree of its files aren't kept:
   * they are found each time.
   */
  readonly diagnostics: readonly Diagnostic[]
  /** In the state of a shard, for the merge. */
  readonly held?: readonly Holding[]
}

/** What the last build left for the next: hints that are checked before they are believed. */
export type State = {
  /** What every result depends on besides a member's own files: the program and site.yaml. */
  readonly epoch: string
  /** Of the file that it was written to: see `originOf`. */
  readonly identity?: string
  /** What diagnostics, which are kept, call the content folder. */
  readonly content: string
  /** The files that are no member's; none if members may clash, so that nothing was written. */
  readonly frame: Made
  /** In the state of a shard, for the merge. */
  readonly shard?: Shard
  /** The text of site.yaml. */
  readonly site?: string | undefined
  /** By username, in their order. */
  readonly entries: ReadonlyMap<string, Entry>
}

export const emptyState: State = {
  epoch: '',
  content: '',
  frame: nothingMade,
  entries: new Map(),
}

/** Every name at which a member's files are. */
export const namesOf = ({ username, aliases }: Entry) => [username, ...aliases]

/** What is published of a member's pictures; two of them may have one file. */
export const publishedOf = ({ from }: Entry): readonly Sum[] =>
  Object.values(from.pictures ?? {}).filter(({ isPublished }) => isPublished)

/**
 * What is known of files, by path: the sha256 of the bytes, and after a space what they were
 * made from.
 */
export type Marks = ReadonlyMap<string, string>

export const marksIn = ({ files }: Pick<Made, 'files'>): Marks =>
  new Map(
    linesOf(files).map((line) => {
      const end = line.indexOf('  ', digestLength)
      return [line.slice(end + 2), line.slice(0, end)]
    }),
  )

export const pathsIn = (made: Pick<Made, 'files'>): readonly string[] => [
  ...marksIn(made).keys(),
]

export const listMarks = (marks: Marks): string =>
  [...marks].map(([path, mark]) => `${mark}  ${path}\n`).join('')

export const isListed = (line: string): boolean =>
  /^[0-9a-f]{64}(?: [0-9a-f]{20})? {2}./.test(line)

const digestLength = 64

export const digestIn = (mark = ''): string => mark.slice(0, digestLength)

/** The sums of files. */
export const toSums = (marks: Marks): readonly Sum[] =>
  Array.from(marks, ([path, mark]) => ({ path, digest: digestIn(mark) }))

/** Those of a member's files, with its pictures. */
export const sumsOf = (entry: Entry): readonly Sum[] => [
  ...toSums(marksIn(entry)),
  ...publishedOf(entry),
]
