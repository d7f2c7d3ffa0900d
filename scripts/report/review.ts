import { type Diagnostic, fileStart } from '../problems/diagnostic.ts'
import { grouped } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import type { Newcomer } from './authors.ts'
import type { Difference, View } from './compare.ts'

type ReviewOptions = {
  /** How diagnostics name the folder of a member. */
  readonly folderOf: (username: string) => string
  /** Now, in UTC: `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly newcomers: readonly Newcomer[]
}

/** What a reviewer should look at twice before this is merged. */
export const review = (
  {
    members,
    addresses,
    before,
    after,
  }: Pick<Difference, 'members' | 'addresses'> & Record<'before' | 'after', View>,
  { folderOf, now, newcomers }: ReviewOptions,
): readonly Diagnostic[] => {
  const found: Diagnostic[] = []
  const warn = (code: string, username: string, message: string, hint: string): void => {
    found.push({ severity: 'warning', code, message, file: folderOf(username), ...fileStart, hint })
  }
  for (const name of members.removed) {
    const message = `the API serves ${quote(name)} now, and will not after this`
    warn('member-gone', name, message, 'is this what the member wants?')
  }
  for (const { from, to } of members.renamed) {
    if (!addresses.removed.some((path) => path.endsWith(`/${from}`))) continue
    const message = `clients that ask for ${quote(from)} will get a 404`
    warn('address-gone', to, message, `add "aliases: [${from}]" to the profile of ${to}`)
  }
  for (const { username, profile, shots } of members.changed) {
    if (profile.id) {
      const message = `the member's id changes from ${profile.id.before} to ${profile.id.after}`
      warn('id-changed', username, message, 'clients know members by their id: keep it')
    }
    for (const { id, fields } of shots.changed) {
      if (!fields.token_id) continue
      const hint = 'clients know shots by their token: keep it'
      warn('token-changed', username, `the token of shot ${id} changes`, hint)
    }
  }
  for (const [username, { shots }] of after) {
    for (const { id, date } of shots) {
      const isNew = before.get(username)?.shots.find((shot) => shot.id === id)?.date !== date
      if (date <= now || !isNew) continue
      const message = `shot ${id} has a date in the future: ${date}`
      warn('future-date', username, message, 'it stands before all others until then')
    }
  }
  for (const { author, members, before } of newcomers) {
    const message =
      members.length === 1
        ? `${quote(author)} has never changed the folder of ${quote(members[0]!)} before; its authors so far: ${list(before)}`
        : `${quote(author)} changes folders of ${grouped(members.length)} members for the first time: ${list(members)}`
    warn('new-author', members[0]!, message, 'does the member know of it?')
  }
  const touched = [
    ...members.changed.map(({ username }) => username),
    ...members.added,
    ...members.removed,
  ]
  if (touched.length >= manyMembers) {
    const message = `${touched.length} members change at once`
    warn('many-members', touched[0]!, message, 'look at a few of them, and at site.yaml')
  }
  return found
}

const list = (all: readonly string[]): string => {
  const more = all.length > 5 ? ` and ${grouped(all.length - 5)} more` : ''
  return `${all.slice(0, 5).map(quote).join(', ')}${more}`
}

/** From so many members on a change is unusual. */
const manyMembers = 100
