import { requestPath, routes } from '../api/routes.ts'
import { readSchema, type Subschema } from '../content/schema.ts'
import { type Addresses, urlOf } from '../http/addresses.ts'
import { type Diagnostic, fileStart } from '../problems/diagnostic.ts'
import { shotToken } from '../snapshot/compile.ts'
import type { Store } from './keep/store.ts'
import type { Side } from './merge/merge-fields.ts'
import type { MergeInput } from './merge/plan.ts'
import { diagnose } from './tell/messages.ts'
import type { Notes } from './tell/notes.ts'
import { basePath } from './write/base-file.ts'
import type { ContentSite } from './write/content-site.ts'
import type { SiteIndex } from './write/site-index.ts'

/** What every member of a run is imported, or proved, with. */
export type Run = {
  readonly addresses: Addresses
  readonly store: Store
  readonly found: ContentSite
  readonly index: SiteIndex
  readonly notes: Notes
  readonly schemas: Readonly<Record<'profile' | 'shot', Subschema>>
  readonly tokenOf: (id: string) => string
  readonly httpWanted: boolean
  /** Whether bodies are compared, and not imported. */
  readonly prove: boolean
  readonly side: Side
  readonly allowRemoval: boolean
}

/** What a merge of one member needs to know. */
export const mergeInput = (
  {
    username,
    asked,
    base,
    mine,
    theirs,
    bodies,
  }: Pick<MergeInput, 'asked' | 'base' | 'mine' | 'theirs' | 'bodies'> & { readonly username: string },
  { found, index, tokenOf, side, allowRemoval }: Run,
): MergeInput => ({
  asked,
  base,
  mine,
  theirs,
  bodies,
  site: found.site,
  tokenOf,
  side,
  allowRemoval,
  ownerOf: (id) => {
    const owner = index.ownerOf(id)
    return owner === username ? undefined : owner
  },
  shotWithToken: (token, id) => {
    const other = index.shotWithToken(token)
    return other === id ? undefined : other
  },
})

export type Told = readonly Diagnostic<string>[]

export const schemas = () => ({ profile: readSchema('profile'), shot: readSchema('shot') })

/** The token that is made of an id, which a merge asks for several times. */
export const createTokenOf = (): Run['tokenOf'] => {
  const known = new Map<string, string>()
  return (id) => {
    const before = known.get(id)
    if (before !== undefined) return before
    if (known.size === mostKnown) known.clear()
    const token = shotToken(id)
    known.set(id, token)
    return token
  }
}

const mostKnown = 1000

/** The address of a member's profile or shots over https. */
export const addressOf = (
  name: string,
  part: 'user' | 'shots',
  { addresses }: Pick<Run, 'addresses'>,
): string =>
  urlOf(
    addresses,
    'https',
    addresses.https.path + requestPath(routes.find((route) => route.name === part)!, name),
  )

export const atAddress = (url: string) => ({ file: url, ...fileStart })

export const badBase = (username: string, { found }: Pick<Run, 'found'>): Told[number] =>
  diagnose('bad-base-file', atAddress(`${found.content.name}/${basePath(username)}`), undefined)

/** The folder of the member that the API knows by a name: the member has that name, or has it as an alias. */
export const folderOf = (name: string, { found, index }: Pick<Run, 'found' | 'index'>): string | undefined =>
  found.members.has(name) ? name : index.memberWithAlias(name)
