import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { shotpress } from '../processes.ts'
import { sandbox } from '../sandbox.ts'
import { site } from '../site.ts'
import { createRemote, publish } from './memory-store.ts'
import { filesOf, published, snapshot } from './snapshots.ts'

const before = filesOf({ ana: 'old' })
const after = filesOf({ ana: 'new' })

const signedSnapshot = (files: ReturnType<typeof filesOf>, signature: string): string => {
  const out = snapshot(files)
  fs.writeFileSync(path.join(out, 'SHA256SUMS.sig'), signature)
  return out
}

const remoteWith = (files: ReturnType<typeof filesOf>, signature: string) =>
  createRemote({ ...published(files), 'SHA256SUMS.sig': signature })

const changesOf = ({ requests }: ReturnType<typeof createRemote>) =>
  requests.filter((request) => !request.startsWith('GET'))

test('a new signature comes just before the list that it is of', async () => {
  const remote = remoteWith(before, 'of before')
  await publish(signedSnapshot(after, 'of after'), remote)
  expect(changesOf(remote).slice(-3)).toEqual([
    'PUT SHA256SUMS.sig',
    'PUT SHA256SUMS',
    'DELETE .shotpress-deploy',
  ])
  expect(remote.headers.get('SHA256SUMS.sig')).toEqual(remote.headers.get('SHA256SUMS'))
})

test('a signature of what is published already is all that is uploaded, and by a dry run it is not', async () => {
  const remote = remoteWith(before, 'of before')
  const out = signedSnapshot(before, 'of before, anew')
  const { signed } = await publish(out, remote, { dryRun: true })
  expect([signed, changesOf(remote)]).toEqual([true, []])
  await publish(out, remote)
  expect(changesOf(remote)).toEqual(['PUT SHA256SUMS.sig'])
})

test.each([
  ['empty', ''],
  ['five megabytes long', 'x'.repeat(5e6)],
])('a signature that is %s is refused before anything is published', async (_, text) => {
  const remote = createRemote()
  await expect(publish(signedSnapshot(after, text), remote)).rejects.toThrow(
    'dist/SHA256SUMS.sig" is no signature',
  )
  expect(remote.files.size).toBe(0)
})

test('killed between the signature and the list, the next deployment completes it', async () => {
  for (let dieAt = 0; dieAt < 8; dieAt++) {
    const remote = remoteWith(before, 'of before')
    const out = signedSnapshot(after, 'of after')
    await publish(out, remote, { dieAt }).catch(() => {})
    await publish(signedSnapshot(before, 'of before'), remote)
    expect(Object.fromEntries(remote.files)).toEqual({ ...published(before), 'SHA256SUMS.sig': 'of before' })
  }
})

test('--earlier keeps what was published before, with its signature', async () => {
  const folder = sandbox({ ...site, 'earlier/SHA256SUMS.sig': 'of an older one' })
  const deploy = (...args: readonly string[]) => shotpress(['deploy', './public', ...args], { cwd: folder })
  const read = (file: string) => fs.readFileSync(path.join(folder, file), 'utf8')
  shotpress(['build'], { cwd: folder })
  fs.writeFileSync(path.join(folder, 'dist/SHA256SUMS.sig'), 'of the first')
  expect(deploy('--earlier', 'earlier')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(', 1 signature'),
  })
  expect(fs.readdirSync(path.join(folder, 'earlier'))).toEqual([])
  const first = read('dist/SHA256SUMS')
  fs.appendFileSync(path.join(folder, 'content/members/ana/profile.yaml'), 'bio: hello\n')
  shotpress(['build'], { cwd: folder })
  expect(fs.existsSync(path.join(folder, 'dist/SHA256SUMS.sig'))).toBe(false)
  fs.writeFileSync(path.join(folder, 'dist/SHA256SUMS.sig'), 'of the second')
  expect(deploy('--earlier', 'earlier').status).toBe(0)
  expect([read('earlier/SHA256SUMS'), read('earlier/SHA256SUMS.sig')]).toEqual([first, 'of the first'])
  expect(read('public/SHA256SUMS.sig')).toBe('of the second')
  expect(deploy('--earlier', 'dist')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('overlaps with the snapshot itself'),
  })
})

test('a build keeps the signature of a list that stays, and removes that of one that changes', () => {
  const folder = sandbox(site)
  const names = () =>
    fs.readdirSync(path.join(folder, 'dist')).filter((name) => name.startsWith('SHA256SUMS'))
  const build = (...args: readonly string[]) =>
    expect(shotpress(['build', ...args], { cwd: folder }).status).toBe(0)
  build()
  const sums = fs.readFileSync(path.join(folder, 'dist/SHA256SUMS'), 'utf8')
  fs.writeFileSync(path.join(folder, 'dist/SHA256SUMS.sig'), 'x')
  build()
  build('--distrust')
  expect(names()).toEqual(['SHA256SUMS', 'SHA256SUMS.sig'])
  expect(fs.readFileSync(path.join(folder, 'dist/SHA256SUMS'), 'utf8')).toBe(sums)
  fs.appendFileSync(path.join(folder, 'content/members/ana/profile.yaml'), 'bio: hello\n')
  build()
  expect(names()).toEqual(['SHA256SUMS'])
  fs.mkdirSync(path.join(folder, 'dist/SHA256SUMS.sig'))
  build()
  expect(names()).toEqual(['SHA256SUMS'])
})
