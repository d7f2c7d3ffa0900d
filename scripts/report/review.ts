import type { Diagnostic } from '../problems/diagnostic.ts'
import { fileStart } from '../problems/diagnostic.ts'
import { grouped } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import type { Difference, View } from './difference.ts'
import type { Newcomer } from './newcomers.ts'

type Compared = Pick<Difference, 'members' | 'addresses'> & { readonly before: View; readonly after: View }

export type ReviewOptions = {
  /** How diagnostics name the folder of a member. */
  readonly folderOf: (username: string) => string
  /** Now, in UTC: `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly newcomers: readonly Newcomer[]
}

/** What a reviewer should look at twice before this is merged. */
export const review = (
  { members, addresses, before, after }: Compared,
  { folderOf, now, newcomers }: ReviewOptions,
): readonly Diagnostic<string>[] => {
  const warn = (code: string, username: string, message: string, hint: string): Diagnostic<string> => ({
    severity: 'warning',
    code,
    message,
    file: folderOf(username),
    ...fileStart,
    hint,
  })
  const touched = members.changed.length + members.added.length + members.removed.length
  const first = members.changed[0]?.username ?? members.added[0] ?? members.removed[0] ?? ''
  return [
    ...members.removed.map((name) =>
      warn(
        'member-gone',
        name,
        `the API serves ${quote(name)} now, and will not after this`,
        'is this what the member wants?',
      ),
    ),
    ...members.renamed
      .filter(({ from }) => addresses.removed.some((path) => path.endsWith(`/${from}`)))
      .map(({ from, to }) =>
        warn(
          'address-gone',
          to,
          `clients that ask for ${quote(from)} will get a 404`,
          `add "aliases: [${from}]" to the profile of ${to}`,
        ),
      ),
    ...members.changed.flatMap(({ username, profile, shots }) => [
      ...(profile.id
        ? [
            warn(
              'id-changed',
              username,
              `the member's id changes from ${profile.id.before} to ${profile.id.after}`,
              'clients know members by their id: keep it',
            ),
          ]
        : []),
      ...shots.changed
        .filter(({ fields }) => fields.token_id)
        .map(({ id }) =>
          warn(
            'token-changed',
            username,
            `the token of shot ${id} changes`,
            'clients know shots by their token: keep it',
          ),
        ),
    ]),
    ...[...after].flatMap(([username, { shots }]) =>
      shots
        .filter(
          ({ id, date }) =>
            date > now && before.get(username)?.shots.find((shot) => shot.id === id)?.date !== date,
        )
        .map(({ id, date }) =>
          warn(
            'future-date',
            username,
            `shot ${id} has a date in the future: ${date}`,
            'it stands before all others until then',
          ),
        ),
    ),
    ...newcomers.map(({ author, members, before }) =>
      warn(
        'new-author',
        members[0]!,
        members.length === 1
          ? `${quote(author)} has never changed the folder of ${quote(members[0]!)} before; its authors so far: ${list(before)}`
          : `${quote(author)} changes folders of ${grouped(members.length)} members for the first time: ${list(members)}`,
        'does the member know of it?',
      ),
    ),
    ...(touched >= manyMembers
      ? [
          warn(
            'many-members',
            first,
            `${touched} members change at once`,
            'look at a few of them, and at site.yaml',
          ),
        ]
      : []),
  ]
}

/** The first few. */
const list = (all: readonly string[]): string => {
  const more = all.length > 5 ? ` and ${grouped(all.length - 5)} more` : ''
  return `${all.slice(0, 5).map(quote).join(', ')}${more}`
}

/** From so many members on a change is unusual. */
const manyMembers = 100
