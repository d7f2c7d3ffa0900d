import { shotFields, userFields } from '../api/fields.ts'
import { routes, type Variant } from '../api/routes.ts'
import { mappingOf } from '../content/parse/data.ts'
import { parse } from '../content/parse/parse.ts'
import { fileStart, type Place } from '../problems/diagnostic.ts'
import { amount, grouped } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import { askOnce } from './ask-picture.ts'
import { basePath } from './base.ts'
import { type Remote, readBody, shown, type Tolerance, textOf, tolerances } from './body.ts'
import { readMine } from './content.ts'
import { addressOf, digestIn } from './fetch.ts'
import { type About, neverAsked } from './messages.ts'
import { withAddresses } from './pictures.ts'
import type { Run, Sides, Subject } from './run.ts'

/**
 * Reads what the remote, the content and `import.json` say of a member; where that is not
 * enough, it is told.
 */
export const readSides = (subject: Subject, run: Run): Sides | undefined => {
  const { name, folder, got, base, baseText, isWrong } = subject
  const { notes, found } = run
  const { find } = notes
  const was = base.username || name
  if (got['https user']?.isAbsent) {
    if (baseText === undefined) return find('not-there', { at: 'https user' }, { name })
    // only a member that was imported by this very name is missed
    const missed = was === name ? { gone: name, owner: folder } : { was }
    return find('not-there', { at: 'base' }, { name, ...missed })
  }
  const https = readScheme('https', subject, run)
  if (https.problem !== undefined) return undefined
  const remote = https as Remote
  const said = textOf(remote.user, 'username') ?? 'missing'
  if (said !== name)
    return find('other-username', { at: 'https user' }, { asked: name, said })
  tellUnknown(remote, notes)
  const http = readScheme('http', subject, run)
  const { mine, diagnostics } = readMine(folder, found)
  if (mine === undefined) return notes.add(diagnostics)
  if (isWrong) return find('bad-base-file', { at: 'base' }, {})
  if (was !== name && base.profile.id !== textOf(remote.user, 'id')) {
    const by = `the member here has another id, and was imported as ${quote(was)}`
    return find('name-taken', { at: 'https user' }, { asked: name, by })
  }
  const bodies = Object.fromEntries(
    Object.entries(got).map(([key, one]) => [key, digestIn(one)]),
  )
  return {
    ...subject,
    ...withAddresses(mine, { base, remote, run }),
    run,
    site: found.site,
    username: folder ?? name,
    remote,
    http,
    plan: {
      edits: new Map(),
      base: { ...base, shots: { ...base.shots }, username: name, bodies },
    },
    ask: run.ask && askOnce(run.ask),
    find,
  }
}

/** Tells what a member's bodies say that is no field of the API, once a run. */
const tellUnknown = ({ user, shots, others }: Remote, { isFirst, find }: Run['notes']) => {
  const parts = [
    ['https user', 'of a profile', userFields, [user]],
    ['https shots', 'of a shot', shotFields, shots],
    ['https shots', 'beside the shots', {}, [others]],
  ] as const
  for (const [at, of, known, records] of parts)
    for (const [key, value] of records.flatMap((fields) => [...fields])) {
      const what = `"${key.slice(0, 60)}" ${of}`
      if (!Object.hasOwn(known, key) && isFirst(what))
        find('unknown-field', { at }, { what, value: shown(value).slice(0, 1000) })
    }
}

/**
 * Reads the bodies of one scheme; where one says nothing, it is told. `problem` says why, in
 * words.
 */
const readScheme = (
  scheme: Variant,
  { name, got }: Subject,
  { addresses, httpsOnly, notes }: Run,
): Sides['http'] => {
  if (scheme === 'http' && httpsOnly) return {}
  const said: Partial<Remote> = {}
  let problem: string | undefined
  for (const { name: part } of routes) {
    const key = `${scheme} ${part}` as const
    const url = addressOf(name, key, { addresses })
    const { body, isAbsent, problem: missing = neverAsked } = got[key] ?? {}
    const tolerated = new Set<Tolerance>()
    const hasNoShots =
      part === 'shots' && isAbsent && got[`${scheme} user`]?.body !== undefined
    if (hasNoShots) tolerated.add('no-shots-404')
    const bytes = hasNoShots ? Buffer.from('{"Shots":[]}') : body?.bytes
    const read = bytes ? readBody(part, bytes, tolerated) : missing
    if (typeof read === 'object') {
      Object.assign(said, read)
      for (const name of tolerated)
        notes.isFirst(name, (count) => {
          const bodies =
            count === 1 ? 'this body' : `${grouped(count)} bodies, this one first`
          notes.tell('tolerated', url, { name, what: tolerances[name], bodies })
        })
    } else {
      problem ??= read
      if (scheme === 'https')
        notes.find(body ? 'bad-body' : 'no-answer', { at: key }, { problem: read })
    }
  }
  if (scheme === 'http' && problem !== undefined) {
    const url = addressOf(name, 'http user', { addresses })
    const args = { problem }
    notes.isFirst('http', (count) =>
      notes.tell('http-unseen', url, { ...args, members: amount(count, 'member') }),
    )
  }
  return { ...said, problem }
}

/** A place in the content as it is now, or the address if there is no file. */
export const placeOf = (
  { id, key, at }: About,
  { name, folder, mine, run }: Subject & Partial<Sides> & { readonly run: Run },
): Place => {
  const { content, read } = run.found
  if (at === 'base') {
    const file = `${content.name}/${basePath(folder ?? name, content)}`
    return { file, ...fileStart }
  }
  const path = at === undefined ? mine?.files.get(id)?.path : undefined
  const source = path === undefined ? undefined : read(path).source
  if (source === undefined) {
    const body = at ?? (id === undefined ? 'https user' : 'https shots')
    return { file: addressOf(name, body, run), ...fileStart }
  }
  if (key === undefined) return { file: source.file, ...fileStart }
  const { data, place } = parse(source)
  return Object.hasOwn(mappingOf(data), key) ? place([key], 'value') : place([], 'mapping')
}
