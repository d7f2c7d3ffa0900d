import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { report } from '../../scripts/report/report.ts'
import { readTree, sandbox, type Tree, writeTree } from '../sandbox.ts'
import { buildIn } from '../snapshot/building.ts'
import { createRandom, type Random } from '../snapshot/random.ts'

/** Pairs of sites; REPORT_PAIRS=1000 for the full measure, REPORT_SEED for others. */
const pairs = Number(process.env.REPORT_PAIRS ?? 20)
const seed = Number(process.env.REPORT_SEED ?? 1)

/** A small site: few names, ids and values, so that two of them have much in common. */
const randomSite = (random: Random): Tree => {
  const tree: Record<string, string> = {
    'content/site.yaml': `base_url: https://api.example.com\nassets: https://cdn${random.below(8) === 0 ? 2 : 1}.example.com\n`,
  }
  const names = ['ana', 'bo', 'cy', 'di', 'ed', 'flo'].filter(() => random.below(3) > 0)
  const ids = [1, 2, 3, 4, 5, 6, 7, 8].sort(() => random.below(3) - 1)
  for (const [at, name] of (names.length === 0 ? ['ana'] : names).entries()) {
    const id = random.below(3) > 0 ? at + 1 : ids[at]!
    const alias = random.below(4) === 0 ? `aliases: [old-${name}]\n` : ''
    tree[`content/members/${name}/profile.yaml`] =
      `id: ${id + (random.below(3) === 0 ? 100 * (at + 1) : 0)}\nname: ${random.pick(['One', 'Two'])}\n${alias}`
    for (let shot = 0; shot < random.pick([0, 1, 3, 17]); shot++) {
      const draft = random.below(8) === 0 ? 'draft: true\n' : ''
      tree[`content/members/${name}/shots/${shot}.yaml`] =
        `id: ${(at + 1) * 1000 + shot}\ntitle: ${random.pick(['A', 'B'])}\ndate: 2014-03-${10 + random.below(9)}\nimage: ${random.pick(['x', 'y'])}.png\n${draft}`
    }
  }
  return tree
}

type Body = Record<string, string>
type Served = { readonly user: Body; readonly shots: readonly Body[] }

/** What the files of a snapshot say, over https: members by name, and every name that answers. */
const readServed = (dist: string) => {
  const files = readTree(dist)
  const names = [
    ...new Set(
      Object.keys(files).flatMap((file) => /^api\/username\/([^/]+)\//.exec(file)?.[1] ?? []),
    ),
  ]
  const read = (name: string): Served => ({
    user: JSON.parse(files[`api/username/${name}/index.json`]!),
    shots: JSON.parse(files[`api/username/${name}/shots/index.json`]!).Shots,
  })
  const members = new Map(
    names
      .map((name) => [name, read(name)] as const)
      .filter(([name, { user }]) => user.username === name),
  )
  return { names, members }
}

const differing = (before: Body, after: Body) =>
  Object.fromEntries(
    Object.keys(after).flatMap((field) =>
      before[field] === after[field]
        ? []
        : [[field, { before: before[field], after: after[field] }]],
    ),
  )

const byNumber = (a: string, b: string) => Number(BigInt(a) - BigInt(b))
const without = (list: readonly string[], other: readonly string[]) =>
  list.filter((one) => !other.includes(one))

const compareShots = (then: Served['shots'], now: Served['shots']) => {
  const [old, ids] = [then, now].map((shots) => shots.map(({ id }) => id!)) as [string[], string[]]
  const shot = (shots: Served['shots'], id: string) => shots.find((one) => one.id === id)!
  const shared = without(ids, without(ids, old))
  const changed = shared
    .toSorted(byNumber)
    .map((id) => ({ id, fields: differing(shot(then, id), shot(now, id)) }))
    .filter(({ fields }) => Object.keys(fields).length > 0)
  const told = {
    entered: without(ids, old).sort(byNumber),
    left: without(old, ids).sort(byNumber),
    changed,
  }
  return { told, isReordered: shared.join() !== without(old, without(old, ids)).join() }
}

/** The plain comparison, without `moved`, whose choice is not unique. */
const compareServed = (
  before: ReturnType<typeof readServed>,
  after: ReturnType<typeof readServed>,
) => {
  const byId = ({ members }: typeof before) =>
    new Map([...members].map(([name, { user }]) => [user.id, name]))
  const oldNames = byId(before)
  const newNames = byId(after)
  const oldOf = (name: string) => {
    const same = before.members.get(name)
    const stays = same !== undefined && !newNames.has(same.user.id)
    return oldNames.get(after.members.get(name)!.user.id) ?? (stays ? name : undefined)
  }
  const names = [...after.members.keys()].sort()
  const address = (name: string) => `/api/username/${name}`
  return {
    members: {
      added: names.filter((name) => oldOf(name) === undefined),
      removed: without([...before.members.keys()].sort(), [
        ...names,
        ...names.map((name) => `${oldOf(name)}`),
      ]),
      renamed: names
        .flatMap((to) => ({ from: oldOf(to) ?? to, to }))
        .filter(({ from, to }) => from !== to)
        .sort((a, b) => (a.from < b.from ? -1 : 1)),
      changed: names.flatMap((username) => {
        const then = before.members.get(oldOf(username) ?? '')
        if (then === undefined) return []
        const now = after.members.get(username)!
        const profile = differing(then.user, now.user)
        const { told: shots, isReordered } = compareShots(then.shots, now.shots)
        const parts = [profile, ...Object.values(shots)]
        const isSame = !isReordered && parts.every((part) => Object.keys(part).length === 0)
        return isSame ? [] : [{ username, profile, shots }]
      }),
    },
    addresses: {
      added: without(after.names, before.names).map(address).sort(),
      removed: without(before.names, after.names).map(address).sort(),
    },
  }
}

test.each(Array.from({ length: pairs }, (_, at) => at))(
  'a report equals a plain comparison of the two snapshots, pair %i',
  async (at) => {
    const random = createRandom(seed * 100_000 + at)
    const folders = [sandbox(), sandbox()] as const
    for (const folder of folders) {
      writeTree(folder, randomSite(random))
      const { diagnostics } = await buildIn(folder)
      // ids may collide: such a site has no snapshot to compare
      if (diagnostics.some(({ severity }) => severity === 'error'))
        return expect(fs.existsSync(path.join(folder, 'dist'))).toBe(false)
    }
    const [base, head] = folders
    const { members, addresses } = await report({
      base: path.join(base, 'content'),
      content: path.join(head, 'content'),
      out: path.join(head, 'dist'),
      now: '2020-01-01 00:00:00',
      onProgress: () => {},
    })
    const changed = members.changed.map(({ shots: { moved: _, ...shots }, ...change }) => ({
      ...change,
      shots,
    }))
    expect({ members: { ...members, changed }, addresses }).toEqual(
      compareServed(readServed(path.join(base, 'dist')), readServed(path.join(head, 'dist'))),
    )
  },
)
