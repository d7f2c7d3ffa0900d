import { exampleMember } from '../document/example.ts'
import { bodyOf, memberPath } from '../document/operation.ts'
import type { File, Output } from '../output.ts'
import { deriveShots, deriveUser, namesOf, renderRoute, shotsLimit } from '../records.ts'
import { filePath, pathRoute, prefix, type Route, type Variant } from '../route.ts'

const memberRoute = (name: Route['name'], suffix: Route['suffix'], rank: number): Route => ({
  ...pathRoute(name, `${prefix}<username>${suffix}`, { variants: true, index: true, rank }),
  suffix,
})

export const userRoute = memberRoute('user', '', 1)
export const shotsRoute = memberRoute('shots', '/shots', 2)
export const routes: readonly Route[] = [userRoute, shotsRoute]

/** The profile and the newest shots of each member. */
export const profiles: Output = {
  name: 'profiles',
  routes,
  ofMember: (member, site) =>
    site.schemes.flatMap((variant) =>
      routes.map(
        (route): File => ({
          paths: namesOf(member).map((name) => filePath(route, variant, name)),
          bytes: () => renderRoute(route, variant, member, site),
          copies: true,
        }),
      ),
    ),
  describe: (site) => {
    const examples = (derive: (variant: Variant) => unknown) =>
      Object.fromEntries(
        site.schemes.map((variant) => [
          variant,
          { summary: `Over ${variant}`, value: derive(variant) },
        ]),
      )
    const users = examples((variant) => deriveUser(exampleMember, variant, site))
    const shots = examples((variant) => deriveShots(exampleMember, variant, site))
    const none = deriveShots({ ...exampleMember, latest: [] }, 'https', site)
    return [
      {
        ...memberPath(userRoute),
        id: 'Profile',
        summary: 'The profile of a member.',
        content: bodyOf('User', users),
      },
      {
        ...memberPath(shotsRoute),
        id: 'Shots',
        summary: `The newest ${shotsLimit} shots of a member.`,
        content: bodyOf('Shots', {
          ...shots,
          none: { summary: 'A member without published shots', value: none },
        }),
      },
    ]
  },
}
