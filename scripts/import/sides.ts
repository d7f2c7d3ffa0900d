import { routes, type Variant } from '../api/routes.ts'
import { parse } from '../content/parse/parse.ts'
import { fileStart, type Place } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import { askOnce } from './ask-picture.ts'
import { basePath } from './base.ts'
import { type Remote, readBody, type Tolerance, textOf } from './body.ts'
import { heldAt, readMine } from './content.ts'
import { type About, type Find, type Finding, neverAsked, tellUnknown } from './messages.ts'
import { findHeld, withAddresses } from './pictures.ts'
import { addressOf, type Run, type Sides, type Subject } from './run.ts'

/** Reads what the remote, the content and `import.json` say of a member; where that is not enough, it is told. */
export const readSides = async (subject: Subject, run: Run): Promise<Sides | undefined> => {
  const { name, folder, got, base, baseText, isWrong } = subject
  const { notes, found } = run
  const urls = { user: addressOf(name, 'user', run), shots: addressOf(name, 'shots', run) }
  const username = folder ?? name
  const baseFile = `${found.content.name}/${basePath(username, found.content)}`
  if (got['https user']?.isAbsent) {
    // only a member that was imported is missed
    const isMissed = baseText !== undefined
    const owner = isMissed ? folder : undefined
    return notes.tell('not-there', isMissed ? baseFile : urls.user, {
      name,
      owner,
      was: base.username,
    })
  }
  const https = readScheme('https', subject, run)
  if (https.problem !== undefined) return undefined
  const remote = https as Remote
  const said = textOf(remote.user, 'username')
  if (said !== name)
    return notes.tell('other-username', urls.user, { asked: name, said: said ?? 'missing' })
  tellUnknown(remote, urls, notes)
  const http = readScheme('http', subject, run)
  const read = folder === undefined ? undefined : readMine(folder, found)
  if (read && !read.mine) return notes.add(read.diagnostics)
  if (isWrong) return notes.tell('bad-base-file', baseFile, undefined)
  if (base.username && base.username !== name && base.profile.id !== textOf(remote.user, 'id')) {
    const by = `the member here has another id, and was imported as ${quote(base.username)}`
    return notes.tell('name-taken', urls.user, { asked: name, by })
  }
  const findings: Finding[] = []
  const find: Find = (code, about, args, more) => void findings.push({ code, about, args, ...more })
  const sides = {
    ...subject,
    ...(read?.mine && withAddresses(read.mine, { base, remote, run })),
    run,
    username,
    remote,
    http,
    made: new Map(),
    ask: run.ask && askOnce(run.ask),
    find,
    findings,
  }
  return { ...sides, site: { ...found.site, held: await findHeld(sides) } }
}

/** Reads the bodies of one scheme; where one says nothing, it is told. `problem` says why, in words. */
const readScheme = (
  scheme: Variant,
  { name, got }: Subject,
  { addresses, httpsOnly, notes }: Run,
): Partial<Remote> => {
  if (scheme === 'http' && httpsOnly) return {}
  const said: Partial<Remote> = {}
  let problem: string | undefined
  for (const { name: part } of routes) {
    const url = addressOf(name, part, { addresses, scheme })
    const { body, isAbsent, problem: missing = neverAsked } = got[`${scheme} ${part}`] ?? {}
    const tolerated = new Set<Tolerance>()
    const hasNoShots = part === 'shots' && isAbsent && got[`${scheme} user`]?.body !== undefined
    if (hasNoShots) tolerated.add('no-shots-404')
    const bytes = hasNoShots ? Buffer.from('{"Shots":[]}') : body?.bytes
    const read = bytes ? readBody(part, bytes, tolerated) : missing
    if (typeof read === 'object') {
      for (const name of tolerated)
        notes.isFirst(name, (count) => notes.tell('tolerated', url, { name, count }))
      Object.assign(said, read)
    } else {
      problem ??= read
      if (scheme === 'https') notes.tell(body ? 'bad-body' : 'no-answer', url, { problem: read })
    }
  }
  if (scheme === 'http' && problem !== undefined) {
    const url = addressOf(name, 'user', { addresses, scheme })
    const args = { problem }
    notes.isFirst('http', (count) => notes.tell('http-unseen', url, { ...args, count }))
  }
  return { ...said, problem }
}

/** A place in the content as it is now, or the address if there is no file. */
export const placeIn = (
  { id, key, at, scheme }: About,
  { name, mine, made, run }: Sides,
): Place => {
  const path = at === undefined ? (heldAt(mine, id)?.path ?? made.get(id)) : undefined
  const source = path === undefined ? undefined : run.found.read(path).source
  if (source === undefined) {
    const part = at ?? (id === undefined ? 'user' : 'shots')
    return { file: addressOf(name, part, { ...run, scheme }), ...fileStart }
  }
  if (key === undefined) return { file: source.file, ...fileStart }
  const { data, place } = parse(source)
  const has = typeof data === 'object' && Object.hasOwn(data, key)
  return has ? place([key], 'value') : place([], 'mapping')
}
