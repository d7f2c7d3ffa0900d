import type { Profile } from './member.ts'
import type { Data, Mapping } from './parse/data.ts'
import type { Parsed } from './parse/parse.ts'
import { isUsername } from './username.ts'

/** What was read of a file. */
export type Salvageable = Pick<Parsed, 'data' | 'whole'>

/** The parts of a profile that are compared with other files; `undefined` is unknown. */
export type ProfileFacts = {
  readonly [K in 'id' | 'projects' | 'totalShots' | 'Projects' | 'aliases']?: Profile[K] | undefined
}

/**
 * What is still known of a profile in which something is wrong, for the rules that compare it with other files:
 * so one run shows everything, and an error in one place causes no false ones elsewhere.
 */
export const salvageProfile = ({ data, whole }: Salvageable): ProfileFacts => {
  if (!isMapping(data)) return {}
  return {
    id: textOf(data, 'id', canonical),
    projects: whole || 'projects' in data ? projectsOf(data) : undefined,
    totalShots: textOf(data, 'totalShots', count),
    Projects: textOf(data, 'Projects', count),
    aliases: aliasesOf(data),
  }
}

/** One for each item of the list, in its order; an item that can't be a username is empty. */
const aliasesOf = ({ aliases }: Mapping): readonly string[] =>
  Array.isArray(aliases)
    ? aliases.map((alias: Data) => (typeof alias === 'string' && isUsername(alias) ? alias : ''))
    : []

/** The same of a shot. */
export const salvageShot = ({ data = '', whole }: Salvageable) => {
  const absent = whole ? '' : 'hidden by a syntax error'
  return {
    id: textOf(data, 'id', canonical),
    token_id: textOf(data, 'token_id', /^[0-9a-f]{40}$/),
    id_project: textOf(data, 'id_project', canonical),
    /** Whether it is a draft, or may be meant for one. */
    draft: !isMapping(data) || !['', 'false'].includes((data.draft ?? absent) as string),
  }
}

/** Each once, without the date; `undefined` if the list or one of them is not as it should be. */
const projectsOf = (data: Mapping): Profile['projects'] | undefined => {
  const { projects = '', ...others } = data
  if (projects === '') return Object.values(others).some(looksLikeProjects) ? undefined : []
  if (!Array.isArray(projects)) return undefined
  const ids = projects.map((project: Data) => textOf(project, 'id', canonical))
  return ids.includes(undefined) ? undefined : [...new Set(ids)].map((id) => ({ id: id!, created: '' }))
}

/** Nothing else in a profile is a list of mappings, so the key of this one is misspelt. */
const looksLikeProjects = (value: Data): boolean => Array.isArray(value) && value.some(isMapping)

const canonical = /^[1-9][0-9]*$/
const count = /^(?:0|[1-9][0-9]*)$/

const textOf = (data: Data, key: string, form: RegExp): string | undefined => {
  const text = isMapping(data) ? data[key] : undefined
  return typeof text === 'string' && form.test(text) ? text : undefined
}

const isMapping = (data: Data | undefined): data is Mapping =>
  typeof data === 'object' && !Array.isArray(data)
