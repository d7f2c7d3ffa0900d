import { hash } from 'node:crypto'
import { deriveShots, deriveUser } from '../api/derive.ts'
import { names } from '../content/layout.ts'
import { readStart } from '../content/read/read-file.ts'
import { type ContentFolder, scanMember } from '../content/read/scan.ts'
import { mostPictureBytes } from '../pictures/picture.ts'
import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { brokenLimit, compileMember, notLookedAt, readMember, type Tools } from '../snapshot/compile.ts'
import { contentKeyOf } from '../snapshot/state.ts'
import type { Served } from './compare.ts'

/** One side of a comparison, before its members are compiled. */
export type Side = {
  readonly tools: Tools
  /** By member: a hash of its files' names and bytes, in hex. Equal hashes mean equal files. */
  readonly keys: ReadonlyMap<string, string>
}

/** The keys of members, from the bytes of their files. */
export const readKeys = (
  { content, read }: Pick<Tools, 'content' | 'read'>,
  members: readonly string[],
): Side['keys'] =>
  new Map(
    members.map((username) => {
      const scan = scanMember(username, content)
      const pictures = scan.pictures.map(({ path }) => oidOf(content, `${names.members}/${username}/${path}`))
      const key = contentKeyOf(scan, [...readMember(scan, read), ...pictures])
      return [username, key]
    }),
  )

/** The name that git gives to a picture's bytes. */
const oidOf = (content: ContentFolder, below: string): string => {
  const bytes = readStart(content.path, below, { length: mostPictureBytes + 1 }) ?? Buffer.alloc(0)
  return hash('sha1', Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]))
}

/** Members that are not the same on both sides. A site that changed may change every member. */
export const findTouched = (base: Side, head: Side): readonly string[] => {
  const sameSite = JSON.stringify(base.tools.site) === JSON.stringify(head.tools.site)
  const all = new Set([...base.keys.keys(), ...head.keys.keys()])
  return [...all].filter((name) => !sameSite || base.keys.get(name) !== head.keys.get(name)).sort()
}

/** What members' files come to: what is served of those that are valid, and what is wrong with the others. */
export type Compiled = {
  readonly served: ReadonlyMap<string, Served>
  readonly invalid: ReadonlySet<string>
  readonly diagnostics: readonly Diagnostic[]
}

/** Compiles those of the members that a side has. It stops now and then, so that signals are heard. */
export const compileSide = async ({ tools, keys }: Side, members: readonly string[]): Promise<Compiled> => {
  const served = new Map<string, Served>()
  const invalid = new Set<string>()
  const diagnostics: Diagnostic[] = []
  let broken = 0
  for (const [at, username] of members.entries()) {
    if (at % 64 === 0) await new Promise((resolve) => setImmediate(resolve))
    if (!keys.has(username)) continue
    if (broken >= brokenLimit) {
      invalid.add(username)
      continue
    }
    const compiled = compileMember(scanMember(username, tools.content), tools)
    const { member } = compiled
    for (const diagnostic of compiled.diagnostics) diagnostics.push(diagnostic)
    broken += compiled.broken
    if (broken >= brokenLimit) diagnostics.push(notLookedAt(tools.content, username))
    if (member === undefined || tools.site === undefined || hasErrors(compiled.diagnostics))
      invalid.add(username)
    else {
      served.set(username, {
        user: deriveUser(member, 'https', tools.site),
        shots: deriveShots(member, 'https', tools.site).Shots,
        aliases: member.profile.aliases,
      })
    }
  }
  return { served, invalid, diagnostics }
}
