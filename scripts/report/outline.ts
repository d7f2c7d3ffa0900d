import { shotsLimit } from '../api/records.ts'
import { amount, grouped } from '../text/amounts.ts'
import type { Difference, FieldChanges, MemberChange, Served, View } from './compare.ts'
import type { Report } from './report.ts'

/** A piece of a line: our own words, or a stranger's value, which every format shows as text and nothing else. */
export type Piece = string | { readonly value: string }
export type Line = readonly Piece[]
export type Item = { readonly line: Line; readonly details: readonly Line[] }
export type Section = { readonly title: string; readonly items: readonly Item[] }

/** What a format shows, in order; the most important first. */
export type Outline = { readonly summary: string; readonly sections: readonly Section[] }

/** What there is to tell: of a report that was read from a file, the difference alone. */
export type Told = Difference & Partial<Omit<Report, keyof Difference>>

/** A report in words, the same for every format. */
export const outline = (report: Told): Outline => {
  const { members, addresses, diagnostics = [], warnings, before, after } = report
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const sections = [
    { title: 'Look at these twice', items: warnings.map(problem) },
    { title: 'Errors in the content; only valid members are compared', items: errors.map(problem) },
    { title: 'Members that have another name', items: members.renamed.map(renamed) },
    { title: 'Members that go', items: members.removed.map((name) => member(name, before)) },
    { title: 'Members that come', items: members.added.map((name) => member(name, after)) },
    {
      title: 'Members that change',
      items: alike(changesBesidesNames(report)).map((group) => changed(group, report)),
    },
    { title: 'Addresses that stop answering', items: addresses.removed.map((path) => item([value(path)])) },
    { title: 'New addresses', items: addresses.added.map((path) => item([value(path)])) },
  ]
  return { summary: summary(report), sections: sections.filter(({ items }) => items.length > 0) }
}

const value = (text: string): Piece => ({ value: text })

const item = (line: Line, details: readonly Line[] = []): Item => ({ line, details })

const problem = ({ file, line, message, hint }: Report['warnings'][number]): Item =>
  item([value(`${file}:${line}`), ': ', value(message)], hint === undefined ? [] : [['to do: ', value(hint)]])

const renamed = ({ from, to }: Report['members']['renamed'][number]): Item =>
  item([value(from), ' is now ', value(to)])

const member = (username: string, view: View | undefined): Item => {
  const served = view?.get(username)
  if (served === undefined) return item([value(username)])
  const { user, shots } = served
  return item([value(username), ': ', value(user.name), `, ${amount(shots.length, 'shot')} shown`])
}

/** What changes besides the names that are told already. */
const changesBesidesNames = ({ members }: Told): readonly MemberChange[] =>
  members.changed
    .map(({ profile: { username: _, ...profile }, ...change }) => ({ ...change, profile }))
    .filter(({ profile, shots }) =>
      [profile, ...Object.values(shots)].some((part) => Object.keys(part).length > 0),
    )

/** Members whose changes are the same to the letter, together. */
const alike = (changes: readonly MemberChange[]): readonly (readonly MemberChange[])[] => {
  const groups = new Map<string, MemberChange[]>()
  for (const change of changes) {
    const key = JSON.stringify([change.profile, change.shots])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [change])
    else group.push(change)
  }
  return [...groups.values()]
}

const namesShown = 5

const changed = (group: readonly MemberChange[], report: Told): Item => {
  const [{ username, profile, shots }] = group as readonly [MemberChange]
  const names = group.slice(0, namesShown).flatMap((one, at) => [at > 0 ? ', ' : '', value(one.username)])
  const more = group.length > namesShown ? ` and ${grouped(group.length - namesShown)} more` : ''
  const line =
    group.length === 1 ? names : [`${amount(group.length, 'member')} in the same way: `, ...names, more]
  return item(line, [...fields(profile), ...window({ username, profile, shots }, report)])
}

const fields = (changes: FieldChanges): readonly Line[] =>
  Object.entries(changes).map(([field, change]) => [field, ...fromTo(field, change)])

const fromTo = (field: string, { before, after }: FieldChanges[string]): Line => [
  ': ',
  ...(before === '' ? ['empty'] : [value(before)]),
  ' → ',
  ...(after === '' ? ['empty'] : [value(after)]),
  urlFields.has(field) ? ' (over http with http://)' : '',
]

/** Fields whose URLs carry the scheme of the request. */
const urlFields = new Set(['avatar', 'cover_image', 'image', 'large_image', 'attachment'])

/** What happens to the last 15 shots. */
const window = ({ username, shots }: MemberChange, { members, before, after }: Told): readonly Line[] => {
  const old = members.renamed.find(({ to }) => to === username)?.from ?? username
  const [was, is] = [before?.get(old)?.shots ?? [], after?.get(username)?.shots ?? []]
  return [
    ...shots.entered.map((id) => [...named(is, id), ' enters at', at(is, id)]),
    ...shots.left.map((id) => [
      ...named(was, id),
      is.length < shotsLimit ? ' goes' : ' falls out of the last 15',
    ]),
    ...shots.moved.map((id) => [...named(is, id), ' moves from', at(was, id), ' to', at(is, id)]),
    ...shots.changed.flatMap(({ id, fields: changes }) =>
      Object.entries(changes).map(([field, change]) => [
        ...named(is, id),
        `, ${field}`,
        ...fromTo(field, change),
      ]),
    ),
  ]
}

const named = (shots: Served['shots'], id: string): Line => {
  const shot = shots.find((one) => one.id === id)
  return ['shot ', value(id), ...(shot === undefined ? [] : [' ', value(shot.title)])]
}

/** Places count from 1. */
const at = (shots: Served['shots'], id: string): string => {
  const position = shots.findIndex((one) => one.id === id)
  return position === -1 ? ' a place' : ` place ${position + 1}`
}

/** `1 member changes, 1 member comes` */
const summary = (report: Told): string => {
  const { added, removed, renamed } = report.members
  const changed = changesBesidesNames(report)
  const parts = [
    counted(changed.length, 'changes', 'change'),
    counted(added.length, 'comes', 'come'),
    counted(removed.length, 'goes', 'go'),
    counted(renamed.length, 'has another name', 'have another name'),
  ].filter((part) => part !== '')
  if (parts.length > 0) return parts.join(', ')
  const { addresses } = report
  const same = addresses.added.length + addresses.removed.length === 0
  return same ? 'the API serves the same as at the base' : 'no member changes, but addresses do'
}

const counted = (count: number, one: string, many: string): string =>
  count === 0 ? '' : `${amount(count, 'member')} ${count === 1 ? one : many}`
