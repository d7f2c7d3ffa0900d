import { hash } from 'node:crypto'
import path from 'node:path'
import { names, stemOf } from '../content/layout.ts'
import { createLoader } from '../content/load.ts'
import { type Data, type Mapping, mappingOf } from '../content/parse/data.ts'
import { parse } from '../content/parse/parse.ts'
import { type ContentFolder, listMembers, scanMember } from '../content/read/scan.ts'
import { readSchema } from '../content/schema.ts'
import type { Site } from '../content/site.ts'
import type { HostName } from '../content/values/formats.ts'
import { changeKeys, type NewValues } from '../edit/change.ts'
import {
  type ContentFile,
  findTaken,
  listMemberFiles,
  nextMemberId,
  nextShotId,
  readData,
  readText,
  shownPath,
  unreadable,
} from '../edit/content-files.ts'
import {
  addMember,
  addShot,
  dayOf,
  nameShot,
  type Picture,
  pictureBeside,
  raiseTotal,
  renameMember,
  requireFreeName,
  requireMember,
} from '../edit/members.ts'
import { slug } from '../edit/write.ts'
import { makeFolder } from '../files/folder.ts'
import { rename } from '../files/move.ts'
import { readFile } from '../files/open.ts'
import type { Spot } from '../files/path-below.ts'
import { remove, removeIfEmpty } from '../files/remove.ts'
import { createFile, replaceFile } from '../files/write.ts'
import { endings, mostPictureBytes, readPicture } from '../pictures/picture.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'

/** A file as a form shows it. */
export type Draft = ContentFile & {
  /** As diagnostics name it. */
  readonly file: string
  readonly username: string
  readonly data: Mapping
  /** What the form was made from: an edit of another text is refused. */
  readonly base: string
  /** Why it can't be edited in a form; `undefined` if it can. */
  readonly refused: string | undefined
}

/** What a file would say after an edit. */
export type Checked = {
  readonly text: string
  readonly problems: readonly (Pick<Diagnostic, 'severity' | 'message' | 'hint'> & { readonly key: string })[]
}

/** What an edit did: `see` is the file whose page shows it. */
export type Done = { readonly said: string; readonly see?: string; readonly value?: string }

/** A file changed on the disk since a form was made from it. */
export class Changed extends Error {}

type Given = Readonly<Record<string, unknown>>

/** Edits of the content: what `new`, `rename` and the proved splices write, and nothing else. Each can be undone. */
export type Edits = {
  readonly open: (file: string) => Draft
  /** What a file would say, and what the check of the file finds. Writes nothing. */
  readonly check: (given: Given) => Checked
  readonly act: (action: string, given: Given) => Done
  /** What can be undone, the last edit first. */
  readonly done: () => readonly string[]
}

export type EditOptions = {
  readonly hostNames: readonly HostName[]
  readonly site: () => Site | undefined
  /** Where files go that are deleted. */
  readonly bin: Spot
  readonly now: () => Date
}

type Step =
  | { readonly below: string; readonly before: Buffer | undefined; readonly after: Buffer | undefined }
  | { readonly from: string; readonly to: string }

export const createEdits = (content: ContentFolder, options: EditOptions): Edits => {
  const loader = createLoader(options)
  const undoable: { readonly said: string; readonly steps: readonly Step[] }[] = []

  const bytesOf = (below: string): Buffer | undefined =>
    readFile(content.path, below, { limit: mostPictureBytes + 1 })

  /** Runs an edit of these files, and remembers how they were. */
  const track = (said: string, belows: readonly string[], run: () => void): void => {
    const before = belows.map(bytesOf)
    try {
      run()
    } finally {
      const steps = belows.map((below, at) => ({ below, before: before[at], after: bytesOf(below) }))
      const changed = steps.filter(({ before, after }) => !isSame(before, after))
      if (changed.length > 0) undoable.push({ said, steps: changed })
    }
  }

  const find = (file: string): ContentFile & { readonly username: string } => {
    const below = file.slice(content.name.length + 1)
    const [first, username = ''] = below.split('/')
    const isKnown = first === names.members && listMembers(content).members.includes(username)
    const found = isKnown ? listMemberFiles(username, content).find((one) => one.below === below) : undefined
    if (found === undefined || file !== shownPath(content, below))
      throw new UserError('there is no such file')
    return { ...found, username }
  }

  const open = (file: string): Draft => {
    const found = find(file)
    const text = readText(content, found.below)
    const { data } = readData(text)
    const mapping = mappingOf(data)
    const key = 'title' in mapping ? 'title' : 'name'
    // a key that is there, with another value and back again: whether this file can be edited at all
    const tried = text === undefined ? { refused: unreadable } : tryEdit(text, found.kind, { [key]: '~' })
    return { ...found, file, data: mapping, base: baseOf(text), refused: tried.refused }
  }

  const tryEdit = (text: string, kind: ContentFile['kind'], values: NewValues) =>
    changeKeys(text, values, readSchema(kind))

  /** The new text of a file, from the values that a form sends. */
  const edit = (
    given: Given,
  ): { readonly draft: ReturnType<typeof find>; readonly before: string; readonly text: string } => {
    const draft = find(textIn(given, 'file'))
    const before = readText(content, draft.below)
    if (before === undefined || baseOf(before) !== textIn(given, 'base')) {
      throw new Changed(`${textIn(given, 'file')} was changed on the disk meanwhile`)
    }
    const edited = tryEdit(before, draft.kind, valuesIn(given, draft, readData(before).data))
    if (edited.refused !== undefined) {
      throw new UserError(`it can't be edited here: ${edited.refused}`, { hint: 'open it in the editor' })
    }
    return { draft, before, text: edited.text }
  }

  const problemsOf = (file: string, { kind, text }: { kind: ContentFile['kind']; text: string }) => {
    const plain = text.replace(/^\ufeff/, '')
    const load = kind === 'profile' ? loader.loadProfile : loader.loadShot
    const { data, place } = parse({ file, text: plain })
    const keys = typeof data === 'object' ? Object.keys(data) : []
    const keyAt = ({ code, line, message }: Diagnostic): string => {
      if (code === 'missing-key') return /"(\w+)"/.exec(message)?.[1] ?? ''
      return (
        keys.find((key) => place([key], 'key').line <= line && line <= place([key], 'value').endLine) ?? ''
      )
    }
    return load({ file, text: plain }, options.site()).diagnostics.map((one) => ({
      ...{ severity: one.severity, message: one.message, key: keyAt(one) },
      ...(one.hint !== undefined && { hint: one.hint }),
    }))
  }

  const check = (given: Given): Checked => {
    const { draft, text } = edit(given)
    return { text, problems: problemsOf(textIn(given, 'file'), { kind: draft.kind, text }) }
  }

  const save = (given: Given): Done => {
    const file = textIn(given, 'file')
    const { draft, before, text } = edit(given)
    const keys = Object.keys((given.values ?? {}) as object)
    const wrong = problemsOf(file, { kind: draft.kind, text }).find(
      ({ severity, key }) => severity === 'error' && keys.includes(key),
    )
    if (wrong !== undefined) throw new UserError(`${wrong.key}: ${wrong.message}`, { hint: wrong.hint ?? '' })
    if (text === before) return { said: 'nothing is different', see: file }
    const profile = `${names.members}/${draft.username}/${profileName(draft.username)}`
    const said = `changed ${file}: ${keys.join(', ')}`
    track(said, [draft.below, ...(draft.kind === 'shot' ? [profile] : [])], () => {
      replaceFile(content.path, draft.below, text, { durable: true })
      if (keys.includes('draft')) raiseTotal(draft.username, content)
    })
    return { said, see: file }
  }

  const profileName = (username: string): string => scanMember(username, content).profile ?? 'profile.yaml'

  const adding = () => ({ content, site: options.site(), loader, taken: findTaken(content) })

  const newMember = (given: Given): Done => {
    const [username, name] = [textIn(given, 'username'), textIn(given, 'name')]
    const add = adding()
    requireFreeName(username, add)
    const below = `${names.members}/${username}/${names.profile}.yaml`
    const said = `made the member ${username}`
    track(said, [below], () => addMember(username, { id: nextMemberId(add.taken), name }, add))
    return { said, see: shownPath(content, below) }
  }

  const newShot = (given: Given): Done => {
    const username = textIn(given, 'username')
    requireMember(username, content)
    const add = adding()
    const picture = given.picture === undefined ? undefined : pictureIn(given)
    const title = textIn(given, 'title') || titleOf(textIn(given, 'name'))
    const id = nextShotId(add.taken)
    const below = nameShot(username, { id, title }, content)
    const values = { id, title, date: dayOf(options.now()), image: textIn(given, 'image') }
    const said = `made the work ${title}`
    const profile = `${names.members}/${username}/${profileName(username)}`
    const files = [below, profile, ...(picture === undefined ? [] : [pictureBeside(below, picture)])]
    track(said, files, () => addShot(below, values, { ...add, picture }))
    return { said, see: shownPath(content, below) }
  }

  /** Puts a picture beside a file; says what its key is to say. */
  const addPicture = (given: Given): Done => {
    const { below, file } = { ...find(textIn(given, 'file')), file: textIn(given, 'file') }
    const sent = pictureIn(given)
    const folder = path.posix.dirname(below)
    const key = slug(textIn(given, 'key'))
    const stem = key === 'image' || key === '' ? stemOf(path.posix.basename(below)) : key
    const name = freeName(folder, stem, sent.ending)
    const said = `added the picture ${name}`
    track(said, [`${folder}/${name}`], () =>
      createFile(content.path, `${folder}/${name}`, sent.bytes, { durable: true }),
    )
    return { said, see: file, value: `./${name}` }
  }

  const freeName = (folder: string, stem: string, ending: string): string => {
    for (let count = 1; ; count++) {
      const name = `${stem}${count === 1 ? '' : `-${count}`}${ending}`
      if (bytesOf(`${folder}/${name}`) === undefined) return name
    }
  }

  const renaming = (given: Given): Done => {
    const [from, to] = [textIn(given, 'from'), textIn(given, 'to')]
    requireMember(from, content)
    const profile = `${names.members}/${from}/${profileName(from)}`
    const before = bytesOf(profile)
    renameMember({ from, to, alias: given.alias !== false }, adding())
    const moved = { from: `${names.members}/${from}`, to: `${names.members}/${to}` }
    const after = bytesOf(profile.replace(moved.from, moved.to))
    const said = `renamed ${from} to ${to}`
    undoable.push({ said, steps: [{ below: profile, before, after }, moved] })
    return { said, see: shownPath(content, profile.replace(moved.from, moved.to)) }
  }

  const deleting = (given: Given): Done => {
    const file = textIn(given, 'file')
    const { below, kind, username } = find(file)
    if (kind !== 'shot') throw new UserError('only works can be deleted here')
    const before = readText(content, below)
    if (baseOf(before) !== textIn(given, 'base'))
      throw new Changed(`${file} was changed on the disk meanwhile`)
    const name = `${options.now().toISOString().replaceAll(':', '-')}-${username}-${path.posix.basename(below)}`
    const bin = makeFolder(options.bin.root, options.bin.below)
    const said = `deleted ${file}: it is in ${options.bin.below}/${name}`
    track(said, [below], () => {
      createFile(bin, name, bytesOf(below)!, { durable: true })
      remove(content.path, below)
    })
    return { said, see: shownPath(content, `${names.members}/${username}/${profileName(username)}`) }
  }

  const undo = (): Done => {
    const last = undoable.at(-1)
    if (last === undefined) throw new UserError('there is nothing to undo')
    const moved = last.steps.find((step) => 'from' in step)
    for (const step of last.steps) {
      if ('from' in step) continue
      const below = moved === undefined ? step.below : step.below.replace(moved.from, moved.to)
      if (!isSame(bytesOf(below), step.after)) {
        throw new Changed(`${shownPath(content, below)} was changed meanwhile: it stays as it is`)
      }
    }
    undoable.pop()
    for (const step of [...last.steps].reverse()) {
      if ('from' in step) rename(path.join(content.path, step.to), path.join(content.path, step.from))
      else if (step.before === undefined) {
        remove(content.path, step.below)
        const folder = path.posix.dirname(step.below)
        removeIfEmpty(content.path, folder)
        if (folder.split('/').length > 2) removeIfEmpty(content.path, path.posix.dirname(folder))
      } else {
        makeFolder(content.path, path.posix.dirname(step.below))
        replaceFile(content.path, step.below, step.before, { durable: true })
      }
    }
    return { said: `undone: ${last.said}` }
  }

  const actions: Readonly<Record<string, (given: Given) => Done>> = {
    ...{ save, undo, rename: renaming, delete: deleting, picture: addPicture },
    ...{ 'new-member': newMember, 'new-work': newShot },
  }
  return {
    open,
    check,
    act: (action, given) => {
      const act = Object.hasOwn(actions, action) ? actions[action] : undefined
      if (act === undefined) throw new UserError('there is no such edit')
      return act(given)
    },
    done: () => undoable.map(({ said }) => said).reverse(),
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
const valuesIn = (given: Given, { kind }: ContentFile, data: Data | undefined): NewValues => {
  const { values = {} } = given
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new UserError('"values" is no mapping')
  }
  const { properties = {} } = readSchema(kind)
  const old = mappingOf(data)
  return Object.fromEntries(
    Object.entries(values as Record<string, unknown>).map(([key, value]) => {
      if (!Object.hasOwn(properties, key)) throw new UserError(`there is no key "${key}"`)
      const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
      if (!isData(value, 0)) throw new UserError(`"${key}" is neither text nor a list`)
      return [key, isEmpty ? (old[key] === '' ? '' : undefined) : value]
    }),
  )
}

const isData = (value: unknown, depth: number): value is Data => {
  if (typeof value === 'string') return value.length <= 100_000 && !value.includes('\0')
  if (typeof value !== 'object' || value === null || depth === 2) return false
  return Object.values(value).length <= 1000 && Object.values(value).every((one) => isData(one, depth + 1))
}

/** A picture that was sent, without what it tells on people. */
const pictureIn = (given: Given): Picture => {
  const { picture } = given
  if (typeof picture !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(picture)) {
    throw new UserError('"picture" is not in Base64')
  }
  const read = readPicture(Buffer.from(picture, 'base64'))
  if ('problem' in read) {
    throw new UserError(`this is no picture that can be published: ${read.problem.is}`, {
      hint: read.problem.advice,
    })
  }
  return { bytes: read.cleaned, ending: endings[read.kind][0]! }
}

/** A file's name as a title: `night-poster_2.jpg` is `Night poster 2`. */
const titleOf = (name: string): string => {
  const words = name
    .replace(/\.[^.]*$/, '')
    .replace(/[-_\s]+/g, ' ')
    .trim()
  return words === '' ? 'Untitled' : words[0]!.toUpperCase() + words.slice(1)
}
