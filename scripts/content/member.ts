/** A profile.yaml, checked. Optional keys that are left out are `undefined` where a default must be worked out. */
export type Profile = {
  readonly id: string
  readonly name: string
  readonly location: string
  readonly bio: string
  readonly twitter: string
  readonly website: string
  readonly skills: readonly string[]
  /** An asset as typed, or `''`. */
  readonly avatar: string
  /** An asset as typed, or `''`. */
  readonly cover_image: string
  readonly type_account: string | undefined
  readonly totalFollowers: string
  readonly totalFollowing: string
  readonly Likes: string
  readonly Lists: string
  readonly Listed: string
  readonly totalShots: string | undefined
  readonly Projects: string | undefined
  readonly projects: readonly Project[]
  /** Old usernames, at which the API answers too. */
  readonly aliases: readonly string[]
}

export type Project = {
  readonly id: string
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly created: string
}

/** A file of shots/, checked. */
export type Shot = {
  readonly id: string
  readonly title: string
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly date: string
  /** An asset as typed. */
  readonly image: string
  /** An asset as typed; `undefined` stands for the image. */
  readonly large_image: string | undefined
  readonly description: string
  readonly tags: readonly string[]
  /** `'0'` is none. */
  readonly id_project: string
  readonly status: string | undefined
  /** An asset as typed, or `''`. */
  readonly attachment: string
  readonly url_purchased: string
  readonly price_item: string
  /** 40 lower-case hex digits; `undefined` stands for one made from the id. */
  readonly token_id: string | undefined
  readonly draft: boolean
}
