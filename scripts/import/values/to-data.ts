import type { Data } from '../../content/parse/data.ts'
import type { Field } from './fields.ts'
import { defaultOf, type SiteValues, type Values } from './site-values.ts'

/** Values as content writes them: what equals the default is `undefined`, which leaves the key out. */
export const toData = (
  fields: readonly Field[],
  changed: Values,
  all: Values,
  site: SiteValues,
): Readonly<Record<string, Data | undefined>> => {
  const data: Record<string, Data | undefined> = {}
  for (const { key, kind, required } of fields) {
    const value = changed[key]
    if (value === undefined) continue
    const isDefault = !required && value === defaultOf(key, kind, all, site)
    data[key] = isDefault ? undefined : kind === 'words' ? value.split(',') : value
  }
  return data
}
