import fs from 'node:fs'
import path from 'node:path'
import { names } from '../content/layout.ts'
import { type ContentFolder, findSite } from '../content/read/scan.ts'
import type { HostName } from '../content/values/formats.ts'
import { makeTemporary } from '../files/temporary.ts'
import { byPlace, type Diagnostic } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'
import { checkMembers } from '../snapshot/check.ts'
import { type Folders, resolveContent, resolveFolders } from '../snapshot/folders.ts'
import { openSite } from '../snapshot/site.ts'
import { knownState } from '../snapshot/state.ts'
import { quote } from '../text/printable.ts'
import { compare, type Difference, type View } from './compare.ts'
import { type Newcomer, review } from './review.ts'
import { readRevision } from './revision.ts'
import { type Compiled, compileSide, findTouched, readKeys, type Side } from './sides.ts'

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

/** Says what the API will serve from the content as it is that it doesn't serve from the base. */
export const report = async (options: ReportOptions): Promise<Report> => {
  const folders = resolveFolders(options)
  const head = await inspectHead(folders, options)
  if (namesFolder(options.base)) {
    const base = readFolder(resolveContent(options.base, '--base'), options)
    return compareSides(options, { base, head, newcomers: [], prepare: () => {} })
  }
  const revision = readRevision(folders.content.path, options.base)
  const { folder: root, remove } = makeTemporary()
  try {
    revision.writeFiles(root, new Set())
    const content = { path: root, name: `${options.base}:${options.content}` }
    const base = { ...readSite(content, options), keys: revision.keys }
    return await compareSides(options, {
      ...{ base, head, newcomers: revision.newcomers },
      prepare: (members) => revision.writeFiles(root, members),
    })
  } finally {
    remove()
  }
}

/** Whether a base is a folder rather than a revision: it holds a separator or begins with a dot. */
const namesFolder = (base: string): boolean => /^\.|[/\\]/.test(base)

type Inspected = Side & { readonly diagnostics: readonly Diagnostic[] }

/** Checks all of the content; the state of the last build tells which members are known already. */
const inspectHead = async (folders: Folders, options: ReportOptions): Promise<Inspected> => {
  const found = openSite(folders.content, options)
  const checked = await checkMembers(found, { ...options, state: knownState(folders, found) })
  const keys = checked.entries.map(({ username, from }) => [username, from.key] as const)
  // a check knows pictures by what is published of them, and the other side by their bytes
  const pictured = checked.entries.flatMap(({ username, from }) => (from.pictures ? [username] : []))
  return {
    tools: found.tools,
    keys: new Map([...keys, ...readKeys(found.tools, pictured)]),
    diagnostics: checked.diagnostics,
  }
}

const readFolder = (content: ContentFolder, options: ReportOptions): Inspected => {
  if (findSite(content).name === undefined && !fs.existsSync(path.join(content.path, names.members))) {
    throw new UserError(
      `${quote(content.name)} is no folder of content: it holds no site.yaml, and no members`,
      {
        hint: `name the folder that holds them, such as --base ${content.name}/content`,
      },
    )
  }
  const { tools, members, diagnostics } = openSite(content, options)
  return { tools, keys: readKeys(tools, members), diagnostics }
}

/** The site alone: there are no members in the folder yet. */
const readSite = (content: ContentFolder, options: ReportOptions): Omit<Inspected, 'keys'> => {
  const { tools, diagnostics } = openSite(content, options)
  const members = `${content.name}/${names.members}`
  return { tools, diagnostics: diagnostics.filter(({ file }) => !`${file}/`.startsWith(`${members}/`)) }
}

type Sides = {
  readonly base: Inspected
  readonly head: Inspected
  readonly newcomers: readonly Newcomer[]
  /** Called before files of these members of the base are read. */
  readonly prepare: (members: ReadonlySet<string>) => void
}

const compareSides = async (
  { base: name, content, now }: ReportOptions,
  { base, head, newcomers, prepare }: Sides,
): Promise<Report> => {
  const touched = findTouched(base, head)
  prepare(new Set(touched.filter((username) => base.keys.has(username))))
  const [old, current] = [await compileSide(base, touched), await compileSide(head, touched)]
  const invalid = new Set([...old.invalid, ...current.invalid, ...membersWithErrors(head, content)])
  const [before, after] = [valid(old, invalid), valid(current, invalid)]
  const sites = base.tools.site && head.tools.site && { base: base.tools.site, head: head.tools.site }
  const { members, addresses } = compare(before, after, sites)
  const problems = [...base.diagnostics, ...old.diagnostics].filter(({ severity }) => severity === 'error')
  const folderOf = (username: string) => `${content}/${names.members}/${username}`
  return {
    base: name,
    head: content,
    members,
    addresses,
    warnings: [
      ...review({ members, addresses, before, after }, { folderOf, now, newcomers }),
      ...problems.map((problem) => ({ ...problem, severity: 'warning' }) as const),
    ].sort(byPlace),
    diagnostics: head.diagnostics,
    before,
    after,
  }
}

const membersWithErrors = ({ diagnostics }: Inspected, content: string): readonly string[] =>
  diagnostics
    .filter(({ severity, file }) => severity === 'error' && file.startsWith(`${content}/${names.members}/`))
    .map(({ file }) => file.slice(`${content}/${names.members}/`.length).split('/')[0]!)

const valid = ({ served }: Compiled, invalid: ReadonlySet<string>): View =>
  new Map([...served].filter(([username]) => !invalid.has(username)))
