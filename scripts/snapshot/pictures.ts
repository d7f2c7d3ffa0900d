import { createHash } from 'node:crypto'
import path from 'node:path'
import { isPicturePath, names } from '../content/layout.ts'
import { salvagePictures } from '../content/member.ts'
import type { Data } from '../content/parse/data.ts'
import { type Parsed, parse } from '../content/parse/parse.ts'
import { readStart } from '../content/read/read-file.ts'
import type { ContentFolder, PictureFile, Scan } from '../content/read/scan.ts'
import type { Sum } from '../files/sums.ts'
import type { Kind } from '../pictures/parts.ts'
import {
  kindOf,
  kindOfName,
  mostPictureBytes,
  otherKind,
  type Picture,
  type PictureProblem,
  readPicture,
  tooManyBytes,
} from '../pictures/picture.ts'
import { type Diagnostic, fileStart, type Place } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { suggest } from '../text/suggest.ts'
import { fingerprintStats, haveSettled } from './outputs.ts'

/** What is known of a picture that is right, so that nobody need read it again. */
export type Seen = {
  /** Fingerprint of its stat; empty if it can't be relied on. */
  readonly stat: string
  /** Path of what is published of it, below the snapshot's root. */
  readonly file: string
  /** Of what is published, in hex. */
  readonly sha256: string
  /** What it tells on people, in words. */
  readonly tells: readonly string[]
  /** Whether more than drafts name it. */
  readonly isPublished: boolean
}

/** By path below the member's folder. */
export type SeenPictures = Readonly<Record<string, Seen>>

/** What is published of a member's pictures; two of them may have one file. */
export const publishedOf = ({ from }: { readonly from: { readonly pictures?: SeenPictures } }) =>
  Object.values(from.pictures ?? {})
    .filter(({ isPublished }) => isPublished)
    .map(({ file, sha256 }): Sum => ({ path: file, digest: sha256 }))

/** What is published of a picture: path below the snapshot's root, sha256 in hex, its bytes, valid during the call. */
export type TakePicture = (
  file: string,
  published: { readonly sha256: string; readonly pieces: readonly Uint8Array[] },
) => void

export type PictureOptions = {
  readonly scan: Pick<Scan, 'username' | 'pictures'>
  readonly content: ContentFolder
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** What is known of pictures that need not be read if they are as they were. */
  readonly seen: SeenPictures
  readonly take: TakePicture
}

/** Keys of a profile and of a shot that may name a picture beside their file. */
export const pictureKeys = { profile: ['avatar', 'cover_image'], shot: ['image', 'large_image'] } as const

/** What a picture is published as: path below the snapshot's root, and sha256 in hex. */
export const publishedFile = ({ kind, published }: Pick<Picture, 'kind' | 'published'>) => {
  const sha256 = digest(published)
  return { sha256, file: `pictures/${sha256.slice(0, 32)}.${kind}` }
}

/** The pictures of one member: checked where a key names them, each read at most once. */
export const createPictures = ({ scan, content, baseUrl, seen, take }: PictureOptions) => {
  const folder = `${names.members}/${scan.username}`
  const found = new Map<string, Omit<Seen, 'isPublished'> | Told>()
  const used = new Set<string>()
  /** Names of files, folded. */
  const mentioned = new Set<string>()
  const published = new Set<string>()
  const diagnostics: Diagnostic[] = []
  let misses = 0
  /** Paths below the assets address, each as the path that it would have beside its file. */
  const assets: (Named & { readonly wanted: string; readonly key: string })[] = []

  /** The address of the picture that a value names; `''` if something is wrong with it, which is told. */
  const address = ({ value, below, place, isDraft }: Named): string => {
    const tell = ({ code, args }: Told): string => {
      diagnostics.push(diagnose(code, place(), { path: value, ...args } as never))
      return ''
    }
    const wanted = below === '' ? value.slice(2) : `${below}/${value.slice(2)}`
    const file = findPicture(scan.pictures, wanted)
    if (file === undefined) return tell(missing(wanted, below))
    used.add(file.path)
    let known = found.get(file.path)
    // a draft's picture is checked, and not published
    if (known === undefined || (!isDraft && !published.has(file.path))) known = look(file, isDraft)
    found.set(file.path, known)
    if ('code' in known) return tell(known)
    if (known.tells.length > 0) tell({ code: 'picture-personal', args: { tells: known.tells.join(', ') } })
    if (file.stat.size > 1024 * 1024) tell({ code: 'picture-large', args: { bytes: file.stat.size } })
    if (!isDraft) published.add(file.path)
    return `${baseUrl}/${known.file}`
  }

  /** What is wrong where no picture has the path: another kind of file has it, or none. */
  const missing = (wanted: string, below: string): Told => {
    const other = kindOfName(wanted)
      ? undefined
      : readStart(content.path, `${folder}/${wanted}`, { length: 4096 })
    const kind = other && kindOf(other)
    if (kind !== undefined) return otherEnding(wanted, kind)
    if (other !== undefined) return toTold(otherKind(other))
    const meant = near(wanted, below)
    if (meant !== undefined) used.add(meant)
    const isSpelling = meant?.toLowerCase() === wanted.toLowerCase()
    const args = {
      folder: `${content.name}/${folder}${below && `/${below}`}`,
      [isSpelling ? 'spelling' : 'suggestion']: meant && `./${path.posix.relative(below, meant)}`,
    }
    return { code: 'picture-missing', args }
  }

  /** The picture that was most likely meant, in the same folder or below it. */
  const near = (wanted: string, below: string): string | undefined => {
    const there = scan.pictures.map((one) => one.path).filter((one) => one.startsWith(below))
    const name = path.posix.basename(wanted.replace(/[?#].*$/, ''))
    // to compare takes long, and strangers may name any number
    const compared = misses++ < 100 ? there.slice(0, 300) : []
    // the folder and the ending make short names look alike
    const stem = (one: string) => path.posix.relative(below, one).replace(/\.\w+$/, '')
    const alike = compared.filter((one) => suggest(stem(wanted), [stem(one)]) !== undefined)
    return suggest(wanted, alike) ?? there.find((one) => path.posix.basename(one) === name)
  }

  const look = ({ path: file, stat }: PictureFile, isDraft: boolean): Omit<Seen, 'isPublished'> | Told => {
    const fingerprint = fingerprintStats([file], [stat])
    const known = Object.hasOwn(seen, file) ? seen[file]! : undefined
    if (known?.stat === fingerprint) return known
    const hasSettled = haveSettled([stat])
    if (stat.size > mostPictureBytes) return toTold(tooManyBytes(stat.size))
    memory ??= Buffer.allocUnsafeSlow(mostPictureBytes + 1)
    const bytes = readStart(content.path, `${folder}/${file}`, { length: memory.length, into: memory })
    const picture = readPicture(bytes ?? Buffer.alloc(0))
    if ('problem' in picture) return toTold(picture.problem)
    const { kind, hasPlace, personal } = picture
    if (kindOfName(file) !== kind) return otherEnding(file, kind)
    if (hasPlace) return { code: 'picture-location', args: {} }
    const { sha256, file: made } = publishedFile(picture)
    if (!isDraft) take(made, { sha256, pieces: picture.published })
    return { stat: hasSettled ? fingerprint : '', file: made, sha256, tells: personal }
  }

  /** A profile or a shot with addresses in place of its files' names; `''` where something is wrong. */
  const withAddresses = <T extends PictureValues>(
    kind: keyof typeof pictureKeys,
    value: T,
    { parsed = nothing, isDraft }: File,
  ): T => {
    const below = kind === 'profile' ? '' : names.shots
    const keys: readonly (keyof PictureValues)[] = pictureKeys[kind]
    const addresses: PictureValues = {}
    for (const key of keys) {
      const text = value[key] ?? ''
      const named = { value: text, below, place: () => parsed().place([key], 'value'), isDraft }
      if (isPicturePath(text)) addresses[key] = address(named)
      else if (scan.pictures.length > 0 && text !== '' && !text.includes('//'))
        assets.push({ ...named, wanted: path.posix.join(below, path.posix.basename(text)), key })
    }
    return { ...value, ...addresses }
  }

  /** Checks the pictures of a file in which something else is wrong. */
  const checkBroken = (kind: keyof typeof pictureKeys, parsed: Parsed): void => {
    mention(parsed.data)
    const values = salvagePictures(parsed, pictureKeys[kind])
    withAddresses(kind, values, { parsed: () => parsed, isDraft: true })
  }

  /** Takes note of all that a file says in which something is wrong: its pictures may stand at any key, in any form. */
  const mention = (data: Data | undefined): void => {
    if (scan.pictures.length === 0) return
    if (typeof data === 'string') mentioned.add(nameIn(data))
    else for (const value of Object.values(data ?? {})) mention(value)
  }

  /** Warnings about pictures that nobody names, once all files have been looked at. */
  const unused = (): readonly Diagnostic[] =>
    scan.pictures
      .filter((file) => !used.has(file.path))
      .flatMap((file) => {
        const asset = assets.find(({ wanted }) => isSameName(file.path, wanted))
        if (asset !== undefined) {
          const why = 'a picture of that name lies beside this file'
          const advice = `write ${asset.key}: ./${path.posix.basename(file.path)}; if it is right, leave it as it is`
          return [diagnose('unlikely-value', asset.place(), { value: asset.value, why, advice })]
        }
        if (mentioned.has(nameIn(file.path))) return []
        const at = { file: `${content.name}/${folder}/${file.path}`, ...fileStart }
        return [diagnose('picture-unused', at, { path: file.path })]
      })

  /** What is known now of the pictures that are right. */
  const seenNow = (): SeenPictures =>
    Object.fromEntries(
      [...found].flatMap(([file, one]) =>
        'code' in one ? [] : [[file, { ...one, isPublished: published.has(file) }]],
      ),
    )

  return { withAddresses, checkBroken, diagnostics, unused, seen: seenNow }
}

/** Each picture is read into the same memory: new memory for each would cost more than reading it. */
let memory: Buffer | undefined

const digest = (pieces: readonly Buffer[]): string => {
  const sum = createHash('sha256')
  for (const piece of pieces) sum.update(piece)
  return sum.digest('hex')
}

type PictureValues = { [K in (typeof pictureKeys)['profile' | 'shot'][number]]?: string | undefined }

/** Where a value was read. */
type File = {
  /** What the file says, with positions; asked for where something is wrong. Default: of nothing. */
  readonly parsed?: () => Parsed
  readonly isDraft: boolean
}

/** What a file without text says. */
export const nothing = (): Parsed => parse({ file: '', text: '' })

/** A value that may name a picture. */
type Named = {
  readonly value: string
  /** The folder of the file, below the member's: `''` or `shots`. */
  readonly below: string
  readonly place: () => Place
  readonly isDraft: boolean
}

/** What is wrong with a picture, or tells on people; the message's other arguments. */
type Told = {
  readonly code: PictureProblem['code'] | `picture-${'location' | 'missing' | 'personal' | 'large'}`
  readonly args: object
}

const toTold = ({ code, is, advice }: PictureProblem): Told => ({ code, args: { is, advice } })

/** What to do with a picture whose ending is that of another kind. */
const otherEnding = (file: string, kind: Kind): Told => {
  const right = `${path.posix.basename(file).replace(/\.[^.]*$/, '')}.${kind}`
  const is = `${kindNames[kind]}, and its ending says something else`
  return { code: 'picture-kind', args: { is, advice: `rename the file to ${right}, and write that here` } }
}

/** Whether two paths differ in letter case only, or one has no ending. */
const isSameName = (file: string, wanted: string): boolean =>
  [file, file.replace(/\.\w+$/, '')].some((one) => one.toLowerCase() === wanted.toLowerCase())

/** The name of the file that a value most likely names, to compare. */
const nameIn = (value: string): string =>
  path.posix.basename(value.replaceAll('\\', '/')).normalize().toLowerCase()

const kindNames: Readonly<Record<Kind, string>> = {
  jpg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  gif: 'GIF',
  avif: 'AVIF',
}

/** The picture with a path; letters with marks may be one character or two, as the disk has it. */
export const findPicture = (pictures: readonly PictureFile[], wanted: string): PictureFile | undefined =>
  pictures.find((one) => one.path === wanted) ??
  pictures.find((one) => one.path.normalize() === wanted.normalize())
