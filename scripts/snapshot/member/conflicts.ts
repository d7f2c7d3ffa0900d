import { names, stemOf } from '../../content/layout.ts'
import { type Parsed, parse } from '../../content/parse/parse.ts'
import { salvageProfile, salvageShot } from '../../content/salvage.ts'
import { type Scan, scanMember } from '../../content/scan.ts'
import type { Source } from '../../content/source.ts'
import { foldUsername } from '../../content/username.ts'
import { type Diagnostic, fileStart, type Place, type Related } from '../../diagnostics/diagnostic.ts'
import { diagnose } from '../../diagnostics/messages.ts'
import type { StateEntry } from '../state/entry.ts'
import {
  claimOf,
  findRepeated,
  holdsAny,
  isClaimed,
  memberClaim,
  nameClaim,
  shotToken,
  sortClaims,
} from './claims.ts'
import type { Tools } from './compile.ts'
import { originalOf, unnumbered } from './copies.ts'
import { createFreeId, type FreeId } from './free-id.ts'

/** What must be unique over the site, and is not. Only the files of members whose claims collide are read again. */
export const findConflicts = (entries: Iterable<StateEntry>, tools: Tools): Diagnostic[] => {
  const all = sortClaims(entries)
  const repeated = findRepeated(all)
  if (repeated.size === 0) return []
  const groups = new Map<string, Holding[]>()
  for (const { username, claims } of entries) {
    if (!holdsAny(claims, repeated)) continue
    for (const holding of holdings(scanMember(username, tools.content), repeated, tools)) {
      const key = `${holding.code} ${holding.value}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [holding])
      else group.push(holding)
    }
  }
  const freeIds: FreeIds = {
    'duplicate-member-id': createFreeId((id) => isClaimed(all, memberClaim(id))),
    'duplicate-shot-id': createFreeId((id) => isClaimed(all, claimOf(shotToken(id)))),
  }
  return [...groups.values()].flatMap((group) => judge(group, freeIds))
}

/** Something that one member holds, and nobody else may. */
type Holding = {
  readonly code: 'duplicate-member-id' | 'duplicate-shot-id' | 'duplicate-token' | 'duplicate-name'
  readonly value: string
  /** As it is written. */
  readonly text: string
  /** Of the shot's file, without its ending, or of the member's folder. */
  readonly name: string
  readonly place: Place
  /** Whether it follows from something else: a token from an id, a username from its folder. */
  readonly made: boolean
}

/** What a member holds of the things that collide. */
const holdings = (scan: Scan, repeated: ReadonlySet<bigint>, { content, reader }: Tools): Holding[] => {
  const folder = `${names.members}/${scan.username}`
  const read = (path: string): Source | undefined =>
    reader(`${content.path}/${folder}/${path}`, `${content.name}/${folder}/${path}`).source
  const found: Holding[] = []
  const profile = scan.profile === undefined ? undefined : read(scan.profile)
  if (holdsAny(nameClaim(scan.username), repeated)) {
    found.push(
      nameAt({ file: `${content.name}/${folder}`, ...fileStart }, { name: scan.username, made: true }),
    )
  }
  if (profile !== undefined) {
    const parsed = parse(profile)
    const { id, aliases = [] } = salvageProfile(parsed)
    if (id !== undefined && holdsAny(memberClaim(id), repeated)) {
      found.push({ code: 'duplicate-member-id', name: scan.username, ...held(parsed, 'id', id) })
    }
    aliases.forEach((name, index) => {
      if (name === '' || !holdsAny(nameClaim(name), repeated)) return
      found.push(nameAt(parsed.place(['aliases', index], 'value'), { name, made: false }))
    })
  }
  for (const name of scan.shots) {
    const source = read(`${names.shots}/${name}`)
    if (source === undefined) continue
    const parsed = parse(source)
    const stem = stemOf(name)
    const { id, token_id } = salvageShot(parsed)
    const made = id === undefined ? undefined : shotToken(id)
    const token = token_id ?? made
    if (id !== undefined && holdsAny(claimOf(made!), repeated)) {
      found.push({ code: 'duplicate-shot-id', name: stem, ...held(parsed, 'id', id) })
    }
    if (token !== undefined && holdsAny(claimOf(token), repeated)) {
      const key = token_id === undefined ? 'id' : 'token_id'
      found.push({
        code: 'duplicate-token',
        name: stem,
        ...held(parsed, key, token),
        made: token_id === undefined,
      })
    }
  }
  return found
}

const held = (parsed: Parsed, key: 'id' | 'token_id', value: string) => ({
  value,
  text: value,
  place: parsed.place([key], 'value'),
  made: false,
})

const nameAt = (
  place: Place,
  { name, made }: { readonly name: string; readonly made: boolean },
): Holding => ({ code: 'duplicate-name', value: foldUsername(name), text: name, name, place, made })

type FreeIds = { readonly [C in Holding['code']]?: FreeId }

/**
 * Who keeps it: a token that is made before one that is written out, a username before an alias; then what doesn't look
 * like a copy of another holder; then who comes first in the order of the files.
 */
const judge = (holders: readonly Holding[], freeIds: FreeIds): Diagnostic[] => {
  const all = new Set(holders.map(({ name }) => name))
  const [first, ...others] = holders.toSorted(
    (a, b) => rank(a) - rank(b) || copyRank(a, all) - copyRank(b, all) || compare(a.place, b.place),
  )
  const related: Related = { ...first!.place, message: 'it is taken here' }
  return others.flatMap(({ code, text, place, made }) => {
    // two made tokens are equal because the ids are, two usernames because of their letter case: that is said already
    if (made) return []
    const free = freeIds[code]?.(text)
    return [diagnose(code, place, { id: text, token: text, name: text, free }, [related])]
  })
}

const rank = ({ code, made }: Holding): number =>
  made || code === 'duplicate-member-id' || code === 'duplicate-shot-id' ? 0 : 1

const copyRank = ({ name }: Holding, all: ReadonlySet<string>): number => {
  const plain = unnumbered(name)
  return originalOf(name) !== undefined || (plain !== name && all.has(plain)) ? 1 : 0
}

const compare = (a: Place, b: Place): number =>
  a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1
