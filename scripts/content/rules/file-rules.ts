import type { Data } from '../parse/data.ts'
import { isUntidy, isUsername } from '../username.ts'
import { parseAddress } from '../values/address.ts'
import type { Violation } from './violation.ts'

/** A rule for one file that its schema can't express. It must cope with data that breaks the schema. */
export type FileRule = {
  readonly name: string
  readonly check: (data: Data) => readonly Violation[]
}

const projectIdsAreUnique = (data: Data): readonly Violation[] => {
  const projects = get(data, 'projects')
  if (!Array.isArray(projects)) return []
  const first = new Map<string, number>()
  return projects.flatMap((project: Data, index): readonly Violation[] => {
    const id = get(project, 'id')
    if (typeof id !== 'string' || id === '') return []
    const earlier = first.get(id)
    if (earlier === undefined) {
      first.set(id, index)
      return []
    }
    const related = { path: ['projects', earlier, 'id'], message: 'listed here first' }
    return [
      { code: 'duplicate-project', args: { id }, path: ['projects', index, 'id'], of: 'value', related },
    ]
  })
}

const portInBaseUrlNeedsAssets = (data: Data): readonly Violation[] => {
  const value = get(data, 'base_url')
  if (typeof value !== 'string' || (get(data, 'assets') ?? '') !== '') return []
  if ((parseAddress(value)?.port ?? '') === '') return []
  return [{ code: 'port-in-base-url', args: { value }, path: ['base_url'], of: 'value' }]
}

const aliasesAreTidy = (data: Data): readonly Violation[] => {
  const aliases = get(data, 'aliases')
  if (!Array.isArray(aliases)) return []
  return aliases.flatMap((alias: Data, index): readonly Violation[] =>
    typeof alias === 'string' && isUsername(alias) && isUntidy(alias)
      ? [{ code: 'untidy-username', args: { username: alias }, path: ['aliases', index], of: 'value' }]
      : [],
  )
}

export const profileRules: readonly FileRule[] = [
  { name: 'an alias does not end with a dash', check: aliasesAreTidy },
  { name: 'project ids are unique within the member', check: projectIdsAreUnique },
]

export const siteRules: readonly FileRule[] = [
  { name: 'a port in base_url needs assets for each scheme', check: portInBaseUrlNeedsAssets },
]

const get = (data: Data, key: string): Data | undefined =>
  typeof data === 'object' && !Array.isArray(data) ? (data as Readonly<Record<string, Data>>)[key] : undefined
