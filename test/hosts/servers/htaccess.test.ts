import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { htaccess } from '../../../scripts/hosts/servers/htaccess.ts'
import { freePorts } from '../../ports.ts'
import { htaccessEngine } from './apache.ts'
import { endStage, makeStage, type Stage } from './contract.ts'
import { installed, start, titleOf } from './engine.ts'
import { hostOptions } from './options.ts'
import { differences } from './questions.ts'

const anyEngine = htaccessEngine(hostOptions({}))

describe.skipIf(!installed(anyEngine))(titleOf(anyEngine), () => {
  let stage: Stage
  let compressed: Stage
  beforeAll(async () => {
    stage = await makeStage()
    compressed = await makeStage({ precompress: ['br', 'gzip'], name: 'v1' })
  })
  afterAll(() => Promise.all([endStage(stage), endStage(compressed)]))

  const found = async (given: Parameters<typeof hostOptions>[0]): Promise<string[]> => {
    const options = hostOptions(given)
    const [http, https] = (await freePorts(2)) as [number, number]
    const config = htaccess.files!({ ...options, siteRoutes: [], usernames: [] })[0]!.text
    const running = await start(htaccessEngine(options), config, { ports: [http, https], root: options.root })
    try {
      return await differences({ ...options, ports: { http, https } })
    } finally {
      await running.stop()
    }
  }

  /** What Apache answers before it reads a .htaccess file, as docs/hosting/servers.md says. */
  const gap = /^https? (?:TRACE|GET \S*(?:%2[fF]|x{60,}…))/

  test('answers as the contract says', async () => {
    const all = await found(stage)
    expect(all.filter((line) => !gap.test(line))).toEqual([])
    for (const part of ['TRACE', '%2f', 'xxx']) expect(all.join('\n')).toContain(part)
  })

  test('serves precompressed files from a folder of the web', async () => {
    const all = await found({ ...compressed, basePath: '/v1', precompress: ['br', 'gzip'] })
    const outside = /^https? (?:HEAD of \/|[A-Z]+ \/(?!v1\/))/
    expect(all.filter((line) => !gap.test(line) && !outside.test(line))).toEqual([])
  })
})
