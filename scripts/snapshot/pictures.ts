import { hash } from 'node:crypto'
import path from 'node:path'
import { type ContentFolder, isPicturePath, memberFolder, names } from '../content/layout.ts'
import { pictureKeys } from '../content/member.ts'
import type { Data } from '../content/parse/data.ts'
import type { Parsed } from '../content/parse/parse.ts'
import type { ContentFile, MemberFiles, MemberKind } from '../content/read/open.ts'
import { readStart } from '../content/read/read-file.ts'
import type { PictureFile } from '../content/read/strays.ts'
import { salvagePictures } from '../content/salvage.ts'
import { startsWithHost } from '../content/values/unlikely.ts'
import { createFingerprint } from '../files/stats.ts'
import type { Sum } from '../files/sums.ts'
import type { Kind } from '../pictures/parts.ts'
import {
  kindOf,
  kindOfName,
  mostPictureBytes,
  otherKind,
  type PictureProblem,
  readPicture,
  tooManyBytes,
} from '../pictures/picture.ts'
import { type Diagnostic, fileStart, type Place } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { suggest } from '../text/suggest.ts'
import type { Look, Seen, SeenPictures } from './entry.ts'

/** A file to stage. */
export type StagedFile = Sum & { readonly bytes: Uint8Array }

export type PictureOptions = {
  readonly files: Pick<MemberFiles, 'username' | 'pictures'>
  readonly content: ContentFolder
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** What is known of pictures that need not be read if they are as they were. */
  readonly seen: SeenPictures
  /** Takes what is published of a picture; its bytes are valid during the call. */
  readonly take: (file: StagedFile) => void
}

/** The pictures of one member: checked where a key names them, each read at most once. */
export const createPictures = (options: PictureOptions) => {
  const { files, content, baseUrl } = options
  const folder = memberFolder(files.username, content)
  const found = new Map<string, Seen | Told>()
  /** Those that are named, or most likely meant. */
  const used = new Set<string>()
  /** Names of files that stand anywhere in files in which something is wrong, folded. */
  const mentioned = new Set<string>()
  const diagnostics: Diagnostic[] = []
  const assets: Asset[] = []
  let misses = 0

  /**
   * A profile or a shot with addresses in place of its files' names; `''` where something is
   * wrong, which is told.
   */
  const withAddresses = <T extends PictureValues>(
    value: T,
    file: ContentFile<MemberKind>,
    isDraft = false,
  ): T => {
    const { kind } = file
    const below = kind === 'profile' ? '' : `${names.shots}/`
    let whole = value
    for (const key of pictureKeys[kind] as readonly (keyof PictureValues)[]) {
      const text = value[key] ?? ''
      const place = () => file.parsed().place([key], 'value')
      if (isPicturePath(text)) {
        const { address = '', told } = check(below + text.slice(2), below, isDraft)
        for (const { code, args } of told)
          diagnostics.push(diagnose(code, place(), { path: text, ...args } as never))
        whole = { ...whole, [key]: address }
      } else if (files.pictures.length > 0 && text !== '' && !isElsewhere(text)) {
        const meant = `${below}${path.posix.basename(text)}`.toLowerCase()
        assets.push({ text, key, meant, place })
      }
    }
    return whole
  }

  /** The address of the picture that is wanted, and what there is to tell of it. */
  const check = (wanted: string, below: string, isDraft: boolean) => {
    const file = findPicture(files.pictures, wanted)
    if (file === undefined) {
      // to compare takes long, and strangers may name any number
      const most = misses < 100 ? 300 : 0
      const told = missing(wanted, below, { ...options, folder, used, most })
      if (told.code === 'picture-missing') misses++
      if (told.meant !== undefined) used.add(told.meant)
      return { told: [told] }
    }
    used.add(file.path)
    const before = found.get(file.path)
    // a draft's picture is checked, and not published
    const isKnown = before && ('code' in before || before.isPublished || isDraft)
    const known = isKnown ? before : examine(file, isDraft, options)
    found.set(file.path, known)
    if ('code' in known) return { told: [known] }
    return { address: `${baseUrl}/${known.path}`, told: [...doubts(known, file)] }
  }

  /** Those that are right, by path. */
  const right = (): readonly (readonly [string, Seen])[] =>
    [...found].flatMap(([file, one]) => ('code' in one ? [] : [[file, one]]))

  return {
    withAddresses,
    diagnostics,
    /** Checks the pictures of a file in which something else is wrong. */
    checkBroken: (file: ContentFile<MemberKind>, parsed: Parsed): void => {
      if (files.pictures.length > 0)
        for (const text of textsIn(parsed.data)) mentioned.add(nameIn(text))
      withAddresses(salvagePictures(parsed, pictureKeys[file.kind]), file, true)
    },
    /**
     * Warnings about pictures that nobody names; those at a value alone unless all files have
     * been looked at.
     */
    unused: (all: boolean): readonly Diagnostic[] =>
      files.pictures.flatMap(({ path: file }) => {
        if (used.has(file)) return []
        const asset = meantBy(file, assets)
        if (asset !== undefined) return [asset]
        if (!all || mentioned.has(nameIn(file))) return []
        return [tellUnused(file, `${content.name}/${folder}`)]
      }),
    /** How those that are right look, by address. */
    looks: (): ReadonlyMap<string, Look> =>
      new Map(right().map(([, one]) => [`${baseUrl}/${one.path}`, one.look])),
    /** What is known now of the pictures that are right. */
    seen: (): SeenPictures => Object.fromEntries(right()),
  }
}

const tellUnused = (path: string, folder: string): Diagnostic => {
  const [, inShots] = /^shots\/(.*)$/s.exec(path) ?? []
  return diagnose(
    'picture-unused',
    { file: `${folder}/${path}`, ...fileStart },
    { path, inShots },
  )
}

/** A value that is a path below the assets address, where the member has pictures. */
type Asset = {
  readonly text: string
  readonly key: string
  readonly meant: string
  readonly place: () => Place
}

const isElsewhere = (text: string): boolean =>
  text.includes('//') || startsWithHost.test(text)

/** A doubt at a value that most likely means this picture. */
const meantBy = (file: string, assets: readonly Asset[]): Diagnostic | undefined => {
  const names = [file, file.replace(/\.\w+$/, '')].map((one) => one.toLowerCase())
  const asset = assets.find(({ meant }) => names.includes(meant))
  if (asset === undefined) return undefined
  const why = 'a picture of that name lies beside this file'
  const advice = `write ${asset.key}: ./${path.posix.basename(file)}; if it is right, leave it as it is`
  return diagnose('unlikely-value', asset.place(), { value: asset.text, why, advice })
}

/** What there is to tell of a picture that is right. */
function* doubts({ tells }: Seen, { stat }: PictureFile): Generator<Told> {
  if (tells.length > 0) yield { code: 'picture-personal', args: { tells: tells.join(', ') } }
  const mebibytes = stat.size / 1024 / 1024
  if (mebibytes > 1)
    yield { code: 'picture-large', args: { mebibytes: mebibytes.toFixed(1) } }
}

type MissingOptions = Pick<PictureOptions, 'content' | 'files'> & {
  readonly folder: string
  /** Those that keys looked at before name, or most likely mean. */
  readonly used: ReadonlySet<string>
  /**
   * With so many names the wanted one is compared; with none, a picture that lies elsewhere
   * is not looked for either.
   */
  readonly most: number
}

/**
 * What is wrong where no picture has the path: another kind of file has it, or none; and the
 * picture that is meant.
 */
const missing = (
  wanted: string,
  below: string,
  { content, files, folder, used, most }: MissingOptions,
): Told & { readonly meant?: string | undefined } => {
  const other = kindOfName(wanted)
    ? undefined
    : readStart(content.path, `${folder}/${wanted}`, { length: 4096 })
  const kind = other && kindOf(other)
  if (kind !== undefined) return otherEnding(wanted, kind)
  if (other !== undefined) return toTold(otherKind(other))
  const there = files.pictures.map((one) => one.path).filter((one) => one.startsWith(below))
  const nameOf = (one: string) => path.posix.basename(one).toLowerCase()
  // a remark behind the name is no part of it: `tea.png (final)`
  const name = nameOf(wanted.replace(/[?#].*|(?<=\.\w{3,4})[\s,;].*/s, ''))
  // the folder and the ending make short names look alike
  const stem = (one: string) => one.slice(below.length).replace(/\.\w+$/, '')
  const alike = there
    .slice(0, most)
    .filter((one) => suggest(stem(wanted), [stem(one)]) !== undefined)
  const meant = suggest(wanted, alike) ?? there.find((one) => nameOf(one) === name)
  const isSpelling = meant?.toLowerCase() === wanted.toLowerCase()
  const lies = (one: string) => path.posix.basename(one) === wanted.slice(below.length)
  const from =
    most > 0 ? files.pictures.find((one) => lies(one.path) && !used.has(one.path)) : undefined
  const whole = `${content.name}/${folder}`
  const args = {
    folder: `${whole}/${below}`.replace(/\/$/, ''),
    [isSpelling ? 'spelling' : 'suggestion']: meant && `./${meant.slice(below.length)}`,
    from: from && `${whole}/${from.path}`,
  }
  return { code: 'picture-missing', args, meant: meant ?? from?.path }
}

/** What is known of a picture now; takes what is published of it. */
const examine = (
  { path: file, stat }: PictureFile,
  isDraft: boolean,
  { files, content, seen, take }: PictureOptions,
): Seen | Told => {
  const isPublished = !isDraft
  const print = createFingerprint()
  print.add(stat)
  const fingerprint = print.of(file)
  const known = Object.hasOwn(seen, file) ? seen[file] : undefined
  if (known?.stat === fingerprint) return { ...known, isPublished }
  const hasSettled = print.hasSettled()
  if (stat.size > mostPictureBytes) return toTold(tooManyBytes(stat.size))
  memory ??= Buffer.allocUnsafeSlow(mostPictureBytes + 1)
  const start = { length: memory.length, into: memory }
  const bytes = readStart(
    content.path,
    `${memberFolder(files.username, content)}/${file}`,
    start,
  )
  const picture = readPicture(bytes ?? Buffer.alloc(0))
  if ('problem' in picture) return toTold(picture.problem)
  const { kind, hasPlace, personal, published, hasAlpha } = picture
  if (kindOfName(file) !== kind) return otherEnding(file, kind)
  if (hasPlace) return { code: 'picture-location', args: {} }
  const digest = hash('sha256', published)
  const made = { path: `pictures/${digest.slice(0, 32)}.${kind}`, digest }
  if (isPublished) take({ ...made, bytes: published })
  const isTurned = picture.orientation > 4
  const width = isTurned ? picture.height : picture.width
  const height = isTurned ? picture.width : picture.height
  return {
    ...made,
    stat: hasSettled ? fingerprint : '',
    tells: personal,
    isPublished,
    look: { width, height, hasAlpha },
  }
}

/**
 * Each picture is read into the same memory: new memory for each would cost more than reading
 * it.
 */
let memory: Buffer | undefined

type PictureValues = {
  [K in (typeof pictureKeys)['profile' | 'shot'][number]]?: string | undefined
}

/** What is wrong with a picture, or tells on people; the message's other arguments. */
type Told = {
  readonly code:
    | PictureProblem['code']
    | `picture-${'location' | 'missing' | 'personal' | 'large'}`
  readonly args: object
}

const toTold = ({ code, is, advice }: PictureProblem): Told => ({
  code,
  args: { is, advice },
})

/** What to do with a picture whose ending is that of another kind. */
const otherEnding = (file: string, kind: Kind): Told => {
  const right = `${path.posix.basename(file).replace(/\.[^.]*$/, '')}.${kind}`
  const is = `${kindNames[kind]}, and its ending says something else`
  return {
    code: 'picture-kind',
    args: { is, advice: `rename the file to ${right}, and write that here` },
  }
}

/** All texts that data holds. */
const textsIn = (data: Data | undefined): readonly string[] =>
  typeof data === 'object' ? Object.values(data).flatMap(textsIn) : [data ?? '']

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
export const findPicture = (
  pictures: readonly PictureFile[],
  wanted: string,
): PictureFile | undefined =>
  pictures.find((one) => one.path === wanted) ??
  pictures.find((one) => one.path.normalize() === wanted.normalize())
