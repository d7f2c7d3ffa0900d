import { expect, it } from 'vitest'
import { sandbox, type Tree } from '../sandbox.ts'
import { anaAlone, profileYaml, shotYaml, siteYaml } from '../site.ts'
import { below, buildIn, placeOf } from './building.ts'

const ana = 'content/members/ana'
const profile = `${ana}/profile.yaml`

/**
 * The related places of each error, `file:line:column-endLine:endColumn message`, by code and
 * place.
 */
const related = async (tree: Tree) => {
  const folder = sandbox({ ...anaAlone, ...tree })
  const { diagnostics } = await buildIn(folder)
  return diagnostics.map(({ code, file, line, related = [] }) => [
    `${code} ${below(folder, file)}:${line}`,
    ...related.map(
      (other) => `${below(folder, other.file)}:${placeOf(other)} ${other.message}`,
    ),
  ])
}

it('a reserved name names its entry in site.yaml, for a member and for an alias', async () =>
  expect(
    await related({
      'content/site.yaml': `# names\n${siteYaml}reserved:\n  - www\n  - "Admin" # ours\n`,
      [profile]: `${profileYaml(1)}aliases: [WWW]\n`,
      'content/members/admin/profile.yaml': profileYaml(2),
    }),
  ).toEqual([
    [
      'reserved-name content/members/admin:1',
      'content/site.yaml:5:5-5:12 it is reserved here',
    ],
    [`reserved-name ${profile}:3`, 'content/site.yaml:4:5-4:8 it is reserved here'],
  ]))

const shot = `${ana}/shots/one.yaml`
const withProject = { [shot]: `${shotYaml(11)}id_project: 7\n` }

it.each([
  [
    'the key of the projects',
    `${profileYaml(1)}projects:\n  - { id: 8, created: 2014-03-02 }\n`,
    '3:1-3:9',
  ],
  [
    'the key where something else is wrong',
    `${profileYaml(1)}nmae: x\nprojects: []\n`,
    '4:1-4:9',
  ],
])('an unknown project names %s', async (_, text, place) => {
  const told = await related({ ...withProject, [profile]: text })
  expect(told.at(-1)).toEqual([
    `unknown-project ${shot}:5`,
    `${profile}:${place} its projects are listed here`,
  ])
})

it.each([
  `${profileYaml(1)}projects:\n\u00a0\u00a0- id: 7\n\u00a0\u00a0\u00a0\u00a0created: 2014-03-02\n`,
  `profile:\n  id: 1\n  name: Ana\n  projects: [{ id: 7, created: 2014-03-02 }]\n`,
])('no project is unknown while the list of them may be out of place: %j', async (text) => {
  const told = await related({ ...withProject, [profile]: text })
  expect(told.map(([place = '']) => place.split(' ')[1])).not.toContain(`${shot}:5`)
})

it.each(['id_project', 'project'])(
  'a project that %s names by its title has an id',
  async (key) => {
    const projects = 'projects: [{ id: 7, created: 2014-03-02, title: Tea }]\n'
    const tree = {
      [profile]: profileYaml(1) + projects,
      [shot]: `${shotYaml(11)}${key}: Tea\n`,
    }
    const { diagnostics } = await buildIn(sandbox({ ...anaAlone, ...tree }))
    expect(diagnostics).toMatchObject([{ line: 5, hint: 'write id_project: 7' }])
  },
)

it('an unknown project names the start of a profile without projects', async () =>
  expect(await related({ ...withProject, [profile]: `# Ana\n\n${profileYaml(1)}` })).toEqual([
    [`unknown-project ${shot}:5`, `${profile}:3:1-3:3 it lists no projects`],
  ]))

it.each([
  [
    'the folder of the shots',
    'totalShots: 1\n',
    [`${ana}/shots:1:1-1:1 it holds 2 published shots`],
  ],
  [
    'no other file for projects',
    'Projects: 0\nprojects: [{ id: 7, created: 2014-03-02 }]\n',
    [],
  ],
])('a count that is too low names %s', async (_, more, others) => {
  const told = await related({
    [profile]: profileYaml(1) + more,
    [`${ana}/shots/one.yaml`]: shotYaml(11),
    [`${ana}/shots/two.yaml`]: shotYaml(12),
    [`${ana}/shots/draft.yaml`]: `${shotYaml(13)}draft: true\n`,
  })
  expect(told).toEqual([[`count-too-low ${profile}:3`, ...others]])
})
