import type { Diagnostic, Place, Severity } from '../../problems/diagnostic.ts'
import { quote } from '../../text/printable.ts'
import type { FindingArgs } from '../merge/finding.ts'

/** What the commands themselves report, besides what a merge finds. */
export type OtherArgs = {
  readonly 'bad-name': { readonly name: string }
  /** `owner` is the member here that was imported under the name. */
  readonly 'not-there': { readonly name: string; readonly owner: string | undefined }
  readonly 'no-answer': { readonly problem: string }
  readonly 'bad-body': { readonly problem: string }
  readonly 'other-username': { readonly asked: string; readonly said: string }
  readonly 'member-elsewhere': { readonly id: string; readonly asked: string; readonly owner: string }
  readonly 'name-taken': { readonly asked: string; readonly by: string }
  readonly 'bad-base-file': undefined
  readonly 'cannot-edit': { readonly reason: string }
  readonly 'file-refused': { readonly reason: string }
  readonly 'shot-moved': { readonly id: string; readonly from: string; readonly to: string }
  readonly tolerated: {
    readonly name: string
    readonly what: string
    readonly count: number
    readonly url: string
  }
  readonly 'field-missing': { readonly what: string; readonly count: number }
  readonly 'http-unseen': { readonly problem: string; readonly count: number }
}

export type ImportArgs = FindingArgs & OtherArgs & ProofArgs
export type ImportCode = keyof ImportArgs

/** What the proof reports. */
export type ProofArgs = {
  readonly different: Compared
  readonly edited: Compared
  readonly 'equal-by-rule': Compared & { readonly rule: string }
  readonly 'lost-by-rule': Compared & { readonly rule: string }
  readonly unproven: { readonly what: string; readonly problem: string }
  readonly 'not-imported': { readonly name: string }
}

/** A field of a body; `legacy` is what the API says, `ours` what the snapshot would. */
type Compared = { readonly what: string; readonly legacy: string; readonly ours: string }

type Wording<A> = {
  readonly severity: Severity
  readonly message: (args: A) => string
  readonly hint: (args: A) => string | undefined
}

/** A value of the API or of content as a message shows it; it may be longer than elsewhere, as it is the evidence. */
const value = (text: string): string => (text === 'null' || text === 'missing' ? text : quote(text))

/** Why a value is refused, where the value alone doesn't say it. */
const because = (text: string, problem: string): string => (problem === `it is ${text}` ? '' : `: ${problem}`)

/** Why an address has no body that could be read offline. */
export const neverAsked = 'it was not asked'

/** Every wording of an import and its proof; docs/import.md explains each code. */
export const messages: { readonly [C in ImportCode]: Wording<ImportArgs[C]> } = {
  conflict: {
    severity: 'error',
    message: ({ key, base, mine, theirs }) =>
      `${key} is ${quote(mine)} here and ${quote(theirs)} at the API${base === undefined ? '' : `; it was ${quote(base)}`}`,
    hint: () => 'write what is right, or settle it with --ours or --theirs and the username',
  },
  'other-id': {
    severity: 'warning',
    message: ({ before, now }) =>
      `the member's id is ${quote(now)} at the API, and was ${quote(before)} at the last import`,
    hint: () => 'look whether the name belongs to somebody else now',
  },
  'removed-here': {
    severity: 'error',
    message: ({ id, title }) => `the shot ${id} (${quote(title)}) was removed here and changed at the API`,
    hint: () => 'settle it with --ours (it stays away) or --theirs (it comes back), and the username',
  },
  'not-kept': {
    severity: 'warning',
    message: ({ what, value: text, problem, instead }) =>
      `${what} is ${value(text)} at the API, which can't be kept${because(text, problem)}; ${instead}`,
    hint: () => undefined,
  },
  'member-not-imported': {
    severity: 'error',
    message: ({ what, value: text, problem }) =>
      `the member is not imported: ${what} is ${value(text)}${because(text, problem)}`,
    hint: () => 'a profile needs an id and a name',
  },
  'shot-not-imported': {
    severity: 'error',
    message: ({ what, value: text, problem }) =>
      `a shot is not imported: ${what} is ${value(text)}${because(text, problem)}`,
    hint: () => 'a shot needs an id, a title, a date and an image that content can hold',
  },
  'shot-elsewhere': {
    severity: 'error',
    message: ({ id, owner }) =>
      `the shot ${id} is not imported: the member ${quote(owner)} has a shot of this id`,
    hint: () => 'every shot of the site has an id of its own: look whose it is',
  },
  'total-below-content': {
    severity: 'warning',
    message: ({ key, theirs, counted }) =>
      `${key} is ${quote(theirs)} at the API, but the content holds ${counted}: it is left out`,
    hint: () => undefined,
  },
  'shot-vanished': {
    severity: 'warning',
    message: ({ id, title }) =>
      `the shot ${id} (${quote(title)}) is not at the API any more: it is a draft now`,
    hint: () => 'write draft: false to publish it all the same',
  },
  'shot-returned': {
    severity: 'warning',
    message: ({ id, title }) =>
      `the shot ${id} (${quote(title)}) is at the API again: it is no draft any more`,
    hint: () => undefined,
  },
  'too-many-vanished': {
    severity: 'error',
    message: ({ count, of }) =>
      `${count === 1 ? 'one shot' : `${count} shots`} vanished at once, of a window of ${of}: none is made a draft`,
    hint: () => 'if they are really gone, run again with --allow-removal and the username',
  },
  'windows-apart': {
    severity: 'warning',
    message: ({ before, now }) =>
      `shots may be lost: the last import ended with ${before}, and the API's last 15 begin with ${now}`,
    hint: () => 'import more often than the member posts 15 shots',
  },
  'other-order': {
    severity: 'warning',
    message: ({ sent, sorted }) => `the API sends the shots ${sent}; by date and id they are ${sorted}`,
    hint: () => 'the snapshot sorts by date, newest first, then by id',
  },
  'more-than-15': {
    severity: 'warning',
    message: ({ count }) =>
      `the API lists ${count} shots: all are imported, and the snapshot lists the last 15`,
    hint: () => undefined,
  },
  'scheme-differs': {
    severity: 'warning',
    message: ({ what, https, http }) =>
      `${what} differs between the schemes by more than the scheme: ${quote(https)} and ${quote(http)}`,
    hint: () => 'the https one is kept, for both',
  },
  'unknown-field': {
    severity: 'warning',
    message: ({ what, value: text }) =>
      `${what} is no field of the interface; it is ${value(text)}, and left out`,
    hint: () => undefined,
  },
  'bad-name': {
    severity: 'error',
    message: ({ name }) => `${quote(name)} can't be a username here, so it is not asked for`,
    hint: () => 'a username is 1 to 64 of A-Z a-z 0-9 . _ -, beginning and ending with a letter or digit',
  },
  'not-there': {
    severity: 'error',
    message: ({ name, owner }) =>
      owner !== undefined
        ? `the API knows the member ${quote(name)} no longer; the content stays as it is`
        : `the API knows no member ${quote(name)}`,
    hint: ({ name, owner }) =>
      owner === undefined
        ? 'look at the spelling; letter case counts'
        : owner === name
          ? 'if the member was renamed, import the new name; else remove the folder by hand'
          : `the member was imported under this name and is ${owner} here; the API doesn't have it as ${owner} either`,
  },
  'no-answer': {
    severity: 'error',
    message: ({ problem }) => `no body came from here: ${problem}`,
    hint: ({ problem }) =>
      problem === neverAsked ? 'run once without --offline' : 'the member stays as it is; run again',
  },
  'bad-body': {
    severity: 'error',
    message: ({ problem }) => `this can't be read: ${problem}`,
    hint: () => 'the member stays as it is; look at the address in a browser',
  },
  'other-username': {
    severity: 'error',
    message: ({ asked, said }) => `${quote(asked)} was asked for, and the body's username is ${value(said)}`,
    hint: () => 'the member stays as it is; import the name that the body gives, if it is right',
  },
  'member-elsewhere': {
    severity: 'error',
    message: ({ id, asked, owner }) =>
      `the member ${id} is ${quote(asked)} at the API and ${quote(owner)} here`,
    hint: ({ asked, owner }) => `if the member was renamed: npm run rename -- ${owner} ${asked}`,
  },
  'name-taken': {
    severity: 'error',
    message: ({ asked, by }) => `the member ${quote(asked)} can't be imported: ${by}`,
    hint: () => 'no other member, alias, reserved name or file may have the name, in whatever letter case',
  },
  'bad-base-file': {
    severity: 'error',
    message: () => 'this is not what an import wrote',
    hint: () => 'take it back from git, or remove it: values that differ are then conflicts',
  },
  'cannot-edit': {
    severity: 'error',
    message: ({ reason }) => `this file can't be changed without harm: ${reason}`,
    hint: () => 'the file stays as it is; make the change by hand, or write it in a plainer way',
  },
  'file-refused': {
    severity: 'error',
    message: ({ reason }) => `this is not imported: ${reason}`,
    hint: () => undefined,
  },
  'shot-moved': {
    severity: 'warning',
    message: ({ id, from, to }) =>
      `the shot ${id} went from ${quote(from)} to ${quote(to)}, and so did its file`,
    hint: () => undefined,
  },
  tolerated: {
    severity: 'warning',
    message: ({ name, what, count, url }) =>
      `${name}: ${what}; in ${count === 1 ? 'one body' : `${count} bodies`}, first ${url}`,
    hint: () => undefined,
  },
  'field-missing': {
    severity: 'warning',
    message: ({ what, count }) =>
      `the API sends no ${what} in ${count === 1 ? 'one body' : `${count} bodies`}; the snapshot will have it`,
    hint: () => undefined,
  },
  'http-unseen': {
    severity: 'warning',
    message: ({ problem, count }) =>
      `what the API says over plain http was not seen for ${count === 1 ? 'one member' : `${count} members`}: ${problem}`,
    hint: () => 'the import goes on with https; --https-only asks for nothing else',
  },
  different: {
    severity: 'error',
    message: ({ what, legacy, ours }) => `${what} is ${value(legacy)} at the API and would be ${value(ours)}`,
    hint: () => undefined,
  },
  edited: {
    severity: 'warning',
    message: ({ what, legacy, ours }) =>
      `${what} was edited here: ${value(legacy)} at the API, and would be ${value(ours)}`,
    hint: () => undefined,
  },
  'equal-by-rule': {
    severity: 'warning',
    message: ({ what, legacy, ours, rule }) =>
      `${what} is ${rule === 'number-for-string' ? `the number ${legacy}` : value(legacy)} at the API and would be ${value(ours)}: equal by the rule ${rule}`,
    hint: () => undefined,
  },
  'lost-by-rule': {
    severity: 'warning',
    message: ({ what, legacy, ours, rule }) =>
      `${what} is ${value(legacy)} at the API and would be ${value(ours)}: lost by the rule ${rule}`,
    hint: () => undefined,
  },
  unproven: {
    severity: 'error',
    message: ({ what, problem }) => `${what} could not be compared: ${problem}`,
    hint: () => undefined,
  },
  'not-imported': {
    severity: 'error',
    message: ({ name }) => `the member ${quote(name)} is at the API and not in the content`,
    hint: () => 'import the member first',
  },
}

/** Makes a diagnostic of a code. */
export const diagnose = <C extends ImportCode>(
  code: C,
  place: Place,
  args: ImportArgs[C],
  severity: Severity = messages[code].severity,
): Diagnostic<ImportCode> => {
  const { message, hint } = messages[code]
  const text = hint(args)
  const { file, line, column, endLine, endColumn } = place
  return {
    severity,
    code,
    message: message(args),
    ...{ file, line, column, endLine, endColumn },
    ...(text !== undefined && { hint: text }),
  }
}
