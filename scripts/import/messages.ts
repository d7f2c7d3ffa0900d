import type { Variant } from '../api/routes.ts'
import {
  type Diagnostic,
  fileStart,
  type Place,
  type Related,
} from '../problems/diagnostic.ts'
import { usernameRule } from '../problems/messages.ts'
import { type ArgsOf, error, warning, worded } from '../problems/wording.ts'
import { quote } from '../text/printable.ts'

/** Why there is no body that nobody asked for. */
export const neverAsked = 'it was not asked'

/** A value of the remote or of content as a message shows it. */
const shownValue = (text: string) =>
  text === 'null' || text === 'missing' ? text : quote(text)

/**
 * Every wording of an import and its proof; docs/import.md explains each code. `{why}` is a
 * part of a sentence, or empty.
 */
export const messages = {
  conflict: error(
    [
      '{key} is "{mine}" here and "{remote}" at the remote; it was "{base}"',
      '{key} is "{mine}" here and "{remote}" at the remote',
    ],
    'write what is right, or settle it with --ours or --theirs and the username',
  ),
  'removed-here': error(
    'the shot {id} ("{title}") was removed here and changed at the remote',
    'settle it with --ours (it stays away) or --theirs (it comes back), and the username',
  ),
  'member-not-imported': error(
    'the member is not imported: {what} is "{value}"{why}',
    'a profile needs an id and a name',
  ),
  'shot-not-imported': error(
    'a shot is not imported: {what} is "{value}"{why}',
    'a shot needs an id, a title, a date and an image that content can hold',
  ),
  'shot-elsewhere': error(
    'the shot {id} of "{asked}" is not imported: "{from}" has this id',
    'if {owner} gave it away, move the file: git mv {from} {to}; then take "draft: true" out of it if it is there, and import both members again; if it is an example, remove it',
  ),
  'too-many-vanished': error(
    '{shots} vanished at once, of a window of {of}: none is made a draft',
    'if they are really gone, run again with --allow-removal and the username',
  ),
  'bad-name': error(
    '"{name}" can\'t be a username here, so it is not asked for',
    `a username is ${usernameRule}`,
  ),
  'not-there': error(
    [
      'the remote knows the member "{gone}" no longer; the content stays as it is',
      'the remote knows no member "{name}"',
    ],
    [
      'if the remote renamed it, import it under its new name; here it is "{owner}"',
      'the member was imported as "{was}": give that name',
      'look at the spelling; letter case counts',
    ],
  ),
  'no-answer': error(
    'no body came from here: {problem}',
    ({ problem }: { problem: string }) =>
      problem === neverAsked
        ? 'run once without --offline'
        : 'the member stays as it is; run again',
  ),
  'bad-body': error(
    "this can't be read: {problem}",
    'the member stays as it is; look at the address in a browser',
  ),
  'other-username': error(
    '"{asked}" was asked for, and the body\'s username is "{said}"',
    'the member stays as it is; import the name that the body gives, if it is right',
  ),
  'member-elsewhere': error(
    'the member {id} is "{asked}" at the remote and "{owner}" here',
    'if it was renamed: npx shotpress rename {owner} {asked}; if the one here is an example, remove its folder',
  ),
  'name-taken': error(
    'the member "{asked}" can\'t be imported: {by}',
    'no other member, alias, reserved name or file may have the name, in whatever letter case',
  ),
  'bad-base-file': error(
    'this is not what an import wrote',
    'take it back from git, or remove it: values that differ are then conflicts',
  ),
  'file-refused': error(
    "this can't be written without harm: {reason}",
    (a: { isNew: boolean }) =>
      a.isNew
        ? 'nothing is written of it; change it at the remote, and run again'
        : 'the file stays as it is; make the change by hand, or write it in a plainer way',
  ),
  different: error('{what} is "{remote}" at the remote and would be "{ours}"'),
  unproven: error('{what} could not be compared: {problem}'),
  'not-imported': error(
    'the member "{name}" is at the remote and not in the content',
    'import the member first',
  ),
  'other-id': warning(
    'the member\'s id is "{now}" at the remote, and was "{before}" at the last import',
    'look whether the name belongs to somebody else now',
  ),
  'not-kept': warning(
    '{what} is "{value}" at the remote, which can\'t be kept{why}; {instead}',
    ['{hint}', ''],
  ),
  'total-below-content': warning(
    '{key} is "{remote}" at the remote, but the content holds {counted}: it is left out',
  ),
  'shot-vanished': warning(
    'the shot {id} ("{title}") is not at the remote any more: it is a draft now',
    'write draft: false to publish it all the same',
  ),
  'shot-returned': warning(
    'the shot {id} ("{title}") is at the remote again: it is no draft any more',
  ),
  'windows-apart': warning(
    "shots may be lost: the last import ended with {before}, and the remote's last 15 begin with {now}",
    'import more often than the member posts 15 shots',
  ),
  'other-order': warning(
    'the remote sends the shots {sent}; by date and id they are {sorted}',
    'the snapshot sorts by date, newest first, then by id',
  ),
  'more-than-15': warning(
    'the remote lists {count} shots: all are imported, and the snapshot lists the last 15',
  ),
  'scheme-differs': warning(
    '{what} differs between the schemes by more than the scheme: "{https}" and "{http}"',
    'the https one is kept, for both',
  ),
  'unknown-field': warning('{what} is no field of the API; it is "{value}", and left out'),
  'picture-not-taken': warning(
    '{what} stays as it is: there is no picture at "{url}": {problem}',
  ),
  tolerated: warning('{name}: {what}; in {bodies}'),
  'http-unseen': warning(
    'what the remote says over plain http was not seen for {members}: {problem}',
    'the import goes on with https; --https-only asks for nothing else',
  ),
  edited: warning('{what} was edited here: "{remote}" at the remote, and would be "{ours}"'),
  'lost-by-rule': warning(
    '{what} is "{remote}" at the remote and would be "{ours}": lost by the rule {rule}',
  ),
} as const

export type ImportCode = keyof typeof messages
type Args<C extends ImportCode> = ArgsOf<(typeof messages)[C]>

/**
 * The profile, or the shot with an id, perhaps one key of it; or what the remote says at one
 * of its addresses, or `import.json`.
 */
export type About = {
  readonly id?: string | undefined
  readonly key?: string
  readonly at?: `${Variant} ${'user' | 'shots'}` | 'base'
}

/** A key of the profile, or of the shot with an id. */
export type Where = Pick<About, 'id'> & { readonly key: string }

/** What a message calls a field, or a shot; its id may be empty, or none. */
export const fieldAt = ({ key, id }: About): string => {
  const shot = id === '' ? 'a shot without an id' : id && `shot ${id.slice(0, 60)}`
  return [key, shot].filter(Boolean).join(' of ')
}

type More = { readonly related?: Related; readonly isError?: boolean }

/** Something to tell of a member. It gets its place once the files are written. */
export type Finding = {
  readonly code: ImportCode
  readonly about: About
  readonly tellAt: (place: Place) => void
}

/** The values of a message, but those that follow from what it is about. */
type FindArgs<C extends ImportCode> = Omit<Args<C>, 'what' | 'id' | 'key'> & {
  readonly what?: string
  readonly id?: string
  readonly key?: string
}

export type Find = <C extends ImportCode>(
  code: C,
  about: About,
  args: FindArgs<C>,
  more?: More,
) => undefined

/** Collects all that a run tells. A place is one in a file, or an address. */
export const createNotes = () => {
  const told: Diagnostic[] = []
  /** What is told once a run, and how often it occurs. */
  const met = new Map<string, { count: number; readonly tell: (count: number) => void }>()
  /** Whether something comes for the first time in this run; `tell` is called at its end. */
  const isFirst = (key: string, tell = (_count: number) => {}) => {
    const one = met.get(key) ?? { count: 0, tell }
    met.set(key, one)
    return ++one.count === 1
  }
  const tell = <C extends ImportCode>(
    code: C,
    place: Place | string,
    args: Args<C>,
    { isError, related }: More = {},
  ): undefined => {
    const severity = isError ? 'error' : messages[code].severity
    const at = typeof place === 'string' ? { file: place, ...fileStart } : place
    const words = worded(messages[code], args, shownValue)
    told.push({ ...at, severity, code, ...words, ...(related && { related: [related] }) })
  }
  /** What is found of a member, until it is told at its place, or the proof takes it. */
  const findings: Finding[] = []
  const find: Find = (code, about, args, more) => {
    const all = { what: fieldAt(about), ...about, ...args } as never
    findings.push({ code, about, tellAt: (place) => tell(code, place, all, more) })
  }
  const takeFindings = (): readonly Finding[] => findings.splice(0)
  const add = (diagnostics: readonly Diagnostic[]): undefined => {
    for (const one of diagnostics) told.push(one)
  }
  const close = () => {
    for (const { count, tell } of met.values()) tell(count)
  }
  return { told, isFirst, tell, find, takeFindings, add, close }
}
