import path from 'node:path'
import { isPicturePath, memberFolder, names, stemOf } from '../content/layout.ts'
import { pictureKeys } from '../content/member.ts'
import { type Data, type Mapping, mappingOf } from '../content/parse/data.ts'
import { readSchema } from '../content/schema.ts'
import { type Editing, freeIdFor, requireFreeName, requireMember } from '../edit/claims.ts'
import { profileOf, replaceText, shownPath, unreadable } from '../edit/files.ts'
import { fixProblems } from '../edit/fix.ts'
import { addMember, renameMember } from '../edit/members.ts'
import {
  addShot,
  dayOf,
  pictureBeside,
  placeShot,
  raiseTotal,
  requirePicture,
} from '../edit/shots.ts'
import { changeKeys } from '../edit/yaml/change.ts'
import { hasComment } from '../edit/yaml/entries.ts'
import { mappingIn } from '../edit/yaml/proof.ts'
import { slug } from '../edit/yaml/write.ts'
import { isPathBelow } from '../files/folder.ts'
import { Changed, createFile } from '../files/write.ts'
import { type Diagnostic, UserError } from '../problems/diagnostic.ts'
import { isRecord, jsonIn } from '../text/json.ts'
import { type Content, checkWith, lookWith, type Part } from './content.ts'
import { type Described, type Texts, valuesOf } from './fields.ts'
import type { Done, Edit, History } from './history.ts'

// Edits of the content: what `new`, `rename`, `check --fix` and the proved splices write, and
// nothing else. What is asked for gives an edit: the files that it may change, and what
// changes them.

/** What edits are made with. */
export type Desk = { readonly content: Content; readonly history: History }

type TextName =
  | ('action' | 'alias' | 'base' | 'file' | 'from' | 'image' | 'key' | 'line')
  | ('name' | 'picture' | 'title' | 'to' | 'username')

/** What a form sends; `values` are those of a file's keys. */
export type Given = { readonly [K in TextName]?: string } & { readonly values: Texts }

/** A file of a member as a form shows it; an edit of another `oid` is refused. */
export type Draft = Part &
  Described & {
    readonly text: string
    /** Why it can't be edited in a form; `undefined` if it can. */
    readonly refused: string | undefined
  }

/** Something wrong, and the key whose field says so. */
export type Problem = Pick<Diagnostic, 'severity' | 'message' | 'fix'> & {
  readonly key: string
  readonly hint?: string | undefined
}

/**
 * A file changed on the disk since a form was made from it; `cause` is what was typed, and
 * what the file says now.
 */
export class Outdated extends Changed {
  declare readonly cause: { readonly typed: Mapping; readonly draft: Draft }
}

/** An edit is refused for what stands in fields. */
export class Refused extends UserError {
  declare readonly cause: readonly Problem[]
}

type Act = (given: Given, desk: Desk) => Edit | Done

/**
 * A file as it is on the disk now; `undefined` if there was none when the member was shown
 * last.
 */
export const openDraft = (file: string, { content }: Desk): Draft | undefined => {
  const part = content.partOf(file)
  if (part === undefined) return undefined
  const { source, oid } = content.read(part.below)
  const text = source?.text ?? ''
  const projects = content.member(part.username)?.member.projects ?? []
  const data = mappingIn(text)
  if (source === undefined)
    return { ...part, text, oid: '', projects, data, refused: unreadable }
  // whether this file can be edited at all: a key is tried that it lacks
  const { properties = {} } = readSchema(part.kind)
  const spare = Object.keys(properties).find((key) => !(key in data)) ?? 'title'
  const { refused } = changeKeys(text, { [spare]: '~' }, part.kind)
  return { ...part, text, oid, projects, data, refused }
}

const draftIn = ({ file = '' }: Given, desk: Desk): Draft => {
  const draft = openDraft(file, desk)
  if (draft === undefined) throw new UserError('there is no such file')
  return draft
}

/** What people call a file: its name without the ending. */
const nameOf = (file: string): string => stemOf(path.posix.basename(file))

/** The file that a form is about, if it says what it said when the form was made. */
const sameIn = (given: Given, desk: Desk): Draft => {
  const draft = draftIn(given, desk)
  if (draft.oid !== '' && draft.oid === given.base) return draft
  const cause = { typed: valuesOf(given.values, draft), draft }
  throw new Outdated('this file was changed on the disk meanwhile', { cause })
}

/** What a file would say, and what a check finds then. Writes nothing. */
export const checkFile = (given: Given, desk: Desk) => {
  const { content } = desk
  const draft = sameIn(given, desk)
  const { file, kind } = draft
  const typed = valuesOf(given.values, draft)
  const kept = Object.entries(typed).map(([key, value]) => [
    key,
    value.length === 0 ? emptyOf(key, draft) : value,
  ])
  const { text, refused } = changeKeys(draft.text, Object.fromEntries(kept), kind)
  if (text === undefined)
    throw new UserError(`it can't be edited here: ${refused}`, {
      hint: 'open it in the editor',
    })
  const { edited, ...shown } = lookWith(draft, text, content)
  const parsed = edited.parsed()
  const says = mappingOf(parsed.data)
  const { properties = {} } = readSchema(kind)
  const [first = ''] = Object.keys(typed)
  const atField = (one: Diagnostic): Problem => {
    const { line = 0 } =
      [one, ...(one.related ?? [])].find((place) => place.file === file) ?? {}
    const holds = (key: string): boolean =>
      parsed.place([key], 'key').line <= line && line <= parsed.place([key], 'value').endLine
    const key = Object.keys(says).find(holds) ?? ''
    if (one.file !== file) {
      // what would help there is of no use here
      const message = `${one.message} (in ${one.file})`
      return { severity: one.severity, message, key: Object.hasOwn(typed, key) ? key : first }
    }
    const [, missing = ''] = (one.code === 'missing-key' && /"(\w+)"/.exec(one.message)) || []
    // of the file, and not of a row in it
    const isOfFile = Object.hasOwn(properties, missing) && !says[missing]
    return { ...one, key: isOfFile ? missing : key }
  }
  const waiting = picturesIn({ ...draft, text }).filter((one) =>
    content.pictures.uploads.has(one),
  )
  const isMended = ({ code, message }: Diagnostic): boolean =>
    code === 'picture-missing'
      ? waiting.some((one) => message.includes(`"./${path.posix.basename(one)}"`))
      : code === 'count-too-low' && kind === 'shot'
  const problems = checkWith(draft, edited, content)
    // pictures are stored and totals raised when it is saved
    .filter((one) => !isMended(one))
    .map(atField)
  return { draft, text, problems, waiting, shown }
}

/**
 * What is empty is left out of the file, but for what somebody wrote on purpose: `draft:
 * false`, and a comment behind.
 */
const emptyOf = (key: string, { text, data }: Draft): Data | undefined => {
  if (key === 'draft' && data.draft) return 'false'
  return data[key] === '' || hasComment(text, key) ? '' : undefined
}

/** What is wrong with the name that a form gives to a member. */
export const checkName = (given: Given, desk: Desk): readonly Problem[] => {
  const key = given.action === 'rename' ? 'to' : 'username'
  const { [key]: name = '', from } = given
  if (name === from) return []
  const editing = editingIn(desk)
  const others = [...editing.claims].filter(([, owner]) => owner !== from)
  try {
    requireFreeName(name, { ...editing, claims: new Map(others) })
    return []
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [{ key, severity: 'error', message: error.message, hint: error.hint }]
  }
}

const refuseAny = (problems: readonly Problem[]): void => {
  if (problems.length > 0)
    throw new Refused('not saved: see what is wrong at the field', { cause: problems })
}

/**
 * The content as commands find it; with what all members claim as the last build found it: to
 * read all files takes long.
 */
const editingIn = ({ content: { folder, found, loader } }: Desk): Editing => {
  const { site, entries } = found()
  const claims = new Map<string, string>()
  for (const { username, claims: own } of entries.values())
    for (const one of own.split(',')) claims.set(one, username)
  return { content: folder, site, loader, claims }
}

const save: Act = (given, desk) => {
  const { history, content } = desk
  const { folder, pictures } = content
  const { draft, text, problems, waiting } = checkFile(given, desk)
  const { file, kind, below, username } = draft
  const keys = Object.keys(given.values)
  refuseAny(
    problems.filter(({ severity, key }) => severity === 'error' && keys.includes(key)),
  )
  if (text === draft.text) return { said: 'nothing is different', see: file, isSame: true }
  const goes = unnamed(draft, text, desk)
  const other = waiting.find((one) => history.bytesOf(one) !== undefined)
  if (other) throw new Changed(`${shownPath(folder, other)} is there meanwhile`)
  return {
    said: `changed ${nameOf(file)}: ${keys.join(', ')}`,
    files: [
      below,
      ...(kind === 'shot' ? [profileOf(username, folder)] : []),
      ...goes,
      ...waiting,
    ],
    makes: waiting,
    run: () => {
      for (const one of waiting) createFile(folder.path, one, pictures.uploads.get(one) ?? '')
      replaceText(folder, below, { before: draft.text, text })
      if (keys.includes('draft')) raiseTotal(username, folder)
      history.discard(goes)
      for (const one of waiting) pictures.uploads.delete(one)
    },
  }
}

/** The files of the pictures beside it that a file names. */
const picturesIn = ({ kind, below, text }: Part): readonly string[] => {
  const data = mappingIn(text)
  return pictureKeys[kind]
    .map((key) => `${data[key]}`)
    .filter(isPicturePath)
    .map((value) => path.posix.join(path.posix.dirname(below), value))
    .filter((file) => isPathBelow(file) && file.startsWith(`${names.members}/`))
}

/**
 * The pictures of a file that are there, and that no file of the member names once it has
 * this text.
 */
const unnamed = (draft: Draft, text: string, { content, history }: Desk) => {
  const { file, username } = draft
  const others = content.member(username)?.parts.filter((one) => one.file !== file) ?? []
  const named = [{ ...draft, text }, ...others].flatMap(picturesIn)
  return picturesIn(draft).filter(
    (one) => history.bytesOf(one) !== undefined && !named.includes(one),
  )
}

const newMember: Act = (given, desk) => {
  const { username = '', name = '' } = given
  refuseAny(checkName(given, desk))
  const editing = editingIn(desk)
  const below = `${memberFolder(username, desk.content.folder)}/${names.profile}.yaml`
  const values = { id: freeIdFor(below, editing.claims), name }
  return {
    said: `made the member ${username}`,
    files: [below],
    makes: [below],
    run: () => void addMember(username, values, editing),
  }
}

const newWork: Act = (given, desk) => {
  const { folder } = desk.content
  const { username = '', name = '', image = '' } = given
  requireMember(username, folder)
  const editing = editingIn(desk)
  const picture = given.picture === undefined ? undefined : pictureIn(given)
  if (picture === undefined && isPicturePath(image)) {
    const message = `"${image}" is no address: choose the picture itself above`
    refuseAny([{ key: 'image', severity: 'error', message }])
  }
  const title = given.title || titleOf(name)
  const { id, below } = placeShot(username, { title }, editing)
  const values = { id, title, date: dayOf(new Date()), image }
  const beside = picture === undefined ? [] : [pictureBeside(below, picture)]
  return {
    said: `made the work ${title}`,
    files: [below, profileOf(username, folder), ...beside],
    makes: [below, ...beside],
    run: () => addShot(below, values, { ...editing, picture }),
  }
}

/** Keeps a picture until the file is saved that names it; says what its key is to say. */
const addPicture: Act = (given, desk) => {
  const { urlOf, uploads } = desk.content.pictures
  const { below, file } = draftIn(given, desk)
  const { cleaned, kind } = pictureIn(given)
  const { key = 'image' } = given
  const stem = slug(key === 'image' ? nameOf(below) : key) || 'picture'
  let name = `${stem}.${kind}`
  for (let count = 2; urlOf(file, name) !== ''; count++) name = `${stem}-${count}.${kind}`
  uploads.set(`${path.posix.dirname(below)}/${name}`, cleaned)
  for (const oldest of [...uploads.keys()].slice(0, -mostUploads)) uploads.delete(oldest)
  return { said: `Save adds it as ${name}`, see: file, value: `./${name}`, isSame: true }
}

/** Pictures that wait for a save: at most 100 MiB. */
const mostUploads = 10

const rename: Act = (given, desk) => {
  const { from = '', to = '', alias } = given
  const { folder } = desk.content
  requireMember(from, folder)
  refuseAny(checkName(given, desk))
  return {
    said: `renamed ${from} to ${to}`,
    files: [profileOf(from, folder)],
    moved: { from: memberFolder(from, folder), to: memberFolder(to, folder) },
    run: () => renameMember({ from, to, alias: Boolean(alias) }, editingIn(desk)),
  }
}

const remove: Act = (given, desk) => {
  const draft = sameIn(given, desk)
  const { below, file, kind, username } = draft
  if (kind !== 'shot') throw new UserError('only works can be deleted here')
  const goes = [below, ...unnamed(draft, '', desk)]
  return {
    said: `deleted ${nameOf(file)}`,
    files: [profileOf(username, desk.content.folder), ...goes],
    run: () => desk.history.discard(goes),
  }
}

/** Whether `check --fix` has an answer. */
export const isFixable = ({ code, fix }: Diagnostic): boolean =>
  fix !== undefined || code === 'picture-location' || code === 'picture-personal'

/** What `check --fix` does to a file. */
const fix: Act = ({ file = '' }, { content }) => {
  const { folder } = content
  const problems = content
    .found()
    .diagnostics.filter((one) => one.file === file && isFixable(one))
  const below = content.belowOf(file)
  if (problems.length === 0 || below === '') throw notFixed()
  const part = content.partOf(file)
  const targets = problems.flatMap(({ fix = '' }) => (isPathBelow(fix) ? fix : []))
  return {
    said: `fixed ${nameOf(file)}`,
    files: [below, ...targets, ...(part ? picturesIn(part) : [])],
    makes: targets,
    run: () => {
      const fixed = fixProblems(problems, folder)
      if (fixed.length === 0) throw notFixed()
      return fixed.find((one) => one.movedTo)?.movedTo
    },
  }
}

const notFixed = (): UserError =>
  new UserError("it can't be fixed here", { hint: 'open it in the editor' })

const actions = new Map(
  Object.entries<Act>({
    save,
    undo: (_, { history }) => history.undo(),
    fix,
    rename,
    delete: remove,
    picture: addPicture,
    'new-member': newMember,
    'new-work': newWork,
  }),
)

/** Does what is asked for, or refuses it in words. */
export const act = (given: Given, desk: Desk): Done => {
  const edit = actions.get(given.action ?? '')?.(given, desk)
  if (edit === undefined) throw new UserError('there is no such edit')
  return 'run' in edit ? desk.history.track(edit) : edit
}

/**
 * What a browser sent; `undefined` if it isn't made of texts, or has over 200,000 characters
 * besides a picture.
 */
export const givenIn = (body: string): Given | undefined => {
  const sent = jsonIn(body)
  if (!isRecord(sent)) return undefined
  const { values = {}, ...texts } = sent
  const lists = isRecord(values) ? Object.values(values) : [undefined]
  const all = [...Object.values(texts), ...lists.flat()]
  if (!lists.every(Array.isArray) || !all.every(isText)) return undefined
  const { picture = '' } = texts as Given
  return body.length - picture.length < 200_000 ? ({ ...texts, values } as Given) : undefined
}

const isText = (one: unknown): boolean => typeof one === 'string' && !one.includes('\0')

/** A picture that was sent, without what it tells on people. */
const pictureIn = ({ picture = '' }: Given) =>
  requirePicture(Buffer.from(picture, 'base64'), 'this')

/** A file's name as a title: `night-poster_2.jpg` is `Night poster 2`. */
const titleOf = (name: string): string => {
  const words = name.replace(/\.[^.]*$/, '').replace(/[-_\s]+/g, ' ')
  return words.trim().replace(/^./u, (first) => first.toUpperCase()) || 'Untitled'
}
