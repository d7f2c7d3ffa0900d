import { foldUsername } from '../content/username.ts'
import { type Diagnostic, fileStart } from '../problems/diagnostic.ts'
import { type ArgsOf, warning, worded } from '../problems/wording.ts'
import { grouped } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import type { Newcomers } from './authors.ts'
import type { Difference, View } from './compare.ts'

type ReviewOptions = {
  /** How diagnostics name the folder of a member. */
  readonly folderOf: (username: string) => string
  /** Now, in UTC: `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly newcomers: Newcomers
}

const messages = {
  'member-gone': warning(
    'the API serves "{name}" now, and will not after this',
    'is this what the member wants?',
  ),
  'address-gone': warning('clients that ask for "{from}" will get a 404', [
    'add "aliases: [{alias}]" to the profile of {to}',
    '',
  ]),
  'id-changed': warning(
    "the member's id changes from {before} to {after}",
    'clients know members by their id: keep it',
  ),
  'token-changed': warning(
    'the token of shot {id} changes',
    'clients know shots by their token: keep it',
  ),
  'future-date': warning(
    'shot {id} has a date in the future: {date}',
    'it stands before all others until then',
  ),
  'new-author': warning(
    '"{author}" changes for the first time: {names}',
    'only others have changed these folders so far; do the members know of it?',
  ),
  'many-members': warning(
    '{count} members change at once',
    'look at a few of them, and at site.yaml',
  ),
}

/** What a reviewer should look at twice before this is merged. */
export const review = (
  difference: Pick<Difference, 'members' | 'addresses'> & Record<'before' | 'after', View>,
  { folderOf, now, newcomers }: ReviewOptions,
): readonly Diagnostic[] => {
  const { members, addresses, before, after } = difference
  const found: Diagnostic[] = []
  const warn = <C extends keyof typeof messages>(
    code: C,
    username: string,
    args: ArgsOf<(typeof messages)[C]>,
  ) => {
    const place = { file: folderOf(username), ...fileStart }
    found.push({ severity: 'warning', code, ...worded(messages[code], args), ...place })
  }
  for (const name of members.removed) warn('member-gone', name, { name })
  for (const { from, to } of members.renamed) {
    const alias = foldUsername(from) === foldUsername(to) ? undefined : from
    if (addresses.removed.some((path) => path.endsWith(`/${from}`)))
      warn('address-gone', to, { from, to, alias })
  }
  for (const { username, profile, shots } of members.changed) {
    if (profile.id) warn('id-changed', username, profile.id)
    for (const { id, fields } of shots.changed)
      if (fields.token_id) warn('token-changed', username, { id })
  }
  for (const [username, { shots }] of after) {
    const known = before.get(username)?.shots ?? []
    for (const { id, date } of shots)
      if (date > now && !known.some((shot) => shot.id === id && shot.date === date))
        warn('future-date', username, { id, date })
  }
  for (const [author, names] of newcomers)
    warn('new-author', names[0] ?? '', { author, names: list(names) })
  const changed = members.changed.map(({ username }) => username)
  const touched = [...changed, ...members.added, ...members.removed]
  const [first = ''] = touched
  if (touched.length >= manyMembers) warn('many-members', first, { count: touched.length })
  return found
}

const list = (all: readonly string[]): string => {
  const more = all.length > 5 ? ` and ${grouped(all.length - 5)} more` : ''
  return `${all.slice(0, 5).map(quote).join(', ')}${more}`
}

/** From so many members on a change is unusual. */
const manyMembers = 100
