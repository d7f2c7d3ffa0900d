import { expect, test } from 'vitest'
import type { FieldChanges } from '../../scripts/report/compare.ts'
import { report } from '../../scripts/report/report.ts'
import { isThere, readTree, sandbox, type Tree, writeTree } from '../sandbox.ts'
import { buildIn } from '../snapshot/building.ts'
import { createRandom, type Random } from '../snapshot/random.ts'
import { times } from '../times.ts'

/** Pairs of sites; REPORT_PAIRS=1000 for the full measure, REPORT_SEED for others. */
const pairs = Number(process.env.REPORT_PAIRS ?? 20)
const seed = Number(process.env.REPORT_SEED ?? 1)

/** A small site: few names, ids and values, so that two of them have much in common. */
const randomSite = (random: Random) => {
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

/** What both folders of content serve over https, by file. */
const servedIn = (folder: string): Tree =>
  Object.fromEntries(
    Object.entries(readTree(folder, 'dist')).filter(([file]) => /^api/.test(file)),
  )

const told = (base: string, head: string) =>
  report({
    base: `${base}/content`,
    content: `${head}/content`,
    out: `${head}/dist`,
    now: '2020-01-01 00:00:00',
    onProgress: () => {},
  })

/** A change of fields the other way round. */
const back = (fields: FieldChanges) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, { before, after }]) => [
      field,
      { before: after, after: before },
    ]),
  )

test.each(times(pairs, (at) => at))(
  'a report tells of each difference of two snapshots, and the same one from either side, pair %i',
  async (at) => {
    const random = createRandom(seed * 100_000 + at)
    const folders = [sandbox(), sandbox()] as const
    for (const folder of folders) {
      writeTree(folder, randomSite(random))
      const { diagnostics } = await buildIn(folder)
      // ids may collide: such a site has no snapshot to compare
      if (diagnostics.some(({ severity }) => severity === 'error'))
        return expect(isThere(folder, 'dist')).toBe(false)
    }
    const [base, head] = folders
    const { members, addresses } = await told(base, head)
    const differing = Object.entries(servedIn(head)).filter(
      ([file, text]) => servedIn(base)[file] !== text,
    )
    const names = new Set(differing.map(([file]) => file.split('/')[2]))
    const isTold = (name: string) =>
      [...members.added, ...members.renamed.map(({ to }) => to)].includes(name) ||
      members.changed.some(({ username }) => username === name)
    const own = Object.values(servedIn(head)).flatMap(
      (text) => JSON.parse(String(text)).username ?? [],
    )
    expect(own.filter(isTold).sort()).toEqual(own.filter((name) => names.has(name)).sort())
    const other = await told(head, base)
    expect(other.addresses).toEqual({ added: addresses.removed, removed: addresses.added })
    // where a name goes to another member, that is a rename from one side alone
    if (members.renamed.length > 0) return
    expect(other.members).toMatchObject({ added: members.removed, removed: members.added })
    const mirrored = other.members.changed.map(({ username, profile, shots }) => ({
      username,
      profile: back(profile),
      entered: shots.left,
      left: shots.entered,
      changed: shots.changed.map(({ id, fields }) => ({ id, fields: back(fields) })),
    }))
    const changed = members.changed.map(
      ({ username, profile, shots: { moved: _, ...shots } }) => ({
        username,
        profile,
        ...shots,
      }),
    )
    expect(mirrored).toEqual(changed)
  },
)
