import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { outputs } from '../api/outputs.ts'
import { names } from '../content/layout.ts'
import { fileNames, type Scan } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import { isUsername } from '../content/username.ts'
import { findEntry, isPathBelow, readFile, realPath, type Spot } from '../files/folder.ts'
import { identityOf, originOf } from '../files/origin.ts'
import { linesOf } from '../files/sums.ts'
import { remove, replaceFile } from '../files/write.ts'
import { quote } from '../text/printable.ts'
import {
  each,
  fits,
  isCount,
  isDigest,
  isText,
  optional,
  type Shape,
  texts,
  textThat,
} from '../text/shape.ts'
import type { Tools } from './compile.ts'
import { type Entry, emptyState, isListed, type State } from './entry.ts'
import { findOwnFolder, type SnapshotFolders } from './folders.ts'
import { mostShards, type Shard } from './shard.ts'

/**
 * The state of a snapshot, as far as it can be believed and is of use to this program, site
 * and shard. One that can have come with a branch is not believed: it may say that wrong
 * content is right. `onDoubt` gets a line that says why.
 */
export const knownState = (
  { epoch, tools, shard }: Wanted,
  { folders, onDoubt }: KnownOptions,
): State => {
  const state = readState(findOwnFolder(folders))
  const isOfUse =
    state.epoch !== '' &&
    state.epoch === epoch &&
    // places name files by the content folder's name
    state.content === tools.content.name &&
    isDeepStrictEqual(state.shard, shard)
  const doubt = isOfUse ? doubtIn(folders.own, state, tools.content.path) : ''
  if (doubt !== '') onDoubt?.(doubt)
  return isOfUse && doubt === '' ? state : emptyState
}

/** For which a state is of use. */
type Wanted = Pick<State, 'epoch'> & {
  readonly shard?: Shard | undefined
  readonly tools: Pick<Tools, 'content'>
}

type KnownOptions = {
  readonly folders: SnapshotFolders
  readonly onDoubt?: ((why: string) => void) | undefined
}

/** Why a state is not believed; `''` if it is. */
const doubtIn = (
  { root, below }: Spot,
  { identity = '' }: State,
  content: string,
): string => {
  const real = realPath(content)
  const known = ['yaml', 'yml'].map((ending) => path.join(real, `${names.site}.${ending}`))
  const { isOurs, tracked } = originOf({
    root,
    below: `${below}/${stateFile}`,
    identity,
    known,
  })
  if (isOurs) return ''
  const folder = quote(path.relative('', path.join(root, below)))
  const atTop = quote(`:/${tracked}`)
  const why = tracked
    ? `git tracks it: git rm -f ${atTop}`
    : 'no build wrote it there: the next build makes it anew'
  return `the state in ${folder} is not used, as ${why}`
}

/**
 * Reads the state in a trusted folder: a line for the site, a line for each member, a sum of
 * all. A missing, damaged or foreign one is an empty state.
 */
export const readState = (own: string | undefined): State => {
  const bytes =
    own === undefined ? undefined : readFile(own, stateFile, { limit: stateLimit })
  if (own === undefined || bytes === undefined) return emptyState
  const end = bytes.lastIndexOf(10, -2) + 1
  let at = 0
  // one letter beyond Latin-1 would double the memory and the time of a text of all lines
  const nextLine = () => {
    const start = at
    at = bytes.indexOf(10, at) + 1
    return JSON.parse(bytes.toString('utf8', start, at))
  }
  try {
    const { sha256, identity } = JSON.parse(bytes.toString('utf8', end))
    if (sha256 !== hash('sha256', bytes.subarray(0, end))) return emptyState
    const { shotpress, ...first } = nextLine()
    if (shotpress !== version || !fits(first, header)) return emptyState
    const entries = new Map<string, Entry>()
    while (at < end) {
      const entry = nextLine()
      if (!fits(entry, member)) return emptyState
      entries.set(entry.username, entry)
    }
    return { ...first, identity, entries }
  } catch (error) {
    // whole, and yet not what a build writes: somebody made it
    if (error instanceof SyntaxError || error instanceof TypeError) return emptyState
    throw error
  }
}

const isPart: Shape = (value) =>
  isCount(value) && Number(value) > 0 && Number(value) <= mostShards
const isBoolean: Shape = (value) => typeof value === 'boolean'
const isName = textThat(isUsername)
const isPath = textThat(isPathBelow)
const isKind = textThat((text) => ['member', 'shot', 'token', 'name'].includes(text))
const isList = textThat((text) => linesOf(text).every(isListed))

const made = { files: isList, ...texts('stat'), largest: isCount }
const place = {
  ...texts('file'),
  line: isCount,
  column: isCount,
  endLine: isCount,
  endColumn: isCount,
}
const picture = { path: isPath, digest: isDigest, ...texts('stat'), tells: [isText] } as const
const keeping = outputs.flatMap(({ name, keeps }) =>
  keeps ? [[name, optional(keeps.shape)] as const] : [],
)

const header = {
  ...texts('epoch', 'content'),
  site: optional(isText),
  frame: made,
  shard: optional({ index: isPart, count: isPart }),
}

const member = {
  username: isName,
  aliases: [isName],
  shots: isCount,
  from: { ...texts('key', 'stat'), pictures: optional(each(picture)) },
  ...made,
  claims: isText,
  kept: Object.fromEntries(keeping),
  diagnostics: [{ ...place, ...texts('severity', 'code', 'message') }],
  held: optional([{ kind: isKind, ...texts('text', 'name'), place, made: isBoolean }]),
} as const

/**
 * Writes the state, whole or not at all. The last line says what the others come to, as after
 * a power failure they may be damaged, and in which file they are.
 */
export const writeState = (own: string, { entries, ...header }: State): void => {
  if (findEntry(own, stateFile)?.isDirectory()) remove(own, stateFile)
  replaceFile(own, stateFile, (file) => {
    const sum = createHash('sha256')
    let text = `${JSON.stringify({ shotpress: version, ...header })}\n`
    const flush = (): void => {
      sum.update(text)
      fs.writeFileSync(file, text)
      text = ''
    }
    for (const entry of entries.values()) {
      text += `${JSON.stringify(entry)}\n`
      if (text.length > 1 << 14) flush()
    }
    flush()
    const seal = { sha256: sum.digest('hex'), identity: identityOf(file) }
    fs.writeFileSync(file, `${JSON.stringify(seal)}\n`)
  })
}

const stateFile = 'state'

/** Of the file's form. */
const version = 16

/** Bytes; that of a million members has no more. */
const stateLimit = 1 << 30

/**
 * Fingerprint of the files' names and the hashes of their bytes, in hex: independent of any
 * clock.
 */
export const fingerprintContent = (names: string, oids: readonly string[]): string =>
  hash('sha1', `${names}\0${oids.join('')}`)

/**
 * The same of a member's files, from git's names of the YAML and the hashes of what pictures
 * come to.
 */
export const contentKeyOf = (scan: Scan, oids: readonly string[]): string =>
  fingerprintContent(fileNames(scan), oids)

/**
 * What the compiled copy of the program knows of itself; scripts/start/compile.cjs writes it
 * down.
 */
export type Copy = {
  /** sha256 of all sources, in hex. */
  readonly program: string
  /** The file that a thread runs. */
  readonly worker: string
}

declare const compiledCopy: Copy | undefined

/** `undefined` if the program runs from its sources. */
export const copy: Copy | undefined =
  typeof compiledCopy === 'undefined' ? undefined : compiledCopy

/**
 * Fingerprint of all that a member's files depend on besides its own content: the site, and
 * this program with its schemas and libraries. 64 hex digits.
 */
export const epochOf = (site: Site, more: unknown = ''): string => {
  const { zlib, brotli } = process.versions
  const tools = site.precompress.length > 0 ? `${zlib} ${brotli}` : ''
  return hash(
    'sha256',
    `${JSON.stringify([site, more])}${tools}${copy?.program ?? sourcesNow()}`,
  )
}

/** What a compiled copy of the sources would be called. */
const sourcesNow = (): string =>
  createRequire(import.meta.url)('../start/start.cjs').nameOfCopy()
