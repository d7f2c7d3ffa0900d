import { type Fields, textOf } from '../read/said.ts'
import { type Field, profileFields, shotFields } from '../values/fields.ts'
import type { About, Finding } from './finding.ts'

type Both = { readonly user?: Fields; readonly shots?: readonly Fields[] }

/** Assets that one value can't say for both schemes: https and http differ by more than the scheme. */
export const compareSchemes = (https: Both, http: Both): readonly Finding[] => {
  const others = new Map(http.shots?.map((fields) => [textOf(fields, 'id'), fields]))
  return [
    ...differences(profileFields, [https.user, http.user], { of: '', about: { part: 'profile' } }),
    ...(https.shots ?? []).flatMap((fields) => {
      const id = textOf(fields, 'id') ?? ''
      const about: About = { part: 'shot', id }
      return differences(shotFields, [fields, others.get(id)], { of: ` of shot ${id}`, about })
    }),
  ]
}

const differences = (
  fields: readonly Field[],
  [a, b]: readonly (Fields | undefined)[],
  { of, about }: { readonly of: string; readonly about: About },
): readonly Finding[] => {
  if (a === undefined || b === undefined) return []
  return fields.flatMap(({ key, kind }): readonly Finding[] => {
    if (kind !== 'asset') return []
    const [https, http] = [textOf(a, key), textOf(b, key)]
    if (https === null || http === null || withoutScheme(https) === withoutScheme(http)) return []
    return [
      { code: 'scheme-differs', about: { ...about, key } as About, args: { what: key + of, https, http } },
    ]
  })
}

/** An address as both schemes share it. */
export const withoutScheme = (address: string): string => address.replace(/^https?:(?=\/\/)/i, '')
