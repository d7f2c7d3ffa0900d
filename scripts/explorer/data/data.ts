import type { Variant } from '../../api/routes.ts'
import type { Profile, Shot } from '../../content/member.ts'
import type { Site } from '../../content/site.ts'
import type { Diagnostic } from '../../problems/diagnostic.ts'

/** Something wrong, and the line of the file that it is about. */
export type Problem = {
  readonly diagnostic: Diagnostic
  /** `undefined` for a problem with a file as a whole. */
  readonly line: string | undefined
}

/** A file of content as a page shows it. */
export type Part<T> = {
  /** As diagnostics name it. */
  readonly file: string
  /** What it says, or what it said when it was right last; `undefined` if it was never seen right. */
  readonly value: T | undefined
  /** Whether the value is an earlier one. */
  readonly stale: boolean
  /** The line of each key that the file gives, counted from 1. */
  readonly lines: Readonly<Record<string, number>>
  readonly problems: readonly Problem[]
}

export type Work = Shot & { readonly token_id: string }

/** The body of an answer, for each scheme. */
export type Served = Readonly<Record<Variant, string>>

export type MemberData = {
  readonly username: string
  /** `undefined` if there is no file. */
  readonly profile: Part<Profile> | undefined
  /** In the order of the files. */
  readonly works: readonly Part<Work>[]
  /** What is wrong with other files of the folder. */
  readonly problems: readonly Problem[]
  /** By the name of the route; `undefined` as long as the snapshot has none. */
  readonly served: { readonly user: Served | undefined; readonly shots: Served | undefined }
}

/** A member on the page of all members. */
export type Row = {
  readonly username: string
  /** As the snapshot has it, as all that follows; `''` if it has none. */
  readonly name: string
  readonly location: string
  readonly works: string
  /** By scheme; `''` is none. */
  readonly avatar: Served
  readonly errors: number
  readonly warnings: number
}

/** All that a page depends on, besides its data. */
export type View = {
  /** Whose variant is shown. */
  readonly scheme: Variant
  /** `undefined` as long as site.yaml was never right. */
  readonly site: Site | undefined
  /** Hosts whose images are shown. */
  readonly allowed: ReadonlySet<string>
  /** The address at which an editor opens a line of a file; without it, places are named only. */
  readonly open: ((file: string, line: number) => string) | undefined
  readonly links: Links
  /** The state of the site that the page shows; it changes with each build. */
  readonly version: string
  /** The path of the page on the preview's server; `undefined` for a page that is a file. */
  readonly path: string | undefined
  /** A command that asks the API for a path, by scheme. */
  readonly curl: (path: string, scheme: Variant) => string
}

export type Links = {
  readonly home: string
  readonly member: (username: string) => string
  readonly style: string
  readonly script: string
  readonly icon: string
}
