import { names, stemOf } from '../../content/layout.ts'
import type { Source } from '../../content/load.ts'
import { salvageProfile, salvageShot } from '../../content/member.ts'
import { parse } from '../../content/parse/parse.ts'
import type { Scan } from '../../content/read/scan.ts'
import { foldUsername } from '../../content/username.ts'
import { fileStart, type Place } from '../../problems/diagnostic.ts'
import { claimOf, memberClaim, nameClaim, shotToken } from './claims.ts'
import type { Tools } from './compile.ts'
import { readMember } from './read-member.ts'

/** Something that one member holds, and nobody else may. */
export type Holding = {
  readonly code: (typeof holdingCodes)[number]
  readonly value: string
  /** As it is written. */
  readonly text: string
  /** Of the shot's file, without its ending, or of the member's folder. */
  readonly name: string
  readonly place: Place
  /** Whether it follows from something else: a token from an id, a username from its folder. */
  readonly made: boolean
}

/** What is wrong if two hold the same. */
export const holdingCodes = [
  'duplicate-member-id',
  'duplicate-shot-id',
  'duplicate-token',
  'duplicate-name',
] as const

/** The claim that stands for what is held. */
export const claimFor = ({ code, value }: Pick<Holding, 'code' | 'value'>): Uint8Array => {
  switch (code) {
    case 'duplicate-member-id':
      return memberClaim(value)
    case 'duplicate-shot-id':
      return claimOf(shotToken(value))
    case 'duplicate-token':
      return claimOf(value)
    case 'duplicate-name':
      return nameClaim(value)
  }
}

/** All that a member holds, by its files. `quick` is for files in which nothing is wrong. */
export const findHoldings = (scan: Scan, { content, read }: Tools, { quick = false } = {}): Holding[] => {
  const own = { file: `${content.name}/${names.members}/${scan.username}`, ...fileStart }
  const holdings = [nameAt(own, { name: scan.username, made: true })]
  const take = (found: readonly Holding[]): void => {
    for (const holding of found) holdings.push(holding)
  }
  readMember(scan, read, {
    profile: ({ source }) => source && take(inProfile(source, scan.username)),
    shot: ({ source }) => source && take(inShot(source, quick)),
  })
  return holdings
}

const inProfile = (source: Source, name: string): readonly Holding[] => {
  const parsed = parse(source)
  const { id, aliases = [] } = salvageProfile(parsed)
  const places = aliases.map((_, index) => parsed.place(['aliases', index], 'value'))
  return [
    ...(id === undefined
      ? []
      : [held('duplicate-member-id', { name, value: id, place: parsed.place(['id'], 'value') })]),
    ...aliases.flatMap((name, index) => (name === '' ? [] : [nameAt(places[index]!, { name, made: false })])),
  ]
}

const inShot = (source: Source, mayBeQuick: boolean): readonly Holding[] => {
  const quick = mayBeQuick ? findPlainId(source) : undefined
  const parsed = quick === undefined ? parse(source) : undefined
  const { id, token_id } = quick ?? salvageShot(parsed!)
  const placeOf = (key: 'id' | 'token_id'): Place => quick?.place ?? parsed!.place([key], 'value')
  const token = token_id ?? (id === undefined ? undefined : shotToken(id))
  const made = token_id === undefined
  const name = stemOf(source.file.slice(source.file.lastIndexOf('/') + 1))
  return [
    ...(id === undefined ? [] : [held('duplicate-shot-id', { name, value: id, place: placeOf('id') })]),
    ...(token === undefined
      ? []
      : [
          {
            ...held('duplicate-token', { name, value: token, place: placeOf(made ? 'id' : 'token_id') }),
            made,
          },
        ]),
  ]
}

/** The id of a shot without a token of its own where it is on a line of its own, as nearly always: parsing takes ten times as long. */
const findPlainId = ({ file, text }: Source) => {
  if (text.includes('token_id')) return undefined
  const [found, another] = [...text.matchAll(/^id:[ \t]+([1-9][0-9]*)[ \t]*(?:[ \t]#.*)?\r?$/gm)]
  if (found === undefined || another !== undefined) return undefined
  const id = found[1]!
  const column = found[0].indexOf(id) + 1
  const line = text.slice(0, found.index).split('\n').length
  const place: Place = { file, line, column, endLine: line, endColumn: column + id.length }
  return { id, token_id: undefined, place }
}

const held = (code: Holding['code'], what: Pick<Holding, 'value' | 'name' | 'place'>): Holding => ({
  ...what,
  code,
  text: what.value,
  made: false,
})

const nameAt = (
  place: Place,
  { name, made }: { readonly name: string; readonly made: boolean },
): Holding => ({ code: 'duplicate-name', value: foldUsername(name), text: name, name, place, made })
