import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { createLoader } from '../advice/loader.ts'
import { nameForId, proposeId } from '../content/ids.ts'
import {
  type ContentFolder,
  inMember,
  isPicturePath,
  memberFolder,
  names,
  sizeLimit,
  stemOf,
} from '../content/layout.ts'
import type { Loader } from '../content/load.ts'
import { type Data, mappingOf } from '../content/parse/data.ts'
import { type ContentFile, filesOf, type MemberKind, readMember } from '../content/read/open.ts'
import { createReader } from '../content/read/read-file.ts'
import { findSite, listMembers, scanMember } from '../content/read/scan.ts'
import { schemasBeside } from '../content/schema.ts'
import type { Site } from '../content/site.ts'
import { foldUsername, isUsername, reserves } from '../content/username.ts'
import { findEntry, findFolder, makeFolder, readFile, statOf } from '../files/folder.ts'
import {
  createFile,
  remove,
  removeEmpty,
  removeLeftBehind,
  rename,
  replaceFile,
} from '../files/write.ts'
import { mostPictureBytes, type Picture, readPicture } from '../pictures/picture.ts'
import { codeOf, errorsIn, UserError } from '../problems/diagnostic.ts'
import { usernameRule } from '../problems/messages.ts'
import { claimOf, heldIn, shotToken } from '../snapshot/compile.ts'
import { quote } from '../text/printable.ts'
import { suggest } from '../text/suggest.ts'
import { changeKeys, type Edited, firstLine, type NewValues, type Tidied, tidy } from './change.ts'
import { shotFileName, takenBy } from './write.ts'

// Files come first: found, read, changed. Then what they claim, and members and shots that are made or get another name.

/** A file of the content that Shotpress reads, before anybody reads it. */
type Listed = Pick<ContentFile, 'kind' | 'below'>

/** All of them: site.yaml, then each member's. */
export const listContentFiles = (content: ContentFolder): readonly Listed[] => {
  const { name } = findSite(content)
  const site = name === undefined ? [] : [{ kind: 'site', below: name } as const]
  const files = listMembers(content).members.flatMap((username) =>
    filesOf(filesIn(username, content)),
  )
  return [...site, ...files]
}

/** The path of a member's profile below the content folder, also of one without a profile. */
export const profileOf = (username: string, content: ContentFolder): string => {
  const { profile = `${names.profile}.yaml` } = scanMember(username, content)
  return `${memberFolder(username, content)}/${profile}`
}

/** Removes what killed commands left half written beside these members' files; says the paths below the content folder. */
export const removeHalfWritten = (
  content: ContentFolder,
  members: Iterable<string>,
): readonly string[] => {
  const folders = Array.from(members, (username) => memberFolder(username, content))
  return ['.', ...folders.flatMap((folder) => [folder, `${folder}/${names.shots}`])].flatMap(
    (folder) => removeLeftBehind(content.path, folder).map((name) => path.posix.join(folder, name)),
  )
}

/** What diagnostics call a file: the `--content` value, `/`, the path inside. */
export const shownPath = (content: ContentFolder, below: string): string =>
  `${content.name}/${below}`

/** Why a file has no text. */
export const unreadable = 'it is no UTF-8 text of at most 1 MiB'

/** The text of a file without its byte order mark; `undefined` if it is no UTF-8 text of at most 1 MiB. */
const readText = (content: ContentFolder, below: string) =>
  createReader(content)(below).source?.text

/**
 * Gives a file with this text another one; a byte order mark that it begins with stays. One that says something else by now
 * stays as it is.
 */
export const replaceText = (
  content: ContentFolder,
  below: string,
  { before, text }: { readonly before: string; readonly text: string },
): void => {
  const held = readFile(content.path, below, { limit: sizeLimit })
  const mark = held?.toString('utf8', 0, 3) === '\ufeff' ? '\ufeff' : ''
  replaceFile(content.path, below, mark + text, {
    before: Buffer.from(mark + before),
  })
}

/** The files of a member, for what can be known of them without a look at the site. */
const filesIn = (username: string, content: ContentFolder) => {
  const loader = createLoader()
  return readMember(username, { content, loader, read: createReader(content) })
}

/** Sets or takes out keys of a file, or fails in words; all else in it stays as it is. */
export const editFile = (
  content: ContentFolder,
  { kind, below }: Listed,
  values: NewValues,
): void => {
  const text = readText(content, below)
  const edited = text === undefined ? { refused: unreadable } : changeKeys(text, values, kind)
  if (edited.refused !== undefined) {
    throw new UserError(`${shownPath(content, below)} can't be edited: ${edited.refused}`, {
      hint: 'edit it by hand, or look at what npx shotpress check says',
    })
  }
  if (text !== undefined && edited.text !== text)
    replaceText(content, below, { before: text, text: edited.text })
}

/** What tidying makes of a file, as it was `before`; nothing is written. */
export const tidyFile = (content: ContentFolder, { kind, below }: Listed): Tidied => {
  const before = readText(content, below)
  if (before === undefined) return { refused: unreadable }
  return { before, ...tidy(before, kind, shownPath(content, below)) }
}

/** Who has what nobody else may have: members, by what they claim (see `claimOf`). */
type Claims = ReadonlyMap<string, string>

/** Reads all members' files for what must be unique, as far as they can be read. */
export const readClaims = (content: ContentFolder): Claims => {
  const claims = new Map<string, string>()
  for (const owner of listMembers(content).members) {
    const files = filesIn(owner, content)
    // a folder without a profile may be what is left of a command that was killed
    for (const { kind, text, file } of heldIn(files))
      if (file || files.profile) claims.set(claimOf(kind, text), owner)
  }
  return claims
}

/** An id that nobody has for what a new file holds. The token that is made from a shot's is free too. */
export const freeIdFor = (below: string, claims: Claims): string => {
  const isShot = stemOf(path.posix.basename(below)) !== names.profile
  return proposeId(nameForId(below), (id) =>
    isShot
      ? claims.has(claimOf('shot', id)) || claims.has(claimOf('token', shotToken(id)))
      : claims.has(claimOf('member', id)),
  )
}

/** The content as a command finds it before it changes something. */
export type Editing = {
  readonly content: ContentFolder
  readonly site: Site | undefined
  readonly loader: Loader
  readonly claims: Claims
}

/** Refuses a name that can't be a username, and one that is taken or reserved. */
export const requireFreeName = (name: string, { content, site, claims }: Editing): void => {
  if (!isUsername(name)) {
    throw new UserError(`${quote(name)} can't be a username`, { hint: `use ${usernameRule}` })
  }
  const what = `the name ${quote(name)}`
  if (reserves(site?.reserved ?? [])(name))
    throw new UserError(`${what} is reserved in site.yaml`, { answer: true })
  const holder = claims.get(claimOf('name', name))
  if (holder !== undefined) throw taken(what, shownPath(content, memberFolder(holder, content)))
}

const taken = (what: string, where: string) =>
  new UserError(`${what} is taken: ${where}`, { answer: true })

/**
 * Refuses an id or a token that somebody has, an alias that somebody has or that is given twice, and a project that the
 * member's profile doesn't list; a profile that can't be read is not asked.
 */
export const requireFree = (
  { kind, username, values }: { kind: MemberKind; username: string; values: NewValues },
  editing: Editing,
): void => {
  const { content, claims } = editing
  const { id = '', aliases = [], token_id, id_project: project = '0' } = values
  if (claims.has(claimOf(kind === 'shot' ? 'shot' : 'member', String(id))))
    throw new UserError(`the id ${id} is taken`, {
      hint: 'leave it out to have a free one made',
      answer: true,
    })
  const token = String(token_id ?? shotToken(String(id)))
  const holder = claims.get(claimOf('token', token))
  if (holder !== undefined)
    throw taken(`the token ${token}`, shownPath(content, memberFolder(holder, content)))
  const held = new Map(claims).set(claimOf('name', username), username)
  for (const alias of [aliases].flat().map(String)) {
    requireFreeName(alias, { ...editing, claims: held })
    held.set(claimOf('name', alias), username)
  }
  if (project === '0') return
  const { profile } = filesIn(username, content)
  const listed = profile?.facts().projects
  if (profile === undefined || listed === undefined || listed.some((one) => one.id === project))
    return
  throw new UserError(`${quote(profile.file)} lists no project ${quote(String(project))}`, {
    hint: `add it to its projects first: { id: ${project}, created: 2014-03-01 }`,
  })
}

/** A name that is nobody's is refused. */
export const requireMember = (username: string, content: ContentFolder): void => {
  const { members } = listMembers(content)
  if (members.includes(username)) return
  const near = suggest(username, members)
  const where = `see ${shownPath(content, names.members)}; npx shotpress new member makes one`
  const hint = near ? `did you mean ${near}?` : where
  throw new UserError(`there is no member ${quote(username)}`, { hint })
}

/** Writes a new profile; says its path below the content folder. */
export const addMember = (username: string, values: NewValues, editing: Editing): string => {
  const { content } = editing
  const folder = memberFolder(username, content)
  const text = newText('profile', values, editing)
  // an empty folder may be what is left of a command that was killed
  if (holdsSomething(path.join(content.path, folder)))
    throw folderExists(shownPath(content, folder))
  const below = `${folder}/${names.profile}.yaml`
  create([{ below, contents: text }], content)
  return below
}

const holdsSomething = (folder: string) =>
  fs.existsSync(folder) && fs.readdirSync(folder).some((name) => !name.startsWith('.'))

const folderExists = (shown: string, hint?: string) =>
  new UserError(`the folder ${quote(shown)} is there already`, { hint, answer: true })

/**
 * The file of a new shot, whose name no other file there has, whatever its ending; and its id: the one that is wanted, or
 * one made from its name.
 */
export const placeShot = (
  username: string,
  { id: wanted, title }: { readonly id?: string | undefined; readonly title: string },
  { content, claims }: Editing,
) => {
  const below = `${memberFolder(username, content)}/${names.shots}`
  const id = wanted ?? freeIdFor(`${below}/${shotFileName({ id: '', title })}`, claims)
  const folder = findFolder(content.path, below)
  const files = folder === undefined ? [] : fs.readdirSync(folder)
  const name = shotFileName({ id, title }, new Set(files.map(takenBy)))
  return { id, below: `${below}/${name}` }
}

/** Where a new shot's picture goes. */
export const pictureBeside = (below: string, { kind }: Pick<Picture, 'kind'>): string =>
  `${stemOf(below)}.${kind}`

/**
 * Writes a new shot, with a picture beside it if there is one, and raises the total that the profile writes out: all of
 * it or nothing. Says each path below the content folder.
 */
export const addShot = (
  below: string,
  values: NewValues,
  {
    picture,
    ...editing
  }: Editing & { readonly picture?: Pick<Picture, 'kind' | 'cleaned'> | undefined },
): readonly string[] => {
  const { content } = editing
  const beside = picture
    ? [{ below: pictureBeside(below, picture), contents: picture.cleaned }]
    : []
  const own = beside.map((one) => ({ image: `./${path.posix.basename(one.below)}` }))
  const text = newText('shot', { ...values, ...own[0] }, editing)
  const files = [...beside, { below, contents: text }]
  create(files, content)
  const { username } = inMember(below, content)
  return [...files.map((one) => one.below), ...raiseTotal(username, content)]
}

/**
 * The picture on this machine that `--image` names, which must be there then; `undefined` if it names an address, or one
 * that lies beside the shot already.
 */
export const findOwnPicture = (
  image: string,
  { content, below }: { readonly content: ContentFolder; readonly below: string },
): Picture | undefined => {
  if (/^(?:https?:)?\/\//i.test(image)) return undefined
  if (!statOf(image)?.isFile()) {
    const place = path.posix.join(path.posix.dirname(below), image)
    const isBeside = isPicturePath(image) && findEntry(content.path, place) !== undefined
    if (isBeside || !/^(?:~?\/|\.?\.[\\/]|[a-z]:)/i.test(image)) return undefined
    throw new UserError(`there is no file ${quote(image)} on this computer`, {
      hint: isPicturePath(image)
        ? `put it there first, or at ${shownPath(content, place)}`
        : 'write its whole path, or the address of a picture',
    })
  }
  // one's own link may be followed
  const { dir, base } = path.parse(fs.realpathSync(image))
  const bytes = readFile(dir, base, { limit: mostPictureBytes })
  if (bytes === undefined) throw new UserError(`${quote(image)} is no plain file of at most 10 MiB`)
  return requirePicture(bytes, quote(image))
}

/** A picture of which a `cleaned` copy may lie in a public repository; what can't be published is refused, by this name. */
export const requirePicture = (bytes: Buffer, name: string): Picture => {
  const picture = readPicture(bytes)
  if (!('problem' in picture)) return picture
  const { is, advice } = picture.problem
  throw new UserError(`${name} can't be published: ${is}`, { hint: advice })
}

/** Writes new files of one folder, all of them whole, or nothing: no folder either. */
const create = (
  files: readonly { readonly below: string; readonly contents: Uint8Array | string }[],
  content: ContentFolder,
) => {
  let made = 0
  try {
    for (const { below, contents } of files) {
      makeFolder(content.path, path.posix.dirname(below))
      createFile(content.path, below, contents)
      made++
    }
  } catch (error) {
    for (const { below } of files.slice(0, made)) remove(content.path, below)
    // the one that failed
    const { below } = files[made]!
    removeEmpty(content.path, path.posix.dirname(below))
    if (codeOf(error) !== 'EEXIST') throw error
    const shown = quote(shownPath(content, below))
    throw new UserError(`the file ${shown} is there meanwhile`, { answer: true })
  }
}

/** The text of a file with these values in it, or of a new one; or why `check` would find it wrong. */
export const provenText = (
  kind: MemberKind,
  { before, values }: { readonly before?: string | undefined; readonly values: NewValues },
  { content, site, loader }: Omit<Editing, 'claims'>,
): Edited & { readonly hint?: string | undefined } => {
  if (before !== undefined && Object.keys(values).length === 0) return { text: before }
  const start = before ?? firstLine(kind, schemasBeside(content.path), content)
  const edited = changeKeys(start, values, kind)
  if (edited.refused !== undefined) return edited
  const { text } = edited
  if (Buffer.byteLength(text) > sizeLimit)
    return { refused: `the file would be larger than ${sizeLimit} bytes` }
  const load = kind === 'profile' ? loader.loadProfile : loader.loadShot
  const [wrong] = errorsIn(load({ file: '', text }, site).diagnostics)
  return wrong === undefined ? edited : { refused: wrong.message, hint: wrong.hint }
}

/** The text of a new file; values that `check` would find wrong in it are refused. */
export const newText = (kind: MemberKind, values: NewValues, editing: Editing): string => {
  const { text, refused, hint } = provenText(kind, { values }, editing)
  if (text === undefined) throw new UserError(refused, { hint })
  return text
}

/** Where a profile writes out how many shots there are, and there are more now, it says the new number. Says its path if so. */
export const raiseTotal = (username: string, content: ContentFolder): readonly string[] => {
  const { profile, shots } = filesIn(username, content)
  const totalShots = profile?.facts().totalShots
  if (profile === undefined || totalShots === undefined) return []
  const { length } = shots.filter((shot) => !shot.facts().draft)
  if (BigInt(totalShots) >= length) return []
  editFile(content, profile, { totalShots: String(length) })
  return [profile.below]
}

/**
 * Gives a member another name, which is nobody else's; with `alias` the old one is still served: first the alias, then
 * the folder, so that a rename that was killed between the two is told by `check`, and goes on when it is asked for
 * again. Says every file of the member, below the content folder.
 */
export const renameMember = (
  { from, to, alias }: { readonly from: string; readonly to: string; readonly alias: boolean },
  editing: Editing,
): readonly string[] => {
  const { content, claims } = editing
  requireMember(from, content)
  if (from === to) throw new UserError(`"${from}" has this name already`)
  const others = [...claims].filter(([, owner]) => owner !== from)
  requireFreeName(to, { ...editing, claims: new Map(others) })
  const { profile } = filesIn(from, content)
  if (profile === undefined)
    throw new UserError(`"${from}" has no profile.yaml`, {
      hint: 'add it first: npx shotpress check',
    })
  const old = memberFolder(from, content)
  const folder = memberFolder(to, content)
  const before = path.join(content.path, old)
  const after = path.join(content.path, folder)
  // where letter case is not told apart, the folder stands under its new name already
  if (holdsSomething(after) && fs.statSync(after).ino !== fs.statSync(before).ino)
    throw folderExists(shownPath(content, folder), 'look at what is in it, and remove it')
  // as they are written, right or wrong
  const { aliases: written } = mappingOf(profile.parsed().data)
  const known = Array.isArray(written)
    ? written.filter((name: Data) => typeof name === 'string')
    : []
  const wanted = alias && !known.includes(from) ? [...known, from] : known
  const aliases = wanted.filter((name) => foldUsername(name) !== foldUsername(to))
  if (aliases.join() !== known.join()) {
    editFile(content, profile, { aliases: aliases.length === 0 ? undefined : aliases })
  }
  makeFolder(content.path, path.posix.dirname(folder))
  rename(before, after)
  removeEmpty(content.path, path.posix.dirname(old))
  return filesBelow(folder, content)
}

/** Every file in a folder, below the content folder. */
const filesBelow = (folder: string, content: ContentFolder): readonly string[] =>
  glob
    .sync('**', { cwd: path.join(content.path, folder), dot: true, followSymbolicLinks: false })
    .map((one) => `${folder}/${one}`)
    .sort()

/**
 * Takes a member out of the content; with `reserve` nobody else can have the name or the aliases. First they are reserved,
 * so that a removal that was killed between the two is told by `check`, and goes on when it is asked for again. Says the
 * files that are gone and site.yaml, below the content folder, and what was reserved.
 */
export const removeMember = (
  { username, reserve }: { readonly username: string; readonly reserve: boolean },
  { content, site }: Editing,
) => {
  requireMember(username, content)
  const { name } = findSite(content)
  if (reserve && name === undefined) {
    throw new UserError('there is no site.yaml to reserve the name in', {
      hint: 'add it, or leave the name free with --no-reserve',
    })
  }
  const { aliases = [] } = filesIn(username, content).profile?.facts() ?? {}
  const known = site?.reserved ?? []
  const isReserved = reserves(known)
  const given = reserve ? [...new Set([username, ...aliases])] : []
  const reserved = given.filter((one) => isUsername(one) && !isReserved(one))
  if (name !== undefined && reserved.length > 0) {
    editFile(content, { kind: 'site', below: name }, { reserved: [...known, ...reserved] })
  }
  const folder = memberFolder(username, content)
  const files = filesBelow(folder, content)
  remove(content.path, folder)
  if (content.groups) removeEmpty(content.path, path.posix.dirname(folder))
  return { files: [...files, ...(reserved.length > 0 ? [name!] : [])], reserved }
}

/** The day on this person's clock. */
export const dayOf = (now: Date): string =>
  new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
