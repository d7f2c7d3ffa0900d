import { expect, test } from 'vitest'
import { nameForId, proposeId } from '../scripts/content/ids.ts'
import { commitAll, git } from './git.ts'
import { sandbox, type Tree, writeTree } from './sandbox.ts'
import { site } from './site.ts'
import { checkIn } from './snapshot/building.ts'
import { times } from './times.ts'

const count = Number(process.env.CROWD ?? 30)
const works = ['tea', 'ink', 'paper']

/** What somebody commits who knows of nobody else: a member and three works. */
const joining = (username: string): Tree => {
  const below = `content/members/${username}`
  const idOf = (file: string) => proposeId(nameForId(file))
  const profile = `${below}/profile.yaml`
  const shots = works.map((work) => {
    const file = `${below}/shots/${work}.yaml`
    return [file, `id: ${idOf(file)}\ntitle: Tea\ndate: 2014-03-02\nimage: tea.png\n`]
  })
  return { [profile]: `id: ${idOf(profile)}\nname: Somebody\n`, ...Object.fromEntries(shots) }
}

test('members who join at the same time, each on a branch of one base, merge in any order', async () => {
  const folder = sandbox(site)
  commitAll(folder)
  const names = times(count, (at) => `member-${(at * 7919) % 104_729}`)
  for (const name of names) {
    git(folder, `switch -qc ${name} main`)
    writeTree(folder, joining(name))
    commitAll(folder)
  }
  git(folder, 'switch -q main')
  for (const name of names.toSorted()) git(folder, `merge -q --no-ff -m ${name} ${name}`)
  const { diagnostics, members } = await checkIn(folder)
  expect(diagnostics).toEqual([])
  expect(members).toBe(count + 2)
})
