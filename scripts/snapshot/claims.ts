import { names, stemOf } from '../content/layout.ts'
import type { Source } from '../content/load.ts'
import { salvageProfile, salvageShot } from '../content/member.ts'
import { once } from '../content/once.ts'
import { parse } from '../content/parse/parse.ts'
import { scanMember } from '../content/read/scan.ts'
import { foldUsername } from '../content/username.ts'
import { type Diagnostic, fileStart, type Place, type Related } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { readMember, shotToken, type Tools } from './compile.ts'
import type { Entry } from './state.ts'

/** What nobody else in the site may have, besides the names of a member. Ids and tokens have spaces between them. */
export type Claims = {
  /** Of the member; empty if it can't be read. */
  readonly id: string
  /** Ids. */
  readonly shots: string
  /** Tokens that the shots' files give; the others are made of ids. */
  readonly tokens: string
}

export type Claiming = {
  readonly username: string
  readonly aliases: readonly string[]
  readonly claims: Claims
}

/**
 * What is claimed more than once: such as `shot 42`. With `fresh`, which are among all, the others are known to be unlike
 * each other.
 */
export const findRepeated = (
  all: readonly Claiming[],
  fresh: readonly Claiming[] = all,
): ReadonlySet<string> => {
  const hasTokens = all.some(({ claims }) => claims.tokens !== '')
  const freshTokens = fresh.some(({ claims }) => claims.tokens !== '')
  const isFresh = new Set(fresh)
  const wanted = fresh === all ? undefined : new Set(fresh.flatMap((one) => [...keysOf(one, hasTokens)]))
  const [seen, repeated] = [new Set<string>(), new Set<string>()]
  for (const one of all) {
    for (const key of keysOf(one, isFresh.has(one) ? hasTokens : freshTokens)) {
      if (wanted?.has(key) === false) continue
      if (seen.has(key)) repeated.add(key)
      else seen.add(key)
    }
  }
  return repeated
}

/** All that is claimed; with the tokens that are made of ids only where they may equal one that a file gives. */
function* keysOf({ username, aliases, claims }: Claiming, withMade: boolean): Generator<string> {
  yield keyOf({ code: 'duplicate-name', value: foldUsername(username) })
  for (const alias of aliases) yield keyOf({ code: 'duplicate-name', value: foldUsername(alias) })
  if (claims.id !== '') yield keyOf({ code: 'duplicate-member-id', value: claims.id })
  for (const value of split(claims.shots)) {
    yield keyOf({ code: 'duplicate-shot-id', value })
    if (withMade) yield keyOf({ code: 'duplicate-token', value: shotToken(value) })
  }
  for (const value of split(claims.tokens)) yield keyOf({ code: 'duplicate-token', value })
}

const split = (text: string): readonly string[] => (text === '' ? [] : text.split(' '))

/** What stands for something that is held, such as `shot 42`. */
const keyOf = ({ code, value }: Pick<Holding, 'code' | 'value'>): string => `${kinds[code]} ${value}`

const kinds = {
  'duplicate-member-id': 'member',
  'duplicate-shot-id': 'shot',
  'duplicate-token': 'token',
  'duplicate-name': 'name',
} as const

/** What is wrong if two hold the same. */
export const isClash = (code: string): boolean => code in kinds

/** Something that one member holds, and nobody else may. */
export type Holding = {
  readonly code: keyof typeof kinds
  readonly value: string
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
    if (![...keysOf(one, true)].some((key) => repeated.has(key))) continue
    for (const holding of holdingsOf(one)) {
      const key = keyOf(holding)
      if (!repeated.has(key)) continue
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [holding])
      else group.push(holding)
    }
  }
  const freeIds: FreeIds = {
    'duplicate-member-id': createFreeId(new Set(all.map(({ claims }) => claims.id))),
    'duplicate-shot-id': createFreeId(new Set(all.flatMap(({ claims }) => split(claims.shots)))),
  }
  return [...groups.values()].flatMap((group) => judge(group, freeIds))
}

type FreeIds = { readonly [C in Holding['code']]?: (taken: string) => string | undefined }

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
  return others.flatMap(({ code, text, place, made }) => {
    // equal ids make equal tokens, and usernames may differ in letter case only: both are reported already
    if (made) return []
    const free = freeIds[code]?.(text)
    return [diagnose(code, place, { id: text, token: text, name: text, free }, [related])]
  })
}

const rank = ({ code, made }: Holding): number =>
  made || code === 'duplicate-member-id' || code === 'duplicate-shot-id' ? 0 : 1

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
  const below = ({ file, ...rest }: Place): Place => ({
    ...rest,
    file: file.slice(tools.content.name.length + 1),
  })
  const held =
    entry.held ??
    findHoldings(entry.username, tools, { quick: true }).map((one) => ({ ...one, place: below(one.place) }))
  return { ...entry, held }
}

/** All that a member holds, by its files as they are now. `quick` is for files in which nothing is wrong. */
export const findHoldings = (
  username: string,
  { content, read }: Tools,
  { quick: mayBeQuick = false } = {},
): readonly Holding[] => {
  const holdings: Holding[] = []
  const hold = (
    code: Holding['code'],
    text: string | undefined,
    { name, made = false, place }: About,
  ): void => {
    if (!text) return
    const value = code === 'duplicate-name' ? foldUsername(text) : text
    holdings.push({ code, value, text, name, place: place(), made })
  }
  const folder = { file: `${content.name}/${names.members}/${username}`, ...fileStart }
  hold('duplicate-name', username, { name: username, made: true, place: () => folder })
  const ofProfile = (source: Source): void => {
    const parsed = parse(source)
    const { id, aliases = [] } = salvageProfile(parsed)
    hold('duplicate-member-id', id, { name: username, place: () => parsed.place(['id'], 'value') })
    for (const [at, name] of aliases.entries())
      hold('duplicate-name', name, { name, place: () => parsed.place(['aliases', at], 'value') })
  }
  const ofShot = (source: Source): void => {
    const quick = mayBeQuick ? findPlainId(source) : undefined
    const parsed = once(() => parse(source))
    const { id, token_id } = quick ?? salvageShot(parsed())
    const name = stemOf(source.file.slice(source.file.lastIndexOf('/') + 1))
    const placeOf = (key: string) => (): Place => quick?.place ?? parsed().place([key], 'value')
    hold('duplicate-shot-id', id, { name, place: placeOf('id') })
    const made = token_id === undefined
    const token = made && id !== undefined ? shotToken(id) : token_id
    hold('duplicate-token', token, { name, made, place: placeOf(made ? 'id' : 'token_id') })
  }
  readMember(scanMember(username, content), read, {
    profile: ({ source }) => source && ofProfile(source),
    shot: ({ source }) => source && ofShot(source),
  })
  return holdings
}

type About = { readonly name: string; readonly made?: boolean; readonly place: () => Place }

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
