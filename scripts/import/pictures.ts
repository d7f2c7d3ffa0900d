import { hash } from 'node:crypto'
import path from 'node:path'
import { isPicturePath, stemOf } from '../content/layout.ts'
import { pictureKeys } from '../content/member.ts'
import { findEntry, readFile } from '../files/folder.ts'
import { mostPictureBytes, type Picture, readPicture } from '../pictures/picture.ts'
import type { KnownPicture } from './base.ts'
import { fieldsAt, textOf } from './body.ts'
import { type Mine, saidAt } from './content.ts'
import { type Values, withoutScheme } from './fields.ts'
import type { Where } from './messages.ts'
import type { Changes, Run, Sides } from './run.ts'

/**
 * A file to write: its path below the content folder, what it says now if it is there, and
 * what it will say.
 */
export type FileChange = {
  readonly path: string
  readonly before: string | Buffer | undefined
  readonly after: string | Buffer
}

/** What a profile's pictures are called, and what is added to a shot's name. */
const suffixes: Readonly<Record<string, string>> = {
  avatar: 'avatar',
  cover_image: 'cover',
  large_image: '-large',
}

const placesOf = (id?: string): readonly Where[] =>
  pictureKeys[id === undefined ? 'profile' : 'shot'].map((key) => ({ key, id }))

/** How `import.json` calls it. */
export const nameOf = ({ key, id }: Where): string =>
  id === undefined ? key : `${id} ${key}`

/** A picture of the content, by what a key says; `undefined` where there is none. */
const storedAt = (
  { id }: Where,
  file: string,
  { mine, run }: Pick<Sides, 'mine' | 'run'>,
) => {
  const yaml = mine.files.get(id)
  return yaml && readStored(path.posix.join(yaml.path, '..', file), run)
}

const readStored = (below: string, { found }: Run) =>
  readFile(found.content.path, below, { limit: mostPictureBytes })

/**
 * What content says with addresses in place of pictures: of those that were taken from them,
 * and of those that the site itself publishes where the remote says, which are `published`,
 * too. A picture that somebody changed here stays, as any other value.
 */
export const withAddresses = (
  mine: Mine,
  { base, remote, run }: Pick<Sides, 'base' | 'remote' | 'run'>,
) => {
  const published = new Map<string, string>()
  const ownFolder = withoutScheme(`${run.found.site.baseUrl}/pictures/`) ?? ''
  const addressOf = (where: Where) => {
    const fields = fieldsAt(remote, where.id)
    const address = textOf(fields, where.key)
    const ours = saidAt(mine, where)
    const name = nameOf(where)
    const known = base.pictures?.[name]
    if (
      address &&
      isPicturePath(ours ?? '') &&
      withoutScheme(address)?.startsWith(ownFolder)
    ) {
      published.set(name, address)
      return address
    }
    if (known === undefined || ours !== known.file) return ours
    // reading pictures takes time
    const matters = run.ask || (fields && address !== known.url)
    const stored = matters && storedAt(where, known.file, { mine, run })
    return stored && hash('sha256', stored) !== known.sha256 ? ours : known.url
  }
  const files = Array.from(mine.files, ([id, held]) => {
    const addresses = placesOf(id).map((where) => [where.key, addressOf(where)])
    const said: Values = { ...held.said, ...Object.fromEntries(addresses) }
    return [id, { ...held, said }] as const
  })
  return { mine: { ...mine, files: new Map(files) }, published }
}

/**
 * Makes what takes pictures along: those that are new, and those that may have changed.
 * `known` is what `import.json` says of them and of those that stay, `changes` are the files.
 */
export const createTaking = (sides: Sides) => {
  const { mine, base, remote, plan, published, ask, find, run } = sides
  const known: Record<string, KnownPicture> = { ...base.pictures }
  const changes: FileChange[] = []
  /** Whether a picture can be stored there: nothing is, or the same. */
  const isFor = (bytes: Buffer, below: string): boolean => {
    const isNone = findEntry(run.found.content.path, below) === undefined
    const isFree = isNone || readStored(below, run)?.equals(bytes) === true
    return isFree && !changes.some(({ path }) => path === below)
  }
  /**
   * Stores a picture under the name that it has, a free one, or that of the same picture;
   * gives what its YAML file says of it.
   */
  const store = ({ cleaned, kind }: Picture, yaml: string, { key, id }: Where) => {
    const folder = path.posix.dirname(yaml)
    const { file = '' } = base.pictures?.[nameOf({ key, id })] ?? {}
    const last = path.posix.join(folder, file)
    const isKept = file.endsWith(`.${kind}`) && readStored(last, run)
    const stem = (id === undefined ? `${folder}/` : stemOf(yaml)) + (suffixes[key] ?? '')
    const below = isKept ? last : freePath(stem, `.${kind}`, (path) => isFor(cleaned, path))
    const before = readStored(below, run)
    if (!before?.equals(cleaned)) changes.push({ path: below, before, after: cleaned })
    return `./${path.posix.relative(folder, below)}`
  }
  /**
   * The address of a picture, if the file is to say it: what somebody put in its place here
   * stays.
   */
  const addressAt = (where: Where, value: unknown) => {
    const fields = fieldsAt(remote, where.id)
    const url = fields ? textOf(fields, where.key) : base.shots[where.id ?? '']?.[where.key]
    return value === url && url !== published.get(nameOf(where)) ? url : undefined
  }
  /** The changes of a file, with the names of pictures in them. */
  const take = async (said: Changes, yaml: string, id?: string): Promise<Changes> => {
    const news = { ...said }
    for (const where of placesOf(id)) {
      const { key } = where
      const name = nameOf(where)
      const old = known[name]
      // the address is another one now
      if (key in said) delete known[name]
      const url = addressAt(where, key in said ? said[key] : saidAt(mine, where))
      if (!ask || !url) continue
      const isStored = old?.url === url && storedAt(where, old.file, sides) !== undefined
      if (isStored && id !== undefined && !plan.base.window.includes(id)) continue
      const { picture, problem } = await ask(url, isStored ? old : undefined)
      if (problem !== undefined) find('picture-not-taken', where, { url, problem })
      if (!picture) continue
      const { etag, modified, cleaned } = picture
      const file = store(picture, yaml, where)
      known[name] = { url, etag, modified, file, sha256: hash('sha256', cleaned) }
      news[key] = file
    }
    return news
  }
  return { known, changes, take }
}

/** The first of `tea.png`, `tea-2.png`, `tea-3.png`, … that is free. */
const freePath = (
  stem: string,
  ending: string,
  isFree: (below: string) => boolean,
): string => {
  for (let count = 1; ; count++) {
    const below = (count === 1 ? stem : `${stem}-${count}`) + ending
    if (isFree(below)) return below
  }
}

/**
 * What a picture of the remote shows beside the one that lies in the content; `undefined` if
 * none lies there, or one that somebody put in the place of the remote's.
 */
export const comparePicture = async (where: Where, sides: Sides) => {
  const isPicture = placesOf(where.id).some(({ key }) => key === where.key)
  const url = textOf(fieldsAt(sides.remote, where.id), where.key) ?? ''
  if (!isPicture || !/^(?:https?:)?\/\//i.test(url)) return undefined
  const { known, file = '' } = pictureAt(where, sides)
  const bytes = isPicturePath(file) ? storedAt(where, file, sides) : undefined
  const ours = bytes && readPicture(bytes)
  if (!ours || 'problem' in ours) return undefined
  const isTaken =
    known?.url === url && known.file === file && known.sha256 === hash('sha256', bytes)
  if (sides.ask === undefined) return isTaken ? 'equal' : 'unproven'
  const { picture, problem } = await sides.ask(url, isTaken ? known : undefined)
  if (problem !== undefined) return 'unproven'
  if (!picture || picture.published.equals(ours.published)) return 'equal'
  return isTaken ? 'different' : undefined
}

/**
 * What is published at a key, and what `import.json` holds of it; without the key the large
 * image is the image.
 */
const pictureAt = (where: Where, { mine, base: { pictures = {} } }: Sides) => {
  const image = { ...where, key: 'image' }
  const known = pictures[nameOf(where)] ?? pictures[nameOf(image)]
  const said = saidAt(mine, where) ?? saidAt(mine, image)
  return { known, file: said === known?.url ? known?.file : said }
}
