import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { deriveShots, deriveUser } from '../api/records.ts'
import { names } from '../content/layout.ts'
import { readStart } from '../content/read/read-file.ts'
import { type ContentFolder, findSite, scanMember } from '../content/read/scan.ts'
import type { HostName } from '../content/values/formats.ts'
import { makeTemporary } from '../files/write.ts'
import { mostPictureBytes } from '../pictures/picture.ts'
import { byPlace, type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'
import { checkMembers, openSite } from '../snapshot/check.ts'
import { brokenLimit, compileMember, notLookedAt, readMember, type Tools } from '../snapshot/compile.ts'
import { type Folders, resolveContent, resolveFolders } from '../snapshot/folders.ts'
import { contentKeyOf, knownState } from '../snapshot/state.ts'
import { quote } from '../text/printable.ts'
import { compare, type Difference, type Served, type View } from './compare.ts'
import { type Newcomer, review } from './review.ts'
import { readRevision } from './revision.ts'

export type ReportOptions = {
  /** As on the command line. */
  readonly content: string
  readonly out: string
  /** A revision of the repository that holds the content, or a folder of content: see {@link namesFolder}. */
  readonly base: string
  readonly hostNames: readonly HostName[]
  /** Now, in UTC: `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly onProgress: (done: number, total: number) => void
}

export type Report = Difference & {
  /** What both sides serve of the members that are not the same. */
  readonly before: View
  readonly after: View
  /** What is wrong with the content as it is. With an error, only valid members are compared. */
  readonly diagnostics: readonly Diagnostic[]
}

/** One side of a comparison, before its members are compiled. */
type Side = {
  readonly tools: Tools
  readonly diagnostics: readonly Diagnostic[]
  /** By member: a hash of its files' names and bytes, in hex. Equal hashes mean equal files. */
  readonly keys: ReadonlyMap<string, string>
}

type Base = Side & {
  readonly newcomers?: readonly Newcomer[]
  /** Called before files of these members are read. */
  readonly prepare?: (members: ReadonlySet<string>) => void
  readonly close?: () => void
}

/** Says what the API will serve from the content as it is that it doesn't serve from the base. */
export const report = async (options: ReportOptions): Promise<Report> => {
  const { base: name, content } = options
  const folders = resolveFolders(options)
  const head = await inspectHead(folders, options)
  const base = namesFolder(name) ? openFolder(options) : openRevision(folders, options)
  try {
    const sameSite = JSON.stringify(base.tools.site) === JSON.stringify(head.tools.site)
    const all = [...new Set([...base.keys.keys(), ...head.keys.keys()])].sort()
    // a site that changed may change every member
    const touched = all.filter((one) => !sameSite || base.keys.get(one) !== head.keys.get(one))
    base.prepare?.(new Set(touched.filter((username) => base.keys.has(username))))
    const [old, current] = [await compileSide(base, touched), await compileSide(head, touched)]
    const folderOf = (username: string): string => `${content}/${names.members}/${username}`
    const withErrors = head.diagnostics
      .filter(({ severity, file }) => severity === 'error' && file.startsWith(folderOf('')))
      .map(({ file }) => file.slice(folderOf('').length).split('/')[0]!)
    const invalid = new Set([...old.invalid, ...current.invalid, ...withErrors])
    const [before, after] = [old, current].map(
      ({ served }): View => new Map([...served].filter(([username]) => !invalid.has(username))),
    ) as [View, View]
    const sites = base.tools.site && head.tools.site && { base: base.tools.site, head: head.tools.site }
    const difference = compare(before, after, sites)
    const { newcomers = [] } = base
    const problems = [...base.diagnostics, ...old.diagnostics].filter(({ severity }) => severity === 'error')
    const warnings = [
      ...review({ ...difference, before, after }, { folderOf, now: options.now, newcomers }),
      ...problems.map((problem) => ({ ...problem, severity: 'warning' }) as const),
    ].sort(byPlace)
    const { diagnostics } = head
    return { base: name, head: content, ...difference, warnings, diagnostics, before, after }
  } finally {
    base.close?.()
  }
}

/** Whether a base is a folder rather than a revision: it holds a separator or begins with a dot. */
const namesFolder = (base: string): boolean => /^\.|[/\\]/.test(base)

/** Checks all of the content; the state of the last build tells which members are known already. */
const inspectHead = async (folders: Folders, options: ReportOptions): Promise<Side> => {
  const found = openSite(folders.content, options)
  const { state, diagnostics } = await checkMembers(found, { ...options, state: knownState(folders, found) })
  const entries = [...state.entries.values()]
  const keys = entries.map(({ username, from }) => [username, from.key] as const)
  // a check knows pictures by what is published of them, and the other side by their bytes
  const pictured = entries.flatMap(({ username, from }) => (from.pictures ? [username] : []))
  return { tools: found.tools, keys: new Map([...keys, ...readKeys(found.tools, pictured)]), diagnostics }
}

const openFolder = (options: ReportOptions): Base => {
  const content = resolveContent(options.base, '--base')
  if (findSite(content).name === undefined && !fs.existsSync(path.join(content.path, names.members))) {
    throw new UserError(
      `${quote(content.name)} is no folder of content: it holds no site.yaml, and no members`,
      { hint: `name the folder that holds them, such as --base ${content.name}/content` },
    )
  }
  const { tools, members, diagnostics } = openSite(content, options)
  return { tools, keys: readKeys(tools, members), diagnostics }
}

/** The site as git has it, in a folder that takes the files of members that are asked for. */
const openRevision = (folders: Folders, options: ReportOptions): Base => {
  const { keys, newcomers, writeFiles } = readRevision(folders.content.path, options.base)
  const { folder: root, remove } = makeTemporary()
  const prepare: Base['prepare'] = (members) => writeFiles(root, members)
  try {
    prepare(new Set())
    const content = { path: root, name: `${options.base}:${options.content}` }
    const { tools, diagnostics } = openSite(content, options)
    const members = `${content.name}/${names.members}/`
    // there are no members in the folder yet
    const own = diagnostics.filter(({ file }) => !`${file}/`.startsWith(members))
    return { tools, keys, diagnostics: own, newcomers, prepare, close: remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** The keys of members, from the bytes of their files. */
const readKeys = (
  { content, read }: Pick<Tools, 'content' | 'read'>,
  members: readonly string[],
): Side['keys'] =>
  new Map(
    members.map((username) => {
      const scan = scanMember(username, content)
      const pictures = scan.pictures.map(({ path }) => oidOf(content, `${names.members}/${username}/${path}`))
      return [username, contentKeyOf(scan, [...readMember(scan, read), ...pictures])]
    }),
  )

/** The name that git gives to a picture's bytes. */
const oidOf = (content: ContentFolder, below: string): string => {
  const bytes = readStart(content.path, below, { length: mostPictureBytes + 1 }) ?? Buffer.alloc(0)
  return hash('sha1', Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]))
}

/**
 * Compiles those of the members that a side has: what is served of the valid ones, and what is wrong with the others. It
 * stops now and then, so that signals are heard.
 */
const compileSide = async ({ tools, keys }: Side, members: readonly string[]) => {
  const served = new Map<string, Served>()
  const invalid: string[] = []
  const diagnostics: Diagnostic[] = []
  let broken = 0
  for (const [at, username] of members.entries()) {
    if (at % 64 === 0) await new Promise((resolve) => setImmediate(resolve))
    if (!keys.has(username)) continue
    if (broken >= brokenLimit) {
      invalid.push(username)
      continue
    }
    const compiled = compileMember(scanMember(username, tools.content), tools)
    const { member } = compiled
    for (const diagnostic of compiled.diagnostics) diagnostics.push(diagnostic)
    broken += compiled.broken
    if (broken >= brokenLimit) diagnostics.push(notLookedAt(tools.content, username))
    if (member === undefined || tools.site === undefined || hasErrors(compiled.diagnostics))
      invalid.push(username)
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
