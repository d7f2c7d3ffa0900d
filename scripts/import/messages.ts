import { shotFields, userFields } from '../api/fields.ts'
import type { Variant } from '../api/routes.ts'
import { type Diagnostic, fileStart, type Place, type Related } from '../problems/diagnostic.ts'
import { usernameRule } from '../problems/messages.ts'
import { amount, grouped } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import { type Fields, type Remote, shown, type Tolerance, tolerances } from './body.ts'

/** Why there is no body that nobody asked for. */
export const neverAsked = 'it was not asked'

/** A value of the remote or of content as a message shows it. */
const value = (text: string): string => (text === 'null' || text === 'missing' ? text : quote(text))

/** Why a value is refused, where the value alone doesn't say it. */
const because = (text: string, problem: string): string =>
  problem === `it is ${text}` ? '' : `: ${problem}`

type Refused = { what: string; value: string; problem: string }
/** A field of a body; `ours` is what the snapshot would say. */
type Compared = { what: string; remote: string; ours: string }
type Shot = { id: string; title: string }
type Missed = { name: string; owner: string | undefined; was: string | undefined }
type Elsewhere = { id: string; asked: string; owner: string }

/** Whether the remote knew a member by this very name when it was imported. */
const isGone = ({ name, owner, was = name }: Missed): boolean => owner !== undefined && was === name

const errors = {
  conflict: (a: { key: string; base: string | undefined; mine: string; remote: string }) =>
    `${a.key} is ${quote(a.mine)} here and ${quote(a.remote)} at the remote${a.base === undefined ? '' : `; it was ${quote(a.base)}`}`,
  'removed-here': (a: Shot) =>
    `the shot ${a.id} (${quote(a.title)}) was removed here and changed at the remote`,
  'member-not-imported': (a: Refused) =>
    `the member is not imported: ${a.what} is ${value(a.value)}${because(a.value, a.problem)}`,
  'shot-not-imported': (a: Refused) =>
    `a shot is not imported: ${a.what} is ${value(a.value)}${because(a.value, a.problem)}`,
  'shot-elsewhere': (a: Elsewhere & { from: string; to: string }) =>
    `the shot ${a.id} of ${quote(a.asked)} is not imported: ${quote(a.from)} has this id`,
  'too-many-vanished': (a: { count: number; of: number }) =>
    `${amount(a.count, 'shot')} vanished at once, of a window of ${a.of}: none is made a draft`,
  'bad-name': (a: { name: string }) =>
    `${quote(a.name)} can't be a username here, so it is not asked for`,
  'not-there': (a: Missed) =>
    isGone(a)
      ? `the remote knows the member ${quote(a.name)} no longer; the content stays as it is`
      : `the remote knows no member ${quote(a.name)}`,
  'no-answer': (a: { problem: string }) => `no body came from here: ${a.problem}`,
  'bad-body': (a: { problem: string }) => `this can't be read: ${a.problem}`,
  'other-username': (a: { asked: string; said: string }) =>
    `${quote(a.asked)} was asked for, and the body's username is ${value(a.said)}`,
  'member-elsewhere': (a: Elsewhere) =>
    `the member ${a.id} is ${quote(a.asked)} at the remote and ${quote(a.owner)} here`,
  'name-taken': (a: { asked: string; by: string }) =>
    `the member ${quote(a.asked)} can't be imported: ${a.by}`,
  'bad-base-file': () => 'this is not what an import wrote',
  'file-refused': (a: { reason: string; isNew: boolean }) =>
    `this can't be written without harm: ${a.reason}`,
  different: (a: Compared) =>
    `${a.what} is ${value(a.remote)} at the remote and would be ${value(a.ours)}`,
  unproven: (a: { what: string; problem: string }) =>
    `${a.what} could not be compared: ${a.problem}`,
  'not-imported': (a: { name: string }) =>
    `the member ${quote(a.name)} is at the remote and not in the content`,
} satisfies Record<string, (args: never) => string>

const warnings = {
  'other-id': (a: { before: string; now: string }) =>
    `the member's id is ${quote(a.now)} at the remote, and was ${quote(a.before)} at the last import`,
  'not-kept': (a: Refused & { instead: string; hint?: string }) =>
    `${a.what} is ${value(a.value)} at the remote, which can't be kept${because(a.value, a.problem)}; ${a.instead}`,
  'total-below-content': (a: { key: string; remote: string; counted: number }) =>
    `${a.key} is ${quote(a.remote)} at the remote, but the content holds ${a.counted}: it is left out`,
  'shot-vanished': (a: Shot) =>
    `the shot ${a.id} (${quote(a.title)}) is not at the remote any more: it is a draft now`,
  'shot-returned': (a: Shot) =>
    `the shot ${a.id} (${quote(a.title)}) is at the remote again: it is no draft any more`,
  'windows-apart': (a: { before: string; now: string }) =>
    `shots may be lost: the last import ended with ${a.before}, and the remote's last 15 begin with ${a.now}`,
  'other-order': (a: { sent: string; sorted: string }) =>
    `the remote sends the shots ${a.sent}; by date and id they are ${a.sorted}`,
  'more-than-15': (a: { count: number }) =>
    `the remote lists ${a.count} shots: all are imported, and the snapshot lists the last 15`,
  'scheme-differs': (a: { what: string; https: string; http: string }) =>
    `${a.what} differs between the schemes by more than the scheme: ${value(a.https)} and ${value(a.http)}`,
  'unknown-field': (a: { what: string; value: string }) =>
    `${a.what} is no field of the API; it is ${value(a.value)}, and left out`,
  'picture-not-taken': (a: { what: string; url: string; problem: string }) =>
    `${a.what} stays as it is: there is no picture at ${quote(a.url)}: ${a.problem}`,
  tolerated: (a: { name: Tolerance; count: number }) =>
    `${a.name}: ${tolerances[a.name]}; in ${a.count === 1 ? 'this body' : `${grouped(a.count)} bodies, this one first`}`,
  'http-unseen': (a: { problem: string; count: number }) =>
    `what the remote says over plain http was not seen for ${amount(a.count, 'member')}: ${a.problem}`,
  edited: (a: Compared) =>
    `${a.what} was edited here: ${value(a.remote)} at the remote, and would be ${value(a.ours)}`,
  'lost-by-rule': (a: Compared & { rule: string }) =>
    `${a.what} is ${value(a.remote)} at the remote and would be ${value(a.ours)}: lost by the rule ${a.rule}`,
} satisfies Record<string, (args: never) => string>

const hints: { readonly [C in ImportCode]?: string | ((args: Args<C>) => string | undefined) } = {
  conflict: 'write what is right, or settle it with --ours or --theirs and the username',
  'removed-here':
    'settle it with --ours (it stays away) or --theirs (it comes back), and the username',
  'member-not-imported': 'a profile needs an id and a name',
  'shot-not-imported': 'a shot needs an id, a title, a date and an image that content can hold',
  'shot-elsewhere': ({ owner, from, to }) =>
    `if ${owner} gave it away, move the file: git mv ${from} ${to}; then take "draft: true" out of it if it is there, and import both members again; if it is an example, remove it`,
  'too-many-vanished': 'if they are really gone, run again with --allow-removal and the username',
  'bad-name': `a username is ${usernameRule}`,
  'not-there': (a) => {
    if (isGone(a))
      return `if the remote renamed it, import it under its new name; here it is ${quote(a.owner!)}`
    if (a.was) return `the member was imported as ${quote(a.was)}: give that name`
    return 'look at the spelling; letter case counts'
  },
  'no-answer': ({ problem }) =>
    problem === neverAsked ? 'run once without --offline' : 'the member stays as it is; run again',
  'bad-body': 'the member stays as it is; look at the address in a browser',
  'other-username':
    'the member stays as it is; import the name that the body gives, if it is right',
  'member-elsewhere': ({ owner, asked }) =>
    `if it was renamed: npx shotpress rename ${owner} ${asked}; if the one here is an example, remove its folder`,
  'name-taken':
    'no other member, alias, reserved name or file may have the name, in whatever letter case',
  'bad-base-file': 'take it back from git, or remove it: values that differ are then conflicts',
  'file-refused': ({ isNew }) =>
    isNew
      ? 'nothing is written of it; change it at the remote, and run again'
      : 'the file stays as it is; make the change by hand, or write it in a plainer way',
  'not-imported': 'import the member first',
  'other-id': 'look whether the name belongs to somebody else now',
  'not-kept': ({ hint }) => hint,
  'shot-vanished': 'write draft: false to publish it all the same',
  'windows-apart': 'import more often than the member posts 15 shots',
  'other-order': 'the snapshot sorts by date, newest first, then by id',
  'scheme-differs': 'the https one is kept, for both',
  'http-unseen': 'the import goes on with https; --https-only asks for nothing else',
}

/** Every wording of an import and its proof; docs/import.md explains each code. */
export const messages = { ...errors, ...warnings }

export type ImportCode = keyof typeof messages
export type Args<C extends ImportCode> = Parameters<(typeof messages)[C]>[0]

/** The profile, or the shot with an id, perhaps one key of it; or what the remote says at one of its two addresses. */
export type About = {
  readonly id?: string | undefined
  readonly key?: string
  readonly at?: 'user' | 'shots'
  /** Default: https. */
  readonly scheme?: Variant
}

/** What a message calls a field, or a shot; its id may be empty, or none. */
export const fieldAt = ({ key, id }: About): string => {
  const shot = id === '' ? 'a shot without an id' : id && `shot ${id.slice(0, 60)}`
  return [key, shot].filter(Boolean).join(' of ')
}

/** Something to tell of a member; it gets its place once the files are written. */
export type Finding = More & {
  readonly code: ImportCode
  readonly about: About
  readonly args: unknown
}

type More = { readonly related?: Related; readonly isError?: boolean }

export type Find = <C extends ImportCode>(
  code: C,
  about: About,
  args: Args<C>,
  more?: More,
) => undefined

/** Collects all that a run tells. A place is one in a file, or an address. */
export const createNotes = () => {
  const told: Diagnostic<string>[] = []
  /** What is told once a run, and how often it occurs. */
  const met = new Map<string, { count: number; readonly tell: (count: number) => void }>()
  const tell = <C extends ImportCode>(
    code: C,
    place: Place | string,
    args: Args<C>,
    { isError = false, related }: More = {},
  ): undefined => {
    const message = (messages[code] as (args: Args<C>) => string)(args)
    const advice = hints[code] as string | ((args: Args<C>) => string | undefined) | undefined
    const hint = typeof advice === 'function' ? advice(args) : advice
    const severity = isError || code in errors ? 'error' : 'warning'
    const at = typeof place === 'string' ? { file: place, ...fileStart } : place
    const more = { ...(hint && { hint }), ...(related && { related: [related] }) }
    told.push({ ...at, severity, code, message, ...more })
  }
  /** Whether something comes for the first time in this run; `tell` is called at its end. */
  const isFirst = (key: string, tell = (_count: number): void => {}): boolean => {
    const one = met.get(key) ?? { count: 0, tell }
    one.count++
    met.set(key, one)
    return one.count === 1
  }
  return {
    told: () => {
      for (const { count, tell } of met.values()) tell(count)
      return told
    },
    tell,
    isFirst,
    add: (diagnostics: readonly Diagnostic<string>[]): undefined => {
      for (const one of diagnostics) told.push(one)
    },
    /** What a member's bodies say that is no field of the API. */
    unknown: (
      { user, shots, others }: Remote,
      urls: Readonly<Record<'user' | 'shots', string>>,
    ): void => {
      const unknown = (fields: Fields, known: object, where: string, url = urls.shots): void => {
        for (const [key, value] of fields) {
          const args = {
            what: `"${key.slice(0, 60)}" ${where}`,
            value: shown(value).slice(0, 1000),
          }
          if (!Object.hasOwn(known, key) && isFirst(args.what)) tell('unknown-field', url, args)
        }
      }
      unknown(user, userFields, 'of a profile', urls.user)
      for (const shot of shots) unknown(shot, shotFields, 'of a shot')
      unknown(others, {}, 'beside the shots')
    },
  }
}
