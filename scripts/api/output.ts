import type { Shot } from '../content/member.ts'
import type { Site } from '../content/site.ts'
import type { Sum } from '../files/sums.ts'
import type { Shape } from '../text/shape.ts'
import type { Operation } from './document/operation.ts'
import type { Member } from './records.ts'
import type { PathRoute } from './route.ts'

/**
 * Something that a site gives out: a file in `outputs/`, and a line of the table in
 * `outputs.ts`. All functions are pure. Hosts, `verify`, the preview and `deploy` know it by
 * its routes.
 */
export type Output = {
  /** As the state and the OpenAPI document know it. */
  readonly name: string
  /** Whether a site has it. Default: every site does. */
  readonly isOn?: (site: Site) => boolean
  readonly routes: readonly PathRoute[]
  /** Its files of a member, at each of the member's names. */
  readonly ofMember?: (member: AllOfMember, site: Site) => Iterable<File>
  /**
   * What it has to know of each member when the files of the site are made: data that JSON
   * can hold, and its shape.
   */
  readonly keeps?: { readonly of: (member: AllOfMember) => unknown; readonly shape: Shape }
  /**
   * Its files that are no member's. One that is made later can ask for those that were made
   * before.
   */
  readonly ofSite?: (given: Given) => Iterable<File>
  /** Its paths in the OpenAPI document. */
  readonly describe?: (site: Site) => readonly Operation[]
  /** What that document says of paths that it doesn't describe, as a phrase. */
  readonly mention?: string
}

/** A member with every shot that is published. */
export type AllOfMember = Member & {
  /** In the order of their files. */
  readonly shots: readonly Shot[]
}

/** A file to publish. */
export type File = {
  /** Below the folder that is published. More than one: the same bytes at each. */
  readonly paths: readonly string[]
  readonly bytes: () => string | Uint8Array
  /** Stands for all that it is made from, where that is faster to compare than its bytes. */
  readonly from?: string | undefined
  /** Whether it is known to be as it was, if it was there. */
  readonly isSame?: boolean
  /** Whether it has copies in the encodings of the site. */
  readonly copies?: boolean
}

/** A member whose files are there or staged. */
export type Published = {
  readonly username: string
  readonly aliases: readonly string[]
  /** A line for each of its files. */
  readonly files: string
  /** What an output {@link Output.keeps} of it, by the output's name. */
  readonly kept: Readonly<Record<string, unknown>>
}

/** What files of the site are made of. */
export type Given = {
  readonly site: Site
  /** Sorted by username, in code units. */
  readonly members: () => readonly Published[]
  /** What was kept of members when the site was made last, by username, as far as that is known. */
  readonly before: ReadonlyMap<string, Partial<Pick<Published, 'kept'>>>
  /** A member's file, as it will be. */
  readonly read: (path: string, member: Published) => Uint8Array
  /** A file of the site that was made before: its digest and its size. */
  readonly find: (path: string) => Sum & { readonly size: number }
  /** Of all files so far, those of members and pictures too. */
  readonly sums: () => readonly Sum[]
  /** The OpenAPI document. */
  readonly document: () => string
}
