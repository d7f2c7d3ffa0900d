import { isUsername } from '../content/username.ts'
import { urlOf } from '../http/addresses.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { isAbsent } from './fetch/read-answer.ts'
import type { Answers } from './keep/answers.ts'
import type { Theirs } from './merge/plan.ts'
import { textOf } from './read/said.ts'
import { type ReadLegacy, readLegacy, type Said } from './read-legacy.ts'
import { addressOf, atAddress, folderOf, type Run, type Told } from './run-context.ts'
import { diagnose, type ImportCode } from './tell/messages.ts'
import { basePath, readBase } from './write/base-file.ts'

/** What the API says of a member, as far as its answers are kept. */
export type ApiMember = {
  readonly theirs: Theirs
  /** For an import without the bodies that say the same as those of https. */
  readonly http: Said
  readonly answers: Answers
  /** Why there is nothing to compare over http, in words; `undefined` if there is. */
  readonly unseen: string | undefined
}

/** Reads what the API said of a member, or says why it can't be used. */
export const readApiMember = (name: string, run: Run): { readonly api?: ApiMember; readonly told: Told } => {
  const { store, notes, addresses, found } = run
  // the name may hold anything and be of any length, so no address is made of it
  if (!isUsername(name)) {
    return { told: [diagnose('bad-name', atAddress(urlOf(addresses, 'https')), { name })] }
  }
  const url = addressOf(name, 'user', run)
  const answers = store.answers(name)
  if (isAbsent(answers.https.user)) {
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
  const { user, shots, others = new Map(), strays = [] } = https.said
  if (user === undefined || shots === undefined) return { told }
  const said = textOf(user, 'username')
  if (said !== name) {
    return { told: [diagnose('other-username', atAddress(url), { asked: name, said: said ?? 'missing' })] }
  }
  notes.fields('user', [user], url)
  notes.fields('shots', shots, addressOf(name, 'shots', run))
  notes.others(others, addressOf(name, 'shots', run))
  const { http, unseen } = readHttp(name, { answers, https }, run)
  return { api: { theirs: { user, shots, others, strays }, http, answers, unseen }, told }
}

const readHttp = (
  name: string,
  { answers, https }: { readonly answers: Answers; readonly https: ReadLegacy },
  { store, notes, addresses, httpWanted, prove }: Run,
) => {
  if (!httpWanted) return { http: {}, unseen: 'only https was asked (--https-only)' }
  const { said, notes: found } = readLegacy(name, 'http', {
    answers,
    body: store.body,
    https: prove ? undefined : https,
  })
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
