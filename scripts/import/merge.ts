import { byNewest, shotsLimit } from '../api/records.ts'
import { inMember, memberFolder, names } from '../content/layout.ts'
import { fileStart } from '../problems/diagnostic.ts'
import { shotToken } from '../snapshot/compile.ts'
import { amount } from '../text/amounts.ts'
import type { Base } from './base.ts'
import { type Fields, fieldsAt, isId, shown, textOf } from './body.ts'
import { saidAt } from './content.ts'
import { fieldsOf, isSame, momentOf, type Texts, textsOf } from './fields.ts'
import { mergeFields, refused, tellProblems } from './judge.ts'
import {
  datesOf,
  keepsProject,
  mergeProjects,
  projectOf,
  projectsIn,
  type TellNotKept,
} from './projects.ts'
import type { Sides } from './run.ts'

/**
 * Merges what the remote says now with what it said last and with what content says into the
 * plan, and tells what somebody must know. Says whether it could: not if the remote lacks
 * what a profile needs.
 */
export const mergeMember = (sides: Sides): boolean => {
  const { remote, mine, base, site, plan, find } = sides
  const isRefused = tellProblems(remote.user, sides)
  const before = base.profile.id
  const now = textOf(remote.user, 'id')
  // the name may have been given to somebody else
  if (!isRefused && before != null && before !== now)
    find('other-id', { key: 'id' }, { before, now: String(now) })
  compareSchemes(sides)
  if (isRefused) return false
  const dates = mergeShots(sides)
  mergeWindow(sides)
  const planned = (id: string | undefined, key: string) => {
    const changes = plan.edits.get(id)?.changes ?? {}
    return key in changes ? changes[key] : saidAt(mine, { id, key })
  }
  const used = new Set(Array.from(plan.edits.keys(), (id) => planned(id, 'id_project')))
  const { projects, changes: listed, count } = mergeProjects(dates, used, sides)
  const ids = new Set([...mine.files.keys(), ...plan.edits.keys()])
  const published = [...ids].filter(
    (id) => id !== undefined && planned(id, 'draft') !== 'true',
  )
  const counts = { totalShots: String(published.length), Projects: String(count) }
  const counting = { ...sides, site: { ...site, counts } }
  const { changes, settled, counted } = mergeFields(textsOf(remote.user), counting)
  plan.edits.set(undefined, {
    changes: { ...changes, ...listed },
    settle: (next) => Object.assign(next, { profile: settled, counted, projects }),
  })
  return true
}

/**
 * Tells what one value can't say for both schemes: https and http differ, and not only in the
 * scheme of an asset.
 */
const compareSchemes = ({ remote, http, site, find }: Sides) => {
  for (const id of [undefined, ...remote.byId.keys()]) {
    const other = fieldsAt(http, id)
    if (!other) continue
    for (const { key, kind } of id === undefined ? fieldsOf() : [...fieldsOf(id), project]) {
      const https = shown(fieldsAt(remote, id)?.get(key))
      const plain = shown(other.get(key))
      if (!isSame(kind, https, plain, site))
        find('scheme-differs', { id, key }, { https, http: plain })
    }
  }
}

const project = { key: 'created_project', kind: 'timestamp' } as const

/**
 * Sorts what the remote lists into shots that can be imported and values that can't be kept;
 * gives the dates of projects.
 */
const mergeShots = (sides: Sides) => {
  const { plan, base, remote, mine, find } = sides
  const listed = projectsIn(mine)
  const said = datesOf(remote.shots, listed)
  const dates = new Map<string, string>()
  const owner = textOf(remote.user, 'id')
  for (const fields of remote.shots) {
    const id = textOf(fields, 'id') ?? ''
    if (isId(id) && remote.byId.get(id) !== fields) {
      const args = refused(fields, 'id', 'the remote lists it twice')
      find('shot-not-imported', { at: 'https shots', id, key: 'id' }, args)
      continue
    }
    if (tellProblems(fields, sides, id)) continue
    const tell: TellNotKept = (key, { problem, ...more }) =>
      find('not-kept', { id, key }, { ...refused(fields, key, problem), ...more })
    if (fields.has('user_id') && textOf(fields, 'user_id') !== owner)
      tell('user_id', {
        problem: "it is not the member's id",
        instead: `it becomes ${owner}`,
      })
    const of = projectOf(fields)
    const date = said.get(of) ?? momentOf(listed.get(of)?.created)
    const isKept = keepsProject(fields, { date, tell })
    mergeShot({ id, fields, tell }, isKept, sides)
    if (said.has(of) && isKept && (plan.edits.has(id) || base.shots[id])) dates.set(of, date)
  }
  return dates
}

/** A shot as the remote says it, and what tells that a value of it can't be kept. */
type Incoming = { readonly id: string; readonly fields: Fields; readonly tell: TellNotKept }

const mergeShot = ({ id, fields, tell }: Incoming, keepsProject: boolean, sides: Sides) => {
  const { plan, mine, base, run, find } = sides
  const my = mine.files.get(id)?.said
  const isBack = my && base.drafted.includes(id)
  const isDraft = my?.draft === 'true'
  // one that somebody made here stays as it is
  if (isDraft && !isBack) return
  const said = textsOf(fields, id)
  if (!keepsProject) said.id_project = null
  if (!my && (staysAway(id, said, sides) || isElsewhere(id, sides))) return
  const { tokens } = run.index()
  const holder = tokens.get(said.token_id ?? '') ?? id
  if (holder !== id && said.token_id !== shotToken(id)) {
    said.token_id = null
    tell('token_id', {
      problem: `shot ${holder} has it`,
      instead: 'it is left out',
      hint: `once shot ${holder} has another one, the next import takes it`,
    })
  }
  const { changes, settled } = mergeFields(said, sides, id)
  if (isBack) find('shot-returned', { id }, { title: String(my.title) })
  if (!my || 'token_id' in changes) tokens.set(String(changes.token_id ?? shotToken(id)), id)
  if (isDraft) changes.draft = undefined
  plan.edits.set(id, {
    changes,
    settle: (next) => {
      next.shots[id] = settled
      next.drafted = next.drafted.filter((one) => one !== id)
    },
  })
}

/**
 * Whether a shot whose file was removed here is not imported again: it stays away as long as
 * the remote says the same of it.
 */
const staysAway = (id: string, said: Texts, { plan, base, run, find }: Sides) => {
  const known = base.shots[id]
  if (known === undefined) return false
  // its token may be another shot's by now
  if (fieldsOf(id).every(({ key }) => key === 'token_id' || known[key] === said[key]))
    return true
  if (run.side === 'ours') plan.base.shots[id] = said
  if (run.side === undefined) find('removed-here', {}, { id, title: String(said.title) })
  return run.side !== 'theirs'
}

/** Whether another member has a shot's id, which is told. */
const isElsewhere = (id: string, { run, name, username, find }: Sides) => {
  const path = run.index().paths.get(id) ?? ''
  const { content } = run.found
  const { username: owner } = inMember(path, content)
  if (owner === '' || owner === username) return false
  const from = `${content.name}/${path}`
  const to = `${content.name}/${memberFolder(username, content)}/${names.shots}/`
  const related = { file: from, ...fileStart, message: `the shot ${id}` }
  find(
    'shot-elsewhere',
    { at: 'https shots', id },
    { asked: name, owner, from, to },
    { related },
  )
  return true
}

/** A shot of a window; its date as `YYYY-MM-DD HH:MM:SS`, or empty. */
type Dated = { readonly id: string; readonly date: string }

/** Tells what is strange about a window, and makes drafts of the shots that vanished from it. */
const mergeWindow = (sides: Sides) => {
  const { plan, base, remote, run, find } = sides
  const at = { at: 'https shots' } as const
  const window = [...remote.byId]
    .filter(([id]) => isId(id))
    .map(([id, fields]) => ({ id, date: momentOf(textOf(fields, 'date')) }))
  const dated = window.filter(({ date }) => date !== '')
  const sent = idsOf(dated).join(', ')
  const sorted = idsOf(dated.toSorted(byNewest)).join(', ')
  if (sent !== sorted) find('other-order', at, { sent, sorted })
  if (window.length > shotsLimit) find('more-than-15', at, { count: window.length })
  const ids = idsOf(window)
  const isFull = remote.shots.length >= shotsLimit
  if (isFull && base.window.length > 0 && !base.window.some((id) => ids.includes(id))) {
    const before = base.window.map((id) => momentOf(base.shots[id]?.date)).sort()
    const now = dated.map(({ date }) => date).sort()
    find('windows-apart', at, { before: before.at(-1) ?? '', now: now[0] ?? '' })
  }
  const vanished = findVanished(window, isFull, sides)
  const { length } = vanished
  if (length * 2 > base.window.length && !run.allowRemoval) {
    const shots = amount(length, 'shot')
    return find('too-many-vanished', at, { shots, of: base.window.length })
  }
  plan.base.window = ids
  for (const id of vanished) {
    find('shot-vanished', { id }, { title: saidAt(sides.mine, { id, key: 'title' }) ?? '' })
    const settle = (next: Base) => {
      next.drafted = [...next.drafted, id]
    }
    plan.edits.set(id, { changes: { draft: 'true' }, settle })
  }
}

const idsOf = (shots: readonly Dated[]) => shots.map(({ id }) => id)

/**
 * Shots that were imported, are published here, and that the remote would list if it had
 * them: those that newer ones pushed out of a window that `isFull` are older than its last.
 */
const findVanished = (window: readonly Dated[], isFull: boolean, { base, mine }: Sides) => {
  const [first] = window
  const last = window.at(-1)
  // a server may send the oldest first
  const oldest = first && last && isOlder(first, last) ? first : last
  return Object.keys(base.shots).filter((id) => {
    // shots that somebody removed or made drafts here don't count a second time
    if (saidAt(mine, { id, key: 'draft' }) !== 'false' || base.drafted.includes(id))
      return false
    if (window.some((one) => one.id === id)) return false
    const shot = { id, date: momentOf(base.shots[id]?.date) }
    return !isFull || !oldest || isOlder(oldest, shot)
  })
}

/** Whether a shot comes after another in the remote's order. */
const isOlder = (a: Dated, b: Dated) => a.date !== '' && b.date !== '' && byNewest(a, b) > 0
