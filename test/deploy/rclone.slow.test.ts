import fs from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { inSession } from '../../scripts/deploy/deploy.ts'
import { createRcloneStore } from '../../scripts/deploy/store.ts'
import type { UserError } from '../../scripts/problems/diagnostic.ts'
import { inCi } from '../posix.ts'
import { sandbox, type Tree, writeTree } from '../sandbox.ts'
import { createRandom } from '../snapshot/random.ts'
import { publishTo } from './memory-store.ts'
import { type PlainStore, settingsFor, startPlainStore } from './plain-store.ts'
import { filesOf, published, snapshot, sumsOf } from './snapshots.ts'

/** rclone moves the files. In CI it has to be there. */
const canRun = inCi || fs.existsSync('/usr/bin/rclone')
const title = canRun
  ? 'rclone and a store'
  : 'rclone and a store (skipped: apt-get install rclone)'

/** How often rclone is killed; DEPLOY_KILLS=100 for the full measure. */
const kills = Number(process.env.DEPLOY_KILLS ?? 3)
const seed = Number(process.env.SEED ?? 1)

/** rclone with a time to live, in seconds. */
const killed =
  '#!/bin/sh\nexec timeout -s KILL "$(cat "$(dirname "$0")/delay")" /usr/bin/rclone "$@"\n'

/** The path at the remote, the bucket in front. */
const below = 'bucket/ein Pfad/für uns'

const before = filesOf({ ana: 'old', bo: 'same', cy: 'to go' })
const after = filesOf({ ana: 'new', bo: 'same', eve: 'fresh' })

describe.skipIf(!canRun)(title, { timeout: 120_000 + kills * 30_000 }, () => {
  let store: PlainStore
  beforeAll(async () => {
    store = await startPlainStore()
  })
  afterAll(() => store?.close())
  beforeEach(() => {
    store.fault = () => undefined
    store.objects.clear()
    store.requests.length = 0
  })

  /** Deploys; says what went wrong, or `done`. */
  const deploy = (out: string, env: NodeJS.ProcessEnv = {}) =>
    inSession(
      out,
      async (session) => {
        const config = `${sandbox({ 'rclone.conf': '' })}/rclone.conf`
        const settings = { ...process.env, ...settingsFor(store, config), ...env }
        const remote = createRcloneStore(`store:${below}`, {
          own: session.own,
          env: settings,
        })
        return publishTo(session, remote).then(
          () => 'done',
          (error: UserError) => `${error.name}: ${error.message}`,
        )
      },
      { onWait: () => {} },
    )

  const fileOf = (path: string) => path.slice(path.indexOf(below) + below.length + 1)
  const held = () =>
    Object.fromEntries(Array.from(store.objects, ([key, text]) => [fileOf(key), text]))
  const expectDeployed = async (files: Tree) => {
    expect(await deploy(snapshot(files))).toBe('done')
    expect(held()).toEqual(published(files))
  }
  const asked = () => store.requests.map(({ method, path }) => `${method} ${fileOf(path)}`)

  test('uploads what changed with one request each, lists nothing, and removes what went', async () => {
    await expectDeployed(before)
    const edited = {
      ...before,
      'api/username/ana/shots/index.json': 'edited\n',
      'http/api/username/ana/shots/index.json': 'edited\n',
    }
    store.requests.length = 0
    expect(await deploy(snapshot(edited))).toBe('done')
    expect(asked().slice(0, 2).sort()).toEqual(['GET .shotpress-deploy', 'GET SHA256SUMS'])
    expect(asked().slice(2, 5).sort()).toEqual([
      'PUT .shotpress-deploy',
      'PUT api/username/ana/shots/index.json',
      'PUT http/api/username/ana/shots/index.json',
    ])
    expect(asked().slice(5)).toEqual([
      'GET .shotpress-deploy',
      'PUT SHA256SUMS',
      'DELETE .shotpress-deploy',
    ])
    await expectDeployed(after)
  })

  test('each key has its headers', async () => {
    const files = { ...before, 'api/username/ana/index.json.br': 'x', 'openapi.json': '{}' }
    expect(await deploy(snapshot(files))).toBe('done')
    const headers = Object.fromEntries(
      store.requests
        .filter(({ method }) => method === 'PUT')
        .map(({ path, headers: all }) => [
          fileOf(path),
          [all['content-type'], all['cache-control'], all['content-encoding']],
        ]),
    )
    const json = 'application/json; charset=utf-8'
    expect(headers).toMatchObject({
      'api/username/ana/index.json': [json, 'public, max-age=300', undefined],
      'api/username/ana/index.json.br': [json, 'public, max-age=300', 'br'],
      '404.json': [json, 'public, max-age=60', undefined],
      '405.json': [json, 'no-store', undefined],
      'openapi.json': [json, 'public, max-age=300', undefined],
      SHA256SUMS: ['text/plain; charset=utf-8', 'no-cache', undefined],
    })
  })

  test('whatever stops it is told in the words of rclone, loses nothing, and the next deployment completes it', async () => {
    await deploy(snapshot(before))
    const out = snapshot(after)
    const once = { RCLONE_LOW_LEVEL_RETRIES: '1' }
    store.fault = () => ({ status: 404, code: 'NoSuchBucket' })
    expect(await deploy(out, once)).toMatch(/^UserError: rclone failed with .*NoSuchBucket/)
    for (const [status, code] of [
      [507, 'QuotaExceeded'],
      [403, 'AccessDenied'],
      [503, 'SlowDown'],
    ] as const) {
      store.fault = ({ method, path }) =>
        method === 'PUT' && path.includes('/eve/shots/') ? { status, code } : undefined
      expect(await deploy(out, once)).toContain(code)
    }
    store.fault = () => undefined
    expect(held()).toMatchObject({
      SHA256SUMS: sumsOf(before),
      'api/username/cy/index.json': before['api/username/cy/index.json'],
    })
    await expectDeployed(before)
  })

  test('killed at any moment, it is told, and the next deployment completes it', async () => {
    const random = createRandom(seed)
    const bin = sandbox({ rclone: killed, delay: '60' })
    fs.chmodSync(`${bin}/rclone`, 0o755)
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
    const outs = [before, after].map((files) => ({ files, out: snapshot(files) }))
    await deploy(outs[0]!.out)
    for (let count = 0; count < kills; count++) {
      writeTree(bin, { delay: `${(random.below(250) + 10) / 1000}` })
      const told = await deploy(random.pick(outs).out)
      expect(told).toMatch(/^(?:done|UserError: rclone failed with .*)$/)
      writeTree(bin, { delay: '60' })
      const { files, out } = random.pick(outs)
      expect(await deploy(out)).toBe('done')
      expect(held(), `after ${count} kills: ${told}`).toEqual(published(files))
    }
    vi.unstubAllEnvs()
  })
})
