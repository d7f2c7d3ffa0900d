import path from 'node:path'
import type { Data } from '../content/parse/data.ts'
import { findEntry } from '../files/folder.ts'
import { readFile } from '../files/open.ts'
import { endings, mostPictureBytes, readPicture } from '../pictures/picture.ts'
import type { AskPicture } from './ask-picture.ts'
import { type Base, own } from './base.ts'
import { type Fields, type Remote, textOf } from './body.ts'
import type { Mine } from './content.ts'
import { type Changes, canSay, type Field, profileFields, shotFields, withoutScheme } from './fields.ts'
import type { Run } from './member.ts'
import type { MemberPlan, Sides } from './merge.ts'
import { type About, type Finding, find } from './messages.ts'
import { digestOf, type Validators } from './store.ts'
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

/** The keys that name pictures, and what is added to a file's name for them. */
const keys = {
  profile: { avatar: 'avatar', cover_image: 'cover' },
  shot: { image: '', large_image: '-large' },
} as const

/** A key of the profile, or of the shot with an id. */
export type Where = { readonly key: string; readonly id?: string | undefined }

/** The keys that may name a picture. */
const pictureKeysOf = (id?: string): readonly Where[] =>
  id === undefined
    ? Object.keys(keys.profile).map((key) => ({ key }))
    : Object.keys(keys.shot).map((key) => ({ key, id }))

/** How `import.json` calls it. */
export const nameOf = ({ key, id }: Where): string => (id === undefined ? key : `${id} ${key}`)

/** What the files say at a key, as they say it. */
const saidAt = ({ key, id }: Where, mine: Mine | undefined): string | undefined => {
  const file = id === undefined ? mine?.profile : mine?.shots.get(id)
  return (file as Readonly<Record<string, string | undefined>> | undefined)?.[key]
}

/** A picture of the content, by what a key says; `undefined` where there is none. */
const storedAt = (
  { id }: Where,
  file: string,
  { mine, run }: Pick<Sides, 'mine' | 'run'>,
): Buffer | undefined => {
  const yaml = id === undefined ? mine?.files.profile.path : mine?.files.shots.get(id)?.path
  if (yaml === undefined) return undefined
  return readStored(run.found.content.path, path.posix.join(path.posix.dirname(yaml), file))
}

const readStored = (content: string, below: string): Buffer | undefined =>
  findEntry(content, below)?.isFile() ? readFile(content, below, { limit: mostPictureBytes }) : undefined

/** What the remote says at a key; `undefined` of shots that it doesn't list. */
const addressesIn = ({ user, shots }: Remote) => {
  const byId = new Map(shots.map((fields) => [textOf(fields, 'id'), fields]))
  return ({ key, id }: Where): string | undefined => {
    const fields = id === undefined ? user : byId.get(id)
    return fields && (textOf(fields, key) ?? '')
  }
}

type Swapping = { readonly base: Base | undefined; readonly remote: Remote; readonly run: Run }

/**
 * What content says with addresses in place of pictures: of those that were taken from them, and of those that the site
 * itself publishes where the remote says, which are `published`, too. A picture that somebody changed here stays, as any
 * other value; this is looked at where it matters, since it takes reading the picture.
 */
export const withAddresses = (mine: Mine, { base, remote, run }: Swapping) => {
  const published = new Map<string, string>()
  const addressAt = addressesIn(remote)
  const ownFolder = withoutScheme(`${run.found.site.baseUrl}/pictures/`)
  const swap = <T extends object>(said: T, id?: string): T => {
    const swapped = pictureKeysOf(id).flatMap((where) => {
      const [ours, address] = [saidAt(where, mine), addressAt(where)]
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
    return { ...said, ...Object.fromEntries(swapped) }
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
  const answers = new Map<string, Awaited<ReturnType<AskPicture>>>()
  const look = async (record: Fields, fields: readonly Field[], named: object): Promise<void> => {
    for (const field of fields.filter(({ key }) => key in named)) {
      const text = textOf(record, field.key)
      if (ask === undefined || prove || text === null || held.has(text) || answers.has(text)) continue
      if (canSay(text, field, site) || !canSay(text, field, { ...site, portsAllowed: true })) continue
      const answer = await ask(text)
      answers.set(text, answer)
      if (answer.picture !== undefined) held.add(text)
    }
  }
  await look(user, profileFields, keys.profile)
  for (const shot of shots) await look(shot, shotFields, keys.shot)
  const askAgain: AskPicture = async (url, known) => answers.get(url) ?? ask!(url, known)
  return { held, ask: ask && askAgain }
}

/** What becomes of pictures, by the names of their keys. */
export type Taken = {
  /** Those to be stored. */
  readonly pictures: ReadonlyMap<string, NewPicture>
  /** Shots that have no plan otherwise, as the window doesn't show them any more, are added. */
  readonly plan: MemberPlan
  readonly findings: readonly Finding[]
}

/** Fetches the pictures that a member's addresses name: new ones, and those that may have changed. */
export const takePictures = async (
  plan: MemberPlan,
  { ask, ...sides }: Sides & { readonly ask: AskPicture },
): Promise<Taken> => {
  const { mine, base } = sides
  const pictures = new Map<string, NewPicture>()
  const findings: Finding[] = []
  const take = async (changes: Changes, where: Where): Promise<void> => {
    const { key, id } = where
    const value = key in changes ? changes[key] : saidAt(where, mine)
    const url = (id === undefined ? plan.base.profile : own(plan.base.shots, id))?.[key]
    // what somebody put in its place here stays
    if (url == null || url === '' || value !== url || value === sides.published?.get(nameOf(where))) return
    const known = own(base?.pictures, nameOf(where))
    const isStored = known?.url === url && storedAt(where, known.file, sides) !== undefined
    if (isStored && id !== undefined && !plan.base.window.includes(id)) return
    const { picture, problem } = await ask(url, isStored ? known : undefined)
    if (problem !== undefined) {
      const about: About = id === undefined ? { part: 'profile', key } : { part: 'shot', id, key }
      const what = id === undefined ? key : `${key} of shot ${id}`
      findings.push(find('picture-not-taken', about, { what, url, problem }))
    }
    if (picture === undefined) return
    const { etag, modified, cleaned, kind } = picture
    pictures.set(nameOf(where), { url, etag, modified, bytes: cleaned, ending: endings[kind][0]! })
  }
  for (const where of pictureKeysOf()) await take(plan.profile, where)
  const planned = new Set(plan.shots.map(({ id }) => id))
  const others = [...(mine?.shots.values() ?? [])]
    .filter(({ id }) => !planned.has(id) && own(plan.base.shots, id) !== undefined)
    .map(({ id, title }) => ({ id, isNew: false, title, changes: {} }))
  const shots = [...plan.shots, ...others]
  for (const { id, changes } of shots) {
    for (const where of pictureKeysOf(id)) await take(changes, where)
  }
  return { pictures, plan: { ...plan, shots }, findings }
}

/** Finds names for the pictures that came, and works out what `import.json` says of those that stay. */
export const createStoring = (taken: Taken | undefined, { base, run }: Pick<Sides, 'base' | 'run'>) => {
  const known: Record<string, KnownPicture> = { ...base?.pictures }
  const changes: FileChange<Buffer>[] = []
  const root = run.found.content.path
  const stored = (below: string) => readStored(root, below)
  /** Stores a picture under the name that it has, a free one, or that of the same picture; returns the name. */
  const store = (folder: string, stem: string, { bytes, ending }: NewPicture, old?: KnownPicture): string => {
    const before = old?.file.endsWith(ending) ? stored(path.posix.join(folder, old.file)) : undefined
    let file = before === undefined ? '' : old!.file.slice('./'.length)
    for (let count = 1; file === ''; count++) {
      const name = `${stem}${count === 1 ? '' : `-${count}`}${ending}`
      const [below, there] = [`${folder}/${name}`, stored(`${folder}/${name}`)]
      const isFree = there?.equals(bytes) ?? findEntry(root, below) === undefined
      if (isFree && !changes.some(({ path }) => path === below)) file = name
    }
    const below = path.posix.join(folder, file)
    const there = stored(below)
    if (!there?.equals(bytes)) changes.push({ path: below, before: there, after: bytes })
    return file
  }
  /** The changes of a file, with the names of pictures in them. */
  const withPictures = (said: Changes, yaml: string, id?: string): Changes => {
    const news: Record<string, Data | undefined> = { ...said }
    for (const where of pictureKeysOf(id)) {
      const picture = taken?.pictures.get(nameOf(where))
      if (picture === undefined) {
        // the address is another one now, or the picture is not told of any more
        if (where.key in said) delete known[nameOf(where)]
        continue
      }
      const suffix = { ...keys.profile, ...keys.shot }[where.key]!
      const stem = id === undefined ? suffix : `${path.posix.basename(yaml).replace(/\.ya?ml$/, '')}${suffix}`
      const file = store(path.posix.dirname(yaml), stem, picture, own(known, nameOf(where)))
      const { bytes, ending, ...about } = picture
      known[nameOf(where)] = { ...about, file: `./${file}`, sha256: digestOf(bytes) }
      news[where.key] = `./${file}`
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
  const compare = async (fields: Fields, where: Where): Promise<void> => {
    const url = textOf(fields, where.key) ?? ''
    // without the key the large image is the image
    const image = { ...where, key: 'image' }
    const known = own(base?.pictures, nameOf(where)) ?? own(base?.pictures, nameOf(image))
    const said = saidAt(where, mine) ?? saidAt(image, mine)
    const value = said === known?.url ? known?.file : said
    if (!value?.startsWith('./') || !/^(?:https?:)?\/\//i.test(url)) return
    const bytes = storedAt(where, value, { mine, run })
    const ours = bytes && readPicture(bytes)
    if (ours === undefined || 'problem' in ours) return
    const isKnown = known?.url === url && known.file === value && known.sha256 === digestOf(bytes!)
    if (run.ask === undefined) {
      shows.set(nameOf(where), isKnown ? 'equal' : 'unproven')
      return
    }
    const question = `${isKnown} ${url}`
    const answer = answers.get(question) ?? run.ask(url, isKnown ? known : undefined)
    answers.set(question, answer)
    const { picture, problem } = await answer
    if (problem !== undefined) shows.set(nameOf(where), 'unproven')
    else if (picture === undefined || Buffer.concat(picture.published).equals(Buffer.concat(ours.published)))
      shows.set(nameOf(where), 'equal')
    else if (isKnown) shows.set(nameOf(where), 'different')
  }
  for (const where of pictureKeysOf()) await compare(remote.user, where)
  for (const fields of remote.shots) {
    for (const where of pictureKeysOf(textOf(fields, 'id') ?? '')) await compare(fields, where)
  }
  return shows
}
