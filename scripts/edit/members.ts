import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { names, stemOf } from '../content/layout.ts'
import type { Loader } from '../content/load.ts'
import { salvageProfile, salvageShot } from '../content/member.ts'
import { type Data, mappingOf } from '../content/parse/data.ts'
import { type ContentFolder, listMembers, scanMember } from '../content/read/scan.ts'
import { schemasBeside } from '../content/schema.ts'
import type { Site } from '../content/site.ts'
import { foldUsername, isUsername, reserves } from '../content/username.ts'
import { findFolder, makeFolder, readFile } from '../files/folder.ts'
import { createFile, remove, removeEmpty, rename } from '../files/write.ts'
import { mostPictureBytes, type Picture, readPicture } from '../pictures/picture.ts'
import { UserError } from '../problems/user-error.ts'
import { shotToken } from '../snapshot/compile.ts'
import { quote } from '../text/printable.ts'
import { suggest } from '../text/suggest.ts'
import { changeKeys, firstLine, type NewValues } from './change.ts'
import {
  dataIn,
  editFile,
  listMemberFiles,
  type MemberFile,
  type MemberKind,
  nextId,
  profileOf,
  shownPath,
  type Taken,
} from './content-files.ts'
import { shotFileName, takenBy } from './write.ts'

/** The content as a command finds it before it changes something. */
export type Editing = {
  readonly content: ContentFolder
  readonly site: Site | undefined
  readonly loader: Loader
  readonly taken: Taken
}

/** Refuses a name that can't be a username, and one that is taken or reserved. */
export const requireFreeName = (
  name: string,
  { site, taken }: { readonly site: Site | undefined; readonly taken: Pick<Taken, 'names'> },
): void => {
  if (!isUsername(name)) {
    throw new UserError(`${quote(name)} can't be a username`, {
      hint: 'use 1 to 64 of A-Z a-z 0-9 . _ -, beginning and ending with a letter or digit, and no device name such as con',
    })
  }
  const holder = taken.names.get(foldUsername(name))
  const why = reserves(site?.reserved ?? [])(name) ? 'reserved in site.yaml' : holder && `taken: ${holder}`
  if (why !== undefined) throw new UserError(`the name ${quote(name)} is ${why}`, { answer: true })
}

/**
 * Refuses an id that somebody has, an alias that somebody has or that is given twice, and a project that the member's
 * profile doesn't list; a profile that can't be read is not asked.
 */
export const requireFree = (
  { kind, username, values }: { kind: MemberKind; username: string; values: NewValues },
  { content, site, taken }: Editing,
): void => {
  const { id, aliases, id_project: project = '0' } = values
  if (typeof id === 'string' && taken.ids[kind].has(id))
    throw new UserError(`the id ${id} is taken`, { hint: `${nextId(kind, taken)} is free`, answer: true })
  const known = new Map(taken.names).set(foldUsername(username), 'the new member has it')
  for (const alias of Array.isArray(aliases) ? aliases.map(String) : []) {
    requireFreeName(alias, { site, taken: { names: known } })
    known.set(foldUsername(alias), 'the new member has it')
  }
  if (project === '0') return
  const profile = profileOf(username, content)
  const { projects } = salvageProfile(dataIn(content, profile))
  if (projects === undefined || projects.some((one) => one.id === project)) return
  throw new UserError(`${quote(shownPath(content, profile))} lists no project ${quote(String(project))}`, {
    hint:
      projects.length === 0
        ? `add it there first: projects: [{ id: ${project}, created: 2014-03-01 }]`
        : `its projects are ${projects.map((one) => one.id).join(', ')}; others must be added there first`,
  })
}

/** A name that is nobody's is refused. */
export const requireMember = (username: string, content: ContentFolder): void => {
  const { members } = listMembers(content)
  if (members.includes(username)) return
  const near = suggest(username, members)
  throw new UserError(`there is no member ${quote(username)}`, {
    hint: near
      ? `did you mean ${near}?`
      : `make one with: npm run new -- member ${isUsername(username) ? username : 'NAME'}`,
  })
}

/** Writes a new profile; says its path below the content folder. */
export const addMember = (username: string, values: NewValues, editing: Editing): string => {
  const { content } = editing
  const folder = `${names.members}/${username}`
  const text = newText('profile', values, editing)
  // an empty folder may be what is left of a command that was killed
  if (holdsSomething(path.join(content.path, folder))) throw folderExists(shownPath(content, folder))
  const below = `${folder}/${names.profile}.yaml`
  create([{ below, contents: text }], content)
  return below
}

const holdsSomething = (folder: string): boolean =>
  fs.existsSync(folder) && fs.readdirSync(folder).some((name) => !name.startsWith('.'))

const folderExists = (shown: string, hint?: string): UserError =>
  new UserError(`the folder ${quote(shown)} is there already`, { hint, answer: true })

/** The path below the content folder for a new shot's file, whose name no other file there has, whatever its ending. */
export const nameShot = (
  username: string,
  shot: { readonly id: string; readonly title: string },
  content: ContentFolder,
): string => {
  const below = `${names.members}/${username}/${names.shots}`
  const folder = findFolder(content.path, below)
  const files = folder === undefined ? [] : fs.readdirSync(folder)
  return `${below}/${shotFileName(shot, new Set(files.map(takenBy)))}`
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
  { picture, ...editing }: Editing & { readonly picture?: Pick<Picture, 'kind' | 'cleaned'> | undefined },
): readonly string[] => {
  const { content } = editing
  const beside = picture && { below: pictureBeside(below, picture), contents: picture.cleaned }
  const shot = beside === undefined ? values : { ...values, image: `./${path.posix.basename(beside.below)}` }
  const file = { below, contents: newText('shot', shot, editing) }
  const files = beside === undefined ? [file] : [beside, file]
  create(files, content)
  const profile = raiseTotal(below.split('/')[1]!, content)
  return [...files.map((one) => one.below), ...(profile === undefined ? [] : [profile])]
}

/** Whether `--image` names a file on this machine, and not the address of a picture. Such a file must be there. */
export const isOwnFile = (image: string): boolean => {
  if (/^(?:https?:)?\/\//i.test(image)) return false
  if (fs.statSync(image, { throwIfNoEntry: false })?.isFile()) return true
  if (!/^(?:~?\/|\.\.[\\/]|[a-z]:)/i.test(image)) return false
  throw new UserError(`there is no file ${quote(image)} on this computer`, {
    hint: 'write its whole path, or the address of a picture',
  })
}

/** Reads a picture on this machine. */
export const readOwnPicture = (file: string): Picture => {
  // one's own link may be followed
  const real = fs.realpathSync(file)
  const bytes = readFile(path.dirname(real), path.basename(real), { limit: mostPictureBytes })
  if (bytes === undefined) throw new UserError(`${quote(file)} is no plain file of at most 10 MiB`)
  return requirePicture(bytes, quote(file))
}

/** A picture of which a `cleaned` copy may lie in a public repository; what can't be published is refused, by this name. */
export const requirePicture = (bytes: Buffer, name: string): Picture => {
  const picture = readPicture(bytes)
  if (!('problem' in picture)) return picture
  const { is, advice } = picture.problem
  throw new UserError(`${name} can't be published: ${is}`, { hint: advice })
}

type NewFile = { readonly below: string; readonly contents: Uint8Array | string }

/** Writes new files of one folder, all of them whole, or nothing: no folder either. */
const create = (files: readonly NewFile[], content: ContentFolder): void => {
  const made: NewFile[] = []
  try {
    for (const file of files) {
      makeFolder(content.path, path.posix.dirname(file.below))
      createFile(content.path, file.below, file.contents, { durable: true })
      made.push(file)
    }
  } catch (error) {
    for (const { below } of made) remove(content.path, below)
    const { below } = files[made.length]!
    removeEmpty(content.path, path.posix.dirname(below))
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new UserError(`the file ${quote(shownPath(content, below))} has just been made by somebody else`, {
      hint: 'run it again',
      answer: true,
    })
  }
}

/** The text of a new file; values that `check` would find wrong in it are refused. */
export const newText = (kind: MemberKind, values: NewValues, { content, site, loader }: Editing): string => {
  const start = firstLine(kind, schemasBeside(content.path))
  const { text = '' } = changeKeys(start, values, kind)
  const load = kind === 'profile' ? loader.loadProfile : loader.loadShot
  const wrong = load({ file: '', text }, site).diagnostics.find(({ severity }) => severity === 'error')
  if (wrong !== undefined) throw new UserError(wrong.message, { hint: wrong.hint })
  return text
}

/**
 * Where a profile writes out how many shots there are, and there are more now, it says the new number. The path of the
 * profile that was written, below the content folder.
 */
export const raiseTotal = (username: string, content: ContentFolder): string | undefined => {
  const below = profileOf(username, content)
  const said = salvageProfile(dataIn(content, below)).totalShots
  if (said === undefined) return undefined
  const published = listMemberFiles(username, content).filter(
    ({ kind, below }) => kind === 'shot' && !salvageShot(dataIn(content, below)).draft,
  )
  if (BigInt(said) >= published.length) return undefined
  editFile(content, { kind: 'profile', below }, { totalShots: String(published.length) })
  return below
}

/**
 * Gives a member another name, which is nobody else's; with `alias` the old one is still served: first the alias, then
 * the folder, so that a rename that was killed between the two is told by `check`, and goes on when it is asked for
 * again. Says every file of the member, below the content folder.
 */
export const renameMember = (
  { from, to, alias }: { readonly from: string; readonly to: string; readonly alias: boolean },
  { content, site, taken }: Editing,
): readonly string[] => {
  requireMember(from, content)
  if (from === to) throw new UserError(`"${from}" has this name already`)
  const own = shownPath(content, `${names.members}/${from}/`)
  const others = new Map([...taken.names].filter(([, file]) => !file.startsWith(own)))
  requireFreeName(to, { site, taken: { names: others } })
  if (scanMember(from, content).profile === undefined)
    throw new UserError(`"${from}" has no profile.yaml`, { hint: 'add it first: npm run check' })
  const folder = `${names.members}/${to}`
  const [before, after] = [path.join(content.path, names.members, from), path.join(content.path, folder)]
  // where letter case is not told apart, the folder stands under its new name already
  if (holdsSomething(after) && fs.statSync(after).ino !== fs.statSync(before).ino)
    throw folderExists(shownPath(content, folder), 'look at what is in it, and remove it')
  const profile = profileOf(from, content)
  // as they are written, right or wrong
  const { aliases: written } = mappingOf(dataIn(content, profile).data)
  const known = Array.isArray(written) ? written.filter((name: Data) => typeof name === 'string') : []
  const kept = known.filter((name) => foldUsername(name) !== foldUsername(to))
  const keepsOld = alias && !kept.includes(from) && foldUsername(from) !== foldUsername(to)
  const aliases = keepsOld ? [...kept, from] : kept
  if (aliases.join() !== known.join()) {
    const values = { aliases: aliases.length === 0 ? undefined : aliases }
    editFile(content, { kind: 'profile', below: profile }, values)
  }
  rename(before, after)
  return glob
    .sync('**', { cwd: after, dot: true, followSymbolicLinks: false })
    .map((one) => `${folder}/${one}`)
    .sort()
}

/**
 * Gives a shot or a member another free id. A shot keeps the token that clients know: one that came from its id is
 * written out. Where another file has the id, or the same token written out, the token is that file's: this one
 * gets a new token with its new id. Says the id before and after, and whether the token was written into the file.
 */
export const renumber = (content: ContentFolder, file: MemberFile, taken: Taken) => {
  const data = dataIn(content, file.below)
  const after = nextId(file.kind, taken)
  if (file.kind === 'profile') {
    editFile(content, file, { id: after })
    return { before: salvageProfile(data).id, after, keptToken: false }
  }
  const { id: before, token_id } = salvageShot(data)
  const made = before === undefined ? undefined : shotToken(before)
  const isOwn = made !== undefined && taken.ids.shot.get(before!) === 1 && !taken.tokens.has(made)
  const keptToken = token_id === undefined && isOwn
  const isCopied = token_id !== undefined && taken.tokens.get(token_id) !== 1
  const token = isCopied ? { token_id: undefined } : keptToken ? { token_id: made } : {}
  editFile(content, file, { id: after, ...token })
  return { before, after, keptToken }
}

/** The day on this person's clock. */
export const dayOf = (now: Date): string =>
  new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
