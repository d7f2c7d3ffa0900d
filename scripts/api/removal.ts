import { servedAt } from './routes.ts'

/** Members of a snapshot that was published, and how many of them are to go. */
type MemberCount = { readonly published: number; readonly removed: number }

type Listed = { readonly path: string; readonly digest: string }

/**
 * Counts members by the lines of a list. A member answers at aliases too: with the same
 * bytes, which no other member has, since their username is in them. One who keeps any of the
 * names stays.
 */
export const countMembers = (
  list: readonly Listed[],
  isKept: (profile: {
    readonly path: string
    readonly username: string | undefined
  }) => boolean,
): MemberCount => {
  const members = new Set<string>()
  const kept = new Set<string>()
  for (const { path, digest } of list) {
    const { route, variant, username, encoding } = servedAt(path) ?? {}
    // a name has one profile in the https variant
    if (route?.name !== 'user' || variant !== 'https' || encoding !== undefined) continue
    members.add(digest)
    if (isKept({ path, username })) kept.add(digest)
  }
  return { published: members.size, removed: members.size - kept.size }
}

/**
 * Whether so many are to go that somebody should say that they may: more than half, and more
 * than five.
 */
export const isMassRemoval = ({ published, removed }: MemberCount): boolean =>
  removed > 5 && removed * 2 > published
