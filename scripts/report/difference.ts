import type { ShotRecord, UserRecord } from '../api/records.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'

/** What a snapshot serves of one member, in the https variant. */
export type Served = {
  readonly user: UserRecord
  /** The window, newest first. */
  readonly shots: readonly ShotRecord[]
  /** Other usernames that the API answers at with the same bodies. */
  readonly aliases: readonly string[]
  /** The bodies of both variants by the path of their file in the snapshot: a hash, and the bytes that they take. */
  readonly files: ReadonlyMap<string, Body>
}

export type Body = { readonly hash: string; readonly bytes: number }

/** By username. */
export type View = ReadonlyMap<string, Served>

/** Two values of one field. */
export type Change = { readonly before: string; readonly after: string }
export type Changes = Readonly<Record<string, Change>>

export type ShotChange = { readonly id: string; readonly fields: Changes }

/** Ids of shots are sorted as numbers. */
export type WindowChange = {
  /** In the window now, and not before. */
  readonly entered: readonly string[]
  /** In the window before, and not now. */
  readonly left: readonly string[]
  /** In both windows, and outside of their longest common order. */
  readonly moved: readonly string[]
  /** In both windows, with other values. */
  readonly changed: readonly ShotChange[]
}

export type MemberChange = {
  /** The name of today. */
  readonly username: string
  /** By field, in the order of the API. */
  readonly profile: Changes
  readonly shots: WindowChange
}

/** What one snapshot serves and another one doesn't. Usernames and paths are sorted by code unit. */
export type Difference = {
  /** The two sides, as the user named them. */
  readonly base: string
  readonly head: string
  readonly members: {
    readonly added: readonly string[]
    readonly removed: readonly string[]
    /** The same member id under another name: neither added nor removed. */
    readonly renamed: readonly { readonly from: string; readonly to: string }[]
    readonly changed: readonly MemberChange[]
  }
  /** Paths such as `/api/username/ana`, aliases too. */
  readonly addresses: { readonly added: readonly string[]; readonly removed: readonly string[] }
  /** What to look at twice. */
  readonly warnings: readonly Diagnostic<string>[]
}
