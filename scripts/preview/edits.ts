import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { names, stemOf } from '../content/layout.ts'
import type { Profile } from '../content/member.ts'
import { type Data, isMapping, type Mapping, mappingOf } from '../content/parse/data.ts'
import { parse } from '../content/parse/parse.ts'
import { readSchema } from '../content/schema.ts'
import { changeKeys, type NewValues, readData } from '../edit/change.ts'
import {
  addMember,
  addShot,
  dayOf,
  freeIdFor,
  pictureBeside,
  placeShot,
  profileOf,
  raiseTotal,
  readClaims,
  renameMember,
  replaceText,
  requireFreeName,
  requireMember,
  requirePicture,
  shownPath,
  unreadable,
} from '../edit/members.ts'
import { slug } from '../edit/write.ts'
import { makeFolder, readFile, type Spot } from '../files/folder.ts'
import { createFile, remove, removeEmpty, rename, replaceFile } from '../files/write.ts'
import { mostPictureBytes, type Picture } from '../pictures/picture.ts'
import { type Diagnostic, UserError } from '../problems/diagnostic.ts'
import { makeIgnored } from '../snapshot/folders.ts'
import { jsonIn } from '../text/json.ts'
import type { Content, Part } from './content.ts'

/** A file of a member as a form shows it; an edit of another `oid` is refused. */
export type Draft = Part & {
  /** Those of the member. */
  readonly projects: Profile['projects']
  readonly data: Mapping
  /** Why it can't be edited in a form; `undefined` if it can. */
  readonly refused: string | undefined
}

/** What a file would say after an edit; `data` is what it says before it. */
export type Checked = Draft & {
  readonly before: string
  readonly isSame: boolean
  readonly problems: readonly (Diagnostic & { readonly key: string })[]
}

/** What an edit did: `see` is the file whose page shows it. */
type Done = {
  readonly said: string
  readonly see: string
  readonly value?: string
  /** Nothing was written, so no build follows. */
  readonly isSame?: boolean
}

/** A file changed on the disk since a form was made from it; `cause` is what it says now. */
export class Changed extends UserError {
  declare readonly cause: Draft | undefined
}

/** An edit, as it can be undone: its files as they were and are, then the folder that was moved after them. */
type Undoable = Done & {
  readonly files: readonly {
    readonly below: string
    readonly before: Buffer | undefined
    readonly after: Buffer | undefined
  }[]
  readonly moved?: { readonly from: string; readonly to: string }
}

/** Edits of the content: what `new`, `rename` and the proved splices write, and nothing else. Each can be undone. */
export const createEdits = (shown: Content, bin: Spot) => {
  const { folder: content, loader, site } = shown
  const undoable: Undoable[] = []

  const bytesOf = (below: string): Buffer | undefined =>
    readFile(content.path, below, { limit: mostPictureBytes + 1 })

  /** Runs an edit of these files, the first of which shows it, and remembers how they were. */
  const track = (said: string, belows: readonly [string, ...string[]], run: () => void): Done => {
    const before = belows.map(bytesOf)
    const see = shownPath(content, belows[0])
    try {
      run()
    } finally {
      const files = belows
        .map((below, at) => ({ below, before: before[at], after: bytesOf(below) }))
        .filter(({ before, after }) => !isDeepStrictEqual(before, after))
      if (files.length > 0) undoable.push({ said, see, files })
    }
    return { said, see }
  }

  /** `undefined` if there is no such file. */
  const open = (file: string): Draft | undefined => {
    const part = shown.lookAt(file)
    if (part === undefined) return undefined
    const { text, kind } = part
    const projects = shown.member(part.username)?.member.projects ?? []
    if (!part.isText) return { ...part, oid: '', projects: [], data: {}, refused: unreadable }
    const data = mappingOf(readData(text).data)
    const key = 'title' in data ? 'title' : 'name'
    // whether this file can be edited at all: one of its keys is tried
    const { refused } = changeKeys(text, { [key]: '~' }, kind)
    return { ...part, projects, data, refused }
  }

  const draftIn = (given: Mapping): Draft => {
    const draft = open(textIn(given, 'file'))
    if (draft === undefined) throw new UserError('there is no such file')
    return draft
  }

  /** The file that a form is about, if it says what it said when the form was made. */
  const sameIn = (given: Mapping): Draft => {
    const draft = draftIn(given)
    if (draft.oid !== '' && draft.oid === given.base) return draft
    throw new Changed(`${draft.file} was changed on the disk meanwhile`, { cause: draft })
  }

  /** What a file would say, and what the check of the file finds. Writes nothing. */
  const check = (given: Mapping): Checked => {
    const draft = sameIn(given)
    const { file, kind } = draft
    const edited = changeKeys(draft.text, valuesIn(given, draft), kind)
    if (edited.refused !== undefined) {
      throw new UserError(`it can't be edited here: ${edited.refused}`, { hint: 'open it in the editor' })
    }
    const { text } = edited
    const source = { file, text }
    const { data, place } = parse(source)
    const keyAt = ({ code, line, message }: Diagnostic): string =>
      (code === 'missing-key'
        ? /"(\w+)"/.exec(message)?.[1]
        : Object.keys(mappingOf(data)).find(
            (key) => place([key], 'key').line <= line && line <= place([key], 'value').endLine,
          )) ?? ''
    const load = kind === 'profile' ? loader.loadProfile : loader.loadShot
    const problems = load(source, site()).diagnostics.map((one) => ({ ...one, key: keyAt(one) }))
    return { ...draft, text, before: draft.text, isSame: text === draft.text, problems }
  }

  const save = (given: Mapping): Done => {
    const { file, kind, below, username, text, before, isSame, problems } = check(given)
    const keys = Object.keys(mappingOf(given.values))
    const wrong = problems.find(({ severity, key }) => severity === 'error' && keys.includes(key))
    if (wrong !== undefined) throw new UserError(`${wrong.key}: ${wrong.message}`, { hint: wrong.hint })
    if (isSame) return { said: 'nothing is different', see: file, isSame }
    const said = `changed ${file}: ${keys.join(', ')}`
    return track(said, kind === 'shot' ? [below, profileOf(username, content)] : [below], () => {
      replaceText(content, below, { before, text })
      if (keys.includes('draft')) raiseTotal(username, content)
    })
  }

  const adding = () => ({ content, site: site(), loader, claims: readClaims(content) })

  const newMember = (given: Mapping): Done => {
    const [username, name] = [textIn(given, 'username'), textIn(given, 'name')]
    const add = adding()
    requireFreeName(username, add)
    const below = `${names.members}/${username}/${names.profile}.yaml`
    return track(`made the member ${username}`, [below], () =>
      addMember(username, { id: freeIdFor(below, add.claims), name }, add),
    )
  }

  const newShot = (given: Mapping): Done => {
    const username = textIn(given, 'username')
    requireMember(username, content)
    const add = adding()
    const picture = given.picture === undefined ? undefined : pictureIn(given)
    const title = textIn(given, 'title') || titleOf(textIn(given, 'name'))
    const { id, below } = placeShot(username, { title }, add)
    const values = { id, title, date: dayOf(new Date()), image: textIn(given, 'image') }
    const beside = picture === undefined ? [] : [pictureBeside(below, picture)]
    return track(`made the work ${title}`, [below, profileOf(username, content), ...beside], () =>
      addShot(below, values, { ...add, picture }),
    )
  }

  /** Puts a picture beside a file; says what its key is to say. */
  const addPicture = (given: Mapping): Done => {
    const { below } = draftIn(given)
    const { cleaned, kind } = pictureIn(given)
    const folder = path.posix.dirname(below)
    const key = slug(textIn(given, 'key'))
    const stem = key === 'image' || key === '' ? stemOf(path.posix.basename(below)) : key
    let name = `${stem}.${kind}`
    for (let count = 2; bytesOf(`${folder}/${name}`) !== undefined; count++) name = `${stem}-${count}.${kind}`
    const beside = `${folder}/${name}`
    const done = track(`added the picture ${name}`, [below, beside], () =>
      createFile(content.path, beside, cleaned, { durable: true }),
    )
    return { ...done, value: `./${name}` }
  }

  const renaming = (given: Mapping): Done => {
    const [from, to] = [textIn(given, 'from'), textIn(given, 'to')]
    requireMember(from, content)
    const old = profileOf(from, content)
    const before = bytesOf(old)
    renameMember({ from, to, alias: textIn(given, 'alias') !== '' }, adding())
    const below = profileOf(to, content)
    const said = `renamed ${from} to ${to}`
    undoable.push({
      said,
      see: shownPath(content, old),
      files: [{ below, before, after: bytesOf(below) }],
      moved: { from: `${names.members}/${from}`, to: `${names.members}/${to}` },
    })
    return { said, see: shownPath(content, below) }
  }

  const deleting = (given: Mapping): Done => {
    const { below, file, kind, username } = sameIn(given)
    if (kind !== 'shot') throw new UserError('only works can be deleted here')
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${username}-${path.posix.basename(below)}`
    const folder = makeIgnored(bin)
    const said = `deleted ${file}: it is in ${bin.below}/${name}`
    return track(said, [profileOf(username, content), below], () => {
      createFile(folder, name, bytesOf(below)!, { durable: true })
      remove(content.path, below)
    })
  }

  const undo = (): Done => {
    const last = undoable.at(-1)
    if (last === undefined) throw new UserError('there is nothing to undo')
    const { said, see, files, moved } = last
    for (const { below, after } of files) {
      if (isDeepStrictEqual(bytesOf(below), after)) continue
      throw new Changed(`${shownPath(content, below)} was changed meanwhile: it stays as it is`)
    }
    undoable.pop()
    for (const { below, before, after } of files) {
      const folder = path.posix.dirname(below)
      if (before === undefined) {
        remove(content.path, below)
        removeEmpty(content.path, folder)
      } else {
        makeFolder(content.path, folder)
        replaceFile(content.path, below, before, { durable: true, before: after })
      }
    }
    if (moved) rename(path.join(content.path, moved.to), path.join(content.path, moved.from))
    return { said: `undone: ${said}`, see }
  }

  const others = { rename: renaming, delete: deleting, picture: addPicture }
  const actions = new Map<unknown, (given: Mapping) => Done>(
    Object.entries({ save, undo, ...others, 'new-member': newMember, 'new-work': newShot }),
  )
  return {
    open,
    check,
    /** Does what is asked for, or refuses it in words. */
    act: (given: Mapping): Done => {
      const act = actions.get(given.action)
      if (act === undefined) throw new UserError('there is no such edit')
      return act(given)
    },
    /** The last edit that can be undone, in words. */
    last: (): string | undefined => undoable.at(-1)?.said,
  }
}

const textIn = (given: Mapping, key: string): string => {
  const value = given[key]
  return typeof value === 'string' ? value : ''
}

/** The values that a form sends, by key; what is empty is left out of the file. Keys that it has no field for are refused. */
const valuesIn = ({ values }: Mapping, { kind, data }: Draft): NewValues => {
  const { properties = {} } = readSchema(kind)
  return Object.fromEntries(
    Object.entries(mappingOf(values)).map(([key, value]) => {
      if (!Object.hasOwn(properties, key)) throw new UserError(`there is no key "${key}"`)
      return [key, value.length !== 0 ? value : data[key] === '' ? '' : undefined]
    }),
  )
}

/** What a browser sent; `undefined` if it isn't made of texts, or has over 200,000 characters besides a picture. */
export const givenIn = (body: string): Mapping | undefined => {
  const given = jsonIn(body)
  if (!isData(given, 0) || !isMapping(given)) return undefined
  return body.length - textIn(given, 'picture').length < 200_000 ? given : undefined
}

/** Nothing that a form has is nested deeper than the rows of one of its values. */
const isData = (value: unknown, depth: number): value is Data => {
  if (typeof value === 'string') return !value.includes('\0')
  if (typeof value !== 'object' || value === null || depth === 4) return false
  return Object.values(value).every((one) => isData(one, depth + 1))
}

/** A picture that was sent, without what it tells on people. */
const pictureIn = (given: Mapping): Picture =>
  requirePicture(Buffer.from(textIn(given, 'picture'), 'base64'), 'this')

/** A file's name as a title: `night-poster_2.jpg` is `Night poster 2`. */
const titleOf = (name: string): string => {
  const words = name.replace(/\.[^.]*$/, '').replace(/[-_\s]+/g, ' ')
  return words.trim().replace(/^./u, (first) => first.toUpperCase()) || 'Untitled'
}
