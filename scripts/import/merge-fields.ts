import type { Base } from './base.ts'
import { own } from './base.ts'
import type { Remote } from './body.ts'
import type { KnownShot, Mine } from './content.ts'
import { type Field, type ImportSite, isSame, sayable, type Texts, type Values } from './fields.ts'
import { type About, type Finding, find } from './messages.ts'

/** What to do where both sides changed a value: tell it, or let one side win. */
export type Side = 'ours' | 'theirs' | undefined

/** What a merge of one member works on. */
export type MergeInput = {
  readonly site: ImportSite
  /** The name that was asked for, and that of the member's folder. */
  readonly asked: string
  readonly username: string
  readonly base: Base | undefined
  /** Absent for a new member. */
  readonly mine: Mine | undefined
  readonly remote: Remote
  readonly http: Partial<Remote>
  /** The digests of the bodies that are merged. */
  readonly bodies: Readonly<Record<string, string>>
  /** The shots of the site that have an id or a token. */
  readonly shotWithId: (id: string) => KnownShot | undefined
  readonly shotWithToken: (token: string) => KnownShot | undefined
  /** Whether an import made a member. */
  readonly isImported: (username: string) => boolean
  /** How the content folder is called. */
  readonly contentName: string
  readonly side: Side
  readonly allowRemoval: boolean
}

export type MergedFields = {
  /** Values that must be written. */
  readonly changed: Values
  /** What the next import starts from. A value in conflict keeps its old base. */
  readonly base: Texts
  readonly findings: readonly Finding[]
}

/** Merges field by field: a value that nobody changed here follows the remote; one that was changed only here stays. */
export const mergeFields = (
  fields: readonly Field[],
  { base, mine, remote }: { readonly base: Texts | undefined; readonly mine: Values; readonly remote: Texts },
  { about, input }: { readonly about: About; readonly input: MergeInput },
): MergedFields => {
  // the remote says what it said last: whatever was changed here stays
  if (base !== undefined && fields.every(({ key }) => base[key] === (remote[key] ?? null))) {
    return { changed: {}, base: Object.fromEntries(fields.map(({ key }) => [key, base[key]!])), findings: [] }
  }
  const [before, now] = [base && sayable(fields, base, input.site), sayable(fields, remote, input.site)]
  const changed: Record<string, string> = {}
  const nextBase: Record<string, string | null> = {}
  const findings: Finding[] = []
  for (const { key, kind } of fields) {
    const same = (a: string, b: string) => isSame(kind, a, b, input.site)
    const [my, their] = [mine[key]!, now[key]!]
    const old = own(base, key) === undefined ? undefined : before![key]!
    const settled = same(my, their) || (old !== undefined && (same(my, old) || same(old, their)))
    if (!settled && input.side === undefined) {
      findings.push(find('conflict', { ...about, key }, { key, base: old, mine: my, remote: their }))
      if (old !== undefined) nextBase[key] = base![key]!
      continue
    }
    nextBase[key] = remote[key] ?? null
    const follows = settled ? old !== undefined && same(my, old) : input.side === 'theirs'
    if (follows && !same(my, their)) changed[key] = their
  }
  return { changed, base: nextBase, findings }
}
