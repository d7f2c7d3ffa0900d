import * as api from './routes.ts'

/** What a path below the snapshot's root says about a member's file. */
export type MemberFile = {
  readonly username: string
  readonly route: api.Route
  readonly variant: api.Variant
  readonly encoding: api.Encoding | undefined
}

/** The member's file at a path; `undefined` if the file is no member's. The inverse of `filePath`, encodings included. */
export const memberFileAt = (path: string): MemberFile | undefined => {
  const [, folder, username, suffix, ending] = pattern.exec(path) ?? []
  if (username === undefined) return undefined
  return {
    username,
    route: api.routes.find((route) => route.suffix === suffix)!,
    variant: api.variants.find((variant) => folderOf(variant) === folder)!,
    encoding: api.encodings.find((encoding) => encoding.suffix === ending)?.name,
  }
}

const folderOf = (variant: api.Variant): string =>
  api.variantFolder[variant] && `${api.variantFolder[variant]}/`

const anyOf = (texts: readonly string[]): string => texts.map((text) => text.replaceAll('.', '\\.')).join('|')

const pattern = new RegExp(
  `^(${anyOf(api.variants.map(folderOf))})${api.prefix.slice(1)}(${api.usernamePattern})` +
    `(${anyOf(api.routes.map(({ suffix }) => suffix))})/${anyOf([api.indexFile])}` +
    `(${anyOf(['', ...api.encodings.map(({ suffix }) => suffix)])})$`,
)

/**
 * The addresses at which caches may hold a file of the snapshot: in both schemes, with and without a slash at the
 * end. None for what no client can ask for.
 */
export const addressesOf = (path: string, baseUrl: string): readonly string[] => {
  const { host, pathname } = new URL(baseUrl)
  const member = memberFileAt(path)
  const request = member ? api.requestPath(member.route, member.username) : api.siteRouteAt(path)?.request
  if (request === undefined) return []
  const address = `${host}${pathname.replace(/\/+$/, '')}${request}`
  return ['https', 'http'].flatMap((scheme) => [`${scheme}://${address}`, `${scheme}://${address}/`])
}

/** Members of a snapshot that was published, and how many of them are to go. */
export type MemberCount = { readonly published: number; readonly removed: number }

/**
 * Counts members by the lines of a list. A member answers at aliases too: with the same bytes, which no other member
 * has, since their username is in them. One who keeps any of the names stays.
 */
export const createMemberCount = () => {
  // numbers, since a part of a line would keep the whole list in memory
  const members = new Map<number, boolean>()
  return {
    add: ({ path, digest }: { readonly path: string; readonly digest: string }, isKept: boolean): void => {
      if (!isProfile(path)) return
      const member = Number.parseInt(digest.slice(0, 12), 16)
      members.set(member, isKept || members.get(member) === true)
    },
    result: (): MemberCount => {
      let removed = 0
      for (const isKept of members.values()) if (!isKept) removed++
      return { published: members.size, removed }
    },
  }
}

/** A name has one profile in the https variant. */
const isProfile = (path: string): boolean => {
  const file = memberFileAt(path)
  return file?.route.name === 'user' && file.variant === 'https' && file.encoding === undefined
}

/** Whether so many are to go that somebody should say that they may. */
export const isMassRemoval = ({ published, removed }: MemberCount): boolean =>
  removed > few && removed * 2 > published

const few = 5
