import { requestPath, routes } from '../api/routes.ts'
import type { Subschema } from '../content/schema.ts'
import { readSchema } from '../content/schema.ts'
import { isUsername } from '../content/username.ts'
import { type Diagnostic, fileStart } from '../diagnostics/diagnostic.ts'
import { shotToken } from '../snapshot/member/claims.ts'
import { type Addresses, urlOf } from '../wire/addresses.ts'
import { isAbsent } from './fetch/read-answer.ts'
import type { Answers } from './keep/answers.ts'
import type { Store } from './keep/store.ts'
import type { Side } from './merge/merge-fields.ts'
import type { Theirs } from './merge/plan.ts'
import { textOf } from './read/said.ts'
import { readLegacy, type Said } from './read-legacy.ts'
import { diagnose, type ImportCode } from './tell/messages.ts'
import type { Notes } from './tell/notes.ts'
import { basePath, readBase } from './write/base-file.ts'
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
  readonly side: Side
  readonly allowRemoval: boolean
}

export type Told = readonly Diagnostic<string>[]

export const schemas = () => ({ profile: readSchema('profile'), shot: readSchema('shot') })
export const tokenOf = shotToken

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

export type Heard = {
  readonly theirs: Theirs
  readonly http: Said
  readonly answers: Answers
  /** Why there is nothing to compare over http, in words; `undefined` if there is. */
  readonly unseen: string | undefined
}

/** Reads what the API said of a member, or says why it can't be used. */
export const hear = (name: string, run: Run): { readonly heard?: Heard; readonly told: Told } => {
  const { store, notes, addresses, found } = run
  // the name may hold anything and be of any length, so no address is made of it
  if (!isUsername(name)) {
    return { told: [diagnose('bad-name', atAddress(urlOf(addresses, 'https')), { name })] }
  }
  const url = addressOf(name, 'user', run)
  const answers = store.answers(name)
  if (Object.values(answers.https).some(isAbsent)) {
    const owner = folderOf(name, run)
    const known = owner !== undefined && readBase(found.content.path, owner).text !== undefined
    const place = atAddress(known ? `${found.content.name}/${basePath(owner)}` : url)
    return { told: [diagnose('not-there', place, { name, owner: known ? owner : undefined })] }
  }
  const https = readLegacy(name, 'https', { answers, body: store.body })
  const told: Diagnostic<ImportCode>[] = []
  for (const note of https.notes) {
    const place = atAddress(urlOf(addresses, 'https', addresses.https.path + note.path))
    if (note.problem !== undefined) told.push(diagnose(note.code, place, { problem: note.problem }))
    else notes.tolerated(note.tolerated, place.file)
  }
  const { user, shots } = https.said
  if (user === undefined || shots === undefined) return { told }
  const said = textOf(user, 'username')
  if (said !== name) {
    return { told: [diagnose('other-username', atAddress(url), { asked: name, said: said ?? 'missing' })] }
  }
  notes.fields('user', [user], url)
  notes.fields('shots', shots, addressOf(name, 'shots', run))
  const http = hearHttp(name, answers, run)
  return { heard: { theirs: { user, shots }, answers, ...http }, told }
}

const hearHttp = (name: string, answers: Answers, { store, notes, addresses, httpWanted }: Run) => {
  if (!httpWanted) return { http: {}, unseen: 'only https was asked (--https-only)' }
  const { said, notes: found } = readLegacy(name, 'http', { answers, body: store.body })
  let unseen: string | undefined
  for (const note of found) {
    const url = urlOf(addresses, 'http', addresses.http.path + note.path)
    if (note.problem === undefined) notes.tolerated(note.tolerated, url)
    else if (unseen === undefined) {
      unseen = note.problem
      notes.httpUnseen(note.problem, url)
    }
  }
  return { http: said, unseen }
}

/** The folder of the member that the API knows by a name: the member has that name, or has it as an alias. */
export const folderOf = (name: string, { found, index }: Pick<Run, 'found' | 'index'>): string | undefined =>
  found.members.has(name) ? name : index.memberWithAlias(name)
