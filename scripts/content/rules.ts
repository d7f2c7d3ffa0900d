import {
  type Diagnostic,
  fileStart,
  type Place,
  type Related,
} from '../problems/diagnostic.ts'
import { type Args, type Code, diagnose } from '../problems/messages.ts'
import { amount } from '../text/amounts.ts'
import { doubleQuoted } from '../text/printable.ts'
import { suggest } from '../text/suggest.ts'
import type { Project, Shot } from './member.ts'
import { once } from './once.ts'
import { type Data, mappingOf, type Path } from './parse/data.ts'
import type { Parsed } from './parse/parse.ts'
import type { Part } from './parse/tree.ts'
import type { ProfileFacts } from './salvage.ts'
import type { SchemaName } from './schema.ts'
import { foldUsername, isUntidy, isUsername } from './username.ts'
import { isWebAddress, parseAddress } from './values/address.ts'
import { curlyQuoted, saysNothing, startsWithHost } from './values/unlikely.ts'

/** A rule that a file breaks, before its place in the text is known. */
export type Violation = {
  readonly [C in Code]: {
    readonly code: C
    readonly args: Args<C>
    readonly path: Path
    /** Absent: the value. */
    readonly of?: Part | undefined
    /** A second place in the same file, and what is there; or one elsewhere. */
    readonly related?: { readonly path: Path; readonly message: string }
    readonly elsewhere?: Related | undefined
    readonly fix?: string | undefined
  }
}[Code]

/**
 * A rule for one file that its schema can't express. It must cope with data that breaks the
 * schema; `isWhole` says whether the data is all that the file says, as it is not after a
 * syntax error.
 */
type FileRule = (data: Data, isWhole: boolean) => readonly Violation[]

const projectIdsAreUnique: FileRule = (data) => {
  const ids = itemsOf(data, 'projects').map((project) => mappingOf(project).id)
  return repeats(
    ids,
    (at) => ['projects', at, 'id'],
    (id) => ({ code: 'duplicate-project', args: { id } }),
  )
}

const ownersAreUnique: FileRule = (data) =>
  repeats(
    itemsOf(data, 'owners'),
    (at) => ['owners', at],
    (id) => ({ code: 'duplicate-owner', args: { id } }),
  )

const wordsAreOnce = ['tags', 'skills'].map(
  (key): FileRule =>
    (data) =>
      repeats(
        itemsOf(data, key).map((word) =>
          typeof word === 'string' ? word.toLowerCase() : undefined,
        ),
        (at) => [key, at],
        (value) => ({
          code: 'unlikely-value',
          args: { value, why: 'it is in the list before', advice: 'remove it from the list' },
        }),
      ),
)

/**
 * One word alone may say that there are none; beside others, only a word that means nothing
 * else.
 */
const listsSayMore = ['tags', 'skills'].map(
  (key): FileRule =>
    (data) =>
      itemsOf(data, key).flatMap((value, at, { length }): readonly Violation[] => {
        if (typeof value !== 'string' || !saysNothing(value)) return []
        if (length > 1 && /^(?:\W*|no|none|nil|null|ref|todo|unknown)$/i.test(value))
          return []
        const why = 'it says that there is none'
        const args = { value, why, advice: 'remove it from the list' }
        return [{ code: 'unlikely-value', args, path: [key, at] }]
      }),
)

const priceHoldsNoAddress: FileRule = (data) => {
  const { price_item: value, url_purchased: shop = '' } = mappingOf(data)
  if (typeof value !== 'string' || value.length > 500) return []
  const words = value.split(/\s+/)
  const isBehind = words.length > 1 && /^\d|\d$/.test(words[0] ?? '')
  const address = (isBehind ? `${words.at(-1)}` : value).replace(startsWithHost, 'https://$&')
  // two that are swapped are told at the other one
  if (!isWebAddress(address) || (shop !== '' && !isWebAddress(String(shop)))) return []
  const why = isBehind ? 'it ends with an address' : 'it is an address'
  const line = `url_purchased: ${address}`
  const whole = shop === '' ? `write ${line}` : 'write the price: price_item: 24.50 EUR'
  const part = shop === '' ? `move the address to ${line}` : 'remove the address'
  const args = { value, why, advice: isBehind ? part : whole }
  return [{ code: 'unlikely-value', args, path: ['price_item'] }]
}

/**
 * Titles stand in quotes of print; where all texts do, an editor has made them of those of
 * YAML.
 */
const quotesAreStraight: FileRule = (data) => {
  const { title, name = title } = mappingOf(data)
  if (typeof name !== 'string' || !curlyQuoted.test(name)) return []
  const quoted = Object.entries(mappingOf(data)).flatMap(
    ([key, value]): readonly Violation[] => {
      const [, inside] = (typeof value === 'string' && curlyQuoted.exec(value)) || []
      if (inside === undefined) return []
      const advice = `write ${key}: ${doubleQuoted(inside)}`
      const args = { value: String(value), why: 'the quotes are a part of it', advice }
      return [{ code: 'unlikely-value', args, path: [key] }]
    },
  )
  return quoted.length > 1 ? quoted : []
}

/** Tells of the texts of a list that stand there before. */
const repeats = (
  list: readonly (Data | undefined)[],
  pathOf: (at: number) => Path,
  tell: (text: string) => Pick<Violation, 'code' | 'args'>,
): readonly Violation[] => {
  // nearly no list has any
  if (list.length < 2 || new Set(list).size === list.length) return []
  const first = new Map<string, number>()
  return list.flatMap((id, at) => {
    if (typeof id !== 'string' || id === '') return []
    const earlier = first.get(id)
    if (earlier === undefined) first.set(id, at)
    if (earlier === undefined) return []
    const related = { path: pathOf(earlier), message: 'listed here first' }
    // code and args belong together, which a union can't show
    return [{ ...tell(id), path: pathOf(at), related } as Violation]
  })
}

const ownersAreFew: FileRule = (data) => {
  const args = { most: mostOwners }
  const isOver = itemsOf(data, 'owners').length > mostOwners
  return isOver ? [{ code: 'too-many-owners', args, path: ['owners', mostOwners] }] : []
}

const mostOwners = 20

const aliasesAreTidy: FileRule = (data) =>
  itemsOf(data, 'aliases').flatMap((username, at): readonly Violation[] => {
    const isOdd = typeof username === 'string' && isUsername(username) && isUntidy(username)
    return isOdd
      ? [{ code: 'untidy-username', args: { username }, path: ['aliases', at] }]
      : []
  })

const portInBaseUrlNeedsAssets: FileRule = (data, isWhole) => {
  const { base_url: value, assets = '' } = mappingOf(data)
  return isWhole && typeof value === 'string' && assets === '' && parseAddress(value)?.port
    ? [{ code: 'port-in-base-url', args: { value }, path: ['base_url'] }]
    : []
}

const reservedAreNames: FileRule = (data) =>
  itemsOf(data, 'reserved').flatMap((value, at): readonly Violation[] => {
    if (typeof value !== 'string' || !/[^\w.-]/.test(value)) return []
    const args = { value, why: 'no username can be that', advice: 'remove it from the list' }
    return [{ code: 'unlikely-value', args, path: ['reserved', at] }]
  })

/** Clients that know https alone are served by https alone; there is no snapshot for http alone. */
const schemesHaveHttps: FileRule = (data) => {
  const schemes = itemsOf(data, 'schemes')
  return schemes.length > 0 && schemes.every((one) => one === 'http')
    ? [{ code: 'unknown-scheme', args: { value: 'http' }, path: ['schemes', 0] }]
    : []
}

const itemsOf = (data: Data, key: string): readonly Data[] => {
  const list = mappingOf(data)[key]
  return Array.isArray(list) ? list : []
}

export const fileRules: Readonly<Record<SchemaName, readonly FileRule[]>> = {
  profile: [
    ...wordsAreOnce,
    ...listsSayMore,
    quotesAreStraight,
    aliasesAreTidy,
    projectIdsAreUnique,
    ownersAreUnique,
    ownersAreFew,
  ],
  shot: [...wordsAreOnce, ...listsSayMore, quotesAreStraight, priceHoldsNoAddress],
  site: [portInBaseUrlNeedsAssets, reservedAreNames, schemesHaveHttps],
}

/**
 * What is wrong with a shot, compared with its member's profile; the places are in the shot's
 * file.
 */
export const checkShot = (
  { id_project: id }: Pick<Shot, 'id_project'>,
  projects: readonly Pick<Project, 'id'>[],
): readonly Violation[] => {
  if (id === '0' || projects.some((project) => project.id === id)) return []
  const known = projects.slice(0, mostCompared).map((project) => project.id)
  const shown = known.slice(0, 10).join(', ')
  const args = { id, suggestion: suggest(id, known), known: shown || undefined }
  return [{ code: 'unknown-project', args, path: ['id_project'] }]
}

/**
 * A stranger's profile of 1 MiB can list 30,000, each of which is compared with each wrong
 * shot.
 */
const mostCompared = 300

/** What is wrong with a profile, compared with the number of its member's published shots. */
export const checkCounts = (
  { totalShots, Projects, projects = [] }: ProfileFacts,
  publishedShots: number,
): readonly Violation[] => {
  const counts = [
    ['totalShots', totalShots, publishedShots],
    ['Projects', Projects, projects.length],
  ] as const
  return counts.flatMap(([key, value, counted]): readonly Violation[] =>
    value !== undefined && BigInt(value) < counted
      ? [{ code: 'count-too-low', args: { key, value, counted }, path: [key] }]
      : [],
  )
}

export const checkAliases = ({ aliases = [] }: ProfileFacts, isReserved: IsReserved) =>
  aliases.flatMap((name, index) =>
    isReserved(name)
      ? [{ code: 'reserved-name', args: { name }, path: ['aliases', index] } as const]
      : [],
  )

/** Whether the site reserves a name, in any letter case: no member and no alias may have it. */
type IsReserved = (name: string) => boolean

/** Finds where a site reserves a name. `siteAt` finds what site.yaml says at a path. */
export const createReservedAt = (
  siteAt: (path: Path) => Place,
  reserved: readonly string[],
) => {
  // looked up, not searched: thousands may be reserved; the first of two spellings counts
  const places = once(() => {
    const placed = reserved.map(
      (name, at) => [foldUsername(name), siteAt(['reserved', at])] as const,
    )
    return new Map(placed.reverse())
  })
  return (name: string): Related => ({
    ...places().get(foldUsername(name))!,
    message: 'it is reserved here',
  })
}

/** Where a profile lists its projects; its start if it has no such key. */
export const projectsAt = (profile: Parsed): Related =>
  typeof profile.data === 'object' && Object.hasOwn(profile.data, 'projects')
    ? { ...profile.place(['projects'], 'key'), message: 'its projects are listed here' }
    : { ...profile.place([], 'mapping'), message: 'it lists no projects' }

export const shotsAt = (folder: string, published: number): Related => ({
  file: folder,
  ...fileStart,
  message: `it holds ${amount(published, 'published shot')}`,
})

/**
 * Gives a violation its words, its place in the source that it is about, and its second place
 * if it has one.
 */
export const diagnoseIn = (
  { place }: Parsed,
  { code, args, path, of, related, elsewhere, fix }: Violation,
): Diagnostic => ({
  // code and args belong together in a violation, which a union can't show
  ...diagnose(code, place(path, of ?? 'value'), args as never, [
    ...(related ? [{ ...place(related.path, 'value'), message: related.message }] : []),
    ...(elsewhere ? [elsewhere] : []),
  ]),
  ...(fix !== undefined && { fix }),
})
