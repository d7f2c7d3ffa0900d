import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRcloneStore } from '../../scripts/deploy/rclone.ts'
import { inSession } from '../../scripts/deploy/session.ts'
import type { UserError } from '../../scripts/problems/user-error.ts'
import { inCi } from '../posix.ts'
import { sandbox } from '../sandbox.ts'
import { type FaultyProxy, s3Error, startProxy } from './proxy.ts'
import { publishTo } from './publish.ts'
import { filesOf, snapshot, sumsOf } from './snapshots.ts'
import { hasSwift, type Swift, startSwift } from './swift.ts'

/** rclone moves the files; Swift checks signatures and keeps metadata as large stores do. In CI both have to be there. */
const canRun = inCi || (hasSwift() && fs.existsSync('/usr/bin/rclone'))
const title = canRun
  ? 'rclone and a store with signatures'
  : 'rclone and a store (skipped: apt-get install rclone swift-proxy memcached)'

/** The path in the bucket. */
const below = 'ein Pfad/für uns'

const before = filesOf({ ana: 'old', bo: 'same', cy: 'to go' })
const after = filesOf({ ana: 'new', bo: 'same', eve: 'fresh' })

describe.skipIf(!canRun)(title, { timeout: 120_000 }, () => {
  let swift: Swift
  let proxy: FaultyProxy
  let bucket = ''
  let count = 0

  beforeAll(async () => {
    swift = await startSwift()
    proxy = await startProxy(swift.endpoint)
  }, 120_000)
  afterAll(async () => {
    await proxy?.close()
    await swift?.stop()
  })
  beforeEach(async () => {
    proxy.fault = () => undefined
    bucket = `site-${count++}`
    await rclone(['mkdir', `store:${bucket}`])
    proxy.requests.length = 0
  })

  const environment = (): NodeJS.ProcessEnv => {
    const { AWS_CA_BUNDLE: _, ...rest } = process.env
    return {
      ...rest,
      RCLONE_CONFIG: path.join(sandbox({ 'rclone.conf': '' }), 'rclone.conf'),
      RCLONE_CONFIG_STORE_TYPE: 's3',
      RCLONE_CONFIG_STORE_PROVIDER: 'Other',
      RCLONE_CONFIG_STORE_ENDPOINT: proxy.endpoint,
      RCLONE_CONFIG_STORE_REGION: 'us-east-1',
      RCLONE_CONFIG_STORE_ACCESS_KEY_ID: swift.user,
      RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY: swift.secret,
    }
  }

  const run = promisify(execFile)
  const rclone = (args: readonly string[]) => run('rclone', [...args], { env: environment() })

  /** Deploys; says what went wrong, or `done`. */
  const deploy = (
    out: string,
    { env = {}, most }: { readonly env?: NodeJS.ProcessEnv; readonly most?: number } = {},
  ): Promise<string> =>
    inSession(
      out,
      async (session) => {
        const options = {
          own: session.own,
          env: { ...environment(), ...env },
          ...(most !== undefined && { most }),
        }
        const store = createRcloneStore(`store:${bucket}/${below}`, options)
        return publishTo(session, store).then(
          () => 'done',
          (error: UserError) => `${error.name}: ${error.message}`,
        )
      },
      { onWait: () => {} },
    )

  const held = async (): Promise<Record<string, string>> => {
    const folder = sandbox({})
    await rclone(['copy', `store:${bucket}/${below}`, folder])
    const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    return Object.fromEntries(
      files
        .filter((file) => fs.statSync(path.join(folder, file)).isFile())
        .map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]),
    )
  }
  const published = (files: ReturnType<typeof filesOf>) => ({ ...files, SHA256SUMS: sumsOf(files) })
  const asked = () =>
    proxy.requests.map(({ method, path }) => `${method} ${path.replace(`/${bucket}/${below}/`, '')}`)

  test('uploads what changed with one request each, lists nothing, and removes what went', async () => {
    expect(await deploy(snapshot(before))).toBe('done')
    expect(await held()).toEqual(published(before))
    const edited = {
      ...before,
      'api/username/ana/shots/index.json': 'edited\n',
      'http/api/username/ana/shots/index.json': 'edited\n',
    }
    proxy.requests.length = 0
    expect(await deploy(snapshot(edited))).toBe('done')
    expect(asked().slice(0, 2).sort()).toEqual(['GET .shotpress-deploy', 'GET SHA256SUMS'])
    expect(asked().slice(2, 5).sort()).toEqual([
      'PUT .shotpress-deploy',
      'PUT api/username/ana/shots/index.json',
      'PUT http/api/username/ana/shots/index.json',
    ])
    expect(asked().slice(5)).toEqual(['GET .shotpress-deploy', 'PUT SHA256SUMS', 'DELETE .shotpress-deploy'])
    expect(await deploy(snapshot(after))).toBe('done')
    expect(await held()).toEqual(published(after))
  })

  test('a signature at the remote that can be none is not fetched whole', async () => {
    expect(await deploy(snapshot(before))).toBe('done')
    const folder = sandbox({ 'SHA256SUMS.sig': 'x'.repeat(5e6) })
    await rclone(['copy', folder, `store:${bucket}/${below}`])
    const signed = snapshot(after)
    fs.writeFileSync(path.join(signed, 'SHA256SUMS.sig'), 'ours')
    expect(await deploy(signed)).toMatch('SHA256SUMS.sig at the remote is larger than it can be')
  })

  test('each key has its headers, also of more files than one rclone takes', async () => {
    const files = { ...before, 'api/username/ana/index.json.br': 'x', 'openapi.json': '{}' }
    expect(await deploy(snapshot(files), { most: 4 })).toBe('done')
    const headers = Object.fromEntries(
      proxy.requests
        .filter(({ method }) => method === 'PUT')
        .map(({ path, headers: all }) => [
          path.replace(`/${bucket}/${below}/`, ''),
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

  test('a wrong key, a missing bucket and a remote that nobody knows are told in plain words', async () => {
    const out = snapshot(before)
    expect(await deploy(out, { env: { RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY: 'wrong' } })).toMatch(
      /^UserError: "store:.*" refused the credentials/,
    )
    bucket = 'nowhere'
    expect(await deploy(out)).toMatch(/^UserError: there is no such bucket: "store:nowhere/)
    expect(
      await deploy(out, {
        env: { RCLONE_CONFIG_STORE_TYPE: undefined, RCLONE_CONFIG_STORE_PROVIDER: undefined },
      }),
    ).toMatch(/^UserError: rclone knows no remote/)
  })

  test('whatever stops it half-way is told, loses nothing, and the next deployment completes it', async () => {
    await deploy(snapshot(before))
    const out = snapshot(after)
    for (const [fault, words] of [
      [s3Error(507, 'QuotaExceeded'), 'there is no room left at'],
      [s3Error(403, 'AccessDenied'), 'refused the credentials'],
      [slowDown, 'has no time for so many requests'],
    ] as const) {
      proxy.fault = ({ method, path }) =>
        method === 'PUT' && path.includes('/eve/shots/') ? fault : undefined
      expect(await deploy(out, { env: { RCLONE_LOW_LEVEL_RETRIES: '1' } })).toContain(words)
    }
    proxy.fault = () => undefined
    const between = await held()
    expect(between.SHA256SUMS).toBe(sumsOf(before))
    expect(between['api/username/cy/index.json']).toBe(before['api/username/cy/index.json'])
    expect(await deploy(snapshot(before))).toBe('done')
    expect(await held()).toEqual(published(before))
  })

  test('a store that refuses every third request because it has no time only takes longer', async () => {
    proxy.fault = (_, number) => (number % 3 === 1 ? (number % 2 === 1 ? slowDown : tooMany) : undefined)
    expect(await deploy(snapshot(before))).toBe('done')
    proxy.fault = () => undefined
    expect(await held()).toEqual(published(before))
  })
})

const slowDown = s3Error(503, 'SlowDown')
const tooMany = s3Error(429, 'TooManyRequests')
