import { hash } from 'node:crypto'
import path from 'node:path'
import { names, stemOf } from '../content/layout.ts'
import type { Loader } from '../content/load.ts'
import { type Data, type Mapping, mappingOf } from '../content/parse/data.ts'
import { parse } from '../content/parse/parse.ts'
import { type ContentFolder, listMembers } from '../content/read/scan.ts'
import { readSchema } from '../content/schema.ts'
import type { Site } from '../content/site.ts'
import { changeKeys, type NewValues } from '../edit/change.ts'
import {
  type ContentFile,
  findTaken,
  listMemberFiles,
  nextId,
  profileOf,
  readText,
  shownPath,
  unreadable,
} from '../edit/content-files.ts'
import {
  addMember,
  addShot,
  cleanPicture,
  dayOf,
  nameShot,
  type Picture,
  pictureBeside,
  raiseTotal,
  renameMember,
  requireFreeName,
  requireMember,
} from '../edit/members.ts'
import { readData } from '../edit/prove.ts'
import { slug } from '../edit/write.ts'
import { makeFolder, readFile, type Spot } from '../files/folder.ts'
import { createFile, remove, removeEmpty, rename, replaceFile } from '../files/write.ts'
import { mostPictureBytes } from '../pictures/picture.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'

/** A file of a member. */
type MemberFile = ContentFile & {
  /** As diagnostics name it. */
  readonly file: string
  readonly username: string
}

export type MemberText = MemberFile & { readonly text: string }

/** A file as a form shows it. */
export type Draft = MemberText & {
  readonly data: Mapping
  /** What the form was made from: an edit of another text is refused. */
  readonly base: string
  /** Why it can't be edited in a form; `undefined` if it can. */
  readonly refused: string | undefined
}

/** What a file would say after an edit. */
export type Checked = MemberText & {
  readonly problems: readonly (Pick<Diagnostic, 'severity' | 'message' | 'hint'> & { readonly key: string })[]
}

/** What an edit did: `see` is the file whose page shows it. */
export type Done = {
  readonly said: string
  readonly see?: string
  readonly value?: string
  /** Nothing was written, so no build follows. */
  readonly isSame?: true
}

/** A file changed on the disk since a form was made from it; `now` is what it says. */
export class Changed extends Error {
  readonly now: Draft | undefined

  constructor(message: string, now?: Draft) {
    super(message)
    this.now = now
  }
}

/** What a browser sends, unchecked. */
export type Given = Readonly<Record<string, unknown>>

type EditOptions = {
  readonly loader: Loader
  readonly site: () => Site | undefined
  /** Where files go that are deleted. */
  readonly bin: Spot
}

/** An edit, as it can be undone: its files as they were and are, then the folder that was moved after them. */
type Undoable = {
  readonly said: string
  readonly files: readonly {
    readonly below: string
    readonly before: Buffer | undefined
    readonly after: Buffer | undefined
  }[]
  readonly moved?: { readonly from: string; readonly to: string }
}

/** Edits of the content: what `new`, `rename` and the proved splices write, and nothing else. Each can be undone. */
export const createEdits = (content: ContentFolder, { loader, site, bin }: EditOptions) => {
  const undoable: Undoable[] = []

  const bytesOf = (below: string): Buffer | undefined =>
    readFile(content.path, below, { limit: mostPictureBytes + 1 })

  /** Runs an edit of these files, and remembers how they were. */
  const track = (said: string, belows: readonly string[], run: () => void): void => {
    const before = belows.map(bytesOf)
    try {
      run()
    } finally {
      const files = belows
        .map((below, at) => ({ below, before: before[at], after: bytesOf(below) }))
        .filter(({ before, after }) => !isSame(before, after))
      if (files.length > 0) undoable.push({ said, files })
    }
  }

  const find = (file: string): MemberFile | undefined => {
    const below = file.slice(content.name.length + 1)
    const [, username = ''] = below.split('/')
    const isKnown = listMembers(content).members.includes(username)
    const found = isKnown ? listMemberFiles(username, content).find((one) => one.below === below) : undefined
    return found && file === shownPath(content, below) ? { ...found, file, username } : undefined
  }

  const fileIn = (given: Given): MemberFile => {
    const found = find(textIn(given, 'file'))
    if (found === undefined) throw new UserError('there is no such file')
    return found
  }

  /** `undefined` if there is no such file. */
  const open = (file: string): Draft | undefined => {
    const found = find(file)
    if (found === undefined) return undefined
    const text = readText(content, found.below)
    const data = mappingOf(readData(text).data)
    const key = 'title' in data ? 'title' : 'name'
    // a key that is there, with another value and back again: whether this file can be edited at all
    const { refused } =
      text === undefined ? { refused: unreadable } : changeKeys(text, { [key]: '~' }, readSchema(found.kind))
    return { ...found, text: text ?? '', data, base: baseOf(text), refused }
  }

  /** The file that a form is about, if it says what it said when the form was made. */
  const findSame = (given: Given): MemberFile & { readonly before: string } => {
    const found = fileIn(given)
    const before = readText(content, found.below)
    if (before !== undefined && baseOf(before) === given.base) return { ...found, before }
    throw new Changed(`${found.file} was changed on the disk meanwhile`, open(found.file))
  }

  /** What a file would say, and what the check of the file finds. Writes nothing. */
  const check = (given: Given): Checked & { readonly before: string } => {
    const found = findSame(given)
    const { file, kind, before } = found
    const edited = changeKeys(before, valuesIn(given, found), readSchema(kind))
    if (edited.refused !== undefined) {
      throw new UserError(`it can't be edited here: ${edited.refused}`, { hint: 'open it in the editor' })
    }
    const plain = edited.text.replace(/^\ufeff/, '')
    const load = kind === 'profile' ? loader.loadProfile : loader.loadShot
    const { data, place } = parse({ file, text: plain })
    const keyAt = ({ code, line, message }: Diagnostic): string =>
      (code === 'missing-key'
        ? /"(\w+)"/.exec(message)?.[1]
        : Object.keys(mappingOf(data)).find(
            (key) => place([key], 'key').line <= line && line <= place([key], 'value').endLine,
          )) ?? ''
    const problems = load({ file, text: plain }, site()).diagnostics.map((one) => ({
      ...{ severity: one.severity, message: one.message, key: keyAt(one) },
      ...(one.hint !== undefined && { hint: one.hint }),
    }))
    return { ...found, text: edited.text, problems }
  }

  const save = (given: Given): Done => {
    const { file, kind, below, username, before, text, problems } = check(given)
    const keys = Object.keys((given.values ?? {}) as object)
    const wrong = problems.find(({ severity, key }) => severity === 'error' && keys.includes(key))
    if (wrong !== undefined) throw new UserError(`${wrong.key}: ${wrong.message}`, { hint: wrong.hint ?? '' })
    if (text === before) return { said: 'nothing is different', see: file, isSame: true }
    const said = `changed ${file}: ${keys.join(', ')}`
    track(said, kind === 'shot' ? [below, profileOf(username, content)] : [below], () => {
      replaceFile(content.path, below, text, { durable: true })
      if (keys.includes('draft')) raiseTotal(username, content)
    })
    return { said, see: file }
  }

  const adding = () => ({ content, site: site(), loader, taken: findTaken(content) })

  const newMember = (given: Given): Done => {
    const [username, name] = [textIn(given, 'username'), textIn(given, 'name')]
    const add = adding()
    requireFreeName(username, add)
    const below = `${names.members}/${username}/${names.profile}.yaml`
    const said = `made the member ${username}`
    track(said, [below], () => addMember(username, { id: nextId('profile', add.taken), name }, add))
    return { said, see: shownPath(content, below) }
  }

  const newShot = (given: Given): Done => {
    const username = textIn(given, 'username')
    requireMember(username, content)
    const add = adding()
    const picture = given.picture === undefined ? undefined : pictureIn(given)
    const title = textIn(given, 'title') || titleOf(textIn(given, 'name'))
    const id = nextId('shot', add.taken)
    const below = nameShot(username, { id, title }, content)
    const values = { id, title, date: dayOf(new Date()), image: textIn(given, 'image') }
    const said = `made the work ${title}`
    const beside = picture === undefined ? [] : [pictureBeside(below, picture)]
    track(said, [below, profileOf(username, content), ...beside], () =>
      addShot(below, values, { ...add, picture }),
    )
    return { said, see: shownPath(content, below) }
  }

  /** Puts a picture beside a file; says what its key is to say. */
  const addPicture = (given: Given): Done => {
    const { below, file } = fileIn(given)
    const { bytes, ending } = pictureIn(given)
    const folder = path.posix.dirname(below)
    const key = slug(textIn(given, 'key'))
    const stem = key === 'image' || key === '' ? stemOf(path.posix.basename(below)) : key
    let name = `${stem}${ending}`
    for (let count = 2; bytesOf(`${folder}/${name}`) !== undefined; count++)
      name = `${stem}-${count}${ending}`
    const said = `added the picture ${name}`
    track(said, [`${folder}/${name}`], () =>
      createFile(content.path, `${folder}/${name}`, bytes, { durable: true }),
    )
    return { said, see: file, value: `./${name}` }
  }

  const renaming = (given: Given): Done => {
    const [from, to] = [textIn(given, 'from'), textIn(given, 'to')]
    requireMember(from, content)
    const before = bytesOf(profileOf(from, content))
    renameMember({ from, to, alias: textIn(given, 'alias') !== '' }, adding())
    const below = profileOf(to, content)
    const said = `renamed ${from} to ${to}`
    undoable.push({
      ...{ said, files: [{ below, before, after: bytesOf(below) }] },
      moved: { from: `${names.members}/${from}`, to: `${names.members}/${to}` },
    })
    return { said, see: shownPath(content, below) }
  }

  const deleting = (given: Given): Done => {
    const { below, file, kind, username } = findSame(given)
    if (kind !== 'shot') throw new UserError('only works can be deleted here')
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${username}-${path.posix.basename(below)}`
    const folder = makeFolder(bin.root, bin.below)
    const said = `deleted ${file}: it is in ${bin.below}/${name}`
    track(said, [below], () => {
      createFile(folder, name, bytesOf(below)!, { durable: true })
      remove(content.path, below)
    })
    return { said, see: shownPath(content, profileOf(username, content)) }
  }

  const undo = (): Done => {
    const last = undoable.at(-1)
    if (last === undefined) throw new UserError('there is nothing to undo')
    const { said, files, moved } = last
    for (const { below, after } of files) {
      if (isSame(bytesOf(below), after)) continue
      throw new Changed(`${shownPath(content, below)} was changed meanwhile: it stays as it is`)
    }
    undoable.pop()
    for (const { below, before } of files) {
      const folder = path.posix.dirname(below)
      if (before === undefined) {
        remove(content.path, below)
        removeEmpty(content.path, folder)
      } else {
        makeFolder(content.path, folder)
        replaceFile(content.path, below, before, { durable: true })
      }
    }
    if (moved) rename(path.join(content.path, moved.to), path.join(content.path, moved.from))
    return { said: `undone: ${said}` }
  }

  const actions: Readonly<Record<string, (given: Given) => Done>> = {
    ...{ save, undo, rename: renaming, delete: deleting, picture: addPicture },
    ...{ 'new-member': newMember, 'new-work': newShot },
  }
  return {
    open,
    check,
    act: (action: string, given: Given): Done => {
      const act = Object.hasOwn(actions, action) ? actions[action] : undefined
      if (act === undefined) throw new UserError('there is no such edit')
      return act(given)
    },
    /** What can be undone, the last edit first. */
    done: (): readonly string[] => undoable.map(({ said }) => said).reverse(),
  }
}

/** Names a text. */
const baseOf = (text: string | undefined): string => hash('sha256', text ?? '')

const isSame = (a: Buffer | undefined, b: Buffer | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.equals(b)

const textIn = (given: Given, key: string): string => {
  const value = given[key] ?? ''
  if (typeof value !== 'string' || value.length > 100_000) throw new UserError(`"${key}" is no text`)
  return value
}

/** The values that a form sends, by key; what is empty is left out of the file. Keys that it has no field for are refused. */
const valuesIn = (
  { values = {} }: Given,
  { kind, before }: { readonly kind: ContentFile['kind']; readonly before: string },
): NewValues => {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new UserError('"values" is no mapping')
  }
  const { properties = {} } = readSchema(kind)
  const old = mappingOf(readData(before).data)
  return Object.fromEntries(
    Object.entries(values as Record<string, unknown>).map(([key, value]) => {
      if (!Object.hasOwn(properties, key)) throw new UserError(`there is no key "${key}"`)
      if (!isData(value, 0)) throw new UserError(`"${key}" is neither text nor a list`)
      return [key, value.length !== 0 ? value : old[key] === '' ? '' : undefined]
    }),
  )
}

const isData = (value: unknown, depth: number): value is Data => {
  if (typeof value === 'string') return value.length <= 100_000 && !value.includes('\0')
  if (typeof value !== 'object' || value === null || depth === 2) return false
  return Object.values(value).length <= 1000 && Object.values(value).every((one) => isData(one, depth + 1))
}

/** A picture that was sent, without what it tells on people. */
const pictureIn = ({ picture }: Given): Picture => {
  if (typeof picture !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(picture)) {
    throw new UserError('"picture" is not in Base64')
  }
  return cleanPicture(Buffer.from(picture, 'base64'), 'this')
}

/** A file's name as a title: `night-poster_2.jpg` is `Night poster 2`. */
const titleOf = (name: string): string => {
  const words = name.replace(/\.[^.]*$/, '').replace(/[-_\s]+/g, ' ')
  return words.trim().replace(/^./u, (first) => first.toUpperCase()) || 'Untitled'
}
