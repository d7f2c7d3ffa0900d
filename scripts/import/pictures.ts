import path from 'node:path'
import type { Data } from '../content/parse/data.ts'
import { findEntry, readFile } from '../files/folder.ts'
import { mostPictureBytes, readPicture } from '../pictures/picture.ts'
import type { AskPicture } from './ask-picture.ts'
import { baseAt, own } from './base.ts'
import { byId, type Fields, type Remote, textOf } from './body.ts'
import { type Held, heldAt, type Mine } from './content.ts'
import { digestOf, type Validators } from './fetch.ts'
import { type Changes, canSay, profileFields, shotFields, withoutScheme } from './fields.ts'
import type { Sides } from './member.ts'
import type { MemberPlan } from './merge.ts'
import { type About, fieldAt } from './messages.ts'
import type { FileChange } from './write.ts'

/** What `import.json` holds of a picture that was taken along. */
export type KnownPicture = Validators & {
  /** Where the remote has it, and the file here, as its YAML file names it. */
  readonly url: string
  readonly file: string
  /** Of what the remote had, cleaned: a file that has another one is somebody's work. */
  readonly sha256: string
}

/** A picture that came, and is to be stored. */
type NewPicture = Omit<KnownPicture, 'file' | 'sha256'> & { readonly bytes: Buffer; readonly ending: string }

/** By the names of their keys. */
export type NewPictures = ReadonlyMap<string, NewPicture>

/** The keys that name pictures, and what is added to a file's name for them. */
const keys = {
  profile: { avatar: 'avatar', cover_image: 'cover' },
  shot: { image: '', large_image: '-large' },
} as const

type Where = About & { readonly key: string }

/** The keys that may name a picture. */
const pictureKeysOf = (id?: string): readonly Where[] =>
  Object.keys(id === undefined ? keys.profile : keys.shot).map((key) => ({ key, id }))

/** How `import.json` calls it. */
export const nameOf = ({ key, id }: Where): string => (id === undefined ? key : `${id} ${key}`)

/** What the files say at a key, as they say it. */
export const saidAt = ({ key, id }: Where, mine: Mine | undefined): string | undefined =>
  (heldAt(mine, id)?.said as Readonly<Record<string, unknown>> | undefined)?.[key] as string | undefined

/** A picture of the content, by what a key says; `undefined` where there is none. */
const storedAt = ({ id }: Where, file: string, { mine, run }: Pick<Sides, 'mine' | 'run'>) => {
  const yaml = heldAt(mine, id)
  return yaml && readStored(run.found.content.path, path.posix.join(yaml.path, '..', file))
}

const readStored = (content: string, below: string): Buffer | undefined =>
  findEntry(content, below)?.isFile() ? readFile(content, below, { limit: mostPictureBytes }) : undefined

/**
 * What content says with addresses in place of pictures: of those that were taken from them, and of those that the site
 * itself publishes where the remote says, which are `published`, too. A picture that somebody changed here stays, as any
 * other value; this is looked at where it matters, since it takes reading the picture.
 */
export const withAddresses = (mine: Mine, { base, remote, run }: Pick<Sides, 'base' | 'remote' | 'run'>) => {
  const published = new Map<string, string>()
  const listed = byId(remote.shots)
  const ownFolder = withoutScheme(`${run.found.site.baseUrl}/pictures/`)
  const swap = <T>(held: Held<T>, id?: string): Held<T> => {
    const fields = id === undefined ? remote.user : listed.get(id)
    const swapped = pictureKeysOf(id).flatMap((where) => {
      const [ours, address] = [saidAt(where, mine), fields && (textOf(fields, where.key) ?? '')]
      if (ours?.startsWith('./') && address && withoutScheme(address).startsWith(ownFolder)) {
        published.set(nameOf(where), address)
        return [[where.key, address]]
      }
      const known = own(base?.pictures, nameOf(where))
      if (known === undefined || ours !== known.file) return []
      const isMoved = ![undefined, known.url].includes(address)
      const matters = !run.prove && (run.ask !== undefined || isMoved)
      const stored = matters ? storedAt(where, known.file, { mine, run }) : undefined
      return stored !== undefined && digestOf(stored) !== known.sha256 ? [] : [[where.key, known.url]]
    })
    return { ...held, said: { ...held.said, ...Object.fromEntries(swapped) } }
  }
  const shots = [...mine.shots].map(([id, shot]) => [id, swap(shot, id)] as const)
  return { mine: { ...mine, profile: swap(mine.profile), shots: new Map(shots) }, published }
}

/**
 * Finds addresses with a port, which content can't say, whose pictures lie here or can be had. The answers that came are
 * given out once more by the `ask` that is returned.
 */
export const findHeld = async (
  { user, shots }: Remote,
  { base, published, run: { found, ask, prove } }: Pick<Sides, 'base' | 'published' | 'run'>,
) => {
  const { site } = found
  const taken = Object.values(base?.pictures ?? {}).map(({ url }) => url)
  const held = new Set([...taken, ...(published?.values() ?? [])])
  if (ask === undefined || prove) return { held, ask }
  const answers = new Map<string, Awaited<ReturnType<AskPicture>>>()
  for (const record of [user, ...shots]) {
    const named = record === user ? keys.profile : keys.shot
    for (const field of record === user ? profileFields : shotFields) {
      const text = textOf(record, field.key)
      if (!(field.key in named) || text === null || held.has(text) || answers.has(text)) continue
      if (canSay(text, field, site) || !canSay(text, field, { ...site, portsAllowed: true })) continue
      const answer = await ask(text)
      answers.set(text, answer)
      if (answer.picture !== undefined) held.add(text)
    }
  }
  const askAgain: AskPicture = async (url, known) => answers.get(url) ?? ask(url, known)
  return { held, ask: askAgain }
}

/** Fetches the pictures that a member's addresses name: new ones, and those that may have changed. */
export const takePictures = async (
  plan: MemberPlan,
  { ask, ...sides }: Sides & { readonly ask: AskPicture },
): Promise<NewPictures> => {
  const { mine, base, find } = sides
  const pictures = new Map<string, NewPicture>()
  const take = async (changes: Changes, where: Where): Promise<void> => {
    const { key, id } = where
    const value = key in changes ? changes[key] : saidAt(where, mine)
    const url = baseAt(plan.base, id)?.[key]
    // what somebody put in its place here stays
    if (url == null || url === '' || value !== url || value === sides.published?.get(nameOf(where))) return
    const known = own(base?.pictures, nameOf(where))
    const isStored = known?.url === url && storedAt(where, known.file, sides) !== undefined
    if (isStored && id !== undefined && !plan.base.window.includes(id)) return
    const { picture, problem } = await ask(url, isStored ? known : undefined)
    if (problem !== undefined) find('picture-not-taken', where, { what: fieldAt(where), url, problem })
    if (picture === undefined) return
    const { etag, modified, cleaned, kind } = picture
    pictures.set(nameOf(where), { url, etag, modified, bytes: cleaned, ending: `.${kind}` })
  }
  for (const { id, changes } of plan.files) {
    for (const where of pictureKeysOf(id)) await take(changes, where)
  }
  return pictures
}

/** Finds names for the pictures that came, and works out what `import.json` says of those that stay. */
export const createStoring = (taken: NewPictures | undefined, { base, run }: Pick<Sides, 'base' | 'run'>) => {
  const known: Record<string, KnownPicture> = { ...base?.pictures }
  const changes: FileChange<Buffer>[] = []
  const root = run.found.content.path
  /** Stores a picture under the name that it has, a free one, or that of the same picture; returns the path. */
  const store = (folder: string, stem: string, { bytes, ending }: NewPicture, old?: KnownPicture): string => {
    const isFree = (below: string): boolean =>
      (readStored(root, below)?.equals(bytes) ?? findEntry(root, below) === undefined) &&
      !changes.some(({ path }) => path === below)
    const has = old?.file.endsWith(ending) && readStored(root, path.posix.join(folder, old.file))
    let below = has ? path.posix.join(folder, old!.file) : `${folder}/${stem}${ending}`
    for (let count = 2; !has && !isFree(below); count++) below = `${folder}/${stem}-${count}${ending}`
    const before = readStored(root, below)
    if (!before?.equals(bytes)) changes.push({ path: below, before, after: bytes })
    return below
  }
  /** The changes of a file, with the names of pictures in them. */
  const withPictures = (said: Changes, yaml: string, id?: string): Changes => {
    const news: Record<string, Data | undefined> = { ...said }
    for (const where of pictureKeysOf(id)) {
      const name = nameOf(where)
      const picture = taken?.get(name)
      // the address is another one now, or the picture is not told of any more
      if (picture === undefined && where.key in said) delete known[name]
      if (picture === undefined) continue
      const suffix = { ...keys.profile, ...keys.shot }[where.key]!
      const stem = id === undefined ? suffix : `${path.posix.basename(yaml).replace(/\.ya?ml$/, '')}${suffix}`
      const folder = path.posix.dirname(yaml)
      const file = `./${path.posix.relative(folder, store(folder, stem, picture, own(known, name)))}`
      const { bytes, ending, ...about } = picture
      known[name] = { ...about, file, sha256: digestOf(bytes) }
      news[where.key] = file
    }
    return news
  }
  return { known, changes, withPictures }
}

/** What a comparison of pictures came to; a picture that somebody put in the place of the remote's is not looked at. */
export type Shows = 'equal' | 'different' | 'unproven'

/** What the remote's pictures show beside those that lie in the content, by the names of their keys. */
export const comparePictures = async ({
  remote,
  mine,
  base,
  run,
}: Sides): Promise<ReadonlyMap<string, Shows>> => {
  const shows = new Map<string, Shows>()
  const answers = new Map<string, ReturnType<AskPicture>>()
  const compare = async (fields: Fields, where: Where): Promise<Shows | undefined> => {
    const url = textOf(fields, where.key) ?? ''
    // without the key the large image is the image
    const image = { ...where, key: 'image' }
    const known = own(base?.pictures, nameOf(where)) ?? own(base?.pictures, nameOf(image))
    const said = saidAt(where, mine) ?? saidAt(image, mine)
    const value = said === known?.url ? known?.file : said
    if (!value?.startsWith('./') || !/^(?:https?:)?\/\//i.test(url)) return undefined
    const bytes = storedAt(where, value, { mine, run })
    const ours = bytes && readPicture(bytes)
    if (ours === undefined || 'problem' in ours) return undefined
    const isKnown = known?.url === url && known.file === value && known.sha256 === digestOf(bytes!)
    if (run.ask === undefined) return isKnown ? 'equal' : 'unproven'
    const question = `${isKnown} ${url}`
    const answer = answers.get(question) ?? run.ask(url, isKnown ? known : undefined)
    answers.set(question, answer)
    const { picture, problem } = await answer
    if (problem !== undefined) return 'unproven'
    const published = picture && Buffer.concat(picture.published)
    if (published === undefined || published.equals(Buffer.concat(ours.published))) return 'equal'
    return isKnown ? 'different' : undefined
  }
  for (const fields of [remote.user, ...remote.shots]) {
    for (const where of pictureKeysOf(fields === remote.user ? undefined : (textOf(fields, 'id') ?? ''))) {
      const show = await compare(fields, where)
      if (show !== undefined) shows.set(nameOf(where), show)
    }
  }
  return shows
}
