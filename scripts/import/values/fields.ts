/** What a field's text may be; see keep-text.ts. */
export type Kind =
  | 'id'
  | 'name'
  | 'text'
  | 'url'
  | 'words'
  | 'asset'
  | 'count'
  | 'total'
  | 'timestamp'
  | 'project'
  | 'token'

export type Field = {
  readonly key: string
  readonly kind: Kind
  readonly required?: true
  /** Content can't say that it is empty: without the key it is another field's value. */
  readonly neverEmpty?: true
}

/** The fields of a profile that the API sends and content holds, in the order of the interface. */
export const profileFields = [
  { key: 'totalFollowers', kind: 'count' },
  { key: 'totalFollowing', kind: 'count' },
  { key: 'Likes', kind: 'count' },
  { key: 'totalShots', kind: 'total' },
  { key: 'Lists', kind: 'count' },
  { key: 'Listed', kind: 'count' },
  { key: 'Projects', kind: 'total' },
  { key: 'id', kind: 'id', required: true },
  { key: 'name', kind: 'name', required: true },
  { key: 'location', kind: 'text' },
  { key: 'twitter', kind: 'url' },
  { key: 'website', kind: 'url' },
  { key: 'bio', kind: 'text' },
  { key: 'skills', kind: 'words' },
  { key: 'avatar', kind: 'asset' },
  { key: 'type_account', kind: 'count' },
  { key: 'cover_image', kind: 'asset' },
] as const satisfies readonly Field[]

/** The same of a shot. */
export const shotFields = [
  { key: 'id', kind: 'id', required: true },
  { key: 'id_project', kind: 'project' },
  { key: 'image', kind: 'asset', required: true },
  { key: 'large_image', kind: 'asset', neverEmpty: true },
  { key: 'token_id', kind: 'token' },
  { key: 'description', kind: 'text' },
  { key: 'title', kind: 'name', required: true },
  { key: 'status', kind: 'count' },
  { key: 'tags', kind: 'words' },
  { key: 'date', kind: 'timestamp', required: true },
  { key: 'attachment', kind: 'asset' },
  { key: 'url_purchased', kind: 'url' },
  { key: 'price_item', kind: 'text' },
] as const satisfies readonly Field[]

/** Fields that say the same as others: content holds them in another place. */
export const derivedFields = { user: ['username'], shots: ['user_id', 'created_project'] } as const
