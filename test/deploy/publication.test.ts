import { hash } from 'node:crypto'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { expectRefusal, runIn } from '../processes.ts'
import { appendTo, namesIn, readText, sandbox, type Tree, writeTree } from '../sandbox.ts'
import { site } from '../site.ts'
import { rowsOf, texts } from '../tables.ts'
import { createRemote, publish, type Remote } from './memory-store.ts'
import { filesOf, published, snapshot } from './snapshots.ts'

const before = filesOf({ ana: 'old' })
const after = filesOf({ ana: 'new' })

/** What tells when it was published. */
const told = (when: string) => ({
  'published.json': when,
  'published.json.sig': `signature of ${when}`,
})

const tellingSnapshot = (files: Tree, when: string) => {
  const out = snapshot(files)
  for (const [name, text] of Object.entries(told(when))) writeTree(out, { [name]: text })
  return out
}

const remoteWith = (files: Tree, when: string) =>
  createRemote({ ...published(files), ...told(when) })

const changesOf = ({ requests }: Remote) =>
  requests.filter((request) => !request.startsWith('GET'))

test('when it was published comes just before the list that it is of', async () => {
  const remote = remoteWith(before, 'before')
  await publish(tellingSnapshot(after, 'after'), remote)
  expect(changesOf(remote).slice(-4)).toEqual(
    texts(
      'PUT published.json¦PUT published.json.sig¦PUT SHA256SUMS¦DELETE .shotpress-deploy',
    ),
  )
  expect(remote.headers.get('published.json')).toEqual({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'public, max-age=60',
  })
})

test('a deployment tells of a new signature alone', () => {
  const folder = sandbox(site)
  build(folder, first)
  const deploy = () => runIn(folder, 'deploy ./public').stdout
  expect(deploy()).toMatch(/^\d+ files \([\d,]+ bytes\), published\.json uploaded, /)
  writeTree(folder, { 'dist/published.json.sig': 'x' })
  expect(deploy().split(', 0 removed')[0]).toBe('published.json, published.json.sig uploaded')
})

test('killed between it and the list, the next deployment completes it', async () => {
  for (let dieAt = 0; dieAt < 9; dieAt++) {
    const remote = remoteWith(before, 'before')
    await publish(tellingSnapshot(after, 'after'), remote, { dieAt }).catch(() => {})
    await publish(tellingSnapshot(before, 'before'), remote)
    expect(Object.fromEntries(remote.files)).toEqual({
      ...published(before),
      ...told('before'),
    })
  }
})

const build = (folder: string, flags = '') => {
  const { status, stderr } = runIn(folder, `build ${flags}`)
  expect([status, stderr]).toEqual([0, expect.any(String)])
}

const first = '--published 2026-03-02T18:30:00Z --commit abc'

test('a build says when it is published and from what, and without the flag it does not', () => {
  const folder = sandbox(site)
  const read = (name: string) => readText(`${folder}/dist/${name}`)
  build(folder)
  const sums = read('SHA256SUMS')
  build(folder, first)
  expect(read('published.json')).toBe(
    `{"published":"2026-03-02 18:30:00","commit":"abc","sums":"${sha256(sums)}","all":""}\n`,
  )
  appendTo(folder, 'content/site.yaml', 'all: true\n')
  build(folder, first)
  expect(JSON.parse(read('published.json'))).toMatchObject({
    sums: sha256(read('SHA256SUMS')),
    all: sha256(read('api/all/index.json')),
  })
  expect(read('SHA256SUMS')).not.toContain('published.json')
  build(folder)
  expect(namesIn(folder, 'dist')).not.toContain('published.json')
})

test('a signature stays as long as it fits', () => {
  const folder = sandbox(site)
  const file = `${folder}/dist/published.json`
  const isSigned = () => fs.existsSync(`${file}.sig`)
  build(folder, first)
  fs.writeFileSync(`${file}.sig`, 'x')
  build(folder, first)
  build(folder, `${first} --distrust`)
  expect(isSigned()).toBe(true)
  const { mtimeMs } = fs.statSync(file)
  build(folder, "--published '2026-03-02 18:30:01' --commit abc")
  expect(isSigned()).toBe(false)
  // servers make ETags of size and whole seconds
  expect(Math.floor(fs.statSync(file).mtimeMs / 1000)).toBeGreaterThan(
    Math.floor(mtimeMs / 1000),
  )
  fs.writeFileSync(`${file}.sig`, 'x')
  build(folder)
  expect(isSigned()).toBe(false)
})

test('a merge says it as a build does, and of a shard nothing can be said', () => {
  const folder = sandbox(site)
  const refused = runIn(folder, `build --shard 1/1 ${first}`)
  expectRefusal(refused, 'give --published to npx shotpress merge')
  build(folder, '--shard 1/1 --out one')
  expect(runIn(folder, `merge one ${first}`).status).toBe(0)
  expect(readText(`${folder}/dist/published.json`)).toContain('"commit":"abc"')
})

test.each(
  rowsOf(`
    --published yesterday → --published takes a timestamp
    --commit abc → --commit says nothing without --published
    --published 2026-03-02 --commit a\u001b[31m → --commit takes up to 200 characters
  `),
)('a build refuses %j', (flags, words) =>
  expectRefusal(runIn(sandbox(site), `build ${flags}`), words),
)

const sha256 = (text: string) => hash('sha256', text)
