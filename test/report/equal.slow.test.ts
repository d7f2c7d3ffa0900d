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
    ...new Set(Object.keys(files).flatMap((file) => /^api\/username\/([^/]+)\//.exec(file)?.[1] ?? [])),
  ]
  const read = (name: string): Served => ({
    user: JSON.parse(files[`api/username/${name}/index.json`]!),
    shots: JSON.parse(files[`api/username/${name}/shots/index.json`]!).Shots,
  })
  const members = new Map(
    names.map((name) => [name, read(name)] as const).filter(([name, { user }]) => user.username === name),
  )
  return { names, members }
}

const differing = (before: Body, after: Body) =>
  Object.fromEntries(
    Object.keys(after).flatMap((field) =>
      before[field] === after[field] ? [] : [[field, { before: before[field], after: after[field] }]],
    ),
  )

const byNumber = (a: string, b: string) => Number(BigInt(a) - BigInt(b))

/** The plain comparison, without `moved`, whose choice is not unique. */
const compareServed = (before: ReturnType<typeof readServed>, after: ReturnType<typeof readServed>) => {
  const whoHas = new Map([...before.members].map(([name, { user }]) => [user.id!, name]))
  const was = new Map<string, string>()
  for (const [name, { user }] of after.members) if (whoHas.has(user.id!)) was.set(name, whoHas.get(user.id!)!)
  const taken = new Set(was.values())
  for (const name of after.members.keys())
    if (!was.has(name) && before.members.has(name) && !taken.has(name)) was.set(name, name)
  const found = new Set(was.values())
  const address = (name: string) => `/api/username/${name}`
  return {
    members: {
      added: [...after.members.keys()].filter((name) => !was.has(name)).sort(),
      removed: [...before.members.keys()]
        .filter((name) => !found.has(name) && !after.members.has(name))
        .sort(),
      renamed: [...was]
        .filter(([to, from]) => to !== from)
        .map(([to, from]) => ({ from, to }))
        .sort((a, b) => (a.from < b.from ? -1 : 1)),
      changed: [...was]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([name, old]) => {
          const [then, now] = [before.members.get(old)!, after.members.get(name)!]
          const [oldIds, newIds] = [then, now].map(({ shots }) => shots.map(({ id }) => id!))
          const profile = differing(then.user, now.user)
          const shots = {
            entered: newIds!.filter((id) => !oldIds!.includes(id)).sort(byNumber),
            left: oldIds!.filter((id) => !newIds!.includes(id)).sort(byNumber),
            changed: newIds!
              .filter((id) => oldIds!.includes(id))
              .sort(byNumber)
              .flatMap((id) => {
                const fields = differing(
                  then.shots.find((shot) => shot.id === id)!,
                  now.shots.find((shot) => shot.id === id)!,
                )
                return Object.keys(fields).length === 0 ? [] : [{ id, fields }]
              }),
          }
          const order = (list: readonly string[], other: readonly string[]) =>
            list.filter((id) => other.includes(id)).join()
          const reordered = order(oldIds!, newIds!) !== order(newIds!, oldIds!)
          const same =
            Object.keys(profile).length + shots.entered.length + shots.left.length + shots.changed.length ===
            0
          return same && !reordered ? [] : [{ username: name, profile, shots }]
        }),
    },
    addresses: {
      added: after.names
        .filter((name) => !before.names.includes(name))
        .map(address)
        .sort(),
      removed: before.names
        .filter((name) => !after.names.includes(name))
        .map(address)
        .sort(),
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
      hostNames: [],
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
