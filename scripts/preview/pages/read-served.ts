import type { ShotsRecord, UserRecord } from '../../api/records.ts'
import { filePath, routes } from '../../api/routes.ts'
import type { MemberData, Served } from '../../explorer/data/data.ts'
import { readFile } from '../../files/open.ts'

/** What the snapshot has of a member. */
export const readServed = (out: string, username: string): MemberData['served'] => {
  const [user, shots] = routes.map((route): Served | undefined => {
    const [https, http] = (['https', 'http'] as const).map((variant) =>
      readFile(out, filePath(route, variant, username), { limit })?.toString('utf8'),
    )
    return https === undefined || http === undefined ? undefined : { https, http }
  })
  return { user, shots }
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
