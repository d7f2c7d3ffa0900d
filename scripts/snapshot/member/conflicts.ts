import { names } from '../../content/layout.ts'
import { parse } from '../../content/parse/parse.ts'
import { salvageProfile, salvageShot } from '../../content/salvage.ts'
import { type Scan, scanMember } from '../../content/scan.ts'
import type { Source } from '../../content/source.ts'
import type { Diagnostic, Related } from '../../diagnostics/diagnostic.ts'
import { diagnose } from '../../diagnostics/messages.ts'
import type { StateEntry } from '../state/entry.ts'
import { claimOf, findRepeated, holdsAny, memberClaim, shotToken } from './claims.ts'
import type { Tools } from './compile.ts'

/** What must be unique over the site, and is not. Only the files of members whose claims collide are read again. */
export const findConflicts = (entries: Iterable<StateEntry>, tools: Tools): Diagnostic[] => {
  const repeated = findRepeated(entries)
  if (repeated.size === 0) return []
  const groups = new Map<string, Holding[]>()
  for (const { username, claims } of entries) {
    if (!holdsAny(claims, repeated)) continue
    for (const holding of holdings(scanMember(username, tools.content), repeated, tools)) {
      const key = `${holding.code} ${holding.value}`
      groups.set(key, [...(groups.get(key) ?? []), holding])
    }
  }
  return [...groups.values()].flatMap(judge)
}

/** Something that one file holds, and nobody else may. */
type Holding = {
  readonly code: 'duplicate-member-id' | 'duplicate-shot-id' | 'duplicate-token'
  readonly value: string
  readonly source: Source
  readonly key: 'id' | 'token_id'
}

/** What a member holds of the things that collide. */
const holdings = (scan: Scan, repeated: ReadonlySet<bigint>, { content, reader }: Tools): Holding[] => {
  const folder = `${names.members}/${scan.username}`
  const read = (path: string): Source | undefined =>
    reader(`${content.path}/${folder}/${path}`, `${content.name}/${folder}/${path}`).source
  const found: Holding[] = []
  const profile = scan.profile === undefined ? undefined : read(scan.profile)
  if (profile !== undefined) {
    const { id } = salvageProfile(parse(profile))
    if (id !== undefined && holdsAny(memberClaim(id), repeated)) {
      found.push({ code: 'duplicate-member-id', value: id, source: profile, key: 'id' })
    }
  }
  for (const name of scan.shots) {
    const source = read(`${names.shots}/${name}`)
    if (source === undefined) continue
    const { id, token_id } = salvageShot(parse(source))
    const made = id === undefined ? undefined : shotToken(id)
    const token = token_id ?? made
    if (id !== undefined && holdsAny(claimOf(made!), repeated)) {
      found.push({ code: 'duplicate-shot-id', value: id, source, key: 'id' })
    }
    if (token !== undefined && holdsAny(claimOf(token), repeated)) {
      found.push({
        code: 'duplicate-token',
        value: token,
        source,
        key: token_id === undefined ? 'id' : 'token_id',
      })
    }
  }
  return found
}

/** Who came first, in the order of the files, keeps it; a token that was written out gives way to one that was made. */
const judge = (holders: Holding[]): Diagnostic[] => {
  const [first, ...others] = holders.sort(
    (a, b) => rank(a) - rank(b) || (a.source.file < b.source.file ? -1 : 1),
  )
  const related: Related = { ...placeOf(first!), message: 'it is taken here' }
  return others.flatMap((holding) => {
    // two made tokens are equal because the ids are: that is said already
    if (holding.code === 'duplicate-token' && holding.key === 'id') return []
    const args = { id: holding.value, token: holding.value }
    return [diagnose(holding.code, placeOf(holding), args, [related])]
  })
}

const rank = ({ code, key }: Holding): number => (code === 'duplicate-token' && key === 'token_id' ? 1 : 0)

const placeOf = ({ source, key }: Holding) => parse(source).place([key], 'value')
