import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseShard, shardOf } from '../../scripts/snapshot/shard.ts'
import { appendTo, readTree, removeFrom, sandbox, type Tree, writeTree } from '../sandbox.ts'
import { siteWith } from '../site.ts'
import { texts } from '../tables.ts'
import { times } from '../times.ts'
import { buildIn, buildShards, checkIn, mergeShards } from './building.ts'

const profile = (id: number, more = '') => `id: ${id}\nname: Example ${id}\n${more}`
const shot = (id: number, more = '') =>
  `title: T\nid: ${id} # x\ndate: 2014-03-02\nimage: a.png\n${more}`

/** Members of a random site whose few ids, tokens and names clash now and then. */
const siteTree = fc
  .record({
    members: fc.uniqueArray(fc.constantFrom(...texts('a¦ana¦a.b¦a-b¦bo¦Cy¦dee¦E_e¦f0¦gus')), {
      minLength: 1,
    }),
    ids: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 40, maxLength: 40 }),
    token: fc.boolean(),
    alias: fc.constantFrom('', 'aliases: [old]\n', 'aliases: [bo, other]\n'),
  })
  .map(({ members, ids, token, alias }) => {
    const tree: Record<string, string> = {
      'content/site.yaml':
        'base_url: https://api.example.com\nhosts: [netlify]\nopenapi: true\nprecompress: [gzip]\nmembers: true\nall: true\n',
    }
    members.forEach((username, at) => {
      tree[`content/members/${username}/profile.yaml`] = profile(
        ids[at]!,
        at % 3 === 0 ? alias : '',
      )
      for (const number of [0, 1]) {
        const id = ids[10 + 2 * at + number]!
        const more = token && number === 1 ? `token_id: ${'ab'.repeat(19)}0${id % 10}\n` : ''
        tree[`content/members/${username}/shots/s${number}.yaml`] = shot(id, more)
      }
    })
    return tree
  })

test('all shards and the merge are the single build, or find what a check of all finds', async () => {
  let clashing = 0
  await fc.assert(
    fc.asyncProperty(siteTree, fc.integer({ min: 1, max: 16 }), async (tree, count) => {
      const root = sandbox(tree)
      const whole = await checkIn(root)
      const { outs } = await buildShards(root, count)
      const merged = await mergeShards(root, outs)
      expect(merged.diagnostics).toEqual(whole.diagnostics)
      if (whole.diagnostics.length > 0) {
        clashing++
        expect(readTree(root, 'merged')).toEqual({})
        return
      }
      await buildIn(root)
      const union = Object.assign(
        {},
        ...outs.map((out) => readTree(out)),
        readTree(root, 'merged'),
      )
      expect(union).toEqual(readTree(root, 'dist'))
    }),
    { numRuns: 12, endOnFailure: true },
  )
  expect(clashing).toBeGreaterThan(0)
})

const tree: Tree = siteWith(12)

/** A site that was built in so many shards. */
const sharded = async (count: number, files = tree) => {
  const root = sandbox(files)
  return { root, ...(await buildShards(root, count)) }
}

test('a merge needs no content, writes no member’s file and touches none', async () => {
  const { root, outs } = await sharded(3)
  removeFrom(root, 'content')
  const before = outs.map((out) => readTree(out))
  await mergeShards(root, outs)
  expect(outs.map((out) => readTree(out))).toEqual(before)
  expect(Object.keys(readTree(root, 'merged')).sort()).toEqual([
    '404.json',
    '405.json',
    'SHA256SUMS',
  ])
})

test('a merge says which shards are missing, and refuses what does not belong together', async () => {
  const { root, outs } = await sharded(3)
  await expect(mergeShards(root, outs.slice(1))).rejects.toThrow(
    'of 3 shards, there is none of these: 1',
  )
  await expect(mergeShards(root, [outs[0]!, outs[0]!])).rejects.toThrow('are both shard 1/3')
  await expect(mergeShards(root, [`${root}/content`])).rejects.toThrow('no state of a shard')
  appendTo(outs[1]!, 'SHA256SUMS', 'x\n')
  await expect(mergeShards(root, outs)).rejects.toThrow("don't belong together")
  writeTree(root, { 'content/site.yaml': 'base_url: https://other.example.com\n' })
  await buildIn(root, { out: outs[1]!, shard: { index: 2, count: 3 } })
  await expect(mergeShards(root, outs)).rejects.toThrow('different sites or programs')
})

test('a merge that would remove most of the members has to be allowed; a shard’s build has not', async () => {
  const { root, outs } = await sharded(2)
  await mergeShards(root, outs)
  for (let at = 1; at <= 8; at++) removeFrom(root, `content/members/m${at}`)
  const { results } = await buildShards(root, 2)
  expect(results.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  const stopped = await mergeShards(root, outs)
  expect(stopped.diagnostics).toMatchObject([{ code: 'mass-removal' }])
  const allowed = await mergeShards(root, outs, { allowRemoval: true })
  expect(allowed).toMatchObject({ diagnostics: [], members: 4 })
})

test('a merge counts members, and not their aliases, where many are to go', async () => {
  const aliases = `aliases: [${times(14, (at) => `old${at}`).join(', ')}]\n`
  const { root, outs } = await sharded(2, {
    'content/members/keep/profile.yaml': profile(100, aliases),
    ...siteWith(7),
  })
  await mergeShards(root, outs)
  for (let at = 1; at <= 7; at++) removeFrom(root, `content/members/m${at}`)
  await buildShards(root, 2)
  const { diagnostics } = await mergeShards(root, outs)
  expect(diagnostics).toMatchObject([{ code: 'mass-removal' }])
})

test('a shard needs only its own folders of the content', async () => {
  const { outs } = await sharded(2)
  const other = sandbox({ 'content/site.yaml': tree['content/site.yaml']! })
  for (let at = 1; at <= 12; at++) {
    const file = `content/members/m${at}/profile.yaml`
    if (shardOf(`m${at}`, 2) === 2) writeTree(other, { [file]: tree[file]! })
  }
  const out = `${other}/part`
  await buildIn(other, { out, shard: { index: 2, count: 2 } })
  expect(readTree(out)).toEqual(readTree(outs[1]!))
})

test('a shard is known by the SHA-1 of the name in lower case', () => {
  // echo -n ana | sha1sum
  expect(shardOf('ana', 1000)).toBe(1 + (0x72019bba % 1000))
  expect(shardOf('Ana', 16)).toBe(shardOf('aNA', 16))
})

test.each(texts('0/4¦5/4¦1/1001¦1¦1/¦/4¦01/4¦1/4/4¦-1/4¦x'))(
  'the shard %s is refused',
  (text) => expect(() => parseShard(text)).toThrow('--shard takes I/N'),
)
