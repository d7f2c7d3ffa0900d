import path from 'node:path'
import { createLoader } from '../advice/loader.ts'
import { contentFolder, memberFolder } from '../content/layout.ts'
import { filesOf, readMember } from '../content/read/open.ts'
import { schemasBeside } from '../content/schema.ts'
import type { Site } from '../content/site.ts'
import { foldUsername } from '../content/username.ts'
import { changeKeys, firstLine } from '../edit/yaml/change.ts'
import { findEntry, statOf } from '../files/folder.ts'
import { type Diagnostic, hasErrors, UserError } from '../problems/diagnostic.ts'
import { createTools, shotToken, type Tools } from '../snapshot/compile.ts'
import { openSite } from '../snapshot/open-site.ts'
import type { Values } from './fields.ts'
import type { Where } from './messages.ts'

/** The content that is imported into. */
export type ContentSite = Tools & {
  readonly site: Site
  /** The members' folders; the run adds those that it makes. */
  readonly members: Set<string>
  /** The text of the site.yaml that is still to be written. */
  newSite: string | undefined
}

type Problems = { readonly diagnostics: readonly Diagnostic[] }

/**
 * Opens a content folder; one that lacks site.yaml, or that is not there yet, will get one
 * for this address.
 */
export const openContent = (name: string, baseUrl: string): ContentSite | Problems => {
  const stat = statOf(name)
  if (stat?.isDirectory() === false) throw new UserError(`"${name}" is not a folder`)
  const content = contentFolder(name)
  // members may still be missing, as in a shard
  const opened = stat && openSite(content, { shard: { index: 1, count: 1 } })
  const known = opened?.tools.site
  const members = new Set(opened?.members)
  if (opened && known) return { ...opened.tools, site: known, newSite: undefined, members }
  if (opened?.diagnostics.every(({ code }) => code !== 'missing-site')) return opened
  const start = firstLine('site', schemasBeside(content.path))
  // a file of one comment can always be changed
  const newSite = changeKeys(start, { base_url: baseUrl }, 'site').text!
  const source = { file: `${content.name}/site.yaml`, text: newSite }
  const loader = createLoader()
  const { value: site, ...wrong } = loader.loadSite(source)
  if (site === undefined) return wrong
  return { ...createTools({ content, site, source, loader }), site, newSite, members }
}

/**
 * A file of the content: its path below the content folder, its text, and what it says by
 * key, as the API would.
 */
export type Held = { readonly path: string; readonly text: string; readonly said: Values }

/** What content holds of a member. */
export type Mine = {
  /**
   * The profile, which has no id here, and the shots by their ids; new files once they are
   * written.
   */
  readonly files: Map<string | undefined, Held>
  /** Names of the files in shots/. */
  readonly names: readonly string[]
}

/** What the profile, or the shot with an id, says at a key. */
export const saidAt = ({ files }: Mine, { id, key }: Where): string | undefined =>
  files.get(id)?.said[key]

/**
 * Reads a member's folder, if there is one; a member with errors is not touched, so there is
 * nothing but them.
 */
export const readMine = (
  username: string | undefined,
  site: ContentSite,
): Problems & { readonly mine?: Mine } => {
  if (username === undefined)
    return { diagnostics: [], mine: { files: new Map(), names: [] } }
  const member = readMember(username, site)
  const files = filesOf(member)
  const found = files.flatMap((file) => file.loaded().diagnostics)
  const diagnostics = [...member.diagnostics, ...found]
  if (!member.profile || hasErrors(diagnostics)) return { diagnostics }
  const held = files.map((file) => {
    // a file without errors says something, and has a text
    const values = Object.entries(file.loaded().value!)
    const { text } = file.read().source!
    const said = Object.fromEntries(values.map(([key, value]) => [key, value?.toString()]))
    const id = file.kind === 'profile' ? undefined : said.id
    return [id, { path: file.below, text, said }] as const
  })
  const names = member.shots.map(({ below }) => path.posix.basename(below))
  return { diagnostics, mine: { files: new Map(held), names } }
}

/** Who has which id, name or token on the whole site. */
export const indexSite = (site: ContentSite) => {
  const { content, members, isReserved } = site
  /** Members by their ids, by aliases, and by names and aliases in lower case. */
  const ids = new Map<string, string>()
  const aliases = new Map<string, string>()
  const folded = new Map<string, string>()
  /** The paths of shots below the content folder by their ids, and their ids by their tokens. */
  const paths = new Map<string, string>()
  const tokens = new Map<string, string>()
  const addMember = (
    username: string,
    id: string | undefined,
    others: readonly string[] = [],
  ) => {
    members.add(username)
    if (id !== undefined) ids.set(id, username)
    for (const alias of others) aliases.set(alias, username)
    for (const name of [username, ...others]) folded.set(foldUsername(name), username)
  }
  for (const owner of [...members]) {
    const { profile, shots } = readMember(owner, site)
    const known = profile?.facts()
    addMember(owner, known?.id, known?.aliases)
    for (const shot of shots) {
      const { id, token_id } = shot.facts()
      if (id === undefined) continue
      paths.set(id, shot.below)
      tokens.set(token_id || shotToken(id), id)
    }
  }
  /** Why a new member can't have a name, in words. */
  const whyTaken = (name: string) => {
    const other = folded.get(foldUsername(name))
    if (other !== undefined) return `the member "${other}" has that name, or an alias like it`
    if (isReserved(name)) return 'the name is reserved in site.yaml'
    const path = memberFolder(name, content)
    const isInTheWay = findEntry(content.path, path)?.isDirectory() === false
    return isInTheWay ? `"${content.name}/${path}" is a file or a link` : undefined
  }
  return { ids, aliases, paths, tokens, whyTaken, addMember }
}
