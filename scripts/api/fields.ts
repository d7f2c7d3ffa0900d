import { usernamePattern } from '../content/username.ts'

/**
 * The fields of the API, in the order in which they are served. The published schemas, the OpenAPI document, the
 * client and the tables in docs/api.md are all made from here.
 */

export type Field = {
  readonly format: Format
  /** What it holds, as a phrase. */
  readonly holds: string
  /** Where the value comes from, as a phrase; keys in backquotes. */
  readonly from: string
}

/** What the text of a field may look like: a pattern that RE2 reads too, and the same in words. */
export const formats = {
  count: { pattern: '^(0|[1-9][0-9]*)$', words: 'a whole number from 0 up' },
  id: { pattern: '^[1-9][0-9]*$', words: 'a whole number from 1 up' },
  'id or none': { pattern: '^(0|[1-9][0-9]*)$', words: 'a whole number from 1 up, or `0`' },
  code: { pattern: '^(0|[1-9][0-9]*)$', words: 'a whole number from 0 up' },
  username: {
    pattern: `^${usernamePattern}$`,
    words: '1 to 64 of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit',
  },
  token: { pattern: '^[0-9a-f]{40}$', words: '40 of `0-9a-f`' },
  text: { pattern: undefined, words: 'text, or empty' },
  'text that is not blank': { pattern: '\\S', words: 'text, not blank' },
  words: { pattern: '^([^\\s,]+(,[^\\s,]+)*)?$', words: 'words joined by commas, without spaces, or empty' },
  timestamp: { pattern: `^${timestamp()}$`, words: '`YYYY-MM-DD HH:MM:SS`' },
  'timestamp or none': {
    pattern: `^(0000-00-00 00:00:00|${timestamp()})$`,
    words: '`YYYY-MM-DD HH:MM:SS`, or `0000-00-00 00:00:00`',
  },
  link: {
    pattern: '^([Hh][Tt][Tt][Pp][Ss]?://[^\\s\\\\]+)?$',
    words: 'an `http://` or `https://` address as its owner wrote it, or empty',
  },
  asset: {
    pattern: '^https?://[^\\s\\\\]+$',
    words: 'an address in the scheme of the request',
  },
  'asset or none': {
    pattern: '^(https?://[^\\s\\\\]+)?$',
    words: 'an address in the scheme of the request, or empty',
  },
} as const satisfies Record<string, { readonly pattern: string | undefined; readonly words: string }>
type Format = keyof typeof formats

/** The profile of a member: the answer of the route `user`. */
export const userFields = {
  totalFollowers: {
    format: 'count',
    holds: 'how many follow the member',
    from: '`totalFollowers` of the profile, or `0`',
  },
  totalFollowing: {
    format: 'count',
    holds: 'how many the member follows',
    from: '`totalFollowing` of the profile, or `0`',
  },
  Likes: { format: 'count', holds: 'how many likes the member has', from: '`Likes` of the profile, or `0`' },
  totalShots: {
    format: 'count',
    holds: 'how many shots the member has; may be more than are served',
    from: '`totalShots` of the profile, or the number of published shots',
  },
  Lists: {
    format: 'count',
    holds: 'how many lists the member keeps',
    from: '`Lists` of the profile, or `0`',
  },
  Listed: {
    format: 'count',
    holds: 'in how many lists of others the member is',
    from: '`Listed` of the profile, or `0`',
  },
  Projects: {
    format: 'count',
    holds: 'how many projects the member has',
    from: '`Projects` of the profile, or the number of its `projects`',
  },
  id: { format: 'id', holds: "the member's id", from: '`id` of the profile' },
  username: { format: 'username', holds: "the member's username of today", from: "the member's folder" },
  name: { format: 'text that is not blank', holds: 'the display name', from: '`name` of the profile' },
  location: { format: 'text', holds: 'where the member is', from: '`location` of the profile' },
  twitter: {
    format: 'link',
    holds: "the member's page on a microblogging network",
    from: '`twitter` of the profile',
  },
  website: { format: 'link', holds: "the member's website", from: '`website` of the profile' },
  bio: {
    format: 'text',
    holds: 'what the member says of themselves; may hold hash-tags',
    from: '`bio` of the profile',
  },
  skills: { format: 'words', holds: 'what the member can do', from: '`skills` of the profile' },
  avatar: { format: 'asset or none', holds: "the member's picture", from: '`avatar` of the profile' },
  type_account: {
    format: 'code',
    holds: 'the type of the account; the site gives the codes their meaning',
    from: "`type_account` of the profile, or the site's default, or `0`",
  },
  cover_image: {
    format: 'asset or none',
    holds: "the picture at the top of the member's page",
    from: '`cover_image` of the profile',
  },
} as const satisfies Record<string, Field>

/** One of the newest shots of a member: an element of `Shots` in the answer of the route `shots`. */
export const shotFields = {
  id: { format: 'id', holds: "the shot's id, unique over the site", from: '`id` of the shot' },
  id_project: {
    format: 'id or none',
    holds: 'the id of the project that it belongs to; `0` is none',
    from: '`id_project` of the shot, or `0`',
  },
  created_project: {
    format: 'timestamp or none',
    holds: 'when that project began; all zeros without a project',
    from: '`created` of that project in the profile',
  },
  image: { format: 'asset', holds: 'the picture', from: '`image` of the shot' },
  large_image: {
    format: 'asset',
    holds: 'the picture in a large size',
    from: '`large_image` of the shot, or its `image`',
  },
  token_id: {
    format: 'token',
    holds: 'a name for the shot, unique over the site; it proves nothing',
    from: '`token_id` of the shot, or the SHA-1 of `shot:<id>`',
  },
  description: { format: 'text', holds: 'what its member says of it', from: '`description` of the shot' },
  title: { format: 'text that is not blank', holds: 'what it is called', from: '`title` of the shot' },
  user_id: { format: 'id', holds: "the member's `id`", from: '`id` of the profile' },
  status: {
    format: 'code',
    holds: 'its status; the site gives the codes their meaning',
    from: "`status` of the shot, or the site's default, or `0`",
  },
  tags: { format: 'words', holds: 'what it is about', from: '`tags` of the shot' },
  date: { format: 'timestamp', holds: 'when it was made; no zone is known', from: '`date` of the shot' },
  attachment: {
    format: 'asset or none',
    holds: 'a file that comes with it',
    from: '`attachment` of the shot',
  },
  url_purchased: { format: 'link', holds: 'where it can be bought', from: '`url_purchased` of the shot' },
  price_item: { format: 'text', holds: 'what it costs', from: '`price_item` of the shot' },
} as const satisfies Record<string, Field>

/** Fields whose URLs carry the scheme of the request. */
export const schemeFields: readonly string[] = Object.entries({ ...userFields, ...shotFields })
  .filter(([, { format }]) => format.startsWith('asset'))
  .map(([name]) => name)

/** Years 0001 to 9999. A pattern can't say whether the month has that day. */
function timestamp(): string {
  const year = '(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})'
  return `${year}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]) (?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]`
}
