import { shotFields, userFields } from '../../api/fields.ts'
import type { ShotsRecord, UserRecord } from '../../api/records.ts'
import { filePath, type Route, routes } from '../../api/routes.ts'
import type { MemberData, Served } from '../../explorer/data/data.ts'
import { readFile } from '../../files/open.ts'
import { mayPass } from '../../problems/user-error.ts'

/** What the snapshot has of a member. What no build can have written counts as nothing. */
export const readServed = (out: string, username: string): MemberData['served'] => ({
  user: readRoute(out, username, { name: 'user' }),
  shots: readRoute(out, username, { name: 'shots' }),
})

/** The same for one route. */
export const readRoute = (
  out: string,
  username: string,
  { name }: Pick<Route, 'name'>,
): Served | undefined => {
  const route = routes.find((one) => one.name === name)!
  const [https, http] = (['https', 'http'] as const).map((variant) => {
    const file = filePath(route, variant, username)
    const text = unlessGone(() => readFile(out, file, { limit }))?.toString('utf8')
    return text !== undefined && isRight[name](parse(text)) ? text : undefined
  })
  return https === undefined || http === undefined ? undefined : { https, http }
}

/** The records of the https variant. */
export const recordsOf = ({
  user,
  shots,
}: MemberData['served']): { readonly user?: UserRecord; readonly shots: ShotsRecord['Shots'] } => ({
  ...(user && { user: JSON.parse(user.https) }),
  shots: shots === undefined ? [] : JSON.parse(shots.https).Shots,
})

/** Bytes: 15 shots of 1 MiB each, and a few. */
const limit = 1 << 26

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const hasTexts = (value: unknown, fields: object): boolean =>
  Object.keys(fields).every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'string')

/** Whether a value is what a route answers. */
const isRight: Readonly<Record<Route['name'], (value: unknown) => boolean>> = {
  user: (value) => hasTexts(value, userFields),
  shots: (value) => {
    const shots = (value as Partial<ShotsRecord> | null | undefined)?.Shots
    return Array.isArray(shots) && shots.every((shot) => hasTexts(shot, shotFields))
  },
}

/** What was read; `undefined` if it can't be just now: files come and go while they are read. */
export const unlessGone = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (mayPass(error)) return undefined
    throw error
  }
}
