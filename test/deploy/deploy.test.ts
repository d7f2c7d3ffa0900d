import { expect, test } from 'vitest'
import { markerFile } from '../../scripts/deploy/deploy.ts'
import { appendTo } from '../sandbox.ts'
import { times } from '../times.ts'
import {
  contentOf,
  createRemote,
  expectKilled,
  Killed,
  publish,
  type Remote,
  remoteWith,
} from './memory-store.ts'
import { filesOf, published, snapshot, sumsOf } from './snapshots.ts'

const before = filesOf({ ana: 'old', bo: 'same', cy: 'to go', dee: 'old' })
const after = filesOf({ ana: 'new', bo: 'same', dee: 'new', eve: 'fresh' })

test('only what changed is uploaded, in an order that no client stumbles over', async () => {
  const remote = remoteWith(before)
  await publish(after, remote)
  expect(contentOf(remote)).toEqual(published(after))
  expect(remote.requests.splice(0)).toEqual([
    'GET SHA256SUMS',
    'GET .shotpress-deploy',
    'PUT .shotpress-deploy',
    ...['', '/shots'].flatMap((route) =>
      ['', 'http/'].flatMap((variant) =>
        ['ana', 'dee', 'eve'].map(
          (name) => `PUT ${variant}api/username/${name}${route}/index.json`,
        ),
      ),
    ),
    'GET .shotpress-deploy',
    'DELETE api/username/cy/shots/index.json',
    'DELETE http/api/username/cy/shots/index.json',
    'DELETE api/username/cy/index.json',
    'DELETE http/api/username/cy/index.json',
    'PUT SHA256SUMS',
    'DELETE .shotpress-deploy',
  ])
  await publish(after, remote)
  expect(remote.requests).toEqual(['GET SHA256SUMS', 'GET .shotpress-deploy'])
})

test('pictures come first and go last, bins after the members, and what lists them after all', async () => {
  const shared = (text: string, picture: string) => ({
    ...filesOf({ ana: text }),
    [`pictures/${picture.repeat(32)}.png`]: picture,
    'api/members/index.json': text,
    'api/all/0f.ndjson': text,
    'api/all/0f.ndjson.br': text,
    'http/api/all/0f.ndjson': text,
    'api/all/index.json': text,
  })
  const remote = remoteWith(shared('old', '0'))
  await publish(shared('new', '1'), remote)
  const changes = remote.requests.filter((request) => /^(?:PUT|DELETE) [^.S]/.test(request))
  expect(changes).toEqual([
    `PUT pictures/${'1'.repeat(32)}.png`,
    'PUT api/username/ana/index.json',
    'PUT http/api/username/ana/index.json',
    'PUT api/username/ana/shots/index.json',
    'PUT http/api/username/ana/shots/index.json',
    'PUT api/all/0f.ndjson',
    'PUT http/api/all/0f.ndjson',
    'PUT api/all/0f.ndjson.br',
    'PUT api/all/index.json',
    'PUT api/members/index.json',
    `DELETE pictures/${'0'.repeat(32)}.png`,
  ])
})

test('what no list names stays', async () => {
  const remote = remoteWith(before)
  remote.files.set('api/username/stranger/index.json', 'not ours')
  remote.files.set('robots.txt', 'not ours')
  await publish(after, remote)
  expect(contentOf(remote)).toMatchObject({
    'api/username/stranger/index.json': 'not ours',
    'robots.txt': 'not ours',
  })
})

test.each([
  ['a path that leads elsewhere', `${'0'.repeat(64)}  ../x\n`, 'remove the file there'],
  ['no list at all', '<html>\n', 'remove the file there'],
  ['files of something else', sumsOf({ 'disk.iso': 'x' }), 'publish to a path of its own'],
])('a list at the remote with %s is refused', async (_, text, hint) => {
  const remote = createRemote({ SHA256SUMS: text })
  await expect(publish(before, remote)).rejects.toMatchObject({
    message: expect.stringContaining('SHA256SUMS at the remote is no list of a snapshot'),
    hint: expect.stringContaining(hint),
  })
  expect(remote.requests.filter((request) => !request.startsWith('GET'))).toEqual([])
})

test('a file that is not what the list says is refused before anything is changed', async () => {
  const out = snapshot(after)
  appendTo(out, 'api/username/ana/index.json', 'x')
  const remote = remoteWith(before)
  await expect(publish(out, remote)).rejects.toThrow('is not what SHA256SUMS says')
  expect(contentOf(remote)).toEqual(published(before))
})

test('more than half of the members, and more than five, go only if that is allowed', async () => {
  const names = (count: number) => Object.fromEntries(times(count, (at) => [`m${at}`, 'x']))
  const remote = remoteWith(filesOf(names(11)))
  const out = snapshot(filesOf(names(5)))
  const held = contentOf(remote)
  await expect(publish(out, remote)).rejects.toThrow('6 of 11 members would be removed')
  expect(contentOf(remote)).toEqual(held)
  await publish(out, remote, { allowRemoval: true })
  expect(contentOf(remote)).toEqual(published(filesOf(names(5))))
})

test('a deployment that began meanwhile is noticed before anything is removed or listed', async () => {
  const remote = remoteWith(before)
  const theirs = '# shotpress deployment of somebody else\n# end\n'
  const afterChange = () => void remote.files.set(markerFile, theirs)
  await expect(publish(after, remote, { afterChange })).rejects.toThrow(
    'another deployment began meanwhile',
  )
  expect(remote.files.get('SHA256SUMS')).toBe(sumsOf(before))
  expect(remote.files.has('api/username/cy/index.json')).toBe(true)
  expect(remote.files.get(markerFile)).toBe(theirs)
})

test.each([
  ['was torn', '# shotpress deployment x\n0000'],
  [
    'names a path that leads elsewhere',
    `# shotpress deployment x\n${'0'.repeat(64)}  ../x\n# end\n`,
  ],
])('a marker that %s makes everything unknown', async (_, marker) => {
  const remote = remoteWith(before)
  remote.files.set(markerFile, marker)
  remote.files.set('api/username/bo/index.json', 'what the torn one may have written')
  await publish(before, remote)
  expect(contentOf(remote)).toEqual(published(before))
})

/**
 * Looks at the remote after each change: a body is one of a snapshot, and no shots are
 * without their profile.
 */
const watch = (remote: Remote, snapshots: readonly ReturnType<typeof filesOf>[]) => () => {
  for (const [file, text] of remote.files) {
    if (!file.includes('/username/')) continue
    if (!snapshots.some((files) => files[file] === text))
      throw new Error(`${file} is nobody's`)
    if (!remote.files.has(file.replace('/shots/', '/')))
      throw new Error(`${file} without a profile`)
  }
}

const later = filesOf({ ana: 'newer', bo: 'changed', eve: 'fresh', fay: 'fresh' })
test.each([
  ['the same snapshot', after],
  ['the one before', before],
  ['a later one', later],
])(
  'a deployment that dies at any moment is completed by a deployment of %s, also after a second one died',
  async (_, next) => {
    const [afterOut, laterOut, nextOut] = [after, later, next].map((files) => snapshot(files))
    for (let dieAt = 0; dieAt < 19; dieAt++) {
      for (const dieAgain of dieAt % 3 === 0 ? [undefined, 1, 12] : [undefined]) {
        const remote = remoteWith(before)
        const afterChange = watch(remote, [before, after, later])
        await expect(publish(afterOut!, remote, { dieAt, afterChange })).rejects.toThrow(
          Killed,
        )
        if (dieAgain !== undefined)
          await publish(laterOut!, remote, { dieAt: dieAgain, afterChange }).catch(
            expectKilled,
          )
        await publish(nextOut!, remote, { afterChange })
        expect(contentOf(remote), `after ${dieAt} and ${dieAgain} changes`).toEqual(
          published(next),
        )
      }
    }
  },
)
