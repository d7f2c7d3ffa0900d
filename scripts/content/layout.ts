import path from 'node:path'
import { isNear } from '../text/suggest.ts'

/**
 * Names inside the content folder. A file's stem and its ending, `.yaml` or `.yml`, are read
 * apart.
 */
export const names = {
  site: 'site',
  members: 'members',
  profile: 'profile',
  shots: 'shots',
  /** What an import leaves in a member's folder. */
  imported: 'import.json',
} as const

/** The content folder: where it is, and what diagnostics call it. */
export type ContentFolder = {
  readonly path: string
  /** As given on the command line: `content`. */
  readonly name: string
  /**
   * How many letters of a username name the folder that groups members, as site.yaml says; 0
   * is none.
   */
  readonly groups?: Groups
}

export type Groups = 0 | 1 | 2

type Grouped = Pick<ContentFolder, 'groups'>

/** The name of the folder that a member is grouped into. */
export const groupOf = (username: string, groups: Groups): string =>
  username
    .toLowerCase()
    .slice(0, groups)
    .replace(/[^a-z0-9]/g, '_')
    .padEnd(groups, '_')

/** Where a member's files lie, below the content folder. */
export const memberFolder = (username: string, { groups = 0 }: Grouped): string =>
  groups === 0
    ? `${names.members}/${username}`
    : `${names.members}/${groupOf(username, groups)}/${username}`

/**
 * The member in whose folder a path below the content folder lies, and the rest of the path;
 * `''` is none.
 */
export const inMember = (
  below: string,
  { groups = 0 }: Grouped,
): { username: string; rest: string } => {
  const [folder, ...parts] = below.split('/')
  const [username = '', ...rest] = groups === 0 ? parts : parts.slice(1)
  return folder === names.members
    ? { username, rest: rest.join('/') }
    : { username: '', rest: '' }
}

/** The content folder that a command line names. Diagnostics show it with `/`, on every system. */
export const contentFolder = (name: string): ContentFolder => {
  const shown = name.replaceAll(path.sep, '/')
  return { path: path.resolve(name), name: shown.replace(/(?<=^\/|[^/])\/+$/, '') }
}

/** The most bytes that a content file may have. */
export const sizeLimit = 1 << 20

export const isYaml = (name: string): boolean =>
  name.endsWith('.yaml') || name.endsWith('.yml')

export const isPicture = (name: string): boolean =>
  /\.(?:jpe?g|png|webp|gif|avif)$/i.test(name)

export const isPicturePath = (value: string): boolean => value.startsWith('./')

/**
 * The name that a file most likely was to have: `one.yaml` of `one.yaml.txt`, `one.ymal` and
 * `one.YAML`.
 */
export const meantYaml = (name: string): string | undefined => {
  if (isYaml(name)) return undefined
  const [, start, ending = ''] = /^(.*?)\.(ya?ml)(?![a-z0-9]).*$/is.exec(name) ?? []
  if (start !== undefined) return `${start}.${ending.toLowerCase()}`
  const [, stem, last = ''] = /^(.*)\.([a-z0-9]{2,6})$/i.exec(name) ?? []
  return stem !== undefined && isMisspeltYaml(last.toLowerCase()) ? `${stem}.yaml` : undefined
}

/**
 * The name that content is to have that lies in a file of any name: `one.yaml` of `one.json`
 * and `one` too.
 */
export const yamlName = (name: string): string =>
  isYaml(name) ? name : (meantYaml(name) ?? `${name.replace(/\.[^.]*$/, '')}.yaml`)

/**
 * With a `y` in front, or the same letters in another order: `.xml` and `.haml` are other
 * formats.
 */
const isMisspeltYaml = (ending: string): boolean => {
  const letters = [...ending].sort().join('')
  if (letters === 'almy' || letters === 'lmy') return true
  return ending.startsWith('y') && (isNear(ending, 'yaml') || isNear(ending, 'yml'))
}

export const hasStem = (name: string, stem: string): boolean =>
  name === `${stem}.yaml` || name === `${stem}.yml`

/** A file's name without `.yaml` or `.yml`. */
export const stemOf = (name: string): string => name.replace(/\.ya?ml$/, '')

/** Whether no content has such a name: hidden files, and what editors leave lying about. */
export const isLeftAlone = (name: string): boolean =>
  name.startsWith('.') || name.endsWith('~')

/**
 * Whether a name looks like one that a program gave to a copy: `poster - Copy (2)`, `poster
 * (1)`, `Copy of poster`.
 */
export const isCopy = (name: string): boolean => {
  const original = name.replace(beforeCopy, '').replace(afterCopy, '')
  return original !== name && original !== ''
}

const copyWord = '(?:copy|kopie|copie|copia|cópia|kopia|kopi)'
const beforeCopy = new RegExp(`^${copyWord}(?: ?\\(?\\d{1,4}\\)?)? (?:of|von|de|di) `, 'i')
// the repeats are bounded: unbounded, a name of signs would take a square of its length
const afterCopy = new RegExp(
  `(?:[\\s._–—-]{1,3}${copyWord}(?:[\\s_-]{0,3}\\(?\\d{1,4}\\)?)?|\\s{0,3}\\(\\d{1,4}\\)){1,5}$`,
  'i',
)
