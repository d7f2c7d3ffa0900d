import type { Data } from '../../content/parse/data.ts'
import type { Field } from './fields.ts'
import { defaultOf, type SiteValues, type Values } from './site-values.ts'

/** Values as content writes them: what equals the default is `undefined`, which leaves the key out. */
export const toData = (
  fields: readonly Field[],
  changed: Values,
  all: Values,
  site: SiteValues,
): Readonly<Record<string, Data | undefined>> =>
  Object.fromEntries(
    fields.flatMap(({ key, kind, required }): (readonly [string, Data | undefined])[] => {
      const value = changed[key]
      if (value === undefined) return []
      if (!required && value === defaultOf(key, kind, all, site)) return [[key, undefined]]
      return [[key, kind === 'words' ? value.split(',') : value]]
    }),
  )
