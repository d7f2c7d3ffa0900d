import type { Diagnostic } from '../../problems/diagnostic.ts'
import { type ContentFolder, memberFolder, names } from '../layout.ts'
import type { Loaded, Loader } from '../load.ts'
import type { Profile, Shot } from '../member.ts'
import { type Parsed, parse, placing, type Source } from '../parse/parse.ts'
import { type SiteFacts, salvageProfile, salvageShot, salvageSite } from '../salvage.ts'
import type { SchemaName } from '../schema.ts'
import type { Site } from '../site.ts'
import { createReader, type Read, type Reader } from './read-file.ts'
import { findSite, guessGroups, type Scan, scanMember } from './scan.ts'
import type { PictureFile } from './strays.ts'

// A member as it lies on the disk, and what became of each file. Whatever is made of members
// is made of this.

/** What files of the content are read with. */
type Opening = {
  readonly content: ContentFolder
  readonly loader: Loader
  readonly read: Reader
  /** What is known of the site; without it, ports in assets are let be. */
  readonly facts?: SiteFacts | undefined
}

/** What lies in a member's folder. */
export type MemberKind = Exclude<SchemaName, 'site'>

/** What a file of each kind says if it is right. */
type Values = { readonly site: Site; readonly profile: Profile; readonly shot: Shot }

const salvage = { site: salvageSite, profile: salvageProfile, shot: salvageShot }

/** What is known of a file of each kind, even if something is wrong with it. */
type Facts = { readonly [K in SchemaName]: ReturnType<(typeof salvage)[K]> }

/**
 * A file of the content. It is read, parsed and checked when somebody asks for what comes of
 * that, and only once. Its methods can't be taken out of it: `this` says so to the compiler.
 */
export type ContentFile<K extends SchemaName = SchemaName> = {
  readonly kind: K
  /** Its path below the content folder, with `/`. */
  readonly below: string
  /** What diagnostics call it. */
  readonly file: string
  /**
   * Its text and git's name of it. Throws a `UserError` if the file has gone since it was
   * listed.
   */
  read(this: object): Read
  parsed(this: object): Parsed
  /** What it says if it is right, and all that is wrong with it. */
  loaded(this: object): Loaded<Values[K]>
  facts(this: object): Facts[K]
}

export type MemberFiles = {
  readonly username: string
  readonly profile: ContentFile<'profile'> | undefined
  /** Sorted by name. */
  readonly shots: readonly ContentFile<'shot'>[]
  /** All pictures in the member's folder and below it, named or not; sorted by path. */
  readonly pictures: readonly PictureFile[]
  /** What is wrong with the tree of the files. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The profile, then the shots. */
export const filesOf = ({
  profile,
  shots,
}: MemberFiles): readonly ContentFile<MemberKind>[] =>
  profile === undefined ? shots : [profile, ...shots]

/** The content folder, with the groups of members that its site.yaml asks for. */
export const withGroups = (content: ContentFolder): ContentFolder => {
  const { name } = findSite(content)
  const { source } = name === undefined ? {} : createReader(content)(name)
  const groups = source && salvageSite(parse(source)).groups
  return { ...content, groups: groups ?? guessGroups(content) }
}

/** The files of a member, by a name from anywhere. */
export const readMember = (username: string, opening: Opening): MemberFiles =>
  openMember(scanMember(username, opening.content), opening)

/** Opens the files that a scan has found. */
export const openMember = (
  { username, profile, shots, sizes, pictures, diagnostics }: Scan,
  opening: Opening,
): MemberFiles => {
  const folder = memberFolder(username, opening.content)
  return {
    username,
    profile:
      profile === undefined
        ? undefined
        : openFile('profile', `${folder}/${profile}`, opening, sizes.profile),
    shots: shots.map((name, at) =>
      openFile('shot', `${folder}/${names.shots}/${name}`, opening, sizes.shots[at]),
    ),
    pictures,
    diagnostics,
  }
}

export const openFile = <K extends SchemaName>(
  kind: K,
  below: string,
  opening: Opening,
  size?: number,
): ContentFile<K> => new OpenFile(kind, below, opening, size)

/** There may be 40,000 of a member, so each is one object. */
class OpenFile<K extends SchemaName> implements ContentFile<K> {
  readonly kind: K
  readonly below: string
  readonly #opening: Opening
  readonly #size: number | undefined
  #read: Read | undefined
  #parsed: Parsed | undefined
  #loaded: Loaded<Values[K]> | undefined
  #facts: Facts[K] | undefined

  constructor(kind: K, below: string, opening: Opening, size: number | undefined) {
    this.kind = kind
    this.below = below
    this.#opening = opening
    this.#size = size
  }

  get file(): string {
    return `${this.#opening.content.name}/${this.below}`
  }

  read(): Read {
    this.#read ??= this.#opening.read(this.below, this.#size)
    return this.#read
  }

  parsed(): Parsed {
    const source = this.#source()
    this.#parsed ??= source === undefined ? unreadable(this.file) : parse(source)
    return this.#parsed
  }

  loaded(): Loaded<Values[K]> {
    this.#loaded ??= this.#load()
    return this.#loaded
  }

  facts(): Facts[K] {
    this.#facts ??= salvage[this.kind](this.parsed()) as Facts[K]
    return this.#facts
  }

  #source(): Source | undefined {
    const { source, legible } = this.read()
    return source ?? legible
  }

  #load(): Loaded<Values[K]> {
    const { loader, facts } = this.#opening
    const { diagnostic } = this.read()
    const source = this.#source()
    const load = loader[loaders[this.kind]] as Load<Values[K]>
    const found = source && load({ parsed: this.parsed(), ...source }, facts)
    // what can be published has a value by now, and few ask for its places again
    if (found?.parsed === undefined) this.#parsed = undefined
    if (found !== undefined && diagnostic === undefined) return found
    // a file in another encoding is full of odd characters
    const others = found?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
    const diagnostics = [...(diagnostic ? [diagnostic] : []), ...others]
    return { parsed: this.parsed(), diagnostics }
  }
}

const loaders = { site: 'loadSite', profile: 'loadProfile', shot: 'loadShot' } as const

type Load<T> = (source: Source, site: SiteFacts | undefined) => Loaded<T>

/** What can be read of a file that is no text. */
const unreadable = (file: string): Parsed => ({
  data: undefined,
  whole: false,
  problems: [],
  mayBeCut: false,
  ...placing(file, () => undefined),
})
