import { type Groups, isPicturePath } from './layout.ts'
import type { Profile, Project } from './member.ts'
import { type Data, isMapping, type Mapping, mappingOf } from './parse/data.ts'
import type { Parsed } from './parse/parse.ts'
import { type Site, toGroups } from './site.ts'
import { isUsername } from './username.ts'
import { picturePathProblem } from './values/address.ts'

// What is still known of files in which something is wrong.

type Said = Pick<Parsed, 'data' | 'whole'>

/** What can be read of a file's pictures: `''` but for those beside the file. */
export const salvagePictures = <K extends string>(
  { data = '' }: Said,
  keys: readonly K[],
): Readonly<Record<K, string>> => {
  const pathOf = (value: Data | undefined): string =>
    typeof value === 'string' && isPicturePath(value) && !picturePathProblem(value)
      ? value
      : ''
  return Object.fromEntries(keys.map((key) => [key, pathOf(mappingOf(data)[key])])) as never
}

/** The parts of a profile that are compared with other files; `undefined` is unknown. */
export type ProfileFacts = {
  readonly [K in 'id' | 'totalShots' | 'Projects' | 'aliases']?: Profile[K] | undefined
} & { readonly projects?: readonly Pick<Project, 'id'>[] | undefined }

/**
 * What is still known of a profile in which something is wrong, so that one run shows
 * everything, and nothing false.
 */
export const salvageProfile = ({ data, whole }: Said): ProfileFacts => {
  if (!isMapping(data)) return {}
  return {
    id: textIn(data.id, canonical),
    projects: whole || 'projects' in data ? projectsOf(data) : undefined,
    totalShots: textIn(data.totalShots, count),
    Projects: textIn(data.Projects, count),
    aliases: usernamesOf(data.aliases),
  }
}

/** One for each item of a list, in its order; an item that can't be a username is empty. */
const usernamesOf = (list: Data | undefined): readonly string[] =>
  Array.isArray(list)
    ? list.map((name: Data) => (typeof name === 'string' && isUsername(name) ? name : ''))
    : []

export type SiteFacts = Pick<Site, 'portsAllowed' | 'reserved'> & {
  /** `undefined` if nobody can tell. */
  readonly groups: Groups | undefined
}

/** What is still known of a site in which something is wrong. */
export const salvageSite = ({ data, whole }: Said): SiteFacts => {
  if (!isMapping(data)) return { portsAllowed: true, reserved: [], groups: undefined }
  const { groups: written = '' } = data
  const isKnown = written === '' ? whole : toGroups(written) > 0
  const groups = isKnown ? toGroups(written) : undefined
  const hasBases = Object.values(data).some((value) => isMapping(value) && 'https' in value)
  return { portsAllowed: !whole || hasBases, reserved: usernamesOf(data.reserved), groups }
}

/** The same of a shot. */
export const salvageShot = ({ data, whole }: Said) => {
  const {
    id,
    token_id,
    id_project,
    draft = whole ? '' : 'hidden by a syntax error',
  } = mappingOf(data)
  return {
    id: textIn(id, canonical),
    token_id: textIn(token_id, /^[0-9a-f]{40}$/),
    id_project: textIn(id_project, canonical),
    /** Whether it is a draft, or may be meant for one. */
    draft: !isMapping(data) || (draft !== '' && draft !== 'false'),
  }
}

/** Each once; `undefined` if the list or one of them is not as it should be. */
const projectsOf = (data: Mapping): ProfileFacts['projects'] => {
  const { projects = '', ...others } = data
  if (projects === '') return Object.entries(others).some(mayBeProjects) ? undefined : []
  if (!Array.isArray(projects)) return undefined
  const ids = projects.flatMap(
    (project: Data) => textIn(mappingOf(project).id, canonical) ?? [],
  )
  return ids.length < projects.length ? undefined : Array.from(new Set(ids), (id) => ({ id }))
}

/**
 * No other key of a profile begins with a space, or holds a list of mappings; and `profile:`
 * may hold all of them.
 */
const mayBeProjects = ([key, value]: readonly [string, Data]): boolean =>
  /^\s/.test(key) ||
  (Array.isArray(value) ? value.some(isMapping) : Object.hasOwn(mappingOf(value), 'projects'))

const canonical = /^[1-9][0-9]*$/
const count = /^(?:0|[1-9][0-9]*)$/

const textIn = (value: Data | undefined, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined
