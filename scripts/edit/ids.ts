import { names } from '../content/layout.ts'
import { salvageProfile, salvageShot } from '../content/member.ts'
import { parse } from '../content/parse/parse.ts'
import { quickParse } from '../content/parse/quick.ts'
import type { ContentFolder } from '../content/read/scan.ts'
import { foldUsername } from '../content/username.ts'
import { shotToken } from '../snapshot/member/claims.ts'
import { type ContentFile, listContentFiles, readText, shownPath } from './content-files.ts'

/** The ids, tokens and names that are taken on the site, and by how many files. */
export type Taken = {
  readonly members: ReadonlyMap<string, number>
  readonly shots: ReadonlyMap<string, number>
  /** Tokens that shots write out. */
  readonly tokens: ReadonlyMap<string, number>
  /** Usernames and aliases, in lower case: what diagnostics call the file that has it. */
  readonly names: ReadonlyMap<string, string>
}

/** Reads all of the content for what must be unique; a broken file counts as far as it can be read. */
export const findTaken = (content: ContentFolder): Taken => {
  const members = new Map<string, number>()
  const shots = new Map<string, number>()
  const tokens = new Map<string, number>()
  const taken = new Map<string, string>()
  const count = (holders: Map<string, number>, value: string | undefined): void => {
    if (value !== undefined) holders.set(value, (holders.get(value) ?? 0) + 1)
  }
  for (const file of listContentFiles(content)) {
    const place = shownPath(content, file.below)
    if (file.kind === 'profile') {
      const { id, aliases = [] } = salvageProfile(readData(content, file))
      count(members, id)
      for (const name of [usernameOf(file), ...aliases]) if (name !== '') taken.set(foldUsername(name), place)
    }
    if (file.kind === 'shot') {
      const { id, token_id } = salvageShot(readData(content, file))
      count(shots, id)
      count(tokens, token_id)
    }
  }
  return { members, shots, tokens, names: taken }
}

/** The next free id: one above the highest. */
export const nextMemberId = ({ members }: Taken): string => String(highest(members) + 1n)

/** The same for shots; the token that is made from it is free too. */
export const nextShotId = ({ shots, tokens }: Taken): string => {
  let id = highest(shots) + 1n
  while (tokens.has(shotToken(String(id)))) id++
  return String(id)
}

const highest = (ids: ReadonlyMap<string, number>): bigint => {
  let most = 0n
  for (const id of ids.keys()) if (BigInt(id) > most) most = BigInt(id)
  return most
}

/** The member that a file belongs to. */
const usernameOf = ({ below }: ContentFile): string => below.slice(names.members.length + 1).split('/')[0]!

const readData = (content: ContentFolder, { below }: ContentFile) => {
  const text = readText(content, below)?.replace(/^\ufeff/, '') ?? ''
  const data = quickParse(text)
  return data === undefined ? parse({ file: below, text }) : { data, whole: true }
}
