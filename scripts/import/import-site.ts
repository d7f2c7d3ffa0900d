import { isUsername } from '../content/username.ts'
import { urlOf } from '../http/addresses.ts'
import { inOrder } from '../http/in-order.ts'
import { mayPass, UserError } from '../problems/diagnostic.ts'
import { readBase } from './base.ts'
import { textOf } from './body.ts'
import { openContent, saidAt } from './content.ts'
import { concurrency, createFetch } from './fetch.ts'
import { mergeMember } from './merge.ts'
import { type AskedName, namesToAsk } from './names.ts'
import { createTally, proveMember } from './prove.ts'
import { type ImportOptions, openRun, type Sides, type Subject } from './run.ts'
import { placeOf, readSides } from './sides.ts'
import { clearUp, writeMember } from './write.ts'

/**
 * fetch → read → merge → write, or → prove, member by member: some are fetched ahead, and
 * each is done before the next, so that a run that is killed has done all of some members and
 * nothing of the others. `changed` and `files` count what was written; `stopped` says why the
 * run ended before its last member.
 */
export const importSite = async (options: ImportOptions) => {
  const { addresses, content, prove, onProgress } = options
  const tally = createTally()
  const result = { changed: 0, files: 0, stopped: undefined as Error | undefined, tally }
  const baseUrl = urlOf(addresses, 'https')
  const found = openContent(content, baseUrl)
  if ('diagnostics' in found) return { ...result, members: 0, told: found.diagnostics }
  if (prove && found.newSite !== undefined)
    throw new UserError(`there is no content in "${content}" to prove`, {
      hint: 'import it first',
    })
  const names = await namesToAsk(options, found)
  const run = openRun(options, found)
  const { notes, index } = run
  const fetch = createFetch(run, names.length)
  const fetchMember = async ({ name, place }: AskedName): Promise<Subject | undefined> => {
    if (!isUsername(name)) return notes.tell('bad-name', place ?? baseUrl, { name })
    // the member has that name, or has it as an alias
    const folder = found.members.has(name) ? name : index().aliases.get(name)
    const old = readBase(found.content, folder)
    return { ...old, name, folder, got: await fetch(name, old.base) }
  }
  /** Imports or proves one member; gives the paths that were written, below the content folder. */
  const treat = async (subject: Subject) => {
    const tellFound = (more: Partial<Sides> = {}) => {
      for (const { about, tellAt } of notes.takeFindings())
        tellAt(placeOf(about, { ...subject, ...more, run }))
    }
    const sides = readSides(subject, run)
    tellFound()
    const written = sides && (await (prove ? proveMember(sides, tally) : importMember(sides)))
    tellFound(sides)
    return written ?? []
  }
  if (!prove) clearUp(found)
  const fetching = names.map((name) => () => fetchMember(name))
  let done = 0
  try {
    for await (const subject of inOrder(fetching, concurrency)) {
      const written = subject ? await treat(subject) : []
      if (written.some((path) => path !== 'site.yaml')) result.changed++
      result.files += written.length
      if (written.length > 0) options.onWritten(written)
      onProgress(++done, names.length)
    }
  } catch (error) {
    if (!mayPass(error)) throw error
    result.stopped = error
  } finally {
    run.close()
    notes.close()
  }
  return { ...result, members: names.length, told: notes.told }
}

/** Imports one member; gives the paths that were written. */
const importMember = async (sides: Sides): Promise<readonly string[] | undefined> => {
  const { run, name, username, got, remote, mine, find } = sides
  const { ids, whyTaken } = run.index()
  const id = textOf(remote.user, 'id') ?? ''
  const owner = saidAt(mine, { key: 'id' }) === id ? undefined : ids.get(id)
  if (owner !== undefined && owner !== username)
    return find('member-elsewhere', { at: 'https user', id }, { asked: name, owner })
  const by = mine.files.has(undefined) ? undefined : whyTaken(name)
  if (by !== undefined) return find('name-taken', { at: 'https user' }, { asked: name, by })
  const written = mergeMember(sides) ? await writeMember(sides) : undefined
  // import.json names the bodies now
  if (written && !run.offline) run.store.keep(name, got)
  return written
}
