import { names, stemOf } from '../content/layout.ts'
import type { Source } from '../content/load.ts'
import { salvageProfile, salvageShot } from '../content/member.ts'
import { once } from '../content/once.ts'
import { parse } from '../content/parse/parse.ts'
import { scanMember } from '../content/read/scan.ts'
import type { Path } from '../content/rules.ts'
import { type Diagnostic, fileStart, type Place, type Related } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { type ClaimKind, type Compiled, claimOf, readMember, shotToken, type Tools } from './compile.ts'
import type { Entry } from './state.ts'

/** What must be unique over the site, and what is told of two that have the same. */
const codes = {
  member: 'duplicate-member-id',
  shot: 'duplicate-shot-id',
  token: 'duplicate-token',
  name: 'duplicate-name',
} as const satisfies Record<ClaimKind, string>

/** Whether a diagnostic tells of two that have the same. */
export const isClash = (code: string): boolean => Object.values<string>(codes).includes(code)

export type Claiming = Pick<Compiled, 'claims'>

const claimsIn = ({ claims }: Claiming, kind: ClaimKind): readonly string[] =>
  claims.split(',').flatMap((one) => (one.startsWith(`${kind} `) ? [one.slice(kind.length + 1)] : []))

/** All that is claimed; with the tokens that are made of ids only where they may equal one that a file gives. */
const claimsOf = (one: Claiming, withMade: boolean): readonly string[] => {
  const made = withMade ? claimsIn(one, 'shot').map((id) => claimOf('token', shotToken(id))) : []
  return [...one.claims.split(','), ...made]
}

/** What is claimed more than once. With `fresh`, which are among all, the others are known to be unlike each other. */
export const findRepeated = (
  all: readonly Claiming[],
  fresh: readonly Claiming[] = all,
): ReadonlySet<string> => {
  const haveTokens = (some: readonly Claiming[]) => some.some(({ claims }) => claims.includes(',token '))
  const [hasTokens, freshTokens] = [haveTokens(all), haveTokens(fresh)]
  const isFresh = new Set(fresh)
  const wanted = fresh === all ? undefined : new Set(fresh.flatMap((one) => claimsOf(one, hasTokens)))
  const [seen, repeated] = [new Set<string>(), new Set<string>()]
  for (const one of all) {
    for (const claim of claimsOf(one, isFresh.has(one) ? hasTokens : freshTokens)) {
      if (wanted?.has(claim) === false) continue
      if (seen.has(claim)) repeated.add(claim)
      else seen.add(claim)
    }
  }
  return repeated
}

/** Something that one member holds, and nobody else may. */
export type Holding = {
  readonly kind: ClaimKind
  /** As it is written. */
  readonly text: string
  /** Of the shot's file, without its ending, or of the member's folder. */
  readonly name: string
  readonly place: Place
  /** Whether it follows from something else: a token from an id, a username from its folder. */
  readonly made: boolean
}

/**
 * What must be unique over the site, and is not, in the order of the members. `holdingsOf` finds what a member holds; it is
 * asked only for members whose claims collide.
 */
export const findClashes = <T extends Claiming>(
  all: readonly T[],
  repeated: ReadonlySet<string>,
  holdingsOf: (one: T) => readonly Holding[],
): Diagnostic[] => {
  if (repeated.size === 0) return []
  const groups = new Map<string, Holding[]>()
  for (const one of all) {
    if (!claimsOf(one, true).some((claim) => repeated.has(claim))) continue
    for (const holding of holdingsOf(one)) {
      const claim = claimOf(holding.kind, holding.text)
      if (repeated.has(claim)) groups.set(claim, [...(groups.get(claim) ?? []), holding])
    }
  }
  const freeIdOf = (kind: ClaimKind) => createFreeId(new Set(all.flatMap((one) => claimsIn(one, kind))))
  const freeIds: FreeIds = { member: freeIdOf('member'), shot: freeIdOf('shot') }
  return [...groups.values()].flatMap((group) => judge(group, freeIds))
}

type FreeIds = { readonly [K in ClaimKind]?: (taken: string) => string | undefined }

/**
 * Who may keep it: a token that is made before one that is written out, a username before an alias; then what
 * doesn't look like a copy of another holder; then who comes first in the order of the files.
 */
const judge = (holders: readonly Holding[], freeIds: FreeIds): Diagnostic[] => {
  const all = new Set(holders.map(({ name }) => name))
  const [first, ...others] = holders.toSorted(
    (a, b) => rank(a) - rank(b) || copyRank(a, all) - copyRank(b, all) || compare(a.place, b.place),
  )
  const related: Related = { ...first!.place, message: 'it is taken here' }
  return others.flatMap(({ kind, text, place, made }) => {
    // equal ids make equal tokens, and usernames may differ in letter case only: both are reported already
    if (made) return []
    const free = freeIds[kind]?.(text)
    return [diagnose(codes[kind], place, { id: text, token: text, name: text, free }, [related])]
  })
}

const rank = ({ kind, made }: Holding): number => (made || kind === 'member' || kind === 'shot' ? 0 : 1)

const copyRank = ({ name }: Holding, all: ReadonlySet<string>): number => {
  // `poster 2` is also what people call a second poster
  const plain = name.replace(/[\s_-]\d+$/, '')
  return isCopy(name) || (plain !== name && all.has(plain)) ? 1 : 0
}

const compare = (a: Place, b: Place): number =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1

/** Whether a name looks like one that a program gave to a copy: `poster - Copy (2)`, `poster (1)`, `Copy of poster`. */
export const isCopy = (name: string): boolean => {
  const original = name.replace(beforeCopy, '').replace(afterCopy, '')
  return original !== name && original !== ''
}

const copyWord = '(?:copy|kopie|copie|copia|cópia|kopia|kopi)'
const beforeCopy = new RegExp(`^${copyWord}(?: ?\\(?\\d+\\)?)? (?:of|von|de|di) `, 'i')
const afterCopy = new RegExp(`(?:[\\s._–—-]+${copyWord}(?:[\\s_-]*\\(?\\d+\\)?)?|\\s*\\(\\d+\\))+$`, 'i')

/** Makes a finder of free ids above a taken one, each of which it names once. It names none of more than 20 digits. */
export const createFreeId = (taken: ReadonlySet<string>): ((id: string) => string | undefined) => {
  let last = 0n
  return (id) => {
    if (id.length > 20) return undefined
    if (BigInt(id) > last) last = BigInt(id)
    do last++
    while (taken.has(String(last)))
    return String(last)
  }
}

/** An entry of a right member with what it holds; places are below the content folder, which a merge may call otherwise. */
export const withHoldings = (entry: Entry, tools: Tools): Entry => {
  const start = tools.content.name.length + 1
  const below = (place: Place): Place => ({ ...place, file: place.file.slice(start) })
  const found = () => findHoldings(entry.username, tools, { areRight: true })
  const held = entry.held ?? found().map((one) => ({ ...one, place: below(one.place) }))
  return { ...entry, held }
}

/** All that a member holds, by its files as they are now. */
export const findHoldings = (
  username: string,
  { content, read }: Tools,
  /** Whether nothing is wrong in the files. */
  { areRight = false } = {},
): readonly Holding[] => {
  const folder = { file: `${content.name}/${names.members}/${username}`, ...fileStart }
  const holdings: Holding[] = [{ kind: 'name', text: username, name: username, place: folder, made: true }]
  readMember(scanMember(username, content), read, {
    profile: ({ source }) => {
      if (source === undefined) return
      const parsed = parse(source)
      const { id, aliases = [] } = salvageProfile(parsed)
      const hold = (kind: ClaimKind, text: string, path: Path): void => {
        if (text)
          holdings.push({ kind, text, name: username, place: parsed.place(path, 'value'), made: false })
      }
      hold('member', id ?? '', ['id'])
      for (const [at, name] of aliases.entries()) hold('name', name, ['aliases', at])
    },
    shot: ({ source }) => {
      if (source === undefined) return
      const plain = areRight ? findPlainId(source) : undefined
      const parsed = once(() => parse(source))
      const { id, token_id } = plain ?? salvageShot(parsed())
      const name = stemOf(source.file.slice(source.file.lastIndexOf('/') + 1))
      const placeOf = (key: string): Place => plain?.place ?? parsed().place([key], 'value')
      if (id) holdings.push({ kind: 'shot', text: id, name, place: placeOf('id'), made: false })
      const made = token_id === undefined
      const text = made && id ? shotToken(id) : token_id
      if (text) holdings.push({ kind: 'token', text, name, place: placeOf(made ? 'id' : 'token_id'), made })
    },
  })
  return holdings
}

/** The id of a shot without a token of its own where it is on a line of its own, as nearly always: parsing takes ten times as long. */
const findPlainId = ({ file, text }: Source) => {
  if (text.includes('token_id')) return undefined
  const [found, another] = [...text.matchAll(/^id:[ \t]+([1-9][0-9]*)[ \t]*(?:[ \t]#.*)?\r?$/gm)]
  if (found === undefined || another !== undefined) return undefined
  const id = found[1]!
  const column = found[0].indexOf(id) + 1
  const line = text.slice(0, found.index).split('\n').length
  const place: Place = { file, line, column, endLine: line, endColumn: column + id.length }
  return { id, token_id: undefined, place }
}
