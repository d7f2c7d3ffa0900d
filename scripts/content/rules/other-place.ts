import { fileStart, type Related } from '../../problems/diagnostic.ts'
import { amount } from '../../text/amounts.ts'
import { type Parsed, parse } from '../parse/parse.ts'
import type { Source } from '../source.ts'
import { foldUsername } from '../username.ts'
import { placeIn } from './locate.ts'

/** Finds where a site reserves a name. It parses site.yaml when it is asked first, and never again. */
export const createReservedAt = (
  source: Source,
  reserved: readonly string[],
): ((name: string) => Related) => {
  let known: { readonly parsed: Parsed; readonly positions: ReadonlyMap<string, number> } | undefined
  return (name) => {
    known ??= { parsed: parse(source), positions: firstPositions(reserved) }
    const position = known.positions.get(foldUsername(name))!
    const place = known.parsed.place(['reserved', position], 'value')
    return { ...place, message: 'it is reserved here' }
  }
}

/** Where a profile lists its projects; its start if it has no such key. */
export const projectsAt = (profile: Parsed): Related =>
  typeof profile.data === 'object' && Object.hasOwn(profile.data, 'projects')
    ? { ...placeIn(profile, ['projects'], 'key'), message: 'its projects are listed here' }
    : { ...placeIn(profile, [], 'mapping'), message: 'it lists no projects' }

/** The folder that holds a member's shots. */
export const shotsAt = (folder: string, published: number): Related => ({
  file: folder,
  ...fileStart,
  message: `it holds ${amount(published, 'published shot')}`,
})

/** By name, in lower case. */
const firstPositions = (names: readonly string[]): ReadonlyMap<string, number> => {
  const positions = new Map<string, number>()
  names.forEach((name, position) => {
    const folded = foldUsername(name)
    if (!positions.has(folded)) positions.set(folded, position)
  })
  return positions
}
