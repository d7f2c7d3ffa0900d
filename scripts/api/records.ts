import type { shotFields, userFields } from './fields.ts'

/**
 * The records of the API, as published: every value is a string, keys in the order of the interface's tables
 * (an object literal in this order is serialised in this order).
 */

/** The body of `/api/username/<u>`. */
export type UserRecord = { readonly [K in keyof typeof userFields]: string }

/** One element of `Shots`. */
export type ShotRecord = { readonly [K in keyof typeof shotFields]: string }

/** The body of `/api/username/<u>/shots`. */
export type ShotsRecord = { readonly Shots: readonly ShotRecord[] }

/** `created_project` of a shot without a project. */
export const noTimestamp = '0000-00-00 00:00:00'
