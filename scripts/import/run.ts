import { type Addresses, urlOf } from '../http/addresses.ts'
import type { Sender } from '../http/send.ts'
import { UserError } from '../problems/user-error.ts'
import { askNames } from './ask-names.ts'
import type { Clock } from './fetch/pace.ts'
import { type ImportedMember, importMember } from './import-member.ts'
import { type AskedName, importNames } from './import-names.ts'
import { makeStoreFolder, openStore, type Store } from './keep/store.ts'
import type { Side } from './merge/merge-fields.ts'
import { createOutcome, memberOf } from './outcome.ts'
import { createTally, type Tally } from './prove/tally.ts'
import { proveNames } from './prove-names.ts'
import { createTokenOf, type Run, schemas, type Told } from './run-context.ts'
import { createNotes } from './tell/notes.ts'
import { readBase } from './write/base-file.ts'
import { type ContentSite, openContent } from './write/content-site.ts'
import { recount } from './write/recount.ts'
import { createIndex } from './write/site-index.ts'
import { removeHalfWritten } from './write/write-changes.ts'

export type ImportOptions = {
  readonly addresses: Addresses
  readonly content: string
  /** Default: `.shotpress/import` beside the content. */
  readonly state: string | undefined
  readonly hostNames: readonly string[]
  readonly names: readonly string[]
  readonly users: string | undefined
  readonly sender: Sender
  readonly rate: number
  readonly clock: Clock
  readonly offline: boolean
  readonly httpsOnly: boolean
  readonly prove: boolean
  readonly strict: boolean
  readonly side: Side
  readonly allowRemoval: boolean
  readonly onProgress: (done: number, total: number, what: string) => void
  /** Called with the files that were written, below the content folder. */
  readonly onWritten: (paths: readonly string[]) => void
}

export type ImportResult = {
  readonly told: Told
  readonly members: number
  /** Members and files that were written. */
  readonly changed: number
  readonly files: number
  readonly tally: Tally
}

/** fetch → keep → read → merge → write, or → prove. Members are fetched side by side, and imported one after another. */
export const importSite = async (options: ImportOptions): Promise<ImportResult> => {
  const { addresses, content, prove } = options
  const found = openContent(content, { baseUrl: urlOf(addresses, 'https'), hostNames: options.hostNames })
  if ('diagnostics' in found) return { ...nothing(), told: found.diagnostics }
  if (prove && found.newSite !== undefined) {
    throw new UserError(`there is no content in "${content}" to prove`, { hint: 'import it first' })
  }
  const given = importNames({ ...options, content: found.content.path, members: found.members })
  const store = openStore(makeStoreFolder(options.state, content), {
    server: `${urlOf(addresses, 'https')} ${urlOf(addresses, 'http')}`,
    trusted: (name) => {
      const here = given.find((one) => one.name === name)?.here ?? name
      const base = found.members.has(here) ? readBase(found.content.path, here).base : undefined
      return new Set(Object.values(base?.bodies ?? {}))
    },
  })
  try {
    return await askAndImport(given, { found, store, options })
  } finally {
    store.close()
  }
}

const nothing = () => ({ members: 0, changed: 0, files: 0, tally: createTally() })

type Opened = { readonly found: ContentSite; readonly store: Store; readonly options: ImportOptions }

const askAndImport = async (
  given: readonly AskedName[],
  { found, store, options }: Opened,
): Promise<ImportResult> => {
  const { addresses, prove, onProgress } = options
  const http = options.httpsOnly ? 'never' : prove ? 'always' : 'changed'
  const names = await askNames(given, {
    ...options,
    content: found.content.path,
    store,
    http,
    onProgress: (done, total) => onProgress(done, total, 'members asked'),
  })
  const notes = createNotes()
  const tokenOf = createTokenOf()
  const run: Run = {
    ...{ addresses, store, found, notes, schemas: schemas(), tokenOf },
    index: createIndex(found, tokenOf),
    httpWanted: !options.httpsOnly,
    prove,
    side: options.side,
    allowRemoval: options.allowRemoval,
  }
  const result = prove
    ? {
        ...nothing(),
        ...proveNames(names, run, {
          strict: options.strict,
          onProgress: (done, total) => onProgress(done, total, 'members compared'),
        }),
      }
    : importAll(names, run, options)
  if (!options.offline) store.compact()
  return { ...result, members: names.length, told: [...result.told, ...notes.diagnostics()] }
}

const importAll = (
  names: readonly string[],
  run: Run,
  { onProgress, onWritten }: ImportOptions,
): ImportResult => {
  removeHalfWritten(run.found)
  const outcome = createOutcome(run.found.content.name)
  const losers = new Set<string>()
  const waiting: ImportedMember[] = []
  try {
    for (const [index, name] of names.entries()) {
      const member = importMember(name, run)
      outcome.add(member)
      for (const { from } of member.moves) losers.add(memberOf(from)!)
      if (member.waiting.length > 0) waiting.push(member)
      onProgress(index + 1, names.length, 'members imported')
    }
    for (const member of waiting) {
      const isFree = member.waiting.some(({ token }) => run.index.shotWithToken(token) === undefined)
      if (!isFree || member.again === undefined) continue
      const second = member.again()
      outcome.addAgain(member, second)
      for (const { from } of second.moves) losers.add(memberOf(from)!)
    }
    for (const username of losers)
      outcome.addWritten(recount(username, { found: run.found, profile: run.schemas.profile }))
  } finally {
    onWritten(outcome.written())
  }
  return {
    told: outcome.told(),
    members: names.length,
    changed: outcome.changed(),
    files: outcome.written().length,
    tally: createTally(),
  }
}
