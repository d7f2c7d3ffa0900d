/**
 * The records of the API, as published: every value is a string, keys in the order of the interface's tables
 * (an object literal in this order is serialised in this order).
 */

/** The body of `/api/username/<u>`. */
export type UserRecord = {
  readonly totalFollowers: string
  readonly totalFollowing: string
  readonly Likes: string
  readonly totalShots: string
  readonly Lists: string
  readonly Listed: string
  readonly Projects: string
  readonly id: string
  readonly username: string
  readonly name: string
  readonly location: string
  readonly twitter: string
  readonly website: string
  readonly bio: string
  /** Comma-separated. */
  readonly skills: string
  readonly avatar: string
  readonly type_account: string
  readonly cover_image: string
}

/** One element of `Shots`. */
export type ShotRecord = {
  readonly id: string
  readonly id_project: string
  /** `YYYY-MM-DD HH:MM:SS`; all zeros without a project. */
  readonly created_project: string
  readonly image: string
  readonly large_image: string
  /** 40 lower-case hex digits. */
  readonly token_id: string
  readonly description: string
  readonly title: string
  readonly user_id: string
  readonly status: string
  /** Comma-separated. */
  readonly tags: string
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly date: string
  readonly attachment: string
  readonly url_purchased: string
  readonly price_item: string
}

/** The body of `/api/username/<u>/shots`. */
export type ShotsRecord = { readonly Shots: readonly ShotRecord[] }

/** `created_project` of a shot without a project. */
export const noTimestamp = '0000-00-00 00:00:00'
