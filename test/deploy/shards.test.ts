import { expect, test } from 'vitest'
import { contentOf, expectKilled, publish, remoteWith } from './memory-store.ts'
import { filesOf, published, shardFilesOf, snapshot, sumsOf } from './snapshots.ts'

const before = { ana: 'old', bo: 'same', cy: 'to go', dee: 'old' }
const after = { ana: 'new', bo: 'same', dee: 'new', eve: 'fresh' }

type Members = Readonly<Record<string, string>>

/** The members in two shards, and what their merge wrote: the whole list, and no member's file. */
const sharded = (members: Members) => {
  const part = (rest: number) =>
    Object.fromEntries(
      Object.entries(members).filter(([name]) => name.charCodeAt(0) % 2 === rest),
    )
  const whole = filesOf(members)
  return {
    shards: [part(0), part(1)].map((some) => snapshot(shardFilesOf(some))),
    merged: snapshot(filesOf({}), whole),
  }
}

const old = () => sharded(before)
const next = () => sharded(after)

test('the merged one is refused until every shard has been brought; it alone removes, and writes the list', async () => {
  const remote = remoteWith(filesOf(before))
  const { shards, merged } = next()
  await publish(shards[0]!, remote)
  const held = contentOf(remote)
  await expect(publish(merged, remote)).rejects.toThrow('no shard has brought it')
  expect(contentOf(remote)).toEqual(held)
  await publish(shards[1]!, remote)
  expect(remote.files.get('SHA256SUMS')).toBe(sumsOf(filesOf(before)))
  expect(remote.files.has('api/username/cy/index.json')).toBe(true)
  await publish(merged, remote)
  expect(contentOf(remote)).toEqual(published(filesOf(after)))
})

test('a shard that was deployed already uploads nothing again', async () => {
  const remote = remoteWith(filesOf(before))
  const { shards } = next()
  await publish(shards[0]!, remote)
  remote.requests.length = 0
  await publish(shards[0]!, remote)
  expect(remote.requests.filter((request) => !/^(?:GET|LIST)/.test(request))).toEqual([])
})

test('deployments of shards that die at any moment are completed, by the same, the one before, or a whole one', async () => {
  const { shards, merged } = next()
  const earlier = old()
  const whole = snapshot(filesOf(before))
  for (let dieAt = 0; dieAt < 12; dieAt += 3) {
    for (const how of ['same', 'before', 'whole'] as const) {
      const remote = remoteWith(filesOf(before))
      for (const shard of shards) await publish(shard, remote, { dieAt }).catch(expectKilled)
      const then = {
        same: [...shards, merged],
        before: [...earlier.shards, earlier.merged],
        whole: [whole],
      }
      for (const out of then[how]) await publish(out, remote)
      const expected = filesOf(how === 'same' ? after : before)
      expect(contentOf(remote), `${how} after ${dieAt}`).toEqual(published(expected))
    }
  }
})

test.each(['.shotpress-deploy', '.shotpress-deploy.d/1-ab'])(
  'a torn %s makes everything unknown',
  async (file) => {
    const remote = remoteWith(filesOf(before))
    remote.files.set('.shotpress-deploy', '# shotpress deployment x\n# end\n')
    remote.files.set(file, '# shotpress deployment x\n0000')
    remote.files.set('api/username/bo/index.json', 'what the torn one may have written')
    const { shards, merged } = next()
    await publish(shards[0]!, remote)
    await expect(publish(merged, remote)).rejects.toThrow('no shard has brought it')
    await publish(shards[1]!, remote)
    await publish(merged, remote)
    expect(contentOf(remote)).toEqual(published(filesOf(after)))
  },
)
