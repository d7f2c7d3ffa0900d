import { requestPath, routes, type Variant } from '../api/routes.ts'
import { isAbsent } from './fetch/read-answer.ts'
import type { Answers } from './keep/answers.ts'
import type { Theirs } from './merge/plan.ts'
import { type ReadBody, readShots, readUser } from './read/read-body.ts'
import type { Fields } from './read/said.ts'
import type { Tolerance } from './read/tolerance.ts'
import { neverAsked } from './tell/messages.ts'

/** What the API says of a member over one scheme. */
export type Said = Partial<Theirs>

/** What is wrong with the body at an address, or what of it was tolerated. */
export type AddressNote = {
  readonly variant: Variant
  /** Path below the base of the API. */
  readonly path: string
} & (
  | { readonly problem: string; readonly code: 'no-answer' | 'bad-body'; readonly tolerated?: never }
  | { readonly tolerated: readonly Tolerance[]; readonly problem?: never }
)

export type ReadLegacy = { readonly said: Said; readonly notes: readonly AddressNote[] }

export type ReadLegacyOptions = {
  readonly answers: Answers
  readonly body: (name: string) => Uint8Array | undefined
  /** What https says: bodies that are the same but for the scheme are left out. */
  readonly https?: ReadLegacy | undefined
}

/** Reads the bodies that are kept of a member for one scheme. */
export const readLegacy = (
  name: string,
  variant: Variant,
  { answers, body, https }: ReadLegacyOptions,
): ReadLegacy => {
  const said: { -readonly [K in keyof Said]: Said[K] } = {}
  const notes: AddressNote[] = []
  const { user } = answers[variant]
  const isThere = user !== undefined && user.problem === undefined
  for (const route of routes) {
    const kept = answers[variant][route.name]
    const address = { variant, path: requestPath(route, name) }
    const fail = (code: 'no-answer' | 'bad-body', problem: string) =>
      notes.push({ ...address, code, problem })
    if (kept === undefined) fail('no-answer', neverAsked)
    else if (route.name === 'shots' && isAbsent(kept) && isThere) {
      said.shots = []
      notes.push({ ...address, tolerated: ['no-shots-404'] })
    } else if (kept.problem !== undefined) fail('no-answer', kept.problem)
    else if (
      https !== undefined &&
      kept.like !== undefined &&
      kept.like === answers.https[route.name]?.body
    ) {
      for (const note of https.notes) if (note.path === address.path) notes.push({ ...note, variant })
    } else {
      const bytes = body(kept.body ?? '')
      if (bytes === undefined) {
        fail('no-answer', 'its kept body is gone or damaged')
        continue
      }
      const read: ReadBody<Fields | readonly Fields[]> =
        route.name === 'user' ? readUser(bytes) : readShots(bytes)
      if (read.problem !== undefined) fail('bad-body', read.problem)
      else {
        if (route.name === 'user') said.user = read.value as Fields
        else {
          said.shots = read.value as readonly Fields[]
          if (read.others !== undefined) said.others = read.others
          if (read.strays !== undefined) said.strays = read.strays
        }
        if (read.tolerated.length > 0) notes.push({ ...address, tolerated: read.tolerated })
      }
    }
  }
  return { said, notes }
}
