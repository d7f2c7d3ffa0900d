import { usernameHash } from '../../content/username.ts'
import { code, object, sitePath, strings, text } from '../document/operation.ts'
import type { File, Given, Output, Published } from '../output.ts'
import { fileOf, filePath, jsonHeaders, pathRoute, type Variant } from '../route.ts'
import { routes } from './profiles.ts'

const names = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'))

const index = pathRoute('all', '/api/all', { variants: true, index: true, rank: 4 })
/** Every published body of the members whose names hash to the same two digits, a member a line. */
const bins = pathRoute('bins', '/api/all/<xx>.ndjson', {
  variants: true,
  paths: names.map((name) => `/api/all/${name}.ndjson`),
  headers: { ...jsonHeaders, 'Content-Type': 'application/x-ndjson' },
  rank: 3,
})

const binPath = (name: string, variant: Variant) =>
  fileOf(bins, { variant, request: bins.path.replace('<xx>', name) })

/** The list of the https variant. */
export const allFile = fileOf(index)

/** All published bodies once more, in 256 files for each scheme, and the list of these. */
export const everything: Output = {
  name: 'all',
  isOn: ({ all }) => all,
  routes: [index, bins],
  *ofSite(given) {
    const groups = new Map(names.map((name): [string, Published[]] => [name, []]))
    for (const one of given.members())
      groups.get(usernameHash(one.username).slice(0, 2))?.push(one)
    for (const variant of given.site.schemes)
      for (const [name, members] of groups) yield binOf(name, members, { variant, given })
    for (const variant of given.site.schemes) yield listOf(groups, { variant, given })
  },
  describe: () => [
    {
      ...sitePath(
        index,
        object({
          members: text,
          bins: { type: 'array', items: strings('name', 'members', 'bytes', 'sha256') },
        }),
      ),
      id: 'Everything',
      summary: 'The files that hold every body, with their checksums.',
      differs: `the sizes and checksums that ${code(index.path)} lists`,
    },
    {
      ...sitePath(bins, {
        type: 'string',
        description: 'NDJSON: username, profile and shots.',
      }),
      id: 'Bin',
      summary: 'The bodies of some members, a member a line.',
      parameters: [
        {
          name: 'bin',
          in: 'path',
          required: true,
          schema: { type: 'string', pattern: '^[0-9a-f]{2}$' },
        },
      ],
    },
  ],
}

type About = { readonly variant: Variant; readonly given: Given }

const binOf = (
  name: string,
  members: readonly Published[],
  { variant, given }: About,
): File => {
  const pathsOf = ({ username }: Published) =>
    routes.map((route) => filePath(route, variant, username))
  const lineOf = (member: Published) => {
    const [profile, shots] = pathsOf(member).map((path) =>
      new TextDecoder().decode(given.read(path, member)).trimEnd(),
    )
    return `{"username":"${member.username}","profile":${profile},"shots":${shots}}\n`
  }
  return {
    paths: [binPath(name, variant)],
    bytes: () => members.map(lineOf).join(''),
    from: members.map(({ files }) => files).join(),
    copies: true,
  }
}

const listOf = (
  groups: ReadonlyMap<string, readonly Published[]>,
  { variant, given }: About,
): File => {
  const bins = [...groups].map(([name, members]) => {
    const { size, digest } = given.find(binPath(name, variant))
    return { name, members: String(members.length), bytes: String(size), sha256: digest }
  })
  return {
    paths: [fileOf(index, { variant })],
    bytes: () => `${JSON.stringify({ members: String(given.members().length), bins })}\n`,
    copies: true,
  }
}
