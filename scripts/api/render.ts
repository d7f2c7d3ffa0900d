import type { Site } from '../content/site.ts'
import { deriveShots, deriveUser, type Member } from './derive.ts'
import type { ShotsRecord, UserRecord } from './records.ts'
import type { Route, Variant } from './routes.ts'

/** The text of a record's file: JSON without spaces and one newline. */
export const render = (record: UserRecord | ShotsRecord): string => `${JSON.stringify(record)}\n`

/** The text of the file of a member without shots. No other one is as short. */
export const noShots = render({ Shots: [] })

/** The text of the file that answers a route for a member. */
export const renderRoute = (route: Route, variant: Variant, member: Member, site: Site): string => {
  switch (route.name) {
    case 'user':
      return render(deriveUser(member, variant, site))
    case 'shots':
      return render(deriveShots(member, variant, site))
    default:
      return route.name satisfies never
  }
}
