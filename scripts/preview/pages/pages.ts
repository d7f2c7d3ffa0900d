import { names } from '../../content/layout.ts'
import type { ContentFolder } from '../../content/read/scan.ts'
import type { Site } from '../../content/site.ts'
import { foldUsername, isUsername } from '../../content/username.ts'
import type { MemberData, Problem, Row, View } from '../../explorer/data/data.ts'
import { memberPage } from '../../explorer/member-page.ts'
import { membersPage } from '../../explorer/members-page.ts'
import type { Diagnostic } from '../../problems/diagnostic.ts'
import type { Touched } from '../watch.ts'
import { createMembers, readRow } from './members.ts'
import { createMemberReader } from './read-member.ts'
import { readProblems } from './read-problems.ts'

/** The site as a build found it. */
export type Found = {
  readonly site: Site | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly usernames: readonly string[]
}

/** What a page needs besides the site. */
export type Surroundings = Omit<View, 'site' | 'version'>

/** The pages, always of what the last build found. */
export type Pages = {
  readonly update: (found: Found, touched: Touched) => void
  /** Changes with each update. */
  readonly version: () => string
  /** Path of base_url; `''` as long as it is unknown. */
  readonly site: () => Site | undefined
  readonly usernames: () => readonly string[]
  readonly members: (
    query: string,
    options: { readonly page: number; readonly pageSize: number } & WithView,
  ) => Promise<string>
  /** `undefined` if there is no such member. */
  readonly member: (
    username: string,
    options: WithView & { readonly drafts: boolean },
  ) => Promise<string | undefined>
  /** The member whom the API serves under an alias. */
  readonly ownerOf: (alias: string) => string | undefined
}

type WithView = { readonly view: Surroundings }

export type PagesOptions = {
  readonly content: ContentFolder
  /** The snapshot. */
  readonly out: string
  readonly hostNames: readonly string[]
  /** Tells the versions of this process from those of others. */
  readonly start: string
}

export const createPages = (options: PagesOptions): Pages => {
  const { content, out, start } = options
  const all = createMembers(out)
  const readMember = createMemberReader(options)
  /** What pages of members show, as long as nothing is built: the same in all tabs. */
  const seen = new Map<string, Promise<MemberData>>()
  let count = 0
  let diagnostics: readonly Diagnostic[] = []
  let site: Site | undefined

  const version = (): string => `${start}-${count}`

  /** The version is that of the beginning: what changes while a page is made is shown by the next one. */
  const viewOf = (view: Surroundings): View => ({ ...view, site, version: version() })

  const dataOf = (username: string): Promise<MemberData> => {
    const known = seen.get(username)
    if (known !== undefined) return known
    if (seen.size >= mostSeen) seen.clear()
    const read = readMember(username, { site, diagnostics })
    seen.set(username, read)
    read.catch(() => seen.delete(username))
    return read
  }

  const rowOf = (username: string): Row => {
    const own = diagnostics.filter(({ file }) =>
      isBelow(file, `${content.name}/${names.members}/${username}`),
    )
    const errors = own.filter(({ severity }) => severity === 'error').length
    const { servedAs: _, ...row } = readRow(out, username)
    return { ...row, errors, warnings: own.length - errors }
  }

  return {
    version,
    site: () => site,
    usernames: all.usernames,
    update: (found, touched) => {
      diagnostics = found.diagnostics
      site = found.site ?? site
      all.renew(found.usernames, touched)
      seen.clear()
      count++
    },
    members: async (query, { page, pageSize, view: surroundings }) => {
      const view = viewOf(surroundings)
      const total = all.usernames().length
      const found = query === '' ? all.usernames() : await all.search(query)
      const pages = Math.max(1, Math.ceil(found.length / pageSize))
      const number = Math.min(Math.max(1, page), pages)
      const rows = found.slice((number - 1) * pageSize, number * pageSize).map(rowOf)
      const problems: readonly Problem[] = readProblems(content, diagnostics.slice(0, mostProblems))
      return membersPage(
        {
          rows,
          found: found.length,
          total,
          query,
          page: number,
          pages,
          problems,
          problemCount: diagnostics.length,
        },
        view,
      )
    },
    member: async (username, { view, drafts }) => {
      if (!all.usernames().includes(username)) return undefined
      const now = viewOf(view)
      const data = await dataOf(username)
      const works = data.works.filter(({ value }) => drafts || value?.draft !== true)
      return memberPage({ ...data, works }, now)
    },
    ownerOf: (alias) => {
      const owner = isUsername(alias) ? readRow(out, alias).servedAs : undefined
      // where the disk does not tell letter case, it has a member's files under any spelling
      const isAlias = owner !== undefined && foldUsername(owner) !== foldUsername(alias)
      return isAlias && all.usernames().includes(owner) ? owner : undefined
    },
  }
}

/** Members whose data is kept. */
const mostSeen = 20

/** Problems that the page of all members shows. */
const mostProblems = 20

const isBelow = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`)
