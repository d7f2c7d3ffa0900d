import type { Project } from './member.ts'
import { type Data, parse } from './parse/parse.ts'
import type { Source } from './source.ts'

/**
 * What can still be told of a profile in which something is wrong, for the rules that compare it with other files:
 * one run then shows everything, and an error in one place doesn't make up others elsewhere.
 */
export const salvageProfile = (source: Source): { id?: string; projects?: readonly Project[] } => {
  const data = parse(source).data
  const projects = get(data, 'projects') ?? []
  if (data === undefined || !Array.isArray(projects)) return {}
  return {
    ...idOf(data),
    projects: projects.flatMap((project: Data) => {
      const id = get(project, 'id')
      return typeof id === 'string' ? [{ id, created: '' }] : []
    }),
  }
}

/** The same of a shot. */
export const salvageShot = (
  source: Source,
): { id?: string; token_id?: string; id_project?: string; draft: boolean } => {
  const data = parse(source).data
  const token = get(data, 'token_id')
  const project = get(data, 'id_project')
  return {
    ...idOf(data),
    ...(typeof token === 'string' && /^[0-9a-f]{40}$/.test(token) && { token_id: token }),
    ...(typeof project === 'string' && canonical.test(project) && { id_project: project }),
    draft: get(data, 'draft') === 'true',
  }
}

const idOf = (data: Data | undefined): { id?: string } => {
  const id = get(data, 'id')
  return typeof id === 'string' && canonical.test(id) ? { id } : {}
}

const canonical = /^[1-9][0-9]*$/

const get = (data: Data | undefined, key: string): Data | undefined =>
  typeof data === 'object' && !Array.isArray(data) ? (data as Readonly<Record<string, Data>>)[key] : undefined
