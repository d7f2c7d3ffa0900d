import { schemeFields } from '../api/fields.ts'
import { shotsLimit } from '../api/records.ts'
import { errorsIn } from '../problems/diagnostic.ts'
import { amount, grouped } from '../text/amounts.ts'
import { groupBy } from '../text/groups.ts'
import type { FieldChanges, MemberChange, Served, View } from './compare.ts'
import type { Report } from './report.ts'
import type { Verdict } from './verdict.ts'

/**
 * A piece of a line: our own words, or a stranger's value, which every format shows as text
 * and nothing else.
 */
type Piece = string | { readonly value: string }
export type Line = readonly Piece[]

/**
 * What a format shows, in order; the most important first. The first line of an item says
 * what it is about.
 */
export type Outline = {
  readonly summary: string
  readonly sections: readonly {
    readonly title: string
    readonly items: readonly (readonly Line[])[]
  }[]
}

/** A report in words, the same for every format. */
export const outline = (report: Report): Outline => {
  const { addresses, diagnostics, warnings, before, after, verdict, pictures } = report
  const members = { ...report.members, changed: report.members.changed.flatMap(besidesName) }
  const hidden = pictures?.filter(({ shown }) => shown === undefined) ?? []
  const sections = {
    'Whose change it is': verdict ? [verdictLines(verdict)] : [],
    'Look at these twice': warnings.map(problem),
    'Errors in the content; only valid members are compared':
      errorsIn(diagnostics).map(problem),
    'Members that have another name': members.renamed.map(({ from, to }) => [
      say`${from} is now ${to}`,
    ]),
    'Members that go': members.removed.map((name) => [member(name, before)]),
    'Members that come': members.added.map((name) => [member(name, after)]),
    'Members that change': alike(members.changed).map((group) => changed(group, report)),
    'Addresses that stop answering': addresses.removed.map((path) => [say`${path}`]),
    'Pictures that there is no room for': hidden.map(({ file, size }) => [
      say`${file}, ${[amount(size, 'byte')]}`,
    ]),
    'New addresses': addresses.added.map((path) => [say`${path}`]),
  }
  return {
    summary: summary({ members, addresses }),
    sections: Object.entries(sections)
      .map(([title, items]) => ({ title, items }))
      .filter(({ items }) => items.length > 0),
  }
}

/**
 * A line of our own words; a text that is filled in is a stranger's value, a line is part of
 * this one.
 */
const say = (words: TemplateStringsArray, ...filled: readonly (string | Line)[]): Line =>
  words.flatMap((word, at): Line => {
    const next = filled[at] ?? []
    return [word, ...(typeof next === 'string' ? [{ value: next }] : next)]
  })

const verdictLines = ({ kind, members, reasons }: Verdict): readonly Line[] => {
  const first = {
    own: say`own: all of it is of members whom its author owns: ${list(members)}`,
    new: say`new: one new member, whose only owner is its author: ${list(members)}`,
    mixed: say`mixed: somebody has to look at it`,
  }[kind]
  return [first, ...reasons.map((reason) => say`${reason}`)]
}

const list = (values: readonly string[]): Line =>
  values.flatMap((value, at) => say`${[at > 0 ? ', ' : '']}${value}`)

const problem = ({
  file,
  line,
  message,
  hint,
}: Report['warnings'][number]): readonly Line[] => [
  say`${[file, line].join(':')}: ${message}`,
  ...(hint === undefined ? [] : [say`to do: ${hint}`]),
]

const member = (username: string, view: View): Line => {
  const served = view.get(username)
  if (served === undefined) return say`${username}`
  return say`${username}: ${served.user.name}, ${[amount(served.shots.length, 'shot')]} shown`
}

/** A member's change without the name, which is told already; none if that is all. */
const besidesName = (change: MemberChange): readonly MemberChange[] => {
  const { username: _, ...profile } = change.profile
  const parts = [profile, ...Object.values(change.shots)]
  return parts.some((part) => Object.keys(part).length > 0) ? [{ ...change, profile }] : []
}

/** Members whose changes are the same to the letter, together. */
const alike = (changes: readonly MemberChange[]): readonly (readonly MemberChange[])[] => [
  ...groupBy(changes, ({ profile, shots }) => JSON.stringify([profile, shots])).values(),
]

const namesShown = 5

const changed = (group: readonly MemberChange[], report: Report): readonly Line[] => {
  const [change] = group as readonly [MemberChange]
  const names = list(group.slice(0, namesShown).map(({ username }) => username))
  const more =
    group.length > namesShown ? ` and ${grouped(group.length - namesShown)} more` : ''
  const many = group.length > 1 ? `${amount(group.length, 'member')} in the same way: ` : ''
  return [
    say`${[many]}${names}${[more]}`,
    ...fields(change.profile),
    ...window(change, report),
  ]
}

/** A line a field; `lead` says whose they are. */
const fields = (changes: FieldChanges, lead: Line = []): readonly Line[] =>
  Object.entries(changes).map(([field, { before, after }]) => {
    const scheme = schemeFields.includes(field) ? ' (over http with http://)' : ''
    return say`${lead}${[field]}: ${before || ['empty']} → ${after || ['empty']}${[scheme]}`
  })

/** What happens to the last 15 shots. */
const window = (
  { username, shots }: MemberChange,
  { members, before, after }: Report,
): readonly Line[] => {
  const old = members.renamed.find(({ to }) => to === username)?.from ?? username
  const was = before.get(old)?.shots ?? []
  const is = after.get(username)?.shots ?? []
  const goes = is.length < shotsLimit ? 'goes' : 'falls out of the last 15'
  return [
    ...shots.entered.map((id) => say`${named(is, id)} enters at ${at(is, id)}`),
    ...shots.left.map((id) => say`${named(was, id)} ${[goes]}`),
    ...shots.moved.map(
      (id) => say`${named(is, id)} moves from ${at(was, id)} to ${at(is, id)}`,
    ),
    ...shots.changed.flatMap(({ id, fields: changes }) =>
      fields(changes, say`${named(is, id)}, `),
    ),
  ]
}

const named = (shots: Served['shots'], id: string): Line => {
  const shot = shots.find((one) => one.id === id)
  return shot === undefined ? say`shot ${id}` : say`shot ${id} ${shot.title}`
}

/** Places count from 1. */
const at = (shots: Served['shots'], id: string): Line => {
  const position = shots.findIndex((one) => one.id === id)
  return [position === -1 ? 'a place' : `place ${position + 1}`]
}

/** `1 member added, 2 members changed` */
const summary = ({ members, addresses }: Pick<Report, 'members' | 'addresses'>) => {
  const parts = Object.entries(members).filter(([, { length }]) => length > 0)
  if (parts.length > 0)
    return parts.map(([what, { length }]) => `${amount(length, 'member')} ${what}`).join(', ')
  const same = addresses.added.length + addresses.removed.length === 0
  return same
    ? 'the API serves the same as at the base'
    : 'no member changes, but addresses do'
}
