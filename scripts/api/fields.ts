import { usernamePattern } from '../content/username.ts'

/**
 * The fields of the API, in the order in which they are served. The published schemas, the
 * OpenAPI document, the client and the tables in docs/api.md are all made from here.
 */

/** What the text of a field may look like: a pattern that RE2 reads too, and the same in words. */
export const formats = {
  count: { pattern: '^(0|[1-9][0-9]*)$', words: 'a whole number from 0 up' },
  id: { pattern: '^[1-9][0-9]*$', words: 'a whole number from 1 up' },
  'id or none': { pattern: '^(0|[1-9][0-9]*)$', words: 'a whole number from 1 up, or `0`' },
  username: {
    pattern: `^${usernamePattern}$`,
    words: '1 to 64 of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit',
  },
  token: { pattern: '^[0-9a-f]{40}$', words: '40 of `0-9a-f`' },
  text: { pattern: undefined, words: 'text, or empty' },
  'text that is not blank': { pattern: '\\S', words: 'text, not blank' },
  words: {
    pattern: '^([^\\s,]+(,[^\\s,]+)*)?$',
    words: 'words joined by commas, without spaces, or empty',
  },
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
} as const satisfies Record<
  string,
  { readonly pattern: string | undefined; readonly words: string }
>

export type Field = {
  readonly format: keyof typeof formats
  /** What it holds, as a phrase. */
  readonly holds: string
  /** Where the value comes from, as a phrase; keys in backquotes. */
  readonly from: string
}

const field = (format: Field['format'], holds: string, from: string): Field => ({
  format,
  holds,
  from,
})

/** The profile of a member: the answer of the route `user`. */
export const userFields = {
  totalFollowers: field(
    'count',
    'how many follow the member',
    '`totalFollowers` of the profile, or `0`',
  ),
  totalFollowing: field(
    'count',
    'how many the member follows',
    '`totalFollowing` of the profile, or `0`',
  ),
  Likes: field('count', 'how many likes the member has', '`Likes` of the profile, or `0`'),
  totalShots: field(
    'count',
    'how many shots the member has; may be more than are served',
    '`totalShots` of the profile, or the number of published shots',
  ),
  Lists: field('count', 'how many lists the member keeps', '`Lists` of the profile, or `0`'),
  Listed: field(
    'count',
    'in how many lists of others the member is',
    '`Listed` of the profile, or `0`',
  ),
  Projects: field(
    'count',
    'how many projects the member has',
    '`Projects` of the profile, or the number of its `projects`',
  ),
  id: field('id', "the member's id", '`id` of the profile'),
  username: field('username', "the member's username of today", "the member's folder"),
  name: field('text that is not blank', 'the display name', '`name` of the profile'),
  location: field('text', 'where the member is', '`location` of the profile'),
  twitter: field(
    'link',
    "the member's page on a microblogging network",
    '`twitter` of the profile',
  ),
  website: field('link', "the member's website", '`website` of the profile'),
  bio: field(
    'text',
    'what the member says of themselves; may hold hash-tags',
    '`bio` of the profile',
  ),
  skills: field('words', 'what the member can do', '`skills` of the profile'),
  avatar: field('asset or none', "the member's picture", '`avatar` of the profile'),
  type_account: field(
    'count',
    'the type of the account; the site gives the codes their meaning',
    "`type_account` of the profile, or the site's default, or `0`",
  ),
  cover_image: field(
    'asset or none',
    "the picture at the top of the member's page",
    '`cover_image` of the profile',
  ),
}

/**
 * One of the newest shots of a member: an element of `Shots` in the answer of the route
 * `shots`.
 */
export const shotFields = {
  id: field('id', "the shot's id, unique over the site", '`id` of the shot'),
  id_project: field(
    'id or none',
    'the id of the project that it belongs to; `0` is none',
    '`id_project` of the shot, or `0`',
  ),
  created_project: field(
    'timestamp or none',
    'when that project began; all zeros without a project',
    '`created` of that project in the profile',
  ),
  image: field('asset', 'the picture', '`image` of the shot'),
  large_image: field(
    'asset',
    'the picture in a large size',
    '`large_image` of the shot, or its `image`',
  ),
  token_id: field(
    'token',
    'a name for the shot, unique over the site; it proves nothing',
    '`token_id` of the shot, or the SHA-1 of `shot:<id>`',
  ),
  description: field('text', 'what its member says of it', '`description` of the shot'),
  title: field('text that is not blank', 'what it is called', '`title` of the shot'),
  user_id: field('id', "the member's `id`", '`id` of the profile'),
  status: field(
    'count',
    'its status; the site gives the codes their meaning',
    "`status` of the shot, or the site's default, or `0`",
  ),
  tags: field('words', 'what it is about', '`tags` of the shot'),
  date: field('timestamp', 'when it was made; no zone is known', '`date` of the shot'),
  attachment: field('asset or none', 'a file that comes with it', '`attachment` of the shot'),
  url_purchased: field('link', 'where it can be bought', '`url_purchased` of the shot'),
  price_item: field('text', 'what it costs', '`price_item` of the shot'),
}

/** Fields whose URLs carry the scheme of the request. */
export const schemeFields: readonly string[] = Object.entries({
  ...userFields,
  ...shotFields,
})
  .filter(([, { format }]) => format.startsWith('asset'))
  .map(([name]) => name)

/** Years 0001 to 9999. A pattern can't say whether the month has that day. */
function timestamp() {
  const year = '(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})'
  return `${year}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]) (?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]`
}
