import { createRequire } from 'node:module'
import path from 'node:path'
import { deriveShots, deriveUser } from '../api/records.ts'
import { inMember, memberFolder, names } from '../content/layout.ts'
import type { Profile } from '../content/member.ts'
import { readMember } from '../content/read/open.ts'
import { readFile } from '../files/folder.ts'
import { makeTemporary } from '../files/write.ts'
import { byPlace, type Diagnostic, errorsIn, UserError } from '../problems/diagnostic.ts'
import { brokenLimit, compileMember, notLookedAt } from '../snapshot/compile.ts'
import type { SeenPictures } from '../snapshot/entry.ts'
import { jsonIn } from '../text/json.ts'
import { quote } from '../text/printable.ts'
import { readNewcomers } from './authors.ts'
import { compare, type Difference, type Served, type View } from './compare.ts'
import { type ChangedPicture, changedPictures } from './pictures.ts'
import { review } from './review.ts'
import { openBase, openHead, type Side, type SideOptions } from './sides.ts'
import { judge, type Verdict } from './verdict.ts'

const require = createRequire(import.meta.url)

type ReportOptions = SideOptions & {
  /** Now, in UTC: `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  /** The account at the forge whose change it is, to judge whose members it touches. */
  readonly author?: string | undefined
  /** How many characters of pictures are shown; without it, none is looked for. */
  readonly picturesRoom?: number | undefined
}

export type Report = Difference & {
  /** What both sides serve of the members that are not the same. */
  readonly before: View
  readonly after: View
  /** What is wrong with the content as it is. With an error, only valid members are compared. */
  readonly diagnostics: readonly Diagnostic[]
  /** Where an author was given. */
  readonly verdict?: Verdict
  readonly pictures?: readonly ChangedPicture[]
}

/** Says what the API will serve from the content as it is that it doesn't serve from the base. */
export const report = async (options: ReportOptions): Promise<Report> => {
  const head = await openHead(options)
  const { folder, remove } = makeTemporary()
  try {
    return await compareSides(openBase(options, folder), head, options)
  } finally {
    remove()
  }
}

const compareSides = async (
  base: Side,
  head: Side,
  options: ReportOptions,
): Promise<Report> => {
  const sites = base.tools.site &&
    head.tools.site && { base: base.tools.site, head: head.tools.site }
  const isSameSite = JSON.stringify(base.tools.site) === JSON.stringify(head.tools.site)
  const all = [...new Set([...base.keys.keys(), ...head.keys.keys()])].sort()
  // a site that changed may change every member
  const touched = all.filter(
    (one) => !isSameSite || base.keys.get(one) !== head.keys.get(one),
  )
  base.prepare?.(touched.filter((username) => base.keys.has(username)))
  const old = await compileSide(base, touched)
  const current = await compileSide(head, touched)
  const before = old.members
  const after = current.members
  const { author, now, picturesRoom: room } = options
  const { content } = head.tools
  const { diagnostics } = head
  const verdict = author && judge({ author, base, head, before: old.profiles, after })
  const withErrors = errorsIn(diagnostics).map(
    ({ file }) => inMember(file.slice(content.name.length + 1), content).username,
  )
  const invalid = touched.filter(
    (one) => base.keys.has(one) !== before.has(one) || head.keys.has(one) !== after.has(one),
  )
  for (const username of [...withErrors, ...invalid]) {
    before.delete(username)
    after.delete(username)
  }
  const difference = compare(before, after, sites)
  const folderOf = (username: string) =>
    `${options.content}/${memberFolder(username, content)}`
  const newcomers = base.tree ? readNewcomers(base.tree, base.tools.content) : new Map()
  const warnings = review({ ...difference, before, after }, { folderOf, now, newcomers })
  const problems = errorsIn([...base.diagnostics, ...old.diagnostics])
  const asWarning = (problem: Diagnostic) => ({ ...problem, severity: 'warning' }) as const
  return {
    base: options.base,
    head: options.content,
    ...difference,
    warnings: [...warnings, ...problems.map(asWarning)].sort(byPlace),
    diagnostics,
    before,
    after,
    ...(verdict && { verdict }),
    ...(room !== undefined && { pictures: changedPictures(old, current, room) }),
  }
}

type Known = Served & { readonly profile: Profile; readonly pictures: SeenPictures }

/**
 * Compiles those of the members that a side has: what is known of the valid ones, and what is
 * wrong with the others. It stops now and then, so that signals are heard.
 */
const compileSide = async ({ tools, keys }: Side, usernames: readonly string[]) => {
  const { content, site } = tools
  const members = new Map<string, Known>()
  const profiles = new Map<string, { readonly profile: Profile }>()
  const diagnostics: Diagnostic[] = []
  let broken = 0
  for (const [at, username] of usernames.filter((one) => keys.has(one)).entries()) {
    if (at % 64 === 0) await new Promise((resolve) => setImmediate(resolve))
    const files = readMember(username, tools)
    const { member, seen, ...compiled } = compileMember(files, tools)
    for (const diagnostic of compiled.diagnostics) diagnostics.push(diagnostic)
    broken += compiled.broken
    if (broken >= brokenLimit) {
      diagnostics.push(notLookedAt(content, username))
      break
    }
    if (site === undefined) continue
    const profile = files.profile?.loaded().value
    const shots = `${content.name}/${memberFolder(username, content)}/${names.shots}/`
    if (profile && errorsIn(compiled.diagnostics).every(({ file }) => file.startsWith(shots)))
      profiles.set(username, { profile })
    if (member === undefined) continue
    members.set(username, {
      user: deriveUser(member, 'https', site),
      shots: deriveShots(member, 'https', site).Shots,
      aliases: member.profile.aliases,
      profile: member.profile,
      pictures: seen,
    })
  }
  return { tools, members, profiles, diagnostics }
}

/**
 * Reads what `--format json` printed, perhaps for somebody who is not to be trusted: the data
 * is theirs, the words that a format makes of it are ours. What doesn't fit
 * schemas/report.schema.json is refused.
 */
export const readReport = (file: string): Report => {
  const { dir, base } = path.parse(path.resolve(file))
  const bytes = base === '' ? undefined : readFile(dir, base, { limit: 50 << 20 })
  if (bytes === undefined) {
    throw new UserError(`there is no report in ${quote(file)}`, {
      hint: 'name a plain file of 50 MiB at most, which npx shotpress report --format json has made',
    })
  }
  const { Ajv } = require('ajv') as typeof import('ajv')
  const read = jsonIn(bytes.toString('utf8'))
  if (new Ajv().validate(require('../../schemas/report.schema.json'), read))
    return { ...known(read as Report), before: new Map(), after: new Map(), diagnostics: [] }
  throw new UserError(`${quote(file)} is not a report`, {
    hint: 'make it with npx shotpress report --format json',
  })
}

/** A verdict in a file is that of whoever made the file. */
const known = ({ verdict: _, ...difference }: Report): Difference => difference
