import { isUsername } from '../content/username.ts'
import { type FetchOptions, fetchAll } from './fetch/fetch-all.ts'
import { isAbsent } from './fetch/read-answer.ts'
import type { AskedName } from './import-names.ts'
import { readUser } from './read/read-body.ts'
import { textOf } from './read/said.ts'
import { readBase } from './write/base-file.ts'

export type AskOptions = Omit<FetchOptions, 'names'> & {
  readonly offline: boolean
  /** The content folder. */
  readonly content: string
}

/**
 * Asks for all members, and says by which name the API has each. A member that was renamed here is asked for by its old
 * name first, and by that of today if the API knows the old one no longer.
 */
export const askNames = async (
  given: readonly AskedName[],
  options: AskOptions,
): Promise<readonly string[]> => {
  const { store, offline } = options
  const ask = async (names: readonly string[]): Promise<void> => {
    if (!offline && names.length > 0) await fetchAll({ ...options, names: names.filter(isUsername) })
  }
  const isGone = (name: string): boolean => isAbsent(store.answers(name).https.user)
  await ask(given.map(({ name }) => name))
  const gone = new Set(given.filter(({ name, here }) => here !== name && isGone(name)))
  await ask([...gone].map(({ here }) => here))
  return given.map((one) =>
    gone.has(one) && !isGone(one.here) && isSameMember(one, options) ? one.here : one.name,
  )
}

/** Whether the API has the imported member under today's name: the name may have been given to somebody else. */
const isSameMember = ({ here }: AskedName, { store, content }: AskOptions): boolean => {
  const name = store.answers(here).https.user?.body
  const bytes = name === undefined ? undefined : store.body(name)
  const user = bytes && readUser(bytes).value
  return user !== undefined && textOf(user, 'id') === readBase(content, here).base?.profile.id
}
